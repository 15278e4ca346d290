#!/usr/bin/env python3
"""Debian documentation packages and the shared corpora -> the Chinese texts of bench/segment: make_text.py PACKAGES_DIR OUT_DIR [--mb 16]

PACKAGES_DIR is what bench/dedup/fetch_packages.sh made; the corpora are those of $LEITONG_SHARED (../shared beside the checkout). One text a
line, UTF-8, at most some 16,000 characters:
  zh.txt   modern Chinese mixed with Latin letters and digits: manual pages, LibreOffice's help, Debian's handbook and reference, articles
  han.txt  Chinese laws and poems, of which only Han characters and the comma and full stop are kept
  java-zh.txt, java-han.txt  their beginnings, --java-mb each, for the Java programs, which take a second for every megabyte
  idf.txt, stop-words.txt    what article 001's program B reads, from the golden vectors
Same packages, same arguments, same bytes; manifest.json says which.
"""

import argparse
import gzip
import hashlib
import html
import json
import os
import random
import re
import shutil
from pathlib import Path

PAGES = (("manpages-zh", "usr/share/man/zh_CN/man*/*.gz"), ("libreoffice-help-zh-cn", "usr/share/**/*.html"),
         ("debian-handbook", "usr/share/doc/debian-handbook/html/zh-CN/*.html"), ("debian-reference-zh-cn", "usr/share/**/*.html"))
NOT_TEXT = re.compile(r"<(script|style|head)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)
NOT_HAN = re.compile("[^\u4e00-\u9fff，。]")
LONGEST, SHORTEST = 16000, 100


def read_page(path):
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = raw.decode("utf-8", "replace")
    if path.suffix == ".gz":  # a manual page: requests and font changes are no text
        return re.sub(r"^[.'].*$|\\f.|\\-|\\&", " ", text, flags=re.MULTILINE)
    return html.unescape(NOT_TEXT.sub(" ", text))


def read_corpus(shared, name):
    with gzip.open(shared / "corpora" / f"{name}.docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def mixed(packages, shared):
    for package, glob in PAGES:
        for path in sorted((packages / "root" / package).glob(glob)):
            text = read_page(path) if path.is_file() and not path.is_symlink() else ""
            if sum("\u4e00" <= c <= "\u9fff" for c in text) * 8 > len(text):
                yield text
    yield from read_corpus(shared, "zh_lctt_closed")


def han(shared):
    for name in ("zh_laws", "zh_tang_closed"):
        for text in read_corpus(shared, name):
            yield NOT_HAN.sub("", text)


def lines_of(texts, shortest):
    """Every text once, in one line, cut at LONGEST, in an order that mixes the sources."""
    seen = set()
    for text in texts:
        text = " ".join(text.split())
        for at in range(0, len(text), LONGEST):
            piece = text[at:at + LONGEST]
            if len(piece) >= shortest:
                seen.add(piece)
    out = sorted(seen)
    random.Random(20261121).shuffle(out)
    return out


def write(path, lines, limit):
    size, count = 0, 0
    with open(path, "wb") as out:
        for line in lines:
            data = line.encode("utf-8", "replace") + b"\n"
            if size + len(data) > limit:
                break
            size += out.write(data)
            count += 1
    return {"lines": count, "bytes": size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=float, default=16)
    parser.add_argument("--java-mb", type=float, default=6)
    args = parser.parse_args()
    shared = Path(os.environ.get("LEITONG_SHARED") or Path(__file__).resolve().parents[2].parent / "shared")
    args.out.mkdir(parents=True, exist_ok=True)
    manifest = {}
    for name, lines in (("zh", lines_of(mixed(args.packages, shared), SHORTEST)), ("han", lines_of(han(shared), 20))):
        manifest[name] = write(args.out / f"{name}.txt", lines, args.mb * 1e6)
        manifest[f"java-{name}"] = write(args.out / f"java-{name}.txt", lines, args.java_mb * 1e6)
    (args.out / "idf.txt").write_bytes(gzip.decompress((shared / "golden/idfold.utf8.gz").read_bytes()))
    shutil.copyfile(shared / "golden/stopword.dic", args.out / "stop-words.txt")
    versions = args.packages / "versions.txt"
    manifest["packages"] = versions.read_text().splitlines() if versions.is_file() else []
    (args.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
