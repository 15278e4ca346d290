#!/usr/bin/env python3
"""Makes texts that are hard for HanLP and IKAnalyzer, the same for the same seed: texts.py COUNT [--seed S] prints JSON Lines {"id","text"}.

Mixed from names, transliterations, numbers with measure words, letters, full width, traditional characters, surrogates (lone ones too), rare
code points, control characters, and sentences cut out of the shared corpora ($LEITONG_SHARED, ../shared beside the checkout) if they are there.
"""

import argparse
import gzip
import json
import os
import random
import sys
from pathlib import Path

SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
DOUBLE_SURNAMES = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯".split()
GIVEN = "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文建国华玉红春梅志海云飞龙山水光天子小大中金成新生永和晓东方正思家宁安"
TITLES = "先生 女士 说 认为 表示 同志 教授 主席 总统 记者 的 和 与 、 ， 老 小 阿 副 市长 率 到 在 今天 称".split()
FOREIGN = "阿巴贝比伯布查达大戴德迪蒂多厄尔法菲费夫弗福盖戈格古哈海汉赫霍基吉加杰卡凯科可克肯库拉莱兰勒雷黎里利丽林卢路鲁伦罗洛马玛迈曼梅米莫纳内尼诺帕佩皮普奇乔切让瑞萨塞桑沙舍什史斯斯塔泰坦特提图托瓦维温沃乌西希肖谢辛雅亚伊尤约泽扎詹朱兹"
MEASURES = "个 只 条 年 月 日 时 分 秒 岁 元 万元 公里 千克 吨 米 平方米 % ％ ‰ 次 届 名 位 本 届 度 ℃ 件 座 架 点 点半 号 楼 倍 多 余 几 半 来".split()
CHINESE_DIGITS = "零一二三四五六七八九十百千万亿两壹贰叁拾佰仟廿卅〇○几第初点半多余"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WORDS = ["iPhone", "C++", "c#", "AT&T", "a@b.com", "www.example.org", "http://x.cn/a?b=1", "Wi-Fi", "3D", "T恤", "K线", "5G", "COVID-19", "e-mail", "x86_64",
         "a--", "1.", "..", "U.S.A.", "don't", "naïve", "Ünïcode", "ЕС", "Москва", "ΑΒΓ", "アメリカ", "한국어", "ＡＢＣ", "ｗｗｗ", "①②③", "Ⅷ", "㎡", "№5"]
TRADITIONAL = "國際電腦網絡發展與歷史學會臺灣龍鳳門鐘錶後髮裡裏麵乾幹係繫蘋果優酪乳計程車資訊軟體滑鼠記憶體硬碟程式數位飛彈雷射伺服器巨集變數著於為麼會學習灣島"
PUNCTUATION = "，。！？；：、“”‘’（）《》【】—…·～,.!?;:'\"()<>[]{}-_=+*/\\|&^%$#@~` \t\n\r\u3000\u00a0\u2007\u202f\u2003\u200b\ufeff"
ASTRAL = "😀👨‍👩‍👧🇨🇳𠀀𠮷𪚥𫝀𝒳𝟙🀄"


class Maker:
    def __init__(self, seed, shared):
        self.random = random.Random(seed)
        self.documents = list(read_shared(shared))

    def some(self, letters, low, high):
        return "".join(self.random.choice(letters) for _ in range(self.random.randint(low, high)))

    def name(self):
        r = self.random
        surname = r.choice(DOUBLE_SURNAMES) if r.random() < 0.15 else r.choice(SURNAMES)
        given = self.some(GIVEN, 1, 2) if r.random() < 0.9 else self.some(GIVEN, 3, 4)
        around = [r.choice(TITLES) if r.random() < 0.7 else "" for _ in range(2)]
        return around[0] + surname + given + around[1]

    def foreign(self):
        parts = [self.some(FOREIGN, 1, 6) for _ in range(self.random.randint(1, 4))]
        return self.random.choice(["·", "•", "-", "．", "", "—", "."]).join(parts) + self.random.choice(TITLES + [""] * 8)

    def number(self):
        r = self.random
        kind = r.randrange(6)
        if kind == 0:
            value = str(r.randint(0, 10 ** r.randint(1, 22)))
        elif kind == 1:
            value = f"{r.random() * 10 ** r.randint(-3, 6):.{r.randint(0, 4)}f}"
        elif kind == 2:
            value = f"{r.randint(0, 10 ** 9):,}"
        elif kind == 3:
            value = self.some(CHINESE_DIGITS, 1, 8)
        elif kind == 4:
            value = "".join(chr(0xFF10 + int(d)) if d.isdigit() else d for d in f"{r.randint(0, 99999)}.{r.randint(0, 99)}")
        else:
            value = r.choice(["1e5", "12:30", "2026-11-21", "2026/11/21", "1.2.3.4", "1/3", "3E", "0x1F", "1,2,", ":5", "E9", "-7", "+8%"])
        return r.choice(["", "第", "约", "近"]) + value + (r.choice(MEASURES) if r.random() < 0.7 else "")

    def letters(self):
        r = self.random
        if r.random() < 0.5:
            return r.choice(WORDS)
        text = self.some(LETTERS + "0123456789+-_.@&/\\#%", 1, 12)
        return "".join(chr(ord(c) + 0xFEE0) for c in text) if r.random() < 0.3 else text

    def rare(self):
        r = self.random
        kind = r.randrange(5)
        if kind == 0:
            return r.choice(ASTRAL)
        if kind == 1:
            return chr(r.randint(0xD800, 0xDFFF))
        if kind == 2:
            return chr(r.randint(0x20000, 0x323AF))
        if kind == 3:
            return chr(r.choice([r.randint(1, 0xFFFF), r.randint(0x3400, 0x4DBF), r.randint(0x2E80, 0x33FF), r.randint(0xF900, 0xFFFF), r.randint(0xE000, 0xF8FF)]))
        return r.choice(["\0", "\x08", "\x7f", "\x85", "\u2028", "\ufffe", "\uffff", "\r\n"])

    def fragment(self):
        r = self.random
        if not self.documents:
            return self.some(TRADITIONAL + GIVEN + FOREIGN, 3, 30)
        document = r.choice(self.documents)
        at = r.randrange(len(document))
        return document[at:at + int(4 * 2 ** r.uniform(0, 5))]

    def han(self):
        return "".join(chr(self.random.randint(0x4E00, 0x9FFF)) for _ in range(self.random.randint(1, 12)))

    def piece(self):
        makers = [(self.fragment, 8), (self.name, 4), (self.foreign, 4), (self.number, 4), (self.letters, 3), (self.rare, 1), (self.han, 1),
                  (lambda: self.some(TRADITIONAL, 1, 6), 1), (lambda: self.some(PUNCTUATION, 1, 3), 3)]
        return self.random.choices([m for m, _ in makers], [w for _, w in makers])[0]()

    def text(self):
        r = self.random
        kind = r.random()
        if kind < 0.55:
            return "".join(self.piece() for _ in range(r.randint(1, 12)))
        if kind < 0.70:  # one kind of difficulty, dense
            make = r.choice([self.name, self.foreign, self.number, self.letters, self.rare])
            return "".join(make() for _ in range(r.randint(1, 10)))
        if kind < 0.80:
            return self.some(PUNCTUATION, 0, 3) + self.fragment() * r.randint(1, 4)
        if kind < 0.98:
            return "".join(self.fragment() for _ in range(r.randint(1, 4)))
        parts, length, wanted = [], 0, r.choice([3020, 3072, 3073, 6144, 7000])  # around the size of IK's buffer
        while length < wanted:
            parts.append(self.piece())
            length += len(parts[-1])
        return "".join(parts)[:wanted + r.randint(-2, 2)]


def read_shared(shared):
    for name, limit in (("zh_lctt_closed", 400), ("zh_laws", 200), ("zh_tang_closed", 2000)):
        path = Path(shared) / "corpora" / f"{name}.docs.jsonl.gz"
        if path.is_file():
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line, _ in zip(lines, range(limit)):
                    text = json.loads(line)["text"]
                    if text:
                        yield text


def shared_folder():
    return Path(os.environ.get("LEITONG_SHARED") or Path(__file__).resolve().parents[2].parent / "shared")


def make(count, seed, shared=None):
    """The same texts for the same count, seed and corpora; a surrogate pair is one character of the string."""
    maker = Maker(seed, shared or shared_folder())
    texts = ["", " ", "\u3000", "\u00a0"] + [maker.text() for _ in range(count - 4)]
    return [text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") for text in texts[:count]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for number, text in enumerate(make(args.count, args.seed)):
        sys.stdout.write(json.dumps({"id": f"t{number}", "text": text}) + "\n")


if __name__ == "__main__":
    main()
