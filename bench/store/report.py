"""Records of run.py -> the Markdown page beside them, with the goals."""

import math
import statistics

from tables import figure, size, table

FIGURES = ("add_per_s", "sustained_per_s", "durable_per_s", "ratio", "find_ns", "batch_find_ns", "single_ns", "single_ratio", "batch_ratio", "loaded_ns", "quiet_p999_ns", "loaded_p999_ns",
           "p999_ratio", "reader_p999_ns", "read_ns", "amplification", "disk_B", "open_ms", "write_s", "near_ns", "equal")
KEYS = ("measure", "rows", "who", "runs", "limit", "table_rows", "texts", "load")


def line_of(row):
    """A record in one line, for who looks on."""
    if "failed" in row:
        return "failed: " + row["failed"]
    return " ".join(f"{name} {figure(row[name])}" for name in FIGURES if name in row) + f" ({row['took_s']:g} s)"


def bars(rows, logarithmic=True):
    """(name, value, unit) -> a chart in plain text, on a logarithmic scale that begins a third of a decade below the least."""
    rows = [row for row in rows if row[1]]
    if not rows:
        return []
    least, most = min(v for _, v, _ in rows), max(v for _, v, _ in rows)
    wide, lines = max(len(name) for name, _, _ in rows), ["```"]
    for name, value, unit in rows:
        share = math.log(3 * value / least) / math.log(3 * most / least) if logarithmic else value / most
        lines.append(f"{name:<{wide}} {'█' * max(1, round(50 * share))} {figure(value)} {unit}".rstrip())
    return [*lines, "```", ""]


class Rows:
    """Medians over the rounds, by what was measured."""

    def __init__(self, rows):
        groups = {}
        for row in rows:
            if "failed" not in row:
                groups.setdefault((row["section"], row["size"], *(row.get(key) for key in KEYS)), []).append(row)
        self.rows = [merged(group) for group in groups.values()]

    def all(self, **wanted):
        return [row for row in self.rows if all(row.get(name) == value for name, value in wanted.items())]

    def one(self, **wanted):
        return next(iter(self.all(**wanted)), {})

    def sizes(self, measure):
        return sorted({row["rows"] for row in self.rows if row["measure"] == measure})


def merged(group):
    row = dict(group[-1], rounds=len(group))
    for name, value in group[-1].items():
        if isinstance(value, (int, float)) and name not in KEYS:
            row[name] = statistics.median(r[name] for r in group if r.get(name) is not None)
    return row


def goal(name, what, value, bound, least=False):
    sign = "≥" if least else "≤"
    met = "not measured" if value is None else "met" if (value >= bound if least else value <= bound) else "**missed**"
    return [name, f"{sign} {figure(bound)} {what}".strip(), value, None if value is None else value / bound, met]


def over(row, name, other, other_name=None):
    above, below = row.get(name), other.get(other_name or name)
    return above / below if above is not None and below else None


def goals(rows):
    lines = []
    for n in rows.sizes("add"):
        lines.append(goal(f"adds, buffered, {size(n)}", "/s", rows.one(measure="add", rows=n).get("add_per_s"), 1e6, least=True))
    durable = rows.one(measure="durable")
    bound = min(.7 * durable["fdatasync_x_1000_per_s"], 300_000) if durable else None
    if durable:
        lines.append(goal("adds, durable in batches of 1,000 (.7 × fdatasync × 1,000, at most 300 k)", "/s", durable.get("durable_per_s"), bound, least=True))
    for n in rows.sizes("look"):
        for way in ("single", "batch"):
            lines.append(goal(f"look-ups after compaction ÷ index in memory, {'one by one' if way == 'single' else 'in batches'}, {size(n)}", "×",
                              rows.one(measure="look", rows=n, runs=1).get(way + "_ratio"), 1.5))
        eight = rows.one(measure="look", rows=n, runs=8)
        lines.append(goal(f"look-ups in 8 runs beside 100 k adds/s ÷ index in memory, quiet, {size(n)}", "×", over(eight, "loaded_ns", eight, "single_memory_ns"), 4))
    for n in rows.sizes("add"):
        lines.append(goal(f"write amplification, {size(n)}", "×", rows.one(measure="add", rows=n).get("amplification"), 8))
    lines.append(goal("write amplification after 128 tables, at most 8 runs", "×", rows.one(measure="curve", limit=8).get("amplification"), 8))
    for n in rows.sizes("add"):
        lines.append(goal(f"on disk, {size(n)}", "B a row", rows.one(measure="add", rows=n).get("disk_B"), 40))
    lines.append(goal("opening, warm, 100 M", "ms", rows.one(measure="open", size=10 ** 8).get("open_ms"), 50))
    lines.append(goal("recovery of a 64 MB log", "s", recovery(rows), 1))
    for n in rows.sizes("latency"):
        for r in rows.all(measure="latency", rows=n):
            tables = f", tables of {size(r['table_rows'])}" if r["table_rows"] else ""
            lines.append(goal(f"p99.9 of single look-ups under full write load ÷ quiet, {size(n)}{tables}", "×", r["p999_ratio"], 10))
            none, full = (rows.one(measure="reader", rows=n, load=load, table_rows=r["table_rows"]) for load in ("none", "full"))
            lines.append(goal(f"the same of a reader in another process, {size(n)}{tables}", "×", over(full, "reader_p999_ns", none), 10))
    ours = rows.one(measure="peer", who="leitong")
    for peer in peers_of(rows):
        for name, way in (("find_ns", "one by one"), ("batch_find_ns", "in batches")):
            lines.append(goal(f"look-ups, {way}: {peer['who']} ÷ ours, {size(peer['rows'])}", "×", over(peer, name, ours), 10, least=True))
    small, large = rows.one(measure="add", rows=10 ** 6), rows.one(measure="add", rows=10 ** 8)
    lines.append(goal("adding 100 M ÷ adding 1 M, until acknowledged", "×", over(large, "add_per_s", small), .7, least=True))
    lines.append(goal("the last tenth of 100 M ÷ the first million", "×", over(large, "last_per_s", large, "first_per_s"), .7, least=True))
    lines.append(goal("adding 100 M ÷ adding 1 M, until in runs", "×", over(large, "sustained_per_s", small), .7, least=True))
    return lines


def recovery(rows):
    found = [row for row in rows.all(measure="recover") if row["log_bytes"] >= 60 << 20]
    return found[0]["write_s"] if found else None


def peers_of(rows):
    return [row for row in rows.all(measure="peer") if row["who"] != "leitong"]


def peer_section(rows):
    found = rows.all(measure="peer")
    lines = table(["who", "version", "licence", "adds/s, buffered", "until finished", "durable, batches of 1,000", "slowest batch, ms", "written, B a row", "on disk, B a row", "in memory, B a row"],
                  [[r["who"], r["version"], r["licence"], r["add_per_s"], r["add_and_finish_per_s"], r["durable_per_s"], r["batch_max_ns"] / 1e6, r["written_B"], r["disk_B"], r.get("memory_B")] for r in found])
    lines += table(["who", "a look-up, ns", "median", "p99", "p99.9", "slowest", "in batches, ns", "÷ ours", "÷ ours in batches", "found", "answers"],
                   [[r["who"], r["find_ns"], r["single_p50_ns"], r["single_p99_ns"], r["single_p999_ns"], r["single_max_ns"], r.get("batch_find_ns"),
                     over(r, "find_ns", rows.one(measure="peer", who="leitong")), over(r, "batch_find_ns", rows.one(measure="peer", who="leitong")), r["found"], r["equal"]] for r in found])
    lines += bars([(r["who"], r["find_ns"], "ns") for r in found])
    return lines + [*(f"* {r['who']}: {r['setting']}." for r in found), ""] if found else []


def add_section(rows):
    return table(["rows", "adds/s, acknowledged", "and synced", "until in runs", "first million", "last tenth", "slowest batch, ms", "runs", "written, B a row", "÷ 16 B", "written, says the system", "on disk before compact()",
                  "on disk", "compact(), s"],
                 [[size(r["rows"]), r["add_per_s"], r["add_and_sync_per_s"], r["sustained_per_s"], r["first_per_s"], r.get("last_per_s"), r["slowest_batch_ms"], r["runs_before"], r["written_B"], r["amplification"],
                   r["system_written_B"], r["disk_before_B"], r["disk_B"], r["compact_s"]] for r in rows.all(measure="add")])


def durable_section(rows):
    return table(["durable adds/s, one thread", "four threads", "fdatasync × 1,000", "÷, one thread", "÷, four threads"],
                 [[r["durable_per_s"], r["four_threads_per_s"], r["fdatasync_x_1000_per_s"], r["ratio"], r["four_threads_ratio"]] for r in rows.all(measure="durable")])


def look_section(rows):
    found = sorted(rows.all(measure="look"), key=lambda r: (r["rows"], r["runs"]))
    lines = table(["rows", "runs", "one by one, ns", "in memory", "÷", "p99", "p99.9", "in batches, ns", "in memory", "÷", "answers"],
                  [[size(r["rows"]), r["runs"], r["single_ns"], r["single_memory_ns"], r["single_ratio"], r["quiet_p99_ns"], r["quiet_p999_ns"], r["batch_ns"], r["batch_memory_ns"], r["batch_ratio"], r["equal"]] for r in found])
    beside = [r for r in found if "loaded_ns" in r]
    if beside:
        lines += ["Beside adds; half-way a table of memory is frozen and becomes a run:", ""]
        lines += table(["rows", "runs before, most", "adds/s", "one by one, ns", "÷ in memory, quiet", "÷ in memory, beside the same adds", "p99", "p99.9", "slowest", "in batches, ns"],
                       [[size(r["rows"]), f"{r['runs']}, {r['most_runs']:g}", r["adds_per_s"], r["loaded_ns"], r["loaded_ns"] / r["single_memory_ns"], r["loaded_ns"] / r["loaded_memory_ns"], r["loaded_p99_ns"], r["loaded_p999_ns"],
                         r["loaded_max_ns"], r["loaded_batch_ns"]] for r in beside])
    return lines


def latency_section(rows):
    lines = []
    for r in rows.all(measure="latency"):
        for name, beside in (("quiet", None), ("spinning", "two threads that only compute"), ("loaded", r["adds_per_s"])):
            lines.append([size(r["rows"]), r["table_rows"] or "as shipped", "same process", beside, *(r[f"{name}{field}_ns"] for field in ("", "_p50", "_p99", "_p999", "_max")), None])
        for reader in rows.all(measure="reader", rows=r["rows"], table_rows=r["table_rows"]):
            lines.append([size(r["rows"]), r["table_rows"] or "as shipped", "another process", "full" if reader["load"] == "full" else None, *(reader[f"reader{field}_ns"] for field in ("", "_p50", "_p99", "_p999", "_max")), reader["slowest_refresh_ms"]])
    return table(["rows", "a table of memory", "reader", "adds/s beside", "mean, ns", "median", "p99", "p99.9", "slowest", "slowest refresh(), ms"], lines)


def curve_section(rows):
    found = sorted(rows.all(measure="curve"), key=lambda r: r["limit"])
    lines = table(["at most so many runs", "mean runs", "a look-up, ns", "÷ compact", "written, B a row", "write amplification (÷ 16 B)", "most on disk, B a row", "÷ compact", "adds/s until merged"],
                  [[r["limit"], r["mean_runs"], r["read_ns"], r["read_ratio"], r["written_B"], r["amplification"], r["peak_disk_B"], r["space"], r["sustained_per_s"]] for r in found])
    for title, name, unit in (("Reading, ÷ compact", "read_ratio", "×"), ("Writing, ÷ 16 B", "amplification", "×"), ("Most on disk, ÷ compact", "space", "×")):
        if found:
            lines += [title + ":", "", *bars([(f"{r['limit']:>2} runs", r[name], unit) for r in found], logarithmic=False)]
    return ([f"{size(found[0]['rows'])} rows, {found[0]['table_rows']:,.0f} a table; asked at 32 moments of the growth, when merging had come to rest. The store's own limit is 8."] + ["", *lines]) if found else []


def open_section(rows):
    return (table(["rows", "runs", "open to read, ms", "open to write and close, ms"], [[size(r["rows"]), r["runs"], r["open_ms"], r["open_to_write_and_close_ms"]] for r in rows.all(measure="open")])
            + table(["log, MB", "rows", "open to read, s", "open to write, s", "all there"], [[r["log_bytes"] / (1 << 20), r["rows"], r["read_s"], r["write_s"], r["equal"]] for r in rows.all(measure="recover")]))


def profile_section(rows):
    return table(["documents", "texts kept", "B a text", "adds/s", "until compact", "on disk, B a document", "query near a document, ns", "p99", "p99.9", "query near none, ns", "p99", "near ones found"],
                 [[size(r["rows"]) if r["rows"] >= 1_000_000 else r["rows"], "yes" if r["texts"] else "no", r["text_B"], r["add_per_s"], r["add_and_compact_per_s"], r["disk_B"], r["near_ns"], r["near_p99_ns"], r["near_p999_ns"],
                   r["fresh_ns"], r["fresh_p99_ns"], r["found_share"]] for r in rows.all(measure="profile")])


def page(known):
    rows = Rows(known["rows"])
    checked = [row for row in known["rows"] if "equal" in row]
    different = sum(row["equal"] != "equal" for row in checked)
    failed = [row for row in known["rows"] if "failed" in row]
    reached = goals(rows)
    missed = sum("missed" in line[-1] for line in reached)
    lines = [f"# The durable store, {known['date']}", "",
             f"Commit {known['commit']}; {known['cpu']}, {known['cores']} cores, {known['file_system']}, load {known['load']} at the end. {known['note']}".rstrip(),
             "Made by `bench/store/run.py` (its README says what is measured, and the .json file holds everything). 64-bit fingerprints, k = 3, ids of 8 bytes, no texts unless said. Medians of rounds in turn. "
             f"**{len(checked)} answers were checked, {different or 'none'} differed; {missed} of {len(reached)} goals are missed.**", "",
             "## Goals", "", *table(["what", "goal", "measured", "÷ goal", ""], reached)]
    sections = (("Peers", peer_section(rows)), ("Adding", add_section(rows)), ("Durable", durable_section(rows)), ("Look-ups beside the index in memory", look_section(rows)),
                ("The slowest look-ups", latency_section(rows)), ("Reading, writing, space", curve_section(rows)), ("Opening and recovery", open_section(rows)),
                ("The default profile, leitong-1", profile_section(rows)), ("Failed", table(["measure", "rows", "why"], [[r["measure"], r["rows"], r["failed"]] for r in failed])))
    for title, body in sections:
        if body:
            lines += [f"## {title}", "", *body]
    return "\n".join(lines).rstrip() + "\n"


def write(known, folder):
    path = folder / f"store-{known['date']}.md"
    path.write_text(page(known), encoding="utf-8")
    print(path)
