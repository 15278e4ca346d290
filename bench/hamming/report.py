"""Records of run.py -> the Markdown page beside them, with the goals, and the pictures of docs/hamming.md."""

import re
from pathlib import Path

import plots
from tables import figure, size, table

HERE = Path(__file__).resolve().parent
MANKU_QUERIES, MANKU_ROWS, MANKU_SECONDS, MANKU_MACHINES = 1_000_000, 8_000_000_000, 100, 200


class Rows:
    """Records by what was measured."""

    def __init__(self, rows):
        self.rows = rows

    def all(self, **wanted):
        return [r for r in self.rows if all(r.get(name, default_of(name)) == value for name, value in wanted.items())]

    def one(self, **wanted):
        found = [r for r in self.all(**wanted) if "failed" not in r]
        return found[0] if found else {}


def default_of(name):
    return {"data": "uniform", "bits": 64, "k": 3}.get(name)


def met(value, goal, least=False):
    if value is None:
        return "not measured"
    return "met" if (value >= goal if least else value <= goal) else "not met"


def goal(name, what, value, most, least=False):
    sign = "≥" if least else "≤"
    share = None if value is None else (value / most)
    return [name, f"{sign} {most:g} {what}".strip(), value, share, met(value, most, least)]


def goals(rows):
    lines = []
    for n, most in ((10 ** 6, .25), (10 ** 7, .32), (10 ** 8, .45)):
        lines.append(goal(f"self-join, k = 3, uniform {size(n)} ÷ std::sort", "", rows.one(section="join", measure="join", call="pairs", n=n).get("ratio"), most))
    for n, most in ((10 ** 6, .25), (10 ** 7, .32), (10 ** 8, .45)):
        lines.append(goal(f"the same in memory kept from the call before, {size(n)}", "", rows.one(section="kept", measure="join", threads=1, n=n).get("ratio"), most))
    for n in (10 ** 6, 10 ** 7):
        lines.append(goal(f"two threads over one, {size(n)}", "×", rows.one(section="threads", measure="join", threads=2, n=n).get("times_as_fast"), 1.8, least=True))
    base = rows.one(section="join", measure="join", call="pairs", n=10 ** 8).get("ns")
    for memory, name in ((0, "no budget"), (4 << 30, "4 GiB")):
        ns = rows.one(measure="giga join", memory=memory).get("ns")
        lines.append(goal(f"1 G rows, {name}: time a row ÷ that of 100 M", "×", ns / base if ns and base else None, 1.6))
    lines += skew_goals(rows, 10 ** 7)
    for n, most in ((10 ** 6, 80), (10 ** 7, 300), (10 ** 8, 800)):
        lines.append(goal(f"look-up in batches, k = 3, {size(n)}", "ns", index_row(rows, "look-up in batches", n).get("ns"), most))
    for n, most in ((10 ** 7, 30), (10 ** 8, 27)):
        lines.append(goal(f"index, {size(n)}", "bytes a row", index_row(rows, "build", n).get("bytes_a_row"), most))
    for n in (10 ** 6, 10 ** 7, 10 ** 8):
        lines.append(goal(f"build ÷ std::sort, {size(n)}", "", index_row(rows, "build", n).get("ratio"), 2.5))
    lines += range_goals(rows)
    for n in (10 ** 7, 10 ** 8):
        lines.append(goal(f"candidate stage, a band ÷ std::sort of its keys, over the k = 3 join's ratio, {size(n)}", "×",
                          rows.one(measure="bands", n=n).get("times_k3_join_ratio"), 3))
    for what in ("add, one by one", "erase, one by one"):
        lines.append(goal(f"{what.split(',')[0]}, amortised, 10 M", "ns", rows.one(section="index", measure=what, n=10 ** 7).get("ns"), 1000))
    return lines


def index_row(rows, measure, n):
    return rows.one(section="index", measure=measure, n=n, threads=1)


def skew_goals(rows, n):
    """Against uniform rows in the same section; beyond twice their time, nanoseconds for each pair more."""
    base, lines = rows.one(section="skew", measure="join", n=n), []
    calls = [("skewed-distinct", "pairs"), ("flooded", "pairs"), ("clustered", "pairs"), ("skewed", "count"), ("skewed", "clusters")]
    for kind, call in calls:
        row = rows.one(section="skew", measure="join", n=n, data=kind, call=call)
        ratio = row["ns"] / base["ns"] if row and base else None
        line = goal(f"{kind}, {call}, {size(n)} ÷ uniform", "× and the pairs", ratio, 2)
        if ratio and ratio > 2 and call == "pairs" and row["count"] > base["count"]:
            line[4] += f"; {(row['ns'] - 2 * base['ns']) * n / (row['count'] - base['count']):.1f} ns a pair more"
        lines.append(line)
    return lines


def range_goals(rows):
    lines = []
    for kind in ("join", "look-up"):
        for n in (10 ** 6, 10 ** 7):
            for k in (6, 8, 10) if kind == "join" else (6, 8):
                asked = [r for r in rows.all(section="kranges", measure="peer", n=n, k=k) if (r["who"] == "mih-rs") == (kind == "look-up")]
                best = min((r for r in asked if r.get("ns") and r.get("ours_ns")), key=lambda r: r["ns"], default=None)
                value = best["ns"] / best["ours_ns"] if best else None
                line = goal(f"{kind}, k = {k}, {size(n)}: best peer{' (' + best['who'].split(',')[0] + ')' if best else ''} ÷ ours", "×", value, 5, least=True)
                if asked and not best:
                    line[4] = "no peer finished: " + asked[0].get("failed", "")
                lines.append(line)
    return lines


def joins(rows, section):
    return table(["data", "rows", "bits", "k", "call", "threads", "ns a row (least)", "÷ std::sort (of minima)", "bytes a row", "first touch of these, ns a row", "processor s", "pairs, or groups", "check"],
                 [[r.get("data", "uniform"), size(r["n"]), r.get("bits", 64), r.get("k"), r.get("call", "pairs"), r.get("threads"), with_least(r, "ns", "least_ns"),
                   with_least(r, "ratio", "least_ratio"), r.get("bytes_a_row"), r.get("touch_ns"), r.get("processor_seconds"), f"{r['count']:,}" if "count" in r else None,
                   check_of(r)] for r in rows.all(section=section, measure="join")])


def with_least(r, name, least):
    return r["failed"] if "failed" in r else f"{figure(r[name])} ({figure(r[least])})" if least in r else figure(r.get(name))


def check_of(r):
    return f"{r['equal']}: {r['check']}" if "check" in r else "–"


def look_ups(rows, section):
    kinds = [r for r in rows.all(section=section) if r["measure"] not in ("join", "sort", "peer", "beside") and r.get("who")]
    return table(["data", "rows", "bits", "k", "what", "who", "threads", "ns (least)", "÷", "bytes a row", "check"],
                 [[r.get("data", "uniform"), size(r["n"]), r.get("bits", 64), r.get("k"), r["measure"], r["who"], r.get("threads"), with_least(r, "ns", "least_ns"),
                   f"{figure(r['ratio'])} ({r['ratio_to']})" if "ratio" in r else None,
                   figure(r.get("bytes_a_row")) + (f" ({figure(r['resident_bytes_a_row'])} resident)" if "resident_bytes_a_row" in r else ""), check_of(r)] for r in kinds])


def readers(rows):
    found = [r for r in rows.all(section="index", measure="add while read") if "failed" not in r]
    return table(["rows", "answers to a thread while another adds row after row", "median µs", "99.9 % µs", "slowest µs", "ns an add meanwhile"],
                 [[size(r["n"]), r["reads"], r["read_median_us"], r["read_999_us"], r["read_slowest_us"], r["ns"]] for r in found])


def peers(rows, section):
    return table(["rows", "k", "who", "what", "ns", "÷ ours in the same minutes", "build, ns a row", "bytes a row", "count and checksum"],
                 [[size(r["n"]), r["k"], r["who"], ("look-up" if r["queries"] else "self-join") if "queries" in r else None, r.get("failed", r.get("ns")),
                   r["ns"] / r["ours_ns"] if r.get("ns") and r.get("ours_ns") else None, r.get("build_ns") or None, r.get("bytes_a_row"),
                   "equal to ours" if r.get("equal") == "equal" else r.get("equal")] for r in rows.all(section=section, measure="peer")])


def articles(rows):
    return table(["data", "rows", "way", "ns a query (least)", "÷ ours, in batches", "candidates a query: one table, all", "most: one table, all", "bytes a row", "check"],
                 [[r.get("data"), size(r["n"]), r["who"] + (f", beside {r['beside']}" if "beside" in r else ""), with_least(r, "ns", "least_ns"), r.get("ratio"),
                   f"{figure(r['candidates_one_table'])}, {figure(r['candidates'])}" if "candidates" in r else None,
                   f"{figure(r['most_candidates_one_table'])}, {figure(r['most_candidates'])}" if "candidates" in r else None, r.get("bytes_a_row"), check_of(r)]
                  for r in rows.all(section="articles") if r.get("who")])


def plans(rows):
    found = [r for r in rows.rows if "plan" in r and r["section"] in ("kranges", "join", "index", "wide") and r.get("threads", 1) == 1 and r.get("call", "pairs") == "pairs"
             and r["measure"] != "build"]
    def predicted(r):
        said = re.search(r"about ([\d.,]+) ns", r["plan"])
        return float(said[1].replace(",", "")) if said else None
    return table(["what", "rows", "bits", "k", "measured ns", "÷ the model's", "the model says"],
                 [[r["measure"], size(r["n"]), r.get("bits"), r["k"], r.get("ns"), r["ns"] / predicted(r) if predicted(r) else None,
                   r["plan"].strip().replace("\n", "; ").replace("|", "/")] for r in found])


def bands(rows):
    return table(["rows", "bands", "ns a row and band", "a band ÷ std::sort of its keys", "k = 3 join ÷ std::sort", "the one ratio ÷ the other", "all bands ÷ k = 3 join, time", "check"],
                 [[size(r["n"]), r["bands"], r["ns_a_row_and_band"], r["ratio"], r["k3_join_ratio"], r["times_k3_join_ratio"], r["times_k3_join_seconds"], check_of(r)]
                  for r in rows.all(measure="bands") if "failed" not in r])


def giga(rows):
    found = [r for r in rows.rows if r["section"] in ("giga", "giga queries")]
    return table(["what", "rows", "budget, MiB", "seconds", "ns a row (a query)", "bytes a row", "pairs", "check"],
                 [[r["measure"], size(r["n"]), r.get("memory", 0) >> 20, r.get("failed", r.get("seconds")), r.get("ns"), r.get("bytes_a_row"),
                   f"{r['count']:,}" if "count" in r else None, check_of(r)] for r in found])


def on_paper(rows):
    """Manku, Jain, Das Sarma 2007 with machine seconds for machine seconds; times grow in proportion to rows at most."""
    theirs = MANKU_SECONDS * MANKU_MACHINES
    lines = [f"Manku, Jain and Das Sarma (2007): {MANKU_QUERIES:,} queries against {MANKU_ROWS:,} fingerprints in about {MANKU_SECONDS} s on {MANKU_MACHINES} machines: "
             f"{theirs:,} machine seconds, {theirs / MANKU_QUERIES * 1000:g} ms a query."]
    join = rows.one(measure="giga queries")
    if join:
        parts = MANKU_ROWS / join["n"]
        ours = join["seconds"] * parts
        lines.append(f"Ours, without any index: {join['queries']:,} queries joined with {size(join['n'])} rows took {join['seconds']:.1f} s on one core; {parts:g} such parts "
                     f"{ours:,.0f} s of one core, {theirs / ours:,.0f} times less. Computers of 2007 were slower, and theirs read the fingerprints from disks; that is in the factor.")
    found = [r for r in rows.all(section="index", measure="look-up in batches", threads=1) if "ns" in r]
    found = [r for r in found if r["n"] >= 10 ** 6]
    if found:
        largest = max(found, key=lambda r: r["n"])
        parts = MANKU_ROWS / largest["n"]
        lines.append(f"With indexes in memory: a look-up among {size(largest['n'])} takes {largest['ns']:,.0f} ns, so {MANKU_QUERIES:,} queries to {parts:g} such indexes "
                     f"{largest['ns'] * 1e-9 * MANKU_QUERIES * parts:,.1f} s of one core, and {largest_bytes(rows, largest['n']) * MANKU_ROWS / 1e9:,.0f} GB of memory in all.")
    return [*lines, ""]


def largest_bytes(rows, n):
    return index_row(rows, "build", n).get("bytes_a_row") or 24


def page(known):
    rows = Rows(known["rows"])
    checked = [r for r in known["rows"] if "equal" in r]
    different = sum(r["equal"] != "equal" for r in checked)
    lines = [f"# Exact Hamming joins and look-ups, {known['date']}", "",
             f"Commit {known['commit']}; {known['cpu']}, {known['cores']} cores, load {known['load']} at the end. {known['note']}".rstrip(),
             "Made by `bench/hamming/run.py` (its README says what is measured, and the .json file holds everything). One thread unless said, medians of rounds "
             "in turn, wall time; in brackets of the fastest round. "
             f"**{len(checked)} results were checked, {different or 'none'} differed.**", "", "## Goals", "", *table(["what", "goal", "measured", "÷ goal", ""], goals(rows))]
    sections = (("Self-joins, counts, clusters, A × B", joins(rows, "join")), ("In memory kept from the call before", joins(rows, "kept")), ("Two threads", joins(rows, "threads")), ("Uneven data", joins(rows, "skew") + look_ups(rows, "skew")),
                ("Index", look_ups(rows, "index") + readers(rows)),
                ("Peers, k = 3", peers(rows, "peers")), ("The articles' three ways", articles(rows)),
                ("Larger distances", joins(rows, "kranges") + look_ups(rows, "kranges") + peers(rows, "kranges")), ("Wide fingerprints", joins(rows, "wide") + look_ups(rows, "wide")),
                ("The model beside the measurement", plans(rows)), ("The candidate stage", bands(rows)), ("10⁹ rows", giga(rows)), ("Eight thousand million, on paper", on_paper(rows)))
    for title, body in sections:
        if body:
            lines += [f"## {title}", "", *body]
    return "\n".join(lines).rstrip() + "\n"


def series_of(found, name):
    series = {}
    for r in found:
        if "ns" in r and "failed" not in r:
            series.setdefault(name(r), {})[r["n"]] = r["ns"]
    return {who: list(points.items()) for who, points in series.items()}


def pictures(rows, folder):
    join = {"leitong, self-join": [(r["n"], r["ns"]) for r in rows.all(section="join", measure="join", call="pairs") + rows.all(measure="giga join", memory=0) if "ns" in r],
            "std::sort": [(r["n"], r["ns"]) for r in rows.all(section="join", measure="sort", call="pairs")]}
    join |= series_of([r for r in rows.all(section="peers", measure="peer") if not r.get("queries")], lambda r: r["who"])
    plots.write(folder / "hamming-join.svg", "Self-join of 64-bit fingerprints, k = 3, one thread", "fingerprints", "ns a fingerprint", join)
    ask = {"leitong, in batches": [(r["n"], r["ns"]) for r in rows.all(section="index", measure="look-up in batches", threads=1) if "ns" in r],
           "leitong, one by one": [(r["n"], r["ns"]) for r in rows.all(section="index", measure="look-up, one by one") if "ns" in r]}
    ask["leitong, one by one"] = sorted(dict(reversed(ask["leitong, one by one"])).items())
    ways = [r for r in rows.all(section="articles", data="uniform") if r.get("who") and not r["who"].startswith("leitong")]
    ask |= series_of(ways, lambda r: ("articles: " if not r["who"].startswith("std::") else "") + r["who"].replace("std::unordered_set, exact only", "std::unordered_set::find"))
    ask |= series_of([r for r in rows.all(section="peers", measure="peer") if r.get("queries")], lambda r: r["who"])
    plots.write(folder / "hamming-lookup.svg", "One look-up within 3 bits, one thread", "fingerprints", "ns a query", ask)
    tables = [r for r in rows.all(section="articles", who="four tables of 16 bits")]
    wanted = {}
    for kind, name in (("uniform", "uniform"), ("skewed-distinct", "skewed")):
        for field, what in (("candidates_one_table", "mean of one table"), ("candidates", "mean of all four"), ("most_candidates", "most of all four")):
            if name == "skewed" and field == "candidates_one_table":
                continue  # the first table is of even bits
            wanted[f"{name}, {what}"] = [(r["n"], r[field]) for r in tables if r.get("data") == kind and field in r]
    plots.write(folder / "hamming-candidates.svg", "The articles' four tables: candidates that a query compares", "fingerprints", "candidates a query", wanted)


def write(known, args):
    (args.results / f"hamming-{known['date']}.md").write_text(page(known), encoding="utf-8")
    pictures(Rows(known["rows"]), args.images)
    print(args.results / f"hamming-{known['date']}.md")
