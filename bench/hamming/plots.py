"""Series of points -> line charts on logarithmic axes as SVG files, readable on light and dark pages. No packages."""

import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 460, 74, 250, 46, 52
COLOURS = ("#2f7ed8", "#e07b00", "#2ca05a", "#c9484a", "#8e6cc9", "#8a7a4d", "#d765a8", "#5b8f9b", "#9a9a2e")
STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #333 } .title { font-size: 16px; font-weight: 600 } .grid { stroke: #8884; stroke-width: 1 }
.line { fill: none; stroke-width: 2 } .own { stroke-width: 3.5 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
</style>"""


def decades(values):
    return math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)


def short(exponent):
    names = {0: "", 3: " k", 6: " M", 9: " G"}
    base = max(e for e in names if e <= exponent) if exponent >= 0 else None
    return f"{10 ** exponent:g}" if base is None else f"{10 ** (exponent - base)}{names[base]}"


class Chart:
    def __init__(self, series):
        points = [p for line in series.values() for p in line]
        (self.x0, self.x1), (self.y0, self.y1) = decades([x for x, _ in points]), decades([y for _, y in points])
        self.x1, self.y1 = max(self.x1, self.x0 + 1), max(self.y1, self.y0 + 1)

    def x(self, value):
        return LEFT + (math.log10(value) - self.x0) / (self.x1 - self.x0) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - (math.log10(value) - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)

    def axes(self, across, up):
        out = []
        for e in range(self.x0, self.x1 + 1):
            at = self.x(10.0 ** e)
            out += [f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>',
                    f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{short(e)}</text>']
        for e in range(self.y0, self.y1 + 1):
            at = self.y(10.0 ** e)
            out += [f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>',
                    f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{short(e)}</text>']
        middle = (HEIGHT - BOTTOM + TOP) / 2
        return out + [f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>',
                      f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(up)}</text>']


def write(path, title, across, up, series, own="leitong"):
    """series: name -> [(x, y)]. Names stand at the right, in the order of the lines' ends, and do not overlap."""
    series = {name: sorted((x, y) for x, y in line if x > 0 and y > 0) for name, line in series.items()}
    series = {name: line for name, line in series.items() if line}
    if not series:
        return False
    chart = Chart(series)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">', STYLE,
           f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>', *chart.axes(across, up)]
    labels = []
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{chart.x(x):.1f},{chart.y(y):.1f}" for x, y in line)
        out.append(f'<polyline class="line{" own" if name.startswith(own) else ""}" stroke="{colour}" points="{points}"/>')
        out += [f'<circle cx="{chart.x(x):.1f}" cy="{chart.y(y):.1f}" r="4" fill="{colour}"><title>{escape(name)}: {y:,.4g} at {x:,}</title></circle>' for x, y in line]
        labels.append((chart.y(line[-1][1]), chart.x(line[-1][0]), name, colour))
    out += place(sorted(labels)) + ["</svg>"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(out) + "\n", encoding="utf-8")
    return True


def place(labels):
    out, free = [], TOP
    highest = HEIGHT - BOTTOM - 17 * (len(labels) - 1)
    for number, (y, x, name, colour) in enumerate(labels):
        at = max(free, min(y, highest + 17 * number))
        out += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{WIDTH - RIGHT + 12}" y2="{at:.1f}" stroke="{colour}" stroke-width="1" stroke-dasharray="2 3"/>',
                f'<rect x="{WIDTH - RIGHT + 14}" y="{at - 5:.1f}" width="10" height="10" fill="{colour}"/>',
                f'<text x="{WIDTH - RIGHT + 29}" y="{at + 4.5:.1f}">{escape(name)}</text>']
        free = at + 17
    return out
