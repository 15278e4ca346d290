"""Numbers, and tables of them, as the pages of results show them."""


def figure(value, digits=3):
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def size(n):
    return f"{n // 1_000_000_000} G" if n >= 1_000_000_000 else f"{n // 1_000_000} M" if n >= 1_000_000 else f"{n:,}"


def table(head, rows):
    return [] if not rows else ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head), *("| " + " | ".join(figure(cell) for cell in row) + " |" for row in rows), ""]
