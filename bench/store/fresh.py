#!/usr/bin/env python3
"""How fast fresh documents go into a collection with texts, and how fast queries against it are.

    bench/store/fresh.py --program build/release/leitong --corpora corpora --work /tmp/fresh [--sizes 20000,200000]

Paragraphs of the corpora's texts (*.docs.jsonl.gz, split at blank lines, 100 bytes and more) go into one collection by
`collection add --unique`, then more of them; queries (one in ten a stored paragraph with small edits) ask it before and after
`compact`. Figures are of user time on one thread, since others may use the machine. Where paragraphs run out, further ones are
made of the words of pairs of paragraphs, so that they are as long, as common in their words, and unlike what is stored.
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

LEAST_BYTES = 100
QUERIES = 20000


def paragraphs(corpora):
    for path in sorted(glob.glob(os.path.join(corpora, '*.docs.jsonl.gz'))):
        with gzip.open(path, 'rt', encoding='utf-8') as lines:
            for line in lines:
                for part in re.split(r'\n\s*\n', json.loads(line)['text']):
                    if len(part.encode()) >= LEAST_BYTES:
                        yield part


def pieces(text):
    """Words of scripts with spaces, runs of three characters of others: what a made paragraph is made of."""
    words = text.split()
    return words if len(words) > len(text) / 20 else [text[i:i + 3] for i in range(0, len(text), 3)]


def made_of(a, b, draw):
    one, other = pieces(a), pieces(b)
    joint = ' ' if len(one) == len(a.split()) else ''
    drawn = [draw.choice(one if draw.random() < .5 else other) for _ in one]
    return joint.join(drawn)


def edited(text, draw):
    """A few characters in a long text are changed, one in a short one."""
    letters = list(text)
    for _ in range(1 + len(letters) // 400):
        letters[draw.randrange(len(letters))] = draw.choice('xyz')
    return ''.join(letters)


def write(path, texts, prefix):
    with open(path, 'w', encoding='utf-8') as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({'id': f'{prefix}{number}', 'text': text}, ensure_ascii=False) + '\n')


def make_inputs(corpora, work, sizes):
    draw = random.Random(1)
    real = list(dict.fromkeys(paragraphs(corpora)))
    draw.shuffle(real)
    unseen = real[-QUERIES * 9 // 10 // 2:]
    real = real[:-len(unseen)]
    while len(real) < max(sizes):
        real.append(made_of(draw.choice(real), draw.choice(real), draw))
    for size in sizes:
        write(f'{work}/texts-{size}.jsonl', real[:size], 'p')
    others = unseen + [made_of(draw.choice(unseen), draw.choice(unseen), draw) for _ in range(QUERIES * 9 // 10 - len(unseen))]
    near = [edited(draw.choice(real[:min(sizes)]), draw) for _ in range(QUERIES // 10)]
    queries = others + near
    draw.shuffle(queries)
    write(f'{work}/queries.jsonl', queries, 'q')
    write(f'{work}/next.jsonl', others, 'n')


def user_seconds(command, out=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out or os.devnull, 'wb') as file:
        subprocess.run(command, check=True, stdout=file, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def lines_of(path):
    with open(path, 'rb') as file:
        return sum(1 for _ in file)


def rate(what, count, times):
    user, system = min(times)
    print(f'{what:46} {count / user:10,.0f} /s   {user:8.2f} s user {system:6.2f} s system', flush=True)


def measure(program, work, size, repeats):
    where, queries, following = f'{work}/c-{size}', f'{work}/queries.jsonl', f'{work}/next.jsonl'
    shutil.rmtree(where, ignore_errors=True)
    user_seconds([program, 'collection', 'create', where, '--texts'])
    add = [program, 'collection', 'add', where, '--unique', '--threads', '1']
    rate(f'add --unique of {size:,} texts', size, [user_seconds([*add, f'{work}/texts-{size}.jsonl'])])
    ask = [program, 'collection', 'query', where, queries, '--most', '1', '--threads', '1']

    def asked(name, extra):
        times = [user_seconds([*ask, *extra], f'{work}/{name}-{size}.jsonl') for _ in range(repeats)]
        rate(f'query, {name}, {size:,} stored', lines_of(queries), times)

    asked('fresh', [])
    asked('fresh-unverified', ['--no-verify'])
    copies = []
    for _ in range(repeats):
        copy = f'{work}/copy-{size}'
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(where, copy)
        copies.append(user_seconds([program, 'collection', 'add', copy, '--unique', '--threads', '1', following]))
        shutil.rmtree(copy)
    rate(f'add --unique of others, {size:,} stored', lines_of(following), copies)
    user_seconds([program, 'collection', 'compact', where])
    asked('compacted', [])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--program', default='build/release/leitong')
    options.add_argument('--corpora', required=True)
    options.add_argument('--work', required=True)
    options.add_argument('--sizes', default='20000,200000')
    options.add_argument('--repeats', type=int, default=3)
    given = options.parse_args()
    os.makedirs(given.work, exist_ok=True)
    sizes = [int(size) for size in given.sizes.split(',')]
    if not all(os.path.exists(f'{given.work}/texts-{size}.jsonl') for size in sizes):
        make_inputs(given.corpora, given.work, sizes)
    for size in sizes:
        measure(given.program, given.work, size, given.repeats)


if __name__ == '__main__':
    sys.exit(main())
