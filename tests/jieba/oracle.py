#!/usr/bin/env python3
"""Cuts texts with Python's jieba 0.42.1 and writes what it gives, for oracle_test.cpp to compare.

usage: oracle.py SEED SHARE HARD FILE... > RECORDS

FILE: JSON Lines with a "text" (may be gzipped); of each, every text is taken with probability SHARE. HARD generated strings come on top.
A record: a byte that says what was called, the argument, the number of results, the results; strings are preceded by their length (32 bits).
"""
import gzip
import json
import logging
import random
import struct
import sys

import jieba
import jieba.analyse
from jieba import finalseg

jieba.setLogLevel(logging.WARNING)
out = sys.stdout.buffer

RARE = "\u9fd5\u9fd6\u9fff\u3400\u4dbf\U00020000\U0002a6df\uf900\u3007\u4dff\u9fa6"
OTHER = "，。、；：？！“”‘’（）《》—…·\u00b7\uff21\uff11\uff0d\u0301\u200d\ufe0f\U0001f600\U0001f468\u200b\ufeff\u00e9\u03b3\u0416\u3042\uac00\u0e01\x00\x7f"
SPACE = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
ASCII = "abcXYZ0123456789+#&._%-@/*'\"()[]~"


def string(text):
    data = text.encode("utf-8")
    out.write(struct.pack("<I", len(data)))
    out.write(data)


def record(kind, argument, results):
    out.write(kind.encode())
    string(argument)
    out.write(struct.pack("<I", len(results)))
    for result in results:
        string(result)


def cuts(text):
    record("c", text, list(jieba.cut(text)))
    record("p", text, list(jieba.cut(text, HMM=False)))
    record("a", text, list(jieba.cut(text, cut_all=True)))
    record("s", text, list(jieba.cut_for_search(text)))
    record("q", text, list(jieba.cut_for_search(text, HMM=False)))


def keywords(text):
    found = jieba.analyse.extract_tags(text, topK=None, withWeight=True)
    record("k", text, [part for word, weight in found for part in (word, repr(weight))])


def hard_string(rng, words, chars):
    parts = []
    for _ in range(rng.randint(1, 40)):
        kind = rng.random()
        if kind < 0.30:
            parts.append(rng.choice(words))
        elif kind < 0.45:
            word = rng.choice(words)
            parts.append(word[: rng.randint(1, len(word))])
        elif kind < 0.62:
            parts.append("".join(rng.choice(chars) for _ in range(rng.randint(1, 6))))
        elif kind < 0.67:
            parts.append(chr(rng.randint(0x4E00, 0x9FFF)))
        elif kind < 0.70:
            parts.append(rng.choice(RARE))
        elif kind < 0.82:
            parts.append("".join(rng.choice(ASCII) for _ in range(rng.randint(1, 8))))
        elif kind < 0.86:
            parts.append(rng.choice(["AT&T", "c++", "C#", "3.14%", "1.", ".5", "a.1.2%", "T恤衫", "X光线", "4S店", "\r\n", "\r\r\n", "IP地址", "%%", "x.y"]))
        elif kind < 0.93:
            parts.append(rng.choice(OTHER))
        else:
            parts.append(rng.choice(SPACE))
    return "".join(parts)


def user_word(rng, words, chars):
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(words)
    if kind < 0.6:
        return "".join(rng.choice(chars) for _ in range(rng.randint(1, 5)))
    if kind < 0.8:
        return "".join(rng.choice("ab01c") for _ in range(rng.randint(1, 4)))
    if kind < 0.9:
        return rng.choice(words) + rng.choice(["a", "+", " ", "1", "😀", "\u9fd6", "。"]) + rng.choice(chars)
    return rng.choice(words) + rng.choice(words)


def frequencies(words):
    return ["%s" % jieba.dt.FREQ.get(word, -1) for word in words] + [str(jieba.dt.total)]


def main():
    rng = random.Random(int(sys.argv[1]))
    share = float(sys.argv[2])
    hard = int(sys.argv[3])
    jieba.initialize()
    words = sorted(word for word, frequency in jieba.dt.FREQ.items() if frequency)
    chars = sorted(set("".join(words[::50])) & {chr(c) for c in range(0x4E00, 0x9FD6)})
    for path in sys.argv[4:]:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if rng.random() >= share:
                    continue
                text = json.loads(line)["text"].encode("utf-8", "replace").decode("utf-8")
                cuts(text)
                keywords(text)
    for i in range(hard):
        cuts(hard_string(rng, words, chars))
        if i % 10 == 0:
            keywords(hard_string(rng, words, chars))
    # Tokens of ASCII only are over-represented in the texts with user words, so that joined tokens come up.
    for _ in range(hard // 20):
        changed = []
        for _ in range(rng.randint(1, 6)):
            word = user_word(rng, words, chars)
            changed.append(word)
            action = rng.random()
            if action < 0.3:
                frequency = rng.choice([0, 1, 3, 50, 1000, 10**6, 10**9])
                jieba.add_word(word, frequency)
                record("+", word, [str(frequency)])
            elif action < 0.45:
                jieba.add_word(word)
                record("+", word, [])
            elif action < 0.6:
                jieba.del_word(word)
                record("-", word, [])
            elif action < 0.7:
                tune = rng.random() < 0.7
                record("f" if tune else "g", word, [str(jieba.suggest_freq(word, tune))])
            elif action < 0.8 and len(word) > 1:
                at = rng.randint(1, len(word) - 1)
                tune = rng.random() < 0.7
                record("F" if tune else "G", word, [word[:at], word[at:], str(jieba.suggest_freq((word[:at], word[at:]), tune))])
            else:
                import io

                lines = rng.choice(["%s", "%s 7", "%s n", "%s 12 nz", "\ufeff%s 5 n", "  %s 3  ", "%s 3 N1", "\n%s 4 a\n\n", "%s  5 n", "%s\t5 n", "5 n", "%s 0"])
                lines = lines % word if "%s" in lines else lines
                jieba.load_userdict(io.BytesIO(lines.encode("utf-8")))
                record("l", lines, [])
        record("=", "\n".join(changed) if not any("\n" in w for w in changed) else "", frequencies(changed))
        for _ in range(6):
            parts = [rng.choice(changed + [rng.choice(words), rng.choice(chars), "".join(rng.choice("ab01c") for _ in range(rng.randint(1, 8)))])
                     for _ in range(rng.randint(1, 8))]
            cuts("".join(parts))


main()
