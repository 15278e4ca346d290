// Stage 5: groups to outputs. One pass over the rows of the sketch files and, where records are copied, over the inputs.

#include <fmt/format.h>

#include <algorithm>

#include "corpus/job.h"
#include "corpus/json_object.h"
#include "corpus/output_file.h"
#include "corpus/record_cursor.h"
#include "corpus/report_data.h"
#include "corpus/stages.h"
#include "leitong/error.h"
#include "records/json.h"

namespace leitong {
namespace {

using corpus::ClusterColumns;
using corpus::ClusterRow;
using corpus::PairKind;
using corpus::SketchColumns;

// What the outputs say of a row that stands in a cluster.
struct Named {
  std::string id;  // a JSON value; empty: none
  std::uint64_t record = 0;
};

void append_id(std::string& out, std::string_view id) { out += id.empty() ? std::string_view("null") : id; }

class ApplyJob {
 public:
  ApplyJob(const ApplyOptions& options, corpus::Job& job)
      : options_(options),
        job_(job),
        table_(corpus::open_stage_file(options.clusters, "clusters")),
        metadata_(corpus::stage_metadata_from_json(table_.metadata(), options.clusters)),
        set_(metadata_.sketches),
        rows_(read_clusters()),
        report_(set_, metadata_, rows_, options.giant_cluster) {}

  Counts run() {
    name_rows();
    stream();
    write_clusters();
    write_report();
    write_summary();
    job_.finish_progress(set_.rows(), metadata_.counts.records);
    return metadata_.counts;
  }

 private:
  std::vector<ClusterRow> read_clusters() {
    std::vector<ClusterRow> rows;
    const std::vector<std::size_t> columns = {ClusterColumns::row,        ClusterColumns::kept,     ClusterColumns::cluster,
                                              ClusterColumns::similarity, ClusterColumns::distance, ClusterColumns::kind};
    storage::Block block(table_.schema());
    for (std::size_t b = 0; b < table_.blocks(); ++b) {
      table_.read_block(b, columns, block);
      const auto row = block.column<std::uint32_t>(ClusterColumns::row), kept = block.column<std::uint32_t>(ClusterColumns::kept);
      const auto cluster = block.column<std::uint32_t>(ClusterColumns::cluster);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const bool ascending = rows.empty() || rows.back().row < row[i];
        if (row[i] >= set_.rows() || kept[i] >= set_.rows() || !ascending || cluster[i] >= table_.rows())
          throw Error(ErrorCode::format,
                      fmt::format("{}: row {} is out of place; run cluster again", options_.clusters, table_.first_row(b) + i));
        rows.push_back({row[i], kept[i], cluster[i], block.column<float>(ClusterColumns::similarity)[i],
                        block.column<std::uint16_t>(ClusterColumns::distance)[i],
                        static_cast<PairKind>(block.column<std::uint8_t>(ClusterColumns::kind)[i])});
      }
    }
    return rows;
  }

  // First pass over the sketch files: how the clustered rows are called, since a removed record names a kept one that may come later.
  void name_rows() {
    named_.resize(rows_.size());
    std::size_t next = 0;
    set_.for_each_block({SketchColumns::record, SketchColumns::source, SketchColumns::id},
                        [&](std::uint64_t first, const storage::Block& block) {
                          job_.check_stop();
                          for (; next < rows_.size() && rows_[next].row < first + block.rows(); ++next) {
                            const std::size_t i = rows_[next].row - first;
                            named_[next].id = block.text(SketchColumns::id, i);
                            named_[next].record = record_of(set_.file_of(rows_[next].row), block, i);
                          }
                        });
  }

  [[nodiscard]] std::uint64_t record_of(std::size_t file, const storage::Block& block, std::size_t i) const {
    return set_.files()[file].first_record + block.column<std::uint64_t>(SketchColumns::record)[i];
  }

  [[nodiscard]] const Named& name_of_kept(std::uint32_t kept) const {
    const auto found =
        std::lower_bound(rows_.begin(), rows_.end(), kept, [](const ClusterRow& r, std::uint32_t value) { return r.row < value; });
    if (found == rows_.end() || found->row != kept)
      throw Error(ErrorCode::format, fmt::format("{}: a kept row stands in no cluster; run cluster again", options_.clusters));
    return named_[static_cast<std::size_t>(found - rows_.begin())];
  }

  void stream() {
    corpus::OutputFile records(options_.output_dir + (options_.annotate ? "/annotated.jsonl" : "/kept.jsonl"));
    corpus::OutputFile removed(options_.output_dir + "/removed.jsonl");
    corpus::RecordCursor cursor(set_);
    std::size_t next = 0;
    const std::vector<std::size_t> columns = {SketchColumns::record, SketchColumns::source,  SketchColumns::text_bytes,
                                              SketchColumns::flags,  SketchColumns::simhash, SketchColumns::id};
    set_.for_each_block(columns, [&](std::uint64_t first, const storage::Block& block) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const auto row = static_cast<std::uint32_t>(first + i);
        const ClusterRow* clustered = next < rows_.size() && rows_[next].row == row ? &rows_[next++] : nullptr;
        const bool is_removed = clustered != nullptr && clustered->kept != row;
        const std::size_t file = set_.file_of(row);
        const std::uint32_t source = block.column<std::uint32_t>(SketchColumns::source)[i];
        const std::string_view id = block.text(SketchColumns::id, i);
        const std::uint64_t record = record_of(file, block, i);
        report_.count(row, id, record, file, source, block.column<std::uint32_t>(SketchColumns::text_bytes)[i], is_removed);
        if (bounded_.size() < metadata_.bounded_records.size() && metadata_.bounded_records[bounded_.size()] == row)
          bounded_.push_back(record);
        if (report_.wants(row)) report_.text(row, cursor.text(row));
        if (is_removed) write_removed(removed, *clustered, id, record, file, source);
        if (options_.annotate)
          write_annotated(records, cursor, row, file, block, i, clustered);
        else if (!is_removed)
          write_record(records.buffer(), cursor, row, file, source, id);
        records.flush_if_full();
      }
      job_.progress(first + block.rows(), set_.rows(), first + block.rows());
    });
    records.finish();
    removed.finish();
  }

  [[nodiscard]] const std::string& path_of(std::size_t file, std::uint32_t source) const {
    return set_.files()[file].metadata.sources.at(source).path;
  }

  // JSON Lines as they were; of other formats an object with id, text and source.
  void write_record(std::string& out, corpus::RecordCursor& cursor, std::uint32_t row, std::size_t file, std::uint32_t source,
                    std::string_view id) {
    write_object(out, cursor, row, file, source, id);
    out.push_back('\n');
  }

  void write_object(std::string& out, corpus::RecordCursor& cursor, std::uint32_t row, std::size_t file, std::uint32_t source,
                    std::string_view id) {
    cursor.append_object(row, set_.files()[file].metadata.sources.at(source), id, out);
  }

  static const char* reason_of(PairKind kind) { return kind == PairKind::equal ? "equal" : "near"; }

  void write_removed(corpus::OutputFile& file, const ClusterRow& row, std::string_view id, std::uint64_t record, std::size_t in_file,
                     std::uint32_t source) {
    std::string& out = file.buffer();
    const Named& kept = name_of_kept(row.kept);
    out += "{\"id\":";
    append_id(out, id);
    fmt::format_to(std::back_inserter(out), ",\"record\":{},\"source\":", record);
    records::append_json_string(out, path_of(in_file, source));
    fmt::format_to(std::back_inserter(out), ",\"cluster\":{},\"kept\":", row.cluster);
    append_id(out, kept.id);
    fmt::format_to(std::back_inserter(out), ",\"kept_record\":{},\"distance\":", kept.record);
    out += row.distance == corpus::no_distance ? "null" : fmt::format("{}", row.distance);
    out += ",\"similarity\":" + similarity_text(row.similarity) + ",\"reason\":\"" + reason_of(row.kind) + "\"}\n";
    file.flush_if_full();
  }

  static std::string similarity_text(float similarity) { return fmt::format("{:.4f}", static_cast<double>(similarity)); }

  // The record with one more member at its end.
  void write_annotated(corpus::OutputFile& file, corpus::RecordCursor& cursor, std::uint32_t row, std::size_t in_file,
                       const storage::Block& block, std::size_t i, const ClusterRow* clustered) {
    std::string& out = file.buffer();
    const std::string_view id = block.text(SketchColumns::id, i);
    write_object(out, cursor, row, in_file, block.column<std::uint32_t>(SketchColumns::source)[i], id);
    while (!out.empty() && out.back() != '}') out.pop_back();
    if (out.empty()) throw Error(ErrorCode::format, "a record is no JSON object any more; the input has changed");
    out.pop_back();
    while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    if (out.back() != '{') out.push_back(',');
    records::append_json_string(out, options_.annotate_key);
    out += ":{\"fp\":";
    const std::size_t words = set_.profile().bits / 64;
    if ((block.column<std::uint8_t>(SketchColumns::flags)[i] & corpus::flags::fingerprint) != 0) {
      Fingerprint fingerprint;
      fingerprint.bits = set_.profile().bits;
      std::copy_n(&block.column<std::uint64_t>(SketchColumns::simhash)[i * words], words, fingerprint.words.begin());
      out += "\"" + to_hex(fingerprint) + "\"";
    } else {
      out += "null";
    }
    if (clustered == nullptr) {
      out += ",\"cluster\":null,\"size\":1,\"keep\":true,\"dup_of\":null,\"distance\":null}}\n";
      return;
    }
    const bool keep = clustered->kept == row;
    fmt::format_to(std::back_inserter(out), ",\"cluster\":{},\"size\":{},\"keep\":{},\"dup_of\":", clustered->cluster,
                   size_of(clustered->cluster), keep);
    append_id(out, keep ? std::string_view() : std::string_view(name_of_kept(clustered->kept).id));
    out += ",\"distance\":" +
           (keep || clustered->distance == corpus::no_distance ? std::string("null") : fmt::format("{}", clustered->distance));
    if (!keep)
      out += fmt::format(",\"dup_of_record\":{},\"similarity\":{}", name_of_kept(clustered->kept).record,
                         similarity_text(clustered->similarity));
    out += "}}\n";
  }

  std::uint64_t size_of(std::uint32_t cluster) {
    if (sizes_.empty()) {
      for (const ClusterRow& row : rows_) {
        if (row.cluster >= sizes_.size()) sizes_.resize(row.cluster + 1, 0);
        ++sizes_[row.cluster];
      }
    }
    return sizes_[cluster];
  }

  void write_clusters() {
    std::vector<std::uint32_t> order(rows_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rows_[a].cluster < rows_[b].cluster; });
    corpus::OutputFile file(options_.output_dir + "/clusters.jsonl");
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && rows_[order[end]].cluster == rows_[order[begin]].cluster) ++end;
      std::string& out = file.buffer();
      const ClusterRow& row = rows_[order[begin]];
      const Named& kept = name_of_kept(row.kept);
      fmt::format_to(std::back_inserter(out), "{{\"cluster\":{},\"size\":{},\"keep\":", row.cluster, end - begin);
      append_id(out, kept.id);
      fmt::format_to(std::back_inserter(out), ",\"keep_record\":{},\"members\":[", kept.record);
      for (std::size_t i = begin; i < end; ++i) {
        if (i > begin) out.push_back(',');
        append_id(out, named_[order[i]].id);
      }
      out += "],\"records\":[";
      for (std::size_t i = begin; i < end; ++i)
        fmt::format_to(std::back_inserter(out), "{}{}", i > begin ? "," : "", named_[order[i]].record);
      out += "]}\n";
      file.flush_if_full();
      if (end - begin >= options_.giant_cluster) giants_.emplace_back(row.cluster, end - begin);
    }
    file.finish();
  }

  std::vector<std::pair<std::string, std::string>> configuration() const {
    std::vector<std::pair<std::string, std::string>> settings;
    const Profile& profile = set_.profile();
    const InputOptions& input = set_.files().front().metadata.input;
    const auto list = [](const std::vector<std::string>& values) {
      return values.empty() ? std::string("none") : fmt::format("{}", fmt::join(values, ", "));
    };
    settings.emplace_back("candidates", metadata_.method);
    settings.emplace_back("verification", metadata_.verify);
    settings.emplace_back("similarity thresholds", metadata_.thresholds);
    settings.emplace_back("keep", metadata_.keep);
    settings.emplace_back("fingerprint", fmt::format("SimHash of {} bits", profile.bits));
    settings.emplace_back("traditional folded", profile.fold_traditional ? "yes" : "no");
    settings.emplace_back("format", input.format);
    settings.emplace_back("text field", input.text_field);
    settings.emplace_back("id field", input.id_field);
    settings.emplace_back("include", list(input.include));
    settings.emplace_back("exclude", list(input.exclude));
    settings.emplace_back("longest document", fmt::format("{} bytes", input.max_document_bytes));
    return settings;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> list;
    for (const auto& [cluster, size] : giants_)
      if (list.size() < 10)
        list.push_back(
            fmt::format("Cluster {} holds {} records: a giant cluster is often a template or boilerplate; look at it before you trust it.",
                        cluster, size));
    if (giants_.size() > 10) list.push_back(fmt::format("{} more giant clusters.", giants_.size() - 10));
    if (metadata_.counts.bounded > 0)
      list.push_back(
          fmt::format("{} records resemble so many others that not all of their candidate pairs were tried; summary.json lists them.",
                      metadata_.counts.bounded));
    if (metadata_.counts.rejected > 0)
      list.push_back(fmt::format("{} bad records were left out; rejected.jsonl lists them.", metadata_.counts.rejected));
    if (metadata_.verify != "text") list.push_back("Texts were not compared: similarities are estimates from sketches.");
    return list;
  }

  void write_report() {
    report::Report report = report_.finish();
    std::vector<std::string> names;
    for (const auto& file : set_.files())
      for (const std::string& path : file.metadata.input.paths) names.push_back(path == "-" ? "standard input" : path);
    report.title = names.size() <= 3 ? fmt::format("{}", fmt::join(names, ", ")) : fmt::format("{} inputs", names.size());
    report.configuration = configuration();
    report.warnings = warnings();
    corpus::write_file(options_.output_dir + "/report.html", report::render_html(report));
  }

  void write_summary() const {
    const Counts& c = metadata_.counts;
    corpus::JsonObject object;
    object.text("leitong", version())
        .number("records", c.records)
        .number("kept", c.kept)
        .number("removed", c.removed)
        .number("rejected", c.rejected);
    object.number("clusters", c.clusters)
        .number("featureless", c.featureless)
        .number("text_bytes", c.bytes)
        .number("candidates", c.candidates);
    object.number("edges", c.edges).number("bounded", c.bounded);
    const std::uint64_t good = c.records - c.rejected;
    object.real("removed_rate", good == 0 ? 0 : static_cast<double>(c.removed) / static_cast<double>(good));
    const auto& first = set_.files().front().metadata;
    object.text("profile", first.profile.name).text("profile_id", first.profile_id).text("profile_toml", to_toml(first.profile));
    corpus::JsonObject configuration_object, recall;
    for (const auto& [name, value] : configuration()) configuration_object.text(name, value);
    for (const auto& [similarity, predicted] : metadata_.recall) recall.real(fmt::format("{}", similarity), predicted);
    object.raw("configuration", configuration_object.str()).raw("predicted_candidate_recall", recall.str());
    std::vector<std::string> inputs;
    for (const auto& file : set_.files()) inputs.insert(inputs.end(), file.metadata.input.paths.begin(), file.metadata.input.paths.end());
    object.texts("inputs", inputs).texts("warnings", warnings());
    object.raw("bounded_records", fmt::format("[{}]", fmt::join(bounded_, ",")));
    object.text("clusters_identity", table_.identity());
    corpus::write_file(options_.output_dir + "/summary.json", object.str() + "\n");
  }

  const ApplyOptions& options_;
  corpus::Job& job_;
  storage::TableReader table_;
  corpus::StageMetadata metadata_;
  corpus::SketchSet set_;
  std::vector<ClusterRow> rows_;
  std::vector<Named> named_;  // of rows_
  std::vector<std::uint64_t> sizes_, bounded_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> giants_;
  corpus::ReportData report_;
};

}  // namespace

namespace stage {

Counts apply(const ApplyOptions& options) {
  corpus::Job job(options.job, "apply");
  storage::posix_vfs().make_directories(options.output_dir);
  return ApplyJob(options, job).run();
}

}  // namespace stage
}  // namespace leitong
