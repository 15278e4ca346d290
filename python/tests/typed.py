"""What a caller's code is checked as: types come through."""

from __future__ import annotations

import leitong


def shortest(texts: list[str | None]) -> list[str | None]:
    found: leitong.Fingerprints = leitong.fingerprint(texts)
    return found.hex()


def clean(records: list[dict[str, str]]) -> float:
    result = leitong.Dedup(0.7, keep="first")(records, progress=lambda p: print(p.stage))
    removed: list[leitong.DuplicateRecord] = result.filtered
    keep: list[bool] = result.keep_list
    return result.duplicate_ratio + len(removed) + len(keep)


def articles(pages: list[str]) -> list[str]:
    one: leitong.PageText = leitong.extract(pages[0], mode="article")
    many: list[leitong.PageText] = leitong.extract(pages)
    some: list[leitong.PageText | None] = leitong.extract((page for page in pages), threads=2)
    return [one.text, *(page.title for page in many), *(page.url for page in some if page)]


def ask(where: str) -> list[str]:
    with leitong.Collection(where) as collection:
        return [entry.id for entry in collection]


def distance(a: str, b: str) -> int:
    try:
        return leitong.compare(a, b).distance or 0
    except leitong.UsageError:
        return -1


def seen(url: str, text: str) -> list[str]:
    with leitong.Client(url, key="key") as client:
        found: leitong.Outcome = client.check("news", text)
        many: list[list[leitong.Match]] = client.query("news", [text, text])
        one: list[leitong.Match] = client.query("news", text)
        return [found.result, *(match.id for match in [*one, *many[0]]), *(group.keep for group in client.clusters("news"))]
