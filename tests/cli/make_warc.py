"""make_warc.py FILE...: writes small archives, each packed as its name says: pages, a copy of one under another address, and what is no page."""

import gzip
import sys

LINE = ("The harbour office said on Tuesday that the number of ships which call at the port has doubled within a year, because the deep "
        "channel was opened and the cranes on the northern quay were repaired at last. ")


def record(kind, name, url, block, content_type="application/http; msgtype=response", more=""):
    head = (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
            f"{more}Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def answer(body, content_type="text/html", more=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: " + content_type.encode() + b"\r\n" + more + b"\r\n" + body


def page(title, text, head=""):
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body><p>{text}</p></body></html>"


def records():
    article = LINE * 3
    chinese = "港口办公室周二表示，由于深水航道开通，北岸码头的起重机终于修好，停靠船只的数量在一年之内翻了一番。"
    canonical = '<link rel="canonical" href="https://www.example.com/news/ships">'
    yield record("warcinfo", "info", "http://example.com/", b"software: made by hand\r\n", "application/warc-fields")
    yield record("request", "ask", "http://example.com/a", b"GET /a HTTP/1.1\r\n\r\n", "application/http; msgtype=request")
    yield record("response", "first", "http://example.com/news/ships?from=feed", answer(page("Ships", article, canonical).encode()))
    yield record("response", "copy", "https://www.example.com/news/ships",
                 answer(gzip.compress(page("Ships", article, canonical).encode(), mtime=0), more=b"Content-Encoding: gzip\r\n"))
    yield record("response", "mirror", "http://mirror.example.org/ships", answer(page("Ships", article).encode()), more="WARC-Truncated: length\r\n")
    yield record("response", "zh", "http://example.cn/1", answer(page("船", chinese).encode("gb18030"), "text/html; charset=gb2312"))
    yield record("response", "zh2", "http://example.cn/2", answer(page("船", chinese).encode()))
    yield record("response", "gone", "http://example.com/gone", b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone")
    yield record("response", "image", "http://example.com/i.png", answer(b"\x89PNG", "image/png"))
    yield record("revisit", "again", "http://example.com/b", b"")
    yield record("conversion", "wet", "http://example.com/w", b"Quite other words stand in this record, which somebody has taken out before.", "text/plain")


def main():
    for name in sys.argv[1:]:
        with open(name, "wb") as file:
            for each in records():
                file.write(gzip.compress(each, mtime=0) if name.endswith(".gz") else each)


if __name__ == "__main__":
    main()
