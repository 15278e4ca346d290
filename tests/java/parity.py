#!/usr/bin/env python3
"""Does Leitong say what Java says? Fresh random texts through the articles' Java programs and through leitong; every difference is printed.

    parity.py --program build/release/leitong [--count 2000] [--seed S] [--custom | --changes] [--show 5] [--dump FILE]

Compares `segment --pos` and every fingerprint of the profiles java-hanlp (32, 64, 128 bits), java-hanlp-length, java-hanlp-length-short,
java-hanlp-tfidf and, if LEITONG_IK_JAR names a jar of IKAnalyzer 3.2.8, java-ik. Leitong compiles the same jars into a data folder of
its own for the run. --custom makes a data folder out of the jar, with custom words and stop words of the run in hanlp.properties' files, and
lets both read that. --changes changes words at run time in Java (CustomDictionary.insert and remove, CoreStopWordDictionary.load) and by
`data add hanlp JAR --add-words FILE --remove-words FILE --stop-words FILE` in leitong. --dump writes texts and Java's answers as JSON Lines;
without --program that is all.
Exit status: 0 equal, 1 differences, 2 leitong failed, 77 Java, Maven or a jar are missing (skipped).
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import programs
import texts as hard_texts

NATURES = ["nz", "n", "nr", "ns", "v", "vn", "a", "m", "t", "nx", "nt", "wj"]


class Leitong:
    """The program under test, with its own data folder."""

    def __init__(self, program, folder, source):
        self.program, self.source = program, source
        self.env = dict(os.environ, LEITONG_DATA=str(folder / "data-leitong"))
        (folder / "data-leitong").mkdir(exist_ok=True)

    def run(self, *arguments, lines=True):
        command = [str(self.program), *map(str, arguments)]
        with open(self.source, "rb") as source:
            done = subprocess.run(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env)
        if done.returncode:
            print(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}", file=sys.stderr)
            sys.exit(2)
        return [json.loads(line.decode("utf-8", "surrogatepass")) for line in done.stdout.split(b"\n") if line] if lines else []

    def records(self, count, *arguments):
        """Its answers in the order of the texts; none may be missing or come twice."""
        answers = {record["id"]: record for record in self.run(*arguments)}
        missing = [number for number in range(count) if f"t{number}" not in answers]
        if missing or len(answers) != count:
            print(f"{' '.join(map(str, arguments))}: {len(answers)} answers to {count} texts; first missing: {missing[:3]}", file=sys.stderr)
            sys.exit(2)
        return [answers[f"t{number}"] for number in range(count)]


def write_tfidf_files(folder, answers, chance):
    """A table of idf values and a list of stop words made of the words that Java found."""
    words = sorted({word for answer in answers if "error" not in answer for word, _ in answer["hanlp"] if printable(word)})
    chance.shuffle(words)
    idf, stop = folder / "idf.txt", folder / "stop.txt"
    with open(idf, "w", encoding="utf-8", newline="\n") as out:
        for word in words[:len(words) // 2]:
            out.write(f"{word} {chance.uniform(1, 14)!r}\n")
        for word in words[:20]:
            out.write(f"{word} {chance.uniform(1, 14):.3f}\n")  # again: the last value counts
    stop.write_text("".join(f"{word}\n" for word in words[-max(5, len(words) // 20):]), encoding="utf-8", newline="\n")
    return idf, stop


def printable(word):
    return not any(c.isspace() or 0xD800 <= ord(c) <= 0xDFFF or ord(c) < 32 for c in word)


def write_data_folder(folder, jar, texts, answers, chance):
    """The jar's data as a folder with its own custom words and stop words; returns its hanlp.properties."""
    root = folder / "hanlp"
    with zipfile.ZipFile(jar) as members:
        members.extractall(root, [name for name in members.namelist() if name.startswith("data/")])
    custom = root / "data/dictionary/custom"
    (custom / "CustomDictionary.txt.bin").unlink()
    (root / "data/dictionary/stopwords.txt.bin").unlink()
    known = [word for answer in answers if "error" not in answer for word, _ in answer["hanlp"] if printable(word)]
    cut = [text[at:at + chance.randint(2, 5)] for text in texts if len(text) > 8 for at in chance.sample(range(len(text) - 6), 2)]
    fresh = [word for word in cut if printable(word) and word]
    lines = [f"{word} {chance.choice(NATURES)} {chance.randint(1, 5000)}" for word in chance.sample(sorted(set(fresh)), min(400, len(set(fresh))))]
    lines += [f"{word} {chance.choice(NATURES)} 3 {chance.choice(NATURES)} 2" for word in chance.sample(sorted(set(known)), min(200, len(set(known))))]
    (custom / "CustomDictionary.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    more = chance.sample(sorted(set(fresh)), min(100, len(set(fresh))))
    (custom / "more.txt").write_text("".join(f"{word}\n" for word in more), encoding="utf-8")
    stop = [word for word, _ in collections.Counter(known).most_common(300)][::3]
    (root / "data/dictionary/stopwords.txt").write_text("".join(f"{word}\n" for word in stop), encoding="utf-8")
    properties = root / "hanlp.properties"
    properties.write_text(f"root={root}\nCustomDictionaryPath=data/dictionary/custom/CustomDictionary.txt; more.txt ns\n", encoding="utf-8")
    return properties


def write_changes(folder, texts, answers, chance):
    """Words to insert (with or without tags; new ones, and words that HanLP has), to take out again, and a list of stop words: three files."""
    known = sorted({word for answer in answers if "error" not in answer for word, _ in answer["hanlp"] if printable(word)})
    cut = sorted({text[at:at + chance.randint(2, 5)] for text in texts if len(text) > 8 for at in chance.sample(range(len(text) - 6), 2)})
    fresh = [word for word in cut if word and printable(word)]
    inserted = chance.sample(fresh, min(200, len(fresh))) + chance.sample(known, min(100, len(known)))
    tags = lambda: chance.choice(["", f" {chance.choice(NATURES)} {chance.randint(1, 9999)}", " n 3 v 2"])  # noqa: E731
    removed = inserted[::5] + chance.sample(known, min(100, len(known)))  # a word of the dictionary's files stays
    stop = chance.sample(known, min(300, len(known)))
    files = [folder / name for name in ("add-words.txt", "remove-words.txt", "core-stop-words.txt")]
    for file, lines in zip(files, ([word + tags() for word in inserted], removed, stop)):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


def change_lines(files):
    """The same changes as articles.Parity takes them: insert all, then remove, then load the stop words."""
    added, removed = ([line.rstrip("\n").split(" ", 1) for line in open(file, encoding="utf-8")] for file in files[:2])
    lines = [" ".join(["I", programs.hexadecimal(word), *tags]) for word, *tags in added]
    return lines + ["R " + programs.hexadecimal(word) for word, in removed] + ["L " + programs.hexadecimal(str(files[2]))]


def compare(name, theirs, ours, texts, show):
    """Prints the rows that differ; how many they are."""
    wrong = [i for i, (a, b) in enumerate(zip(theirs, ours, strict=True)) if a is not None and normal(a) != normal(b)]
    for i in wrong[:show]:
        at = first_difference(theirs[i], ours[i])
        print(f"  t{i} {json.dumps(texts[i])[:300]}")
        print(f"    from item {at} on: Java    {excerpt(theirs[i], at)}\n    from item {at} on: leitong {excerpt(ours[i], at)}")
    print(f"{name}: {len(theirs)} texts, {len(wrong)} mismatches", flush=True)
    return len(wrong)


def first_difference(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if normal(x) != normal(y)), min(len(a), len(b)))


def excerpt(value, at):
    """Some words before and after a difference; a fingerprint as a whole."""
    return json.dumps(value if isinstance(value, str) else value[max(0, at - 3):at + 6])


def normal(value):
    if isinstance(value, str):
        return programs.units(value)
    if isinstance(value, list):
        return [normal(v) for v in value]
    return value


def of(answers, *path, short=False):
    """One field of every answer; what Java could not answer is not compared (None), a null fingerprint is the string "null"."""
    out = []
    for answer in answers:
        for key in path if "error" not in answer else ():
            answer = answer[key]
        out.append(None if isinstance(answer, dict) and "error" in answer else "null" if short and answer is None else answer)
    return out


def check(leitong, answers, texts, files, ik, show):
    count, wrong = len(texts), 0
    plans = [("java-hanlp", ("hanlp_fp", bits, 0), ["--bits", bits]) for bits in ("32", "64", "128")]
    plans += [("java-hanlp-length", ("length_fp",), []), ("java-hanlp-length-short", ("length_short_fp",), []),
              ("java-hanlp-tfidf", ("tfidf_fp",), ["--idf", files[0], "--stop-words", files[1]])]
    plans += [("java-ik", ("ik_fp", bits, 0), ["--bits", bits]) for bits in ("32", "64", "128") if ik]
    cut = [record["tokens"] for record in leitong.records(count, "segment", "-", "--profile", "java-hanlp", "--pos")]
    wrong += compare("segment java-hanlp, words and natures", of(answers, "hanlp"), cut, texts, show)
    if ik:
        cut = [[t if isinstance(t, str) else t[0] for t in record["tokens"]] for record in leitong.records(count, "segment", "-", "--profile", "java-ik")]
        theirs = [words and [w[0] for w in words] for words in of(answers, "ik")]
        wrong += compare("segment java-ik, words", theirs, cut, texts, show)
    for profile, path, flags in plans:
        records = leitong.records(count, "fingerprint", "-", "--profile", profile, "--format", "bits", *flags)
        ours = ["null" if record["fp"] is None else record["fp"] for record in records]
        wrong += compare(" ".join(["fingerprint", profile, *flags[:2 if flags[:1] == ["--bits"] else 0]]), of(answers, *path, short=True), ours, texts, show)
    return wrong


def run(args, folder):
    java = programs.Programs()
    chance = random.Random(args.seed)
    texts = hard_texts.make(args.count, args.seed)
    lines = ["T " + programs.hexadecimal(text) for text in texts]
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps({"id": f"t{i}", "text": text}) + "\n" for i, text in enumerate(texts)), encoding="ascii")
    ik = bool(java.ik) and not args.custom and not args.changes
    answers = java.answers(lines, folder, words_only=True)
    files = write_tfidf_files(folder, answers, chance)
    changes = write_changes(folder, texts, answers, chance) if args.changes else []
    data = java.jars[0]
    if args.custom:
        data = write_data_folder(folder, java.jars[0], texts, answers, chance)
        java.jars.insert(0, data.parent)
    answers = java.answers((change_lines(changes) if changes else []) + lines, folder, *files, ik=ik)
    errors = [i for i, answer in enumerate(answers) if "error" in answer]
    print(f"Java answered {len(texts)} texts of seed {args.seed} ({sum(map(len, texts)):,} characters, {sum(len(a['hanlp']) for a in answers if 'hanlp' in a):,} "
          f"HanLP words); {len(errors)} threw" + (f", first {answers[errors[0]]['error']} on {json.dumps(texts[errors[0]])[:200]}" if errors else ""))
    if args.dump:
        rows = [{"text": text, **answer} for text, answer in zip(texts, answers)]
        args.dump.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    if not args.program:
        return 0
    leitong = Leitong(args.program.resolve(), folder, source)
    flags = zip(("--add-words", "--remove-words", "--stop-words"), changes)
    leitong.run("data", "add", "hanlp", data, *(word for flag in flags for word in flag), lines=False)
    if ik:
        leitong.run("data", "add", "ik", java.ik, lines=False)
    wrong = check(leitong, answers, texts, files, ik, args.show)
    print(f"{wrong} mismatches" + ("" if ik or args.custom or args.changes else "; java-ik left out: LEITONG_IK_JAR is not set"))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="fresh texts each time if not given; it is printed")
    words = parser.add_mutually_exclusive_group()
    words.add_argument("--custom", action="store_true")
    words.add_argument("--changes", action="store_true")
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--dump", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for all files of the run, kept")
    args = parser.parse_args()
    try:
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            return run(args, args.keep.resolve())
        with tempfile.TemporaryDirectory() as folder:
            return run(args, Path(folder))
    except programs.Missing as reason:
        print(f"SKIPPED: Java parity was not tested: {reason}")
        return 77


if __name__ == "__main__":
    sys.exit(main())
