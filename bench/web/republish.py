"""Makes the set of articles that stand under two shells: what near-duplicate detection meets on the web.

    republish.py PAGES.jsonl OUT.jsonl [--fold K]

Of each page whose article is one element (the innermost that holds nine tenths of the gold text's word trigrams, and little else) two
pages come: the page itself (id o-...), and its article, as HTML, in the place of another page's article (id m-...). So each article
stands under two shells, and each shell around two articles. Scripts and styles are taken out before. With --fold only pages whose domain
is in that fold of training (train.py), so that a model that did not see them can be judged. `pairs` is what should be found: o-X with
m-X.

    republish.py --judge CLUSTERS.jsonl PAGES.jsonl

prints recall and precision over pairs of records that dedup put into one cluster.
"""

import argparse
import copy
import itertools
import json

import lxml.html
from pages import domain, fold_of, words

FOLDS = 4


def grams(text):
    return {tuple(text[i : i + 3]) for i in range(len(text) - 2)}


def article_of(root, gold):
    """The innermost element with nine tenths of the gold text; none if most of its words are others."""
    wanted, found = grams(gold), None
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        inside = grams(words(" ".join(element.itertext())))
        if len(wanted & inside) >= 0.9 * len(wanted):
            found = element
    if found is None or found.tag in ("html", "body"):
        return None
    return found if len(gold) >= 0.5 * len(words(" ".join(found.itertext()))) else None


def parsed(html):
    root = lxml.html.document_fromstring(html)
    for element in list(root.iter("script", "style", "noscript")):
        element.drop_tree()
    return root


def moved(article, shell_root, shell_article_path):
    root = copy.deepcopy(shell_root)
    place = root.getroottree().xpath(shell_article_path)[0]
    inserted = copy.deepcopy(article)
    inserted.tail = place.tail
    place.getparent().replace(place, inserted)
    return lxml.html.tostring(root, encoding="unicode")


def make(pages_file, out_file, fold):
    taken = []
    with open(pages_file, encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            site = domain("aeb", page)
            if fold is not None and fold_of(site, FOLDS) != fold:
                continue
            gold = words(page["gold"])
            root = parsed(page["html"].encode())
            article = article_of(root, gold) if len(gold) >= 50 else None
            if article is not None:
                taken.append((page["id"][:12], site, root, article, root.getroottree().getpath(article)))
    with open(out_file, "w", encoding="utf-8") as out:
        for i, (name, site, root, article, _) in enumerate(taken):
            others = (taken[(i + step) % len(taken)] for step in range(1, len(taken)))
            shell = next(other for other in others if other[1] != site)
            for prefix, html in (("o-", lxml.html.tostring(root, encoding="unicode")), ("m-", moved(article, shell[2], shell[4]))):
                out.write(json.dumps({"id": prefix + name, "html": html}, ensure_ascii=False) + "\n")
    print(len(taken), "articles under two shells")


def judge(clusters_file, pages_file):
    articles = sum(json.loads(line)["id"].startswith("o-") for line in open(pages_file, encoding="utf-8"))
    right = wrong = 0
    for line in open(clusters_file, encoding="utf-8"):
        for a, b in itertools.combinations(json.loads(line)["members"], 2):
            right, wrong = (right + 1, wrong) if a[2:] == b[2:] else (right, wrong + 1)
    print(f"{articles} pairs: recall {right / articles:.3f}, precision {right / max(1, right + wrong):.3f} ({right} right, {wrong} wrong)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--fold", type=int)
    parser.add_argument("--judge", action="store_true")
    args = parser.parse_args()
    judge(args.input, args.output) if args.judge else make(args.input, args.output, args.fold)


if __name__ == "__main__":
    main()
