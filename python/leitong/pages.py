"""Web pages to their main content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from . import _core
from ._errors import UsageError
from ._records import texts_source


@dataclass(frozen=True)
class PageText:
    """What a web page is about. `docs/web-pages.md` says how it is chosen.

    Attributes
    ----------
    text : str
        The main content, a line a block. Empty only if the page has no text.
    title, url, date, language : str
        What the page says of itself: its title, canonical link, date of publication, `lang`; empty where it says nothing.
    kind : str
        As what it was read: "article", "page", or "all".
    source : str
        "chosen"; of a page without a main content that was found "linked-data" (its JSON-LD), "body" (all but menus, header and footer)
        or "everything".
    fell_back : bool
        No main content was found: `source` says what was taken instead.
    model : str
        The id of the model that chooses: texts by another one may not be compared. Empty of all text, which nothing chooses.
    """

    text: str
    title: str = field(kw_only=True)
    url: str = field(kw_only=True)
    date: str = field(kw_only=True)
    language: str = field(kw_only=True)
    kind: str = field(kw_only=True)
    source: str = field(kw_only=True)
    fell_back: bool = field(kw_only=True)
    model: str = field(kw_only=True)


@overload
def extract(html: str | bytes, mode: str = ..., *, threads: int = ..., column: str = ...) -> PageText: ...


@overload
def extract(html: list[str], mode: str = ..., *, threads: int = ..., column: str = ...) -> list[PageText]: ...


@overload
def extract(html: Any, mode: str = ..., *, threads: int = ..., column: str = ...) -> list[PageText | None]: ...


def extract(html: Any, mode: str = "main", *, threads: int = 0, column: str = "") -> Any:
    """The main content of a web page, or of each of many: the same as that of the command line.

    Parameters
    ----------
    html : str, or list of str or None, or a column
        One page, or many in anything that `fingerprint` takes texts in. Bytes are UTF-8.
    mode : {"main", "article", "page", "all"}
        What is taken: the main content, read as an article or as another page, whichever it is; as an article; as another page; all text.
    threads : int
        Of many pages. 0: as many as there are cores.
    column : str
        If `html` is a table: which of its columns.

    Returns
    -------
    PageText, or list of PageText or None
        None for a page that is missing.

    Examples
    --------
    >>> import leitong
    >>> menu = "<nav class=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a></ul></nav>"
    >>> story = "The ferry leaves the island at nine, the harbour office says, because the tide is too low before that hour."
    >>> page = leitong.extract(f"<title>Ferries</title>{menu}<main><article><p>{story}</p></article></main>")
    >>> story in page.text, page.title, page.fell_back
    (True, 'Ferries', False)
    >>> [one.text for one in leitong.extract([menu + "<p>" + story, "<p>Bread and butter."], "all")][1]
    'Bread and butter.'
    """
    if isinstance(html, (str, bytes)):
        return _page(_core.extract([html], "", mode, 1)[0])
    if isinstance(html, Mapping):
        raise UsageError("this is one record: give its page, a str, or a list of pages")
    return [_page(found) for found in _core.extract(texts_source(html), column, mode, threads)]


def _page(found: tuple[str, str, str, str, str, str, str, bool, str] | None) -> PageText | None:
    if found is None:
        return None
    text, title, url, date, language, kind, source, fell_back, model = found
    return PageText(text, title=title, url=url, date=date, language=language, kind=kind, source=source, fell_back=fell_back, model=model)
