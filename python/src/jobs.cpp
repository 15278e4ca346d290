// The jobs: dedup over files and over tables in memory, what it would take, what it did; overlap; calibrate.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "bindings.h"
#include "leitong/arrow.h"
#include "leitong/calibrate.h"
#include "leitong/columns.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/explain.h"
#include "leitong/overlap.h"
#include "leitong/run_results.h"
#include "options.h"
#include "texts.h"
#include "values.h"
#include "waiting.h"

namespace leitong::python {
namespace {

// Records in memory. What it shows lives as long as it does; it goes with the interpreter's lock held, for it is a Python object.
struct Table {
  std::shared_ptr<const ColumnSource> source;
};
using Tables = std::map<std::string, Table>;

// `name`: of the column, if these are texts rather than a table.
Table table_of_stream(nb::handle capsule, const std::string& name) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) throw Error(ErrorCode::usage, "this stream of Arrow has been read already");
  return {table_of(*stream, name)};
}

// What views of Python's texts look into.
struct Held {
  std::vector<nb::object> objects;
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const nb::gil_scoped_acquire acquire;
    objects.clear();
  }
};

// Columns by name: (values, are they JSON). Values are str, bytes or None; anything else is a missing value.
Table table_of_lists(const nb::dict& columns) {
  auto held = std::make_shared<Held>();
  std::vector<TextColumn> out;
  for (const auto [name, value] : columns) {
    const auto [list, json] = nb::cast<std::pair<nb::list, bool>>(value);
    TextColumn column{.name = nb::cast<std::string>(name), .values = {}, .json = json};
    column.values.reserve(list.size());
    for (const nb::handle item : list) {
      std::optional<HeldText> text = held_text(item);
      column.values.push_back(text ? text->text : std::string_view());
      if (text) held->objects.push_back(std::move(text->held));
    }
    out.push_back(std::move(column));
  }
  return {table_of(std::move(out), held)};
}

// Threads and memory, read while the interpreter's lock is held: the work itself may touch nothing of Python.
class Budget {
 public:
  explicit Budget(const nb::dict& given) { set_job(given, asked_); }
  [[nodiscard]] JobOptions of(JobOptions job) const {
    job.threads = asked_.threads;
    job.memory = asked_.memory;
    return job;
  }

 private:
  JobOptions asked_;
};

void add_tables(const Tables& tables, InMemory& memory) {
  for (const auto& [name, table] : tables) memory[name] = table.source;
}

nb::dict run_dedup(const nb::dict& given, const Tables& tables, const std::string& outputs, nb::handle progress) {
  DedupOptions options = dedup_of(given);
  add_tables(tables, options.input.in_memory);
  options.outputs = outputs == "none" ? Outputs::none : outputs == "no_records" ? Outputs::no_records : Outputs::all;
  Counts counts;
  const Budget budget(given);
  wait_for(progress, [&](JobOptions& job) {
    options.job = budget.of(job);
    counts = dedup(options);
  });
  return dict_of(counts);
}

nb::dict results_of(const std::string& directory) {
  const RunResults results = without_lock([&] { return run_results(directory); });
  static_assert(sizeof(RunResults::Fate) == 1);
  nb::list members, edges;
  for (const RunResults::Member& m : results.members)
    members.append(nb::make_tuple(m.record, m.cluster, m.kept_record, m.kept_is_old, m.equal, m.similarity, m.distance));
  for (const RunResults::Edge& e : results.edges) edges.append(nb::make_tuple(e.a, e.b, e.a_is_old, e.equal, e.similarity, e.distance));
  nb::dict out;
  out["counts"] = dict_of(results.counts);
  out["fates"] = nb::bytes(results.fates.data(), results.fates.size());
  out["members"] = members;
  out["edges"] = edges;
  return out;
}

// The written results of a run over tables, without the records.
void write_results(const std::string& run, const std::string& output_dir, const Tables& tables, std::uint32_t giant_cluster) {
  ApplyOptions options;
  options.clusters = run + "/stages/clusters.ltt";
  options.output_dir = output_dir;
  options.giant_cluster = giant_cluster;
  options.outputs = Outputs::no_records;
  add_tables(tables, options.in_memory);
  wait_for(nb::none(), [&](JobOptions& job) {
    options.job = job;
    stage::apply(options);
  });
}

nb::dict run_plan(const nb::dict& given, const Tables& tables) {
  DedupOptions options = dedup_of(given);
  add_tables(tables, options.input.in_memory);
  Plan found;
  const Budget budget(given);
  wait_for(nb::none(), [&](JobOptions& job) {
    options.job = budget.of(job);
    found = plan(options);
  });
  nb::dict out;
  out["records"] = found.records;
  out["input_bytes"] = found.input_bytes;
  out["sampled_records"] = found.sampled_records;
  out["memory_bytes"] = found.memory_bytes;
  out["disk_bytes"] = found.disk_bytes;
  out["candidates"] = found.candidates;
  out["seconds"] = found.seconds;
  out["exact"] = found.exact;
  out["basis"] = found.basis;
  return out;
}

nb::list restored(const std::string& directory, std::optional<std::uint64_t> cluster) {
  std::vector<std::string> records;
  wait_for(nb::none(), [&](JobOptions& job) {
    restore(directory, cluster, [&](std::string_view record) {
      if (*job.stop) throw Error(ErrorCode::interrupted, "stopped");
      records.emplace_back(record);
    });
  });
  nb::list out;
  for (const std::string& record : records) out.append(nb::bytes(record.data(), record.size()));
  return out;
}

nb::object python_record(const RunRecord& record) {
  return nb::make_tuple(record.id.empty() ? nb::none() : nb::object(python_text(record.id)), record.record, python_text(record.source),
                        record.line);
}

nb::dict python_fate(const RunFate& fate) {
  nb::dict out;
  out["record"] = python_record(fate.self);
  out["fingerprint"] = python_hex(fate.fingerprint);
  out["cluster"] = fate.cluster ? nb::cast(*fate.cluster) : nb::none();
  out["cluster_size"] = fate.cluster_size;
  out["kept"] = python_record(fate.kept);
  out["is_kept"] = fate.is_kept;
  out["similarity"] = fate.similarity;
  out["distance"] = fate.distance ? nb::cast(*fate.distance) : nb::none();
  out["text"] = python_text(fate.text);
  return out;
}

nb::dict explained_run(const std::string& directory, const std::string& a, const std::string& b, std::uint32_t most) {
  RunExplanation e;
  wait_for(nb::none(),
           [&](JobOptions& job) { e = explain_run({.directory = directory, .a = a, .b = b, .key = {}, .most = most, .stop = job.stop}); });
  nb::dict out;
  out["a"] = python_fate(e.a);
  out["b"] = python_fate(e.b);
  out["nominated"] = e.nominated ? nb::cast(*e.nominated) : nb::none();
  out["accepted"] = e.accepted ? nb::cast(*e.accepted) : nb::none();
  out["beyond_template"] = e.beyond_template ? nb::cast(*e.beyond_template) : nb::none();
  nb::list chain;
  for (const RunEdge& edge : e.chain)
    chain.append(nb::make_tuple(python_record(edge.from), python_record(edge.to), edge.similarity, edge.route));
  out["chain"] = chain;
  out["profile"] = to_toml(e.profile);
  out["rule"] = to_toml(e.rule);
  out["no_texts"] = e.no_texts;
  out["comparison"] = e.comparison ? dict_of(*e.comparison, e.a.text, e.b.text) : nb::none();
  out["explanation"] = e.explanation ? dict_of(*e.explanation) : nb::none();
  return out;
}

nb::dict run_overlap(const nb::dict& a, const nb::dict& b, const Tables& tables, const nb::dict& given, nb::handle progress) {
  OverlapOptions options;
  options.a = input_of(a);
  options.b = input_of(b);
  add_tables(tables, options.a.in_memory);
  add_tables(tables, options.b.in_memory);
  set_option(given, "output_dir", options.output_dir);
  set_option(given, "span", options.span);
  set_option(given, "contained", options.contained);
  set_option(given, "fold_traditional", options.fold_traditional);
  set_option(given, "overwrite", options.overwrite);
  OverlapCounts counts;
  const Budget budget(given);
  wait_for(progress, [&](JobOptions& job) {
    options.job = budget.of(job);
    counts = overlap(options);
  });
  nb::dict out;
  out["a_records"] = counts.a_records;
  out["b_records"] = counts.b_records;
  out["contained"] = counts.contained;
  out["partial"] = counts.partial;
  out["holding"] = counts.holding;
  out["pairs"] = counts.pairs;
  out["too_short"] = counts.too_short;
  return out;
}

nb::dict run_draw(const nb::dict& given, const Tables& tables, nb::handle progress) {
  const DedupOptions common = dedup_of(given);
  DrawOptions options;
  options.input = common.input;
  add_tables(tables, options.input.in_memory);
  options.profile = common.profile;
  options.rule = common.rule;
  options.output_dir = common.output_dir;
  options.k = common.k;
  options.goal = common.goal;
  options.overwrite = common.overwrite;
  set_option(given, "least_similarity", options.least_similarity);
  set_option(given, "per_band", options.per_band);
  set_option(given, "seed", options.seed);
  Drawn drawn;
  const Budget budget(given);
  wait_for(progress, [&](JobOptions& job) {
    options.job = budget.of(job);
    drawn = draw_pairs(options);
  });
  nb::dict out;
  out["records"] = drawn.counts.records;
  out["equal"] = drawn.equal;
  out["population"] = drawn.population;
  out["drawn"] = drawn.drawn;
  out["labelled"] = drawn.labelled;
  return out;
}

// The figures stand in calibration.json; these are what to do.
nb::tuple run_calibrate(const std::string& directory, const std::string& labels, double precision) {
  const Calibration result = without_lock([&] { return calibrate({.directory = directory, .labels = labels, .precision = precision}); });
  return nb::make_tuple(result.recommended ? nb::cast(*result.recommended) : nb::none(), nb::cast(result.findings));
}

// In one call, in which no signal of Python is raised: a Ctrl-C in the middle of a finalizer would be lost.
void remove_directory(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

}  // namespace

void bind_jobs(nb::module_& m) {
  nb::class_<Table>(m, "Table", "Records in memory, which jobs read in place.").def("__len__", [](const Table& table) {
    return rows_of(*table.source);
  });
  m.def("table_of_stream", &table_of_stream, nb::arg("capsule"), nb::arg("name"));
  m.def("table_of_lists", &table_of_lists, nb::arg("columns"),
        nb::sig("def table_of_lists(columns: dict[str, tuple[list[str | bytes | None], bool]]) -> Table"));
  m.def("dedup", &run_dedup, nb::arg("options"), nb::arg("tables"), nb::arg("outputs"), nb::arg("progress").none(),
        nb::sig("def dedup(options: dict[str, typing.Any], tables: dict[str, Table], outputs: str, progress: typing.Any) -> "
                "dict[str, int]"));
  m.def("run_results", &results_of, nb::arg("directory"), nb::sig("def run_results(directory: str) -> dict[str, typing.Any]"));
  m.def("write_results", &write_results, nb::arg("run"), nb::arg("output_dir"), nb::arg("tables"), nb::arg("giant_cluster"),
        nb::sig("def write_results(run: str, output_dir: str, tables: dict[str, Table], giant_cluster: int) -> None"));
  m.def("remove_directory", &remove_directory, nb::arg("directory"));
  m.def("plan", &run_plan, nb::arg("options"), nb::arg("tables"),
        nb::sig("def plan(options: dict[str, typing.Any], tables: dict[str, Table]) -> dict[str, typing.Any]"));
  m.def("restore", &restored, nb::arg("directory"), nb::arg("cluster").none(),
        nb::sig("def restore(directory: str, cluster: int | None) -> list[bytes]"));
  m.def("explain_run", &explained_run, nb::arg("directory"), nb::arg("a"), nb::arg("b"), nb::arg("most"),
        nb::sig("def explain_run(directory: str, a: str, b: str, most: int) -> dict[str, typing.Any]"));
  m.def("overlap", &run_overlap, nb::arg("a"), nb::arg("b"), nb::arg("tables"), nb::arg("options"), nb::arg("progress").none(),
        nb::sig("def overlap(a: dict[str, typing.Any], b: dict[str, typing.Any], tables: dict[str, Table], "
                "options: dict[str, typing.Any], progress: typing.Any) -> dict[str, int]"));
  m.def("draw_pairs", &run_draw, nb::arg("options"), nb::arg("tables"), nb::arg("progress").none(),
        nb::sig("def draw_pairs(options: dict[str, typing.Any], tables: dict[str, Table], progress: typing.Any) -> dict[str, int]"));
  m.def("calibrate", &run_calibrate, nb::arg("directory"), nb::arg("labels"), nb::arg("precision"),
        nb::sig("def calibrate(directory: str, labels: str, precision: float) -> tuple[float | None, list[str]]"));
}

}  // namespace leitong::python
