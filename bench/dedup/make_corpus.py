#!/usr/bin/env python3
"""Debian documentation packages and the shared corpora -> one JSON Lines file with planted near-duplicates, and the truth about them.

    make_corpus.py PACKAGES_DIR CORPORA_DIR OUT_DIR [--share .10] [--seed S] [--limit-mb M]

PACKAGES_DIR is what fetch_packages.sh made. Writes OUT_DIR/corpus.jsonl {"id","text","source"}, OUT_DIR/truth.jsonl
{"a","b","record_a","record_b","language","kind","j5","w12","edit"} (j5: Jaccard of the sets of token 5-grams, w12: multiset Jaccard over T12,
edit: 2 LCS / (n + m)) and OUT_DIR/manifest.json. Same packages, same arguments, same bytes.
"""

import argparse
import gzip
import hashlib
import html.parser
import json
import math
import random
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "accuracy"))
import features  # noqa: E402
import plant  # noqa: E402

SEED = 20261121
LONGEST, SHORTEST = 16000, 120  # characters of a document; longer files are split at paragraphs
RATES = (0.002, 0.10)           # share of tokens edited in a copy: log-uniform


class _Text(html.parser.HTMLParser):
    SKIP = {"script", "style", "head", "nav", "header", "aside", "noscript", "button"}
    BLOCK = {"p", "div", "li", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "br", "table", "section"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        if tag in self.SKIP:
            self.depth += 1
        elif tag in self.BLOCK:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag in self.SKIP:
            self.depth = max(0, self.depth - 1)
        elif tag in self.BLOCK:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.depth:
            self.parts.append(data)


def from_html(data):
    parser = _Text()
    parser.feed(data)
    return re.sub(r"\n\s*\n\s*", "\n\n", re.sub(r"[ \t]+", " ", "".join(parser.parts))).strip()


def from_roff(data):
    """Manual pages: requests and font changes go, section titles and text stay."""
    lines, macro = [], False
    for line in data.split("\n"):
        if line.startswith((".de", ".ig")):
            macro = True
        elif macro:
            macro = not line.startswith("..")
        elif re.match(r"[.'](\\\"|if|ie|el|nr|ds|tr|rm|rr|ad|nh|hy|IX|\\})", line) or line.startswith("'\\\""):
            continue
        elif re.match(r"[.'](SH|SS|TH)\b", line):
            lines.append("\n" + line[3:].strip().strip('"'))
        elif re.match(r"[.'](B|I|BR|RB|IR|RI|BI|IB|IP|TP|SM|SB)\b", line):
            lines.append(line[3:].replace('"', "").strip())
        elif re.match(r"[.'][A-Za-z]", line):
            lines.append("")
        else:
            lines.append(line)
    text = re.sub(r"\\f(\(..|\[[^]]*\]|.)|\\s[-+]?\d|\\[&,/|^%]", "", "\n".join(lines))
    text = re.sub(r"\\\(..|\\\*\(..|\\\*.", " ", text).replace("\\-", "-").replace("\\e", "\\").replace("\\ ", " ")
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def as_is(data):
    return data.strip()


SOURCES = (  # package, glob below it, how to read
    ("linux-doc-6.1", "usr/share/doc/linux-doc-6.1/Documentation/**/*", as_is),
    ("manpages", "usr/share/man/man*/*.gz", from_roff),
    ("manpages-zh", "usr/share/man/zh_CN/man*/*.gz", from_roff),
    ("manpages-zh", "usr/share/man/zh_TW/man*/*.gz", from_roff),
    ("python3.11-doc", "usr/share/doc/python3.11/html/_sources/**/*.txt", as_is),
    ("perl-doc", "usr/share/perl/**/*.pod", as_is),
    ("perl-doc", "usr/share/man/man3/*.gz", from_roff),
    ("postgresql-doc-15", "usr/share/doc/**/*.html", from_html),
    ("libreoffice-help-en-us", "usr/share/**/*.html", from_html),
    ("libreoffice-help-zh-cn", "usr/share/**/*.html", from_html),
    ("debian-handbook", "usr/share/doc/debian-handbook/html/en-US/*.html", from_html),
    ("debian-handbook", "usr/share/doc/debian-handbook/html/zh-CN/*.html", from_html),
    ("debian-reference-en", "usr/share/**/*.html", from_html),
    ("debian-reference-zh-cn", "usr/share/**/*.html", from_html),
)
CORPORA = ("en_civproc", "en_peps", "en_spdx", "zh_laws", "zh_lctt_closed", "zh_tang_closed")


def package_texts(root):
    for package, glob, reader in SOURCES:
        files = sorted(p for p in (root / package).glob(glob) if p.is_file() and not p.is_symlink())
        if not files:
            sys.exit(f"no files {glob} in {root / package}: run fetch_packages.sh")
        for path in files:
            if path.suffix in (".png", ".svg", ".jpg", ".gif", ".pdf", ".xz"):
                continue
            raw = gzip.open(path, "rb").read() if path.suffix == ".gz" else path.read_bytes()
            try:
                yield package, reader(raw.decode("utf-8"))
            except UnicodeDecodeError:
                continue


def corpora_texts(root):
    for name in CORPORA:
        for doc in plant.read(root / f"{name}.docs.jsonl.gz"):
            yield name, doc["text"]


def split(text):
    """Pieces of at most about LONGEST characters, at paragraph borders."""
    if len(text) <= LONGEST:
        return [text]
    pieces, piece, size = [], [], 0
    for paragraph in re.split(r"\n\s*\n", text):
        if size + len(paragraph) > LONGEST and piece:
            pieces.append("\n\n".join(piece))
            piece, size = [], 0
        piece.append(paragraph)
        size += len(paragraph) + 2
    return pieces + ["\n\n".join(piece)]


def base(args):
    """All documents, exact copies dropped, in the order of the sources."""
    seen, out, size = set(), [], 0
    for texts in (package_texts(args.packages / "root"), corpora_texts(args.corpora)):
        for source, text in texts:
            for piece in split(text):
                digest = hashlib.sha1(piece.encode("utf-8", "surrogatepass")).digest()
                short = source != "zh_tang_closed" and len(piece) < SHORTEST
                if short or len(piece) > 10 * LONGEST or digest in seen:
                    continue
                seen.add(digest)
                out.append((source, piece))
    rng = random.Random(f"order-{args.seed}")
    rng.shuffle(out)
    if args.limit_mb:
        for at, (_, text) in enumerate(out):
            size += len(text.encode("utf-8", "replace"))
            if size > args.limit_mb * 1e6:
                return out[:at]
    return out


def language(text):
    sample = text[:400]
    return "zh" if sum("\u3400" <= c <= "\u9fff" for c in sample) * 4 > len(sample) else "en"


def copy_of(text, texts, pools, rng):
    """A near-duplicate: tokens edited at a log-uniform rate; sometimes a header, a cut or a moved block; sometimes exact."""
    if rng.random() < 0.05:
        return text, "exact"
    rate = math.exp(rng.uniform(math.log(RATES[0]), math.log(RATES[1])))
    made = plant.substitute(text, rate, pools[language(text)], rng)
    kind, what = f"tokens-{rate:.3f}", rng.random()
    if what < 0.15:
        return plant.header(made, rng.choice(texts)[1], rng), kind + "+header"
    if what < 0.25:
        return plant.cut(made, rng), kind + "+cut"
    if what < 0.30:
        return plant.move(made, rng), kind + "+move"
    return made, kind


def planted(texts, args):
    """(record list of (id, source, text), pairs of ids with kind): copies stand anywhere in the file, marked by nothing."""
    rng = random.Random(f"plant-{args.seed}")
    pools = {"en": [], "zh": []}
    for _, text in rng.sample(texts, min(3000, len(texts))):
        pools[language(text)] += features.TOKEN.findall(text)[:200]
    rows = [(source, text, None, None) for source, text in texts]
    for at, (source, text) in enumerate(texts):
        if len(text) >= 2 * SHORTEST and rng.random() < args.share:
            made, kind = copy_of(text, texts, pools, rng)
            rows.append((source, made, at, kind))
    order = list(range(len(rows)))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    pairs = [(place[at], place[row[2]], row[3]) for at, row in enumerate(rows) if row[2] is not None]
    return [rows[old][:2] for old in order], sorted(tuple(sorted(p[:2])) + (p[2],) for p in pairs)


def measured(records, pairs):
    """The exact similarities of the planted pairs."""
    hasher = features.Hasher()
    for a, b, kind in pairs:
        ta, tb = hasher.ids(features.tokens(records[a][1])), hasher.ids(features.tokens(records[b][1]))
        if len(ta) == 0 or len(tb) == 0:
            continue
        j5 = features.jaccard(*(np.unique(features.ngrams(t, min(5, len(t)))) for t in (ta, tb)))
        w12 = features.jaccard(features.o12(ta), features.o12(tb))
        yield {"a": f"d{a}", "b": f"d{b}", "record_a": a, "record_b": b, "language": language(records[a][1]), "kind": kind,
               "j5": round(j5, 5), "w12": round(w12, 5), "edit": round(features.edit_similarity(ta.tolist(), tb.tolist()), 5)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.10, help="share of the documents that get a copy")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--limit-mb", type=float, help="only the first M megabytes of text (after the shuffle)")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    records, pairs = planted(base(args), args)
    digest = hashlib.sha256()
    size = text_bytes = 0
    sources = {}
    with open(args.out / "corpus.jsonl", "wb") as out:
        for at, (source, text) in enumerate(records):
            line = json.dumps({"id": f"d{at}", "text": text, "source": source}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
            out.write(line)
            digest.update(line)
            size += len(line)
            bytes_here = len(text.encode("utf-8", "replace"))
            text_bytes += bytes_here
            count = sources.setdefault(source, [0, 0])
            count[0] += 1
            count[1] += bytes_here
    with open(args.out / "truth.jsonl", "w", encoding="utf-8") as out:
        for row in measured(records, pairs):
            out.write(json.dumps(row) + "\n")
    versions = args.packages / "versions.txt"
    manifest = {"records": len(records), "bytes": size, "text_bytes": text_bytes, "planted": len(pairs), "seed": args.seed, "share": args.share,
                "sha256": digest.hexdigest(), "sources": {k: {"records": v[0], "text_bytes": v[1]} for k, v in sorted(sources.items())},
                "packages": versions.read_text().split("\n")[:-1] if versions.exists() else []}
    (args.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(json.dumps({k: manifest[k] for k in ("records", "bytes", "text_bytes", "planted", "sha256")}))


if __name__ == "__main__":
    main()
