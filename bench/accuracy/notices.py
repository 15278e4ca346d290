#!/usr/bin/env python3
"""Short notices that templates make: does `leitong dedup` keep notices with other facts apart, and still find edited copies?

    notices.py --leitong build/release/leitong [--rules near-1 near-2] [--notices 12000] [--cache DIR] [--results DIR] [--date YYYY-MM-DD]

writes bench/results/accuracy-notices-<date>.md. Everything is generated (fixed seed): 32 templates, English and Chinese, of dividends, earnings, prices,
rates, stakes, weather, deliveries, parcels and meetings, with companies and figures of their own, as often as wires have them: a few templates
make most of the notices. In half of the templates the company stands in the text, in the others only amounts and dates tell notices apart. One
notice in eight has one or two copies whose words are edited; no edit touches a number, a name, a negation or a word whose opposite matters.

*Other facts*: removed records whose kept record is another notice. *Planted recall*: copies that stand in one group with their notice or another copy of it.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import evaluate

ENGLISH = (
    ("dividend", 30, "Qtly div {a} cts vs {b} cts prior\nPay {date}\nRecord {date}"),
    ("dividend named", 12, "{co} said its board declared a quarterly dividend of {a} cents a share, payable {date} to holders of record {date}"),
    ("earnings", 30, "Shr {a} cts vs {b} cts\nNet {big} vs {big}\nRevs {big} vs {big}"),
    ("earnings two periods", 14, "Shr {a} cts vs {b} cts\nNet {big} vs {big}\nSales {mln} mln vs {mln} mln\nNine months\nShr {a} cts vs {b} cts\nNet {big} vs {big}"),
    ("loss", 10, "Shr loss {a} cts vs loss {b} cts\nNet loss {big} vs loss {big}\nRevs {big} vs {big}\nNote: year figures restated"),
    ("bank", 8, "Shr {a} cts vs {b} cts\nNet {big} vs {big}\nAssets {mln} mln vs {mln} mln\nDeposits {mln} mln vs {mln} mln\nLoans {mln} mln vs {mln} mln"),
    ("price", 8, "{co} said it is {updown} its copper price by {frac} cent to {frac} cents a pound, effective immediately"),
    ("oil price", 6, "{co} said it {raisedcut} its posted prices for light crude by {frac} dlrs a barrel to {frac} dlrs, effective {date}"),
    ("stake", 6, "{co} said it holds {pct} pct of the common stock of {co2} and may {buysell} shares depending on market conditions"),
    ("split", 4, "{co} said its board approved a {n}-for-{n} stock split, subject to the approval of holders at the meeting on {date}"),
    ("rate", 5, "The central bank {raisedcut} its discount rate by {frac} point to {frac} pct, effective {date}, an official said"),
    ("money market", 5, "The bank said it gave the money market {mln} mln of help in the {session} session, against a forecast shortage of {mln} mln"),
    ("reserves", 4, "Reserves {rosefell} by {mln} mln to {mln} mln in the week to {date}, the statistics office said in its weekly report"),
    ("claims", 4, "New claims for unemployment benefits {rosefell} to a seasonally adjusted {big} in the week ended {date} from {big} the week before"),
    ("grain", 4, "Export inspections in thousands of bushels: soybeans {big}, wheat {big}, corn {big}"),
    ("weather", 6, "Highs around {n} degrees, lows near {n}, wind from the {side} at {n} to {n} miles an hour, rain chance {n} percent"),
    ("delay", 5, "Flight {n} to {city} is delayed by {n} minutes and will leave from gate {n}. We are sorry for the trouble."),
    ("parcel", 5, "Dear customer, your order of {date} for {frac} dollars has left our store in {city} and will arrive within {n} days"),
    ("tender", 4, "{city} will hold a tender on {date} for {big} tonnes of sugar for {month} shipment, traders said"),
    ("rating", 4, "The agency {raisedcut} its rating on {mln} mln dlrs of senior debt of {co}, citing {strong} cash flow"),
)
CHINESE = (
    ("分红", 14, "每股派发现金红利{frac}元（含税），股权登记日为{zdate}，除权除息日为{zdate}"),
    ("分红公告", 8, "{zco}公告：公司拟向全体股东每10股派发现金{frac}元，合计派发{mln}万元，股权登记日{zdate}"),
    ("业绩", 14, "前三季度实现营业收入{frac}亿元，同比{zupdown}{pct}%；归属于股东的净利润{frac}亿元，同比{zupdown}{pct}%"),
    ("业绩预告", 8, "{zco}预计上半年净利润为{mln}万元至{mln}万元，比上年同期{zupdown}{n}%至{n}%"),
    ("收盘", 8, "截至收盘，上证指数报{frac}点，{zrise}{pct}%；成交额{mln}亿元，{n}只个股涨停"),
    ("增减持", 6, "{zco}公告，股东计划在六个月内{zhold}不超过{mln}万股，占公司总股本的{pct}%"),
    ("汇率", 6, "{zdate}人民币对美元汇率中间价报{frac}元，较上一交易日{zrise2}{n}个基点"),
    ("天气", 6, "今天白天多云转晴，最高气温{n}度，夜间最低气温{n}度，{zside}风{n}级，空气质量指数{n}"),
    ("油价", 5, "自{zdate}24时起，国内汽油价格每吨{zraise}{n}0元，柴油价格每吨{zraise}{n}5元"),
    ("会议", 5, "{zco}定于{zdate}召开临时股东大会，审议关于发行不超过{mln}万股新股的议案"),
    ("银行短信", 6, "您的储蓄卡于{zdate}消费人民币{frac}元，账户余额{frac}元，如非本人操作请及时联系客服"),
    ("快递", 4, "您在{zdate}购买的商品已从{zcity}发出，预计{n}天内送达，请保持电话畅通"),
)
CHOICES = {
    "month": "January February March April May June July August September October November December".split(),
    "updown": ["raising", "lowering"], "raisedcut": ["raised", "cut"], "rosefell": ["rose", "fell"], "buysell": ["buy", "sell"], "strong": ["stronger", "weaker"],
    "session": ["morning", "afternoon"], "side": ["north", "south", "east", "west"],
    "city": "Lisbon Nairobi Jakarta Lima Oslo Dhaka Quito Sofia Tunis Accra Hanoi Riga Amman Havana Warsaw Ankara".split(),
    "zupdown": ["增长", "下降"], "zrise": ["上涨", "下跌"], "zrise2": ["上调", "下调"], "zraise": ["上调", "下调"], "zhold": ["增持", "减持"], "zside": list("东南西北"),
    "zcity": "杭州 成都 西安 武汉 长沙 青岛 厦门 郑州 沈阳 昆明".split(),
}
WORDS = ("the said also that today will its for with about company report new early this later most group than such board holders market official further "
         "figures note previous amount regular according term period general current business state plan total number").split()
CHARACTERS = list("的了在是和有这为对可并将就已及与等其时该或由此前于各也但")
KEPT_ENGLISH = {w for c in ("updown", "raisedcut", "rosefell", "buysell", "strong", "session", "side", "city", "month") for w in CHOICES[c]} | {"loss", "Net", "Shr"}
KEPT_CHINESE = set("增长下降上涨跌调持减东南西北元万亿年月日股吨度级点个只天不非涨停" + "".join(CHOICES["zcity"]))


def company(rng):
    syllables = "bar ven tor mil cas den lor fin gal har kel mon nor pel ros sal tan vel win zen".split()
    name = "".join(rng.choice(syllables) for _ in range(rng.choice((2, 2, 3)))).capitalize()
    return f"{name} {rng.choice(('Corp', 'Inc', 'Ltd', 'Co', 'Industries', 'Bancorp'))}"


def chinese_company(rng):
    return "".join(rng.choice("华东中科信达天宇恒泰金龙海通正邦瑞丰新远长城宏图") for _ in range(2)) + "".join(rng.choice("澜峤珏璟烨骏弘晟") for _ in range(1)) + rng.choice(
        ("股份", "科技", "控股", "集团"))


def fill(template, rng):
    values = {key: (lambda options: lambda: rng.choice(options))(options) for key, options in CHOICES.items()}
    values |= {
        "a": lambda: str(rng.randint(2, 99)), "b": lambda: str(rng.randint(2, 99)), "n": lambda: str(rng.randint(2, 60)), "big": lambda: f"{rng.randint(100_000, 99_999_999):,}",
        "mln": lambda: f"{rng.uniform(10, 999):.1f}", "frac": lambda: f"{rng.uniform(0.1, 99):.2f}", "pct": lambda: f"{rng.uniform(0.1, 60):.1f}",
        "date": lambda: f"{rng.choice(CHOICES['month'])} {rng.randint(1, 28)}", "zdate": lambda: f"{rng.randint(1, 12)}月{rng.randint(1, 28)}日",
        "co": lambda: company(rng), "co2": lambda: company(rng), "zco": lambda: chinese_company(rng),
    }
    text, at = [], 0
    while (begin := template.find("{", at)) >= 0:
        end = template.index("}", begin)
        text += [template[at:begin], values[template[begin + 1:end]]()]
        at = end + 1
    return "".join(text) + template[at:]


def edited_english(text, rate, rng):
    out = []
    for word in text.replace("\n", " ").split(" "):
        bare = word.strip(".,:;")
        fixed = not bare.isalpha() or bare in KEPT_ENGLISH or (bare[:1].isupper() and bare not in ("Qtly", "Pay", "Record", "The", "New", "Highs", "Dear", "Reserves", "Export", "Revs"))
        roll = rng.random()
        if fixed or roll >= rate:
            out.append(word)
        elif roll < rate / 3:
            continue
        elif roll < 2 * rate / 3:
            out.append(rng.choice(WORDS))
        else:
            out += [word, rng.choice(WORDS)]
    return " ".join(out)


def edited_chinese(text, rate, rng):
    out = []
    for i, character in enumerate(text):
        near = text[max(i - 1, 0):i + 2]
        fixed = not "\u4e00" <= character <= "\u9fff" or character in KEPT_CHINESE or any(c.isdigit() or c in KEPT_CHINESE for c in near)
        roll = rng.random()
        if fixed or roll >= rate:
            out.append(character)
        elif roll < rate / 3:
            continue
        elif roll < 2 * rate / 3:
            out.append(rng.choice(CHARACTERS))
        else:
            out += [character, rng.choice(CHARACTERS)]
    return "".join(out)


def make(path, count):
    """Writes the collection and returns of each record its notice and whether it is a copy."""
    rng, records = random.Random("notices"), []
    kinds = [(template, weight, edited_english) for _, weight, template in ENGLISH] + [(template, weight, edited_chinese) for _, weight, template in CHINESE]
    for notice in range(count):
        template, _, edit = rng.choices(kinds, [weight for _, weight, _ in kinds])[0]
        text = fill(template, rng)
        if edit is edited_chinese and "{zco}" in template:
            name = text[:text.index(next(end for end in ("股份", "科技", "控股", "集团") if end in text)) + 2]
            copies = [name + edited_chinese(text[len(name):], rng.uniform(0.03, 0.2), rng) for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2)))]
        else:
            copies = [edit(text, rng.uniform(0.03, 0.2), rng) for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2)))]
        records += [(notice, is_copy, t) for is_copy, t in [(False, text)] + [(True, c) for c in copies]]
    rng.shuffle(records)
    with open(path, "w", encoding="utf-8") as out:
        for number, (_, _, text) in enumerate(records):
            out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    return records


def judge(leitong, rule, docs, records, run):
    subprocess.run([str(leitong), "dedup", str(docs), "--output-dir", str(run), "--overwrite", "--quiet", "--rule", rule], check=True)
    removed = other = 0
    with open(run / "removed.jsonl", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            removed += 1
            other += records[line["record"]][0] != records[line["kept_record"]][0]
    group_of = {}
    with open(run / "clusters.jsonl", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            group_of.update((record, number) for record in json.loads(line)["records"])
    members = {}
    for record, (notice, _, _) in enumerate(records):
        members.setdefault(notice, []).append(record)
    copies = found = 0
    for record, (notice, is_copy, _) in enumerate(records):
        if is_copy:
            copies += 1
            found += record in group_of and any(group_of.get(m) == group_of[record] for m in members[notice] if m != record)
    return {"removed": removed, "other": other, "copies": copies, "found": found}


def main():
    parser = evaluate.arguments(__doc__)
    parser.add_argument("--rules", nargs="+", default=["near-1", "near-2"])
    parser.add_argument("--notices", type=int, default=12_000)
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    docs = args.cache / "notices.jsonl"
    records = make(docs, args.notices)
    lines = [f"# Notices with other facts, {args.date}", "", f"Commit {evaluate.commit_of(evaluate.HERE)}. Made by `bench/accuracy/notices.py`: {len(records):,} records, {args.notices:,} notices of "
             f"{len(ENGLISH) + len(CHINESE)} templates and edited copies.", "", "| rule | removed | of these with other facts | planted copies found |", "| --- | --- | --- | --- |"]
    for rule in args.rules:
        r = judge(args.leitong, rule, docs, records, args.cache / "runs" / f"notices-{rule}")
        lines.append(f"| {rule} | {r['removed']:,} | {r['other']:,} ({r['other'] / max(r['removed'], 1):.3f}) | {r['found']:,} of {r['copies']:,} ({r['found'] / max(r['copies'], 1):.4f}) |")
        print(lines[-1], file=sys.stderr)
    evaluate.write_results(args, "accuracy-notices", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
