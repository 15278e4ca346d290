"""Pages with their main content as people marked it: blocks, labels, domains, and the two F1 by which extraction is judged.

Sets (one JSON object a line: id, url, html, gold, for wcxb also type), never mixed in one figure:
  aeb          article-extraction-benchmark, MIT
  wcxb_dev     WCXB's development pages, annotations CC BY 4.0 (Web Content Extraction Benchmark)
  zh_news      Chinese-Web-Content-Extraction-Dataset, MIT
  readability  Mozilla Readability's test pages, Apache 2.0; the gold is Readability's own output: for training only, with a low weight
"""

import json
import re
import subprocess
import zlib
from collections import Counter
from urllib.parse import urlsplit

import numpy as np

PAGE_NUMBERS = 34  # as in src/pages/features.h
WORD = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
SECOND_LEVEL = {"co", "com", "org", "net", "ac", "gov", "edu", "or", "ne"}


def words(text):
    """Runs of letters and digits in lower case; a Chinese or Japanese character is a word."""
    return WORD.findall(text.lower())


def domain(name, page):
    """What stands before the public suffix: pages of one site share it, in whatever set they are."""
    url = page.get("url")
    if name == "zh_news" and not url:
        found = re.search(r'<text id="([^"]*)"', page["html"][:2000])
        url = found.group(1) if found else ""
    if name == "readability" or not url:
        return re.sub(r"-\d+$", "", page["id"])
    labels = (urlsplit(url if "//" in url else "//" + url).hostname or page["id"]).split(".")
    if len(labels) > 2 and labels[-2] in SECOND_LEVEL:
        labels = labels[:-1]
    return labels[-2] if len(labels) > 1 else labels[0]


def fold_of(key, folds, salt=""):
    return zlib.crc32((salt + key).encode()) % folds


def label_of(block, grams, order):
    """The share of the block's word n-grams (n = 3, or all words of a shorter block) that the gold text has."""
    n = min(3, len(block))
    if n == 0:
        return 0.0
    found = sum(tuple(block[i : i + n]) in grams[n] for i in range(len(block) - n + 1))
    return found / (len(block) - n + 1)


class PageSet:
    """All pages of a set, with the numbers that bench_web prints of them."""

    def __init__(self, name, pages_file, program):
        self.name = name
        self.ids, self.domains, self.types, self.gold, self.blocks = [], [], [], [], []
        with open(pages_file, encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                self.ids.append(page["id"])
                self.domains.append(domain(name, page))
                self.types.append(page.get("type", "article"))
                self.gold.append(words(page["gold"]))
        self.file, self.program = pages_file, program
        printed = subprocess.run([program, "blocks", pages_file], check=True, capture_output=True).stdout
        for line in printed.split(b"\n")[:-1]:
            self.blocks.append([words(text) for text, _ in json.loads(line)["blocks"]])
        self._read_rows(f"{pages_file}.rows")
        self._label()

    def _read_rows(self, path):
        subprocess.run([self.program, "rows", self.file, path], check=True)
        raw = np.fromfile(path, dtype=np.int16)
        self.begin, rows, heads, at = [0], [], [], 0
        per_row = None
        for blocks in self.blocks:
            count = int(raw[at : at + 2].view(np.uint32)[0])
            assert count == len(blocks)
            heads.append(raw[at + 2 : at + 2 + PAGE_NUMBERS])
            at += 2 + PAGE_NUMBERS
            per_row = per_row or self._row_size()
            rows.append(raw[at : at + count * per_row].reshape(count, per_row)[:, :-2])
            at += count * per_row
            self.begin.append(self.begin[-1] + count)
        assert at == len(raw)
        self.page_rows = np.stack(heads)
        self.rows = np.concatenate(rows)
        self.page_of = np.repeat(np.arange(len(self.blocks)), np.diff(self.begin))

    def _row_size(self):
        return int(subprocess.run([self.program, "size"], check=True, capture_output=True).stdout) + 2

    def _label(self):
        share, size = [], []
        for gold, blocks in zip(self.gold, self.blocks):
            grams = {n: {tuple(gold[i : i + n]) for i in range(len(gold) - n + 1)} for n in (1, 2, 3)}
            share += [label_of(block, grams, gold) for block in blocks]
            size += [len(block) for block in blocks]
        self.share, self.size = np.array(share), np.array(size, dtype=float)
        self.label = self.share >= 0.5
        page_words = np.maximum(1, np.bincount(self.page_of, self.size, len(self.blocks)))
        self.weight = np.maximum(self.size, 0.3) / np.sqrt(page_words)[self.page_of]

    def context(self, scores):
        """The second stage's numbers, of a score a block."""
        np.asarray(scores, dtype=np.int32).tofile(self.file + ".scores")
        subprocess.run([self.program, "context", self.file, self.file + ".scores", self.file + ".context"], check=True)
        return np.fromfile(self.file + ".context", dtype=np.int16).reshape(len(scores), -1)

    def kept_words(self, page, kept):
        begin = self.begin[page]
        return [word for i, block in enumerate(self.blocks[page]) if kept[begin + i] for word in block]


def overlap(found, wanted):
    """(precision, recall) of two multisets; both are 1 if both are empty."""
    if not found or not wanted:
        return (1.0, 1.0) if not found and not wanted else (0.0, 0.0)
    found, wanted = Counter(found), Counter(wanted)
    common = sum((found & wanted).values())
    return common / sum(found.values()), common / sum(wanted.values())


def shingles(text):
    return [tuple(text[i : i + 4]) for i in range(max(1, len(text) - 3))] if text else []


def judge(found, wanted):
    """Precision and recall of words, and of 4-shingles, of two lists of words."""
    return *overlap(found, wanted), *overlap(shingles(found), shingles(wanted))


def f1_of(judged):
    """{bag, shingle: F1 of the means of precision and recall over pages; the same as the mean of each page's F1}, from rows of judge()."""
    judged = np.asarray(judged)
    out = {}
    for name, columns in (("bag", judged[:, 0:2]), ("shingle", judged[:, 2:4])):
        p, r = columns.mean(0)
        each = 2 * columns.prod(1) / np.maximum(1e-9, columns.sum(1))
        out[name] = round(float(2 * p * r / max(1e-9, p + r)), 4)
        out[name + "_each"] = round(float(each.mean()), 4)
        out[name + "_within"] = round(float(1.96 * each.std() / np.sqrt(len(each))), 4)
    return out
