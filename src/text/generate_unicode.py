#!/usr/bin/env python3
"""Writes unicode_tables.cpp and entities_table.cpp beside this file.

Sources: Debian's package unicode-data, which must hold Unicode 15.0 (its folder is the optional first argument), and for the
HTML character references Python's html.entities.html5, which is the table of the HTML standard.
"""

import bz2
import html.entities
import os
import re
import sys

DATA = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = "15.0.0"
LIMIT = 0x110000
BLOCK = 128
HANGUL = range(0xAC00, 0xD7A4)

# The order is that of the enumerations in unicode_tables.h.
WORD_BREAK = ["Other", "CR", "LF", "Newline", "Extend", "ZWJ", "Format", "Regional_Indicator", "Katakana", "Hebrew_Letter", "ALetter",
              "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter", "MidNum", "Numeric", "ExtendNumLet", "WSegSpace"]
GRAPHEME_BREAK = ["Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark",
                  "L", "V", "T", "LV", "LVT"]
SINGLE_SCRIPTS = {"Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"}


def lines(name):
    path = os.path.join(DATA, name)
    opener = bz2.open if name.endswith(".bz2") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.split("#", 1)[0].strip()
            if line:
                yield line


def check_version(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        first = file.readline()
    if VERSION not in first:
        sys.exit(f"{name}: expected Unicode {VERSION}, found: {first.strip()}")


def ranges(name):
    for line in lines(name):
        fields = [field.strip() for field in line.split(";")]
        first, _, last = fields[0].partition("..")
        yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def read_unicode_data():
    category, ccc, canonical = ["Cn"] * LIMIT, [0] * LIMIT, {}
    first = None
    for line in lines("UnicodeData.txt"):
        fields = line.split(";")
        c = int(fields[0], 16)
        begin = c
        if fields[1].endswith(", First>"):
            first = c
            continue
        if fields[1].endswith(", Last>"):
            begin = first
        for i in range(begin, c + 1):
            category[i] = fields[2]
            ccc[i] = int(fields[3])
        if fields[5] and not fields[5].startswith("<"):
            canonical[c] = [int(x, 16) for x in fields[5].split()]
    return category, ccc, canonical


def read_normalisation():
    fold, excluded, second = {}, set(), set()
    for span, fields in ranges("DerivedNormalizationProps.txt"):
        if fields[0] == "NFKC_CF":
            for c in span:
                fold[c] = [int(x, 16) for x in fields[1].split()]
        elif fields[0] == "Full_Composition_Exclusion":
            excluded.update(span)
        elif fields[0] == "NFC_QC" and fields[1] == "M":
            second.update(span)
    return fold, excluded, second


class Normaliser:
    def __init__(self):
        self.category, self.ccc, self.canonical = read_unicode_data()
        self.fold, self.excluded, self.second = read_normalisation()
        self.pairs = {(d[0], d[1]): c for c, d in self.canonical.items() if len(d) == 2 and c not in self.excluded}
        assert {b for _, b in self.pairs} <= self.second

    def decompose(self, c):
        if c in HANGUL:
            s = c - 0xAC00
            out = [0x1100 + s // 588, 0x1161 + s % 588 // 28]
            return out + ([0x11A7 + s % 28] if s % 28 else [])
        if c in self.canonical:
            return [x for d in self.canonical[c] for x in self.decompose(d)]
        return [c]

    def order(self, text):
        out, run = [], []
        for c in text:
            if self.ccc[c]:
                run.append(c)
                continue
            out += sorted(run, key=lambda x: self.ccc[x]) + [c]
            run = []
        return out + sorted(run, key=lambda x: self.ccc[x])

    def nfd(self, text):
        return self.order([x for c in text for x in self.decompose(c)])

    def pair(self, a, b):
        if 0x1100 <= a < 0x1113 and 0x1161 <= b < 0x1176:
            return 0xAC00 + ((a - 0x1100) * 21 + b - 0x1161) * 28
        if a in HANGUL and (a - 0xAC00) % 28 == 0 and 0x11A8 <= b < 0x11C3:
            return a + b - 0x11A7
        return self.pairs.get((a, b))

    def nfc(self, text):
        out, starter, last = [], None, 0
        for c in self.nfd(text):
            k = self.ccc[c]
            both = self.pair(out[starter], c) if starter is not None and (last < k or (last == 0 and starter == len(out) - 1)) else None
            if both is not None:
                out[starter] = both
                continue
            if k == 0:
                starter = len(out)
            last = k
            out.append(c)
        return out

    def boundary_before(self, decomposed):
        return bool(decomposed) and self.ccc[decomposed[0]] == 0 and decomposed[0] not in self.second


class Pool:
    """Sequences of code points, each stored once."""

    def __init__(self):
        self.data, self.known = [], {}

    def add(self, sequence):
        key = tuple(sequence)
        if key not in self.known:
            self.known[key] = len(self.data)
            self.data += key
        return self.known[key]


def two_stage(values):
    first, second, known = [], [], {}
    for begin in range(0, LIMIT, BLOCK):
        block = tuple(values[begin:begin + BLOCK])
        if block not in known:
            known[block] = len(second) // BLOCK
            second += block
        first.append(known[block])
    return first, second


def array(kind, name, values, form=str):
    out, line = [f"const {kind} {name}[{len(values)}] = {{"], "   "
    for value in values:
        item = " " + form(value) + ","
        if len(line) + len(item) > 138:
            out.append(line)
            line = "   "
        line += item
    return "\n".join(out + [line, "};", ""])


def property_table(n):
    word, grapheme, script = [0] * LIMIT, [0] * LIMIT, [""] * LIMIT
    pictographic = [0] * LIMIT
    for span, fields in ranges("auxiliary/WordBreakProperty.txt"):
        for c in span:
            word[c] = WORD_BREAK.index(fields[0])
    for span, fields in ranges("auxiliary/GraphemeBreakProperty.txt"):
        for c in span:
            grapheme[c] = GRAPHEME_BREAK.index(fields[0])
    for span, fields in ranges("Scripts.txt"):
        for c in span:
            script[c] = fields[0]
    for span, fields in ranges("emoji/emoji-data.txt"):
        if fields[0] == "Extended_Pictographic":
            for c in span:
                pictographic[c] = 1
    katakana = WORD_BREAK.index("Katakana")
    out = []
    for c in range(LIMIT):
        letter = n.category[c][0] in "LN"
        single = letter and (script[c] in SINGLE_SCRIPTS or word[c] == katakana)
        out.append(word[c] | grapheme[c] << 5 | pictographic[c] << 9 | letter << 10 | single << 11)
    # The fast path takes these for granted.
    for c in range(0x4E00, 0xA000):
        assert script[c] == "Han" and n.category[c] == "Lo" and word[c] == 0 and n.ccc[c] == 0 and c not in n.fold
    return out


def normalisation_tables(n):
    pool, records, known, index = Pool(), [(0, 0, 0, 0, 0, 1)], {}, [0] * LIMIT
    known[()] = 0
    for c in range(LIMIT):
        if c in HANGUL or 0xD800 <= c < 0xE000:
            continue
        folded = n.fold.get(c, [c])
        decomposed, composed = n.nfd(folded), n.nfc(folded)
        boundary = n.boundary_before(decomposed)
        if decomposed == [c] and boundary:
            continue
        identity = decomposed == [c]
        # Identical records are stored once: marks that change nothing are all alike.
        key = (identity, () if identity else tuple(decomposed), () if identity else tuple(composed), boundary)
        if key not in known:
            known[key] = len(records)
            nfd, nfc = ([], []) if identity else (decomposed, composed)
            records.append((pool.add(nfd), pool.add(nfc), len(nfd), len(nfc), int(identity), int(boundary)))
        index[c] = known[key]
    assert len(pool.data) < 65536 and len(records) < 65536
    return pool.data, records, index


def simplified_table(n):
    """One simplified character for a traditional one, after these rules, so that the table is a function and applying it twice is
    applying it once:
    1. a character whose kSimplifiedVariant names itself is used in simplified text as well and stays;
    2. of several simplified variants the first in this order is taken: those whose kTraditionalVariant names the character,
       those in U+4E00..U+9FFF, the lowest code point;
    3. a character without kSimplifiedVariant that exactly one character names as kTraditionalVariant becomes that one,
       unless that one or the character names itself as its own kTraditionalVariant (then it is written so in traditional text too);
    4. chains are followed to their end; a circle is left alone; only characters that NFKC_Casefold keeps take part.
    """
    simplified, traditional = {}, {}
    for line in lines("Unihan_Variants.txt.bz2"):
        fields = line.split("\t")
        if fields[1] in ("kSimplifiedVariant", "kTraditionalVariant"):
            target = simplified if fields[1] == "kSimplifiedVariant" else traditional
            target[int(fields[0][2:], 16)] = [int(x, 16) for x in re.findall(r"U\+([0-9A-F]+)", fields[2])]
    step = {}
    for c, variants in simplified.items():
        if c not in variants:
            step[c] = min(variants, key=lambda v: (c not in traditional.get(v, []), not 0x4E00 <= v < 0xA000, v))
    inverse = {}
    for c, variants in traditional.items():
        for v in variants:
            inverse.setdefault(v, set()).add(c)
    for v, named_by in inverse.items():
        c = min(named_by)
        if v not in simplified and len(named_by) == 1 and c != v and c not in traditional.get(c, []) and v not in traditional.get(v, []):
            step[v] = c
    kept = lambda c: n.fold.get(c, [c]) == [c] and n.nfc([c]) == [c]
    step = {c: v for c, v in step.items() if kept(c) and kept(v)}
    out = {}
    for c in sorted(step):
        seen, v = {c}, step[c]
        while v in step and v not in seen:
            seen.add(v)
            v = step[v]
        if v not in seen:
            out[c] = v
    return out


def write_unicode():
    for name in ("DerivedNormalizationProps.txt", "Scripts.txt", "auxiliary/WordBreakProperty.txt", "auxiliary/GraphemeBreakProperty.txt"):
        check_version(name)
    n = Normaliser()
    out = [f"// Made by generate_unicode.py from the files of Unicode {VERSION}; do not edit.", "// clang-format off",
           '#include "text/unicode_tables.h"', "", "namespace leitong::text::unicode {", ""]
    first, second = two_stage(property_table(n))
    out += [array("std::uint16_t", "property_first", first), array("std::uint16_t", "property_second", second)]
    first, second = two_stage(n.ccc)
    out += [array("std::uint16_t", "ccc_first", first), array("std::uint8_t", "ccc_second", second)]
    pool, records, index = normalisation_tables(n)
    first, second = two_stage(index)
    out += [array("std::uint16_t", "normal_first", first), array("std::uint16_t", "normal_second", second)]
    out += [array("NormalRecord", "normal_records", records, lambda r: "{%d, %d, %d, %d, %d, %d}" % r),
            array("char32_t", "normal_pool", pool)]
    pairs = sorted((a << 32 | b, c) for (a, b), c in n.pairs.items())
    out += [array("Composition", "compositions", pairs, lambda p: "{%dU, %d}" % p),
            f"const std::size_t composition_count = {len(pairs)};\n"]
    simple = sorted(simplified_table(n).items())
    out += [array("Simplification", "simplifications", simple, lambda p: "{%d, %d}" % p),
            f"const std::size_t simplification_count = {len(simple)};\n"]
    out.append("}  // namespace leitong::text::unicode\n")
    write("unicode_tables.cpp", out)


def write_entities():
    def literal(code):
        return "0x%X" % code

    out = ["// Made by generate_unicode.py from Python's html.entities.html5 (the table of the HTML standard); do not edit.",
           "// clang-format off", '#include "text/entities_table.h"', "", "namespace leitong::text {", ""]
    names = sorted((name, [ord(x) for x in value]) for name, value in html.entities.html5.items())
    assert all(len(codes) <= 2 for _, codes in names)
    row = lambda e: '{"%s", %s, %s}' % (e[0], literal(e[1][0]), literal(e[1][1]) if len(e[1]) > 1 else "0")
    out += [array("Entity", "entities", names, row), f"const std::size_t entity_count = {len(names)};\n", "}  // namespace leitong::text\n"]
    write("entities_table.cpp", out)


def write(name, parts):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
        file.write("\n".join(parts))


write_unicode()
write_entities()
