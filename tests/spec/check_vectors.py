#!/usr/bin/env python3
"""Recomputes every line of vectors.jsonl by fingerprint_spec.py, from its tokens on, the ids of rules.jsonl, and every hash that
docs/fingerprint-spec.md gives.

    check_vectors.py [FILE]       exit code 1 and the lines that differ, if any do
    check_vectors.py --self-test  spoils each field of the vectors in turn and checks that it is noticed
"""

import copy
import functools
import json
import pathlib
import re
import sys
import tomllib

import fingerprint_spec as spec

HERE = pathlib.Path(__file__).resolve().parent
IDF = HERE / "idf.txt"
RULES = HERE / "rules.jsonl"
PAGE = spec.ROOT / "docs/fingerprint-spec.md"
tops_of = functools.cache(lambda key: spec.common_tops(spec.constants(key)))


def recompute(vector, profile):
    k, tokens = spec.constants(profile["key"]), vector["tokens"]
    weighted = spec.weighted_features(profile, k, tokens, IDF)
    slots = spec.slots(profile, k, tops_of(profile["key"]), tokens)
    if profile["sketch"] == "minhash1":
        fingerprint = spec.one_bit_minhash([feature for feature, _ in weighted], profile["bits"])
    else:
        fingerprint = spec.simhash(k, weighted, profile["bits"])
    out = {"features": len(weighted), "fp": fingerprint, "slots": slots and slots.hex()}
    if "short" in vector:
        out["short"] = "".join(f"{value:08x}" for value in spec.short_features(profile, k, tokens))
    if "content" in vector and spec.xxh3_128:
        out["content"] = spec.content_hash(k, vector["text"].encode("utf-8", "surrogateescape"), tokens)
    return out


def profile_of(line):
    return spec.profile_of_toml(tomllib.loads(line["toml"])) if "toml" in line else spec.built_in_profile(line["profile"])


def differences(lines):
    """Yields (line number, field, expected, found)."""
    profiles = {}
    for number, line in enumerate(lines, 1):
        if "id" in line:
            profiles[line["profile"]] = profile_of(line)
            if spec.xxh3_128:
                expected = spec.profile_id(profiles[line["profile"]], IDF)
                if expected != line["id"]:
                    yield number, "id", expected, line["id"]
            continue
        for field, expected in recompute(line, profiles[line["profile"]]).items():
            if expected != line[field]:
                yield number, field, expected, line[field]


def page_values():
    """What must stand on the page."""
    k = spec.PUBLIC
    h = lambda token: spec.hash_bytes(k, token.encode())
    numbers = [h(token) for token in ("", "a", "leitong", "雷", "abcdefghijklmnop", "abcdefghijklmnopq")]
    numbers += [spec.join(k, h("雷"), h("同")), spec.numbered(k, h("a"), 1), spec.widen(k, h("a"), 1)]
    numbers.append(spec.hash_bytes(spec.constants("00ff10a5"), b"leitong"))
    yield from (f"| `{number:016x}` |" for number in numbers)
    if spec.xxh3_128:
        yield from (f"| `{name}` | {{}} | `{spec.profile_id(spec.built_in_profile(name), IDF)}` |" for name in spec.BUILT_IN)
        yield from (f"| `{name}` | {{}} | `{spec.rule_id(spec.built_in_rule(name))}` |" for name in spec.BUILT_IN_RULES)
        yield from ("    " + line for line in spec.canonical_text(spec.DRAFT, IDF).splitlines())
        yield from ("    " + line for line in spec.canonical_rule(spec.NEAR_2).splitlines())
        yield f"`{spec.xxh3_128(spec.common_bigrams().encode())}`"
        yield f"`{spec.xxh3_128(''.join(f'{a:04X} {b:04X}' + chr(10) for a, b in spec.simplifications()).encode())}`"
    yield f"{len(spec.simplifications())} entries"
    yield f"{len(spec.common_bigrams().splitlines())} lines"


def missing_from(page):
    for value in page_values():
        pattern = "[^|]*".join(re.escape(part) for part in value.split("{}"))
        if not re.search(pattern, page):
            yield value


def wrong_rules(lines):
    """Yields (line number, expected id, found id)."""
    for number, line in enumerate(lines, 1):
        rule = spec.rule_of_toml(tomllib.loads(line["toml"])) if "toml" in line else spec.built_in_rule(line["rule"])
        if spec.xxh3_128 and spec.rule_id(rule) != line["id"]:
            yield number, spec.rule_id(rule), line["id"]


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def self_test(lines):
    definitions = [line for line in lines if "id" in line]
    full = next(line for line in lines if line.get("slots") and line.get("short"))

    def noticed(change):
        spoiled = copy.deepcopy(definitions + [full])
        change(spoiled)
        return {field for _, field, _, _ in differences(spoiled)}

    assert noticed(lambda v: None) == set()
    assert "features" in noticed(lambda v: v[-1].update(features=full["features"] + 1))
    assert {"fp", "slots", "short"} <= noticed(lambda v: v[-1]["tokens"].append("more"))
    for field in ("fp", "slots", "short", "content"):
        flipped = f"{int(full[field][-1], 16) ^ 1:x}"
        if field != "content" or spec.xxh3_128:
            assert noticed(lambda v: v[-1].update({field: full[field][:-1] + flipped})) == {field}, field
    if spec.xxh3_128:
        assert noticed(lambda v: v[0].update(id="0" * 32)) == {"id"}
        for rule in read_lines(RULES):
            assert list(wrong_rules([rule | {"id": "0" * 32}]))
    page = PAGE.read_text(encoding="utf-8")
    for value in page_values():
        last = value.split("{}")[-1]
        assert list(missing_from(page.replace(last, "")))
    print("every spoiled field was noticed")


def main(arguments):
    path = HERE / "vectors.jsonl" if not arguments or arguments[0] == "--self-test" else pathlib.Path(arguments[0])
    lines = read_lines(path)
    if arguments == ["--self-test"]:
        return self_test(lines)
    wrong = list(differences(lines))
    for number, field, expected, found in wrong:
        print(f"{path}:{number}: {field}: the specification gives {expected}, the file says {found}")
    bad_rules = list(wrong_rules(read_lines(RULES)))
    for number, expected, found in bad_rules:
        print(f"{RULES}:{number}: id: the specification gives {expected}, the file says {found}")
    absent = list(missing_from(PAGE.read_text(encoding="utf-8")))
    for value in absent:
        print(f"{PAGE}: does not hold: {value}")
    note = "" if spec.xxh3_128 else "; ids and content hashes not checked: neither the module xxhash nor libxxhash is there"
    print(f"{len(lines)} lines, {len(wrong) + len(bad_rules) + len(absent)} differences{note}")
    return 1 if wrong or bad_rules or absent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
