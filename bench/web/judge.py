"""Judges extractors on pages with gold text: F1 of words and of 4-shingles, and megabytes a second on one core.

    judge.py PAGES.jsonl... --set NAME --tool leitong:BENCH_WEB[:WANTED] --tool trafilatura --tool resiliparse --tool readability-lxml

leitong here is a bench_web with some table: to judge a table that train.py made without a fold, build it with that table and give --fold.
One figure a set: sets have conventions of their own (titles, captions, lists), so they are never mixed. Times say nothing where other
work runs beside.
"""

import argparse
import json
import subprocess
import time

from pages import domain, f1_of, fold_of, judge, words

FOLDS = 4


def of_trafilatura(html):
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def of_resiliparse(html):
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(html, main_content=True)


def of_readability(html):
    import lxml.html
    import readability

    return lxml.html.fromstring(readability.Document(html).summary()).text_content()


PEERS = {"trafilatura": of_trafilatura, "resiliparse": of_resiliparse, "readability-lxml": of_readability}


def texts_of_peer(tool, pages):
    out = []
    for page in pages:
        try:
            out.append(PEERS[tool](page["html"]))
        except Exception:  # a peer's failure on a page is an empty text
            out.append("")
    return out


def texts_of_leitong(tool, pages_file, ids):
    _, program, *wanted = tool.split(":")
    printed = subprocess.run([program, "text", *(wanted or ["main"]), pages_file], check=True, capture_output=True).stdout
    texts = {line["id"]: line["text"] for line in map(json.loads, printed.split(b"\n")[:-1])}
    return [texts[name] for name in ids]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages")
    parser.add_argument("--set", required=True, help="aeb, wcxb_dev, zh_news")
    parser.add_argument("--tool", action="append", required=True)
    parser.add_argument("--fold", type=int, help="only pages whose domain is in this fold of train.py")
    args = parser.parse_args()
    with open(args.pages, encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    if args.fold is not None:
        pages = [page for page in pages if fold_of(domain(args.set, page), FOLDS) == args.fold]
    gold = [words(page["gold"]) for page in pages]
    size = sum(len(page["html"].encode()) for page in pages)
    types = [page.get("type", "article") for page in pages]
    for tool in args.tool:
        begin = time.monotonic()
        texts = texts_of_leitong(tool, args.pages, [p["id"] for p in pages]) if tool.startswith("leitong:") else texts_of_peer(tool, pages)
        seconds = time.monotonic() - begin
        judged = [judge(words(text), wanted) for text, wanted in zip(texts, gold)]
        report = {"set": args.set, "tool": tool, "pages": len(pages)} | f1_of(judged)
        if tool in PEERS:
            report["mb_s"] = round(size / 1e6 / seconds, 2)
        if len(set(types)) > 1:
            report["types"] = {t: f1_of([j for j, of in zip(judged, types) if of == t]) for t in sorted(set(types))}
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
