#!/usr/bin/env python3
"""How fast fresh documents go into a collection with texts, and how fast queries against it are.

    bench/store/fresh.py --program build/release/leitong --corpora corpora --work /tmp/fresh [--sizes 10000,100000,1000000]

Paragraphs are made of the corpora's sentences (*.docs.jsonl.gz): each takes sentences of one corpus, drawn at random, until it has
a length drawn from 200 to 900 bytes, so that they are of one law at all sizes, mean 630 bytes. They go into a collection by `collection
add --unique --texts`, then 20,000 more of them; 20,000 queries, one in ten a stored paragraph with small edits, ask for the best match
before and after `compact`. Figures are of user time of all threads, since others may use the machine. What a command takes
to open the collection (of which the log is read again) is measured with a single text, shown, and taken off the rates that say "net".
"""
import argparse
import glob
import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

LEAST_BYTES, MOST_BYTES = 200, 900
QUERIES = 20000
ENDS = re.compile(r'(?<=[。！？；])|(?<=[.!?;])\s+|\n\s*\n')


def sentences(path):
    """Distinct sentences of 24 to 400 bytes with their lengths."""
    found = {}
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for line in lines:
            for sentence in ENDS.split(json.loads(line)['text']):
                sentence = ' '.join(sentence.split())
                size = len(sentence.encode())
                if 24 <= size <= 400:
                    found[sentence] = size
    return list(found.items())


class Paragraphs:
    """Paragraphs without end; `seed` decides which."""

    def __init__(self, pools, seed, most_bytes=MOST_BYTES):
        self.pools, self.draw, self.most_bytes = pools, random.Random(seed), most_bytes
        self.weights = [sum(size for _, size in pool) for pool in pools]

    def __next__(self):
        pool = self.draw.choices(self.pools, self.weights)[0]
        wanted, size, parts = self.draw.randrange(LEAST_BYTES, self.most_bytes), 0, []
        while size < wanted:
            sentence, length = pool[int(self.draw.random() * len(pool))]
            parts.append(sentence)
            size += length
        return (' ' if parts[0].isascii() else '').join(parts)

    def __iter__(self):
        return self


def edited(text, draw):
    """A few characters in a long text are changed, one in a short one."""
    letters = list(text)
    for _ in range(1 + len(letters) // 400):
        letters[draw.randrange(len(letters))] = draw.choice('xyz')
    return ''.join(letters)


def write(path, texts, prefix):
    with open(path + '.tmp', 'w', encoding='utf-8') as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({'id': f'{prefix}{number}', 'text': text}, ensure_ascii=False) + '\n')
    os.replace(path + '.tmp', path)


def make_inputs(corpora, work, sizes, most_bytes):
    pools = [sentences(path) for path in sorted(glob.glob(os.path.join(corpora, '*.docs.jsonl.gz')))]
    stored, near, draw = Paragraphs(pools, 1, most_bytes), [], random.Random(2)
    for size in sizes:
        stored = Paragraphs(pools, 1, most_bytes)  # a smaller input is the beginning of a larger one
        write(f'{work}/texts-{size}.jsonl', (next(stored) for _ in range(size)), 'p')
    stored = Paragraphs(pools, 1, most_bytes)
    early = [next(stored) for _ in range(min(sizes))]
    near = [edited(draw.choice(early), draw) for _ in range(QUERIES // 10)]
    unseen = Paragraphs(pools, 3, most_bytes)
    queries = [next(unseen) for _ in range(QUERIES - len(near))] + near
    draw.shuffle(queries)
    others = Paragraphs(pools, 4, most_bytes)
    write(f'{work}/queries.jsonl', queries, 'q')
    write(f'{work}/next.jsonl', (next(others) for _ in range(QUERIES)), 'n')
    write(f'{work}/one.jsonl', [next(others)], 'o')


def user_seconds(command, out=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out or os.devnull, 'wb') as file:
        subprocess.run(command, check=True, stdout=file, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def lines_of(path):
    with open(path, 'rb') as file:
        return sum(1 for _ in file)


def bytes_of(directory):
    return sum(entry.stat().st_size for entry in os.scandir(directory))


def rate(what, count, times, opening=(0, 0)):
    user, system = min(times)
    net = f'{count / max(user - opening[0], 1e-9):10,.0f} /s net' if opening[0] > 0 else ''
    print(f'{what:46} {count / user:10,.0f} /s   {user:8.2f} s user {system:6.2f} s system {net}', flush=True)


class Measured:
    def __init__(self, program, work, size, repeats):
        self.program, self.work, self.size, self.repeats = program, work, size, repeats
        self.where, self.queries, self.following = f'{work}/c-{size}', f'{work}/queries.jsonl', f'{work}/next.jsonl'

    def run(self, *words, out=None):
        return user_seconds([self.program, 'collection', *words], out)

    def made(self, name, unique):
        where = f'{self.work}/{name}-{self.size}'
        shutil.rmtree(where, ignore_errors=True)
        self.run('create', where, '--texts')
        times = self.run('add', where, *unique, '--threads', '1', f'{self.work}/texts-{self.size}.jsonl')
        rate(f'add {" ".join(unique)} of {self.size:,} texts', self.size, [times])
        return where

    def asked(self, name, *extra):
        ask = ['query', self.where, '--most', '1', '--threads', '1', *extra]
        opening = min(self.run(*ask, f'{self.work}/one.jsonl') for _ in range(self.repeats))
        times = [self.run(*ask, self.queries, out=f'{self.work}/{name}-{self.size}.jsonl') for _ in range(self.repeats)]
        rate(f'query, {name}, {self.size:,} stored', lines_of(self.queries), times, opening)

    def added(self):
        openings, times = [], []
        for into, path in [(openings, f'{self.work}/one.jsonl'), (times, self.following)] * self.repeats:
            copy = f'{self.work}/copy-{self.size}'
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.where, copy)
            into.append(self.run('add', copy, '--unique', '--threads', '1', path))
            shutil.rmtree(copy)
        rate(f'add --unique of others, {self.size:,} stored', lines_of(self.following), times, min(openings))

    def all(self):
        shutil.rmtree(self.made('plain', ()))
        self.made('c', ('--unique',))
        self.asked('fresh')
        self.asked('fresh-unverified', '--no-verify')
        self.added()
        self.run('compact', self.where)
        print(f'{"bytes on disk a text, compacted":46} {bytes_of(self.where) / self.size:10,.0f}', flush=True)
        self.asked('compacted')
        self.added()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--program', default='build/release/leitong')
    options.add_argument('--corpora', required=True)
    options.add_argument('--work', required=True)
    options.add_argument('--sizes', default='10000,100000,1000000')
    options.add_argument('--repeats', type=int, default=3)
    options.add_argument('--most-bytes', type=int, default=MOST_BYTES, help='of the lengths that are drawn')
    given = options.parse_args()
    os.makedirs(given.work, exist_ok=True)
    sizes = [int(size) for size in given.sizes.split(',')]
    if not all(os.path.exists(f'{given.work}/{name}.jsonl') for name in [*(f'texts-{size}' for size in sizes), 'queries', 'next', 'one']):
        make_inputs(given.corpora, given.work, sizes, given.most_bytes)
    for size in sizes:
        Measured(given.program, given.work, size, given.repeats).all()


if __name__ == '__main__':
    sys.exit(main())
