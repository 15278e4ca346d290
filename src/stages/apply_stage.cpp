// Stage 5: writes the outputs for the clusters. Kept records are written beside everything else, for they need to know no other record.
// Memory does not grow with the number of records, whether they are in clusters or not.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>

#include "job/job.h"
#include "job/plain_id.h"
#include "leitong/error.h"
#include "leitong/file_name.h"
#include "leitong/input.h"
#include "leitong/output.h"
#include "leitong/stages.h"
#include "leitong/version.h"
#include "outputs/output_file.h"
#include "outputs/output_forms.h"
#include "outputs/output_layout.h"
#include "outputs/output_names.h"
#include "outputs/results_directory.h"
#include "outputs/run_title.h"
#include "records/json.h"
#include "records/json_object.h"
#include "records/pack.h"
#include "report/numbers.h"
#include "sketches/record_cursor.h"
#include "stages/cluster_reader.h"
#include "stages/domain_counts.h"
#include "stages/keep_check.h"
#include "stages/record_outputs.h"
#include "stages/report_data.h"
#include "stages/stages.h"
#include "text/host.h"

namespace leitong {
namespace {

using sketches::SketchColumns;
using stages::ClusterReader;
using stages::ClusterRow;
using stages::PairKind;
using stages::RecordName;

void append_id(std::string& out, std::string_view id) { out += id.empty() ? std::string_view("null") : id; }

std::vector<std::string> shown(std::vector<std::string> names) {
  for (std::string& name : names) name = shown_name(name);
  return names;
}

// The name of the annotation member, and a check whether a record already has a member of that name.
class AnnotationKey {
 public:
  explicit AnnotationKey(const std::string& name) : name_(name) { records::append_json_string(json_, name); }
  [[nodiscard]] const std::string& json() const { return json_; }
  [[nodiscard]] bool is_in(std::string_view object) {
    // A text search almost always shows that there is none. The record is parsed if the search finds the name, or if escapes may hide it.
    if (object.find(json_) == std::string_view::npos && object.find("\\u") == std::string_view::npos &&
        json_.find('\\') == std::string::npos)
      return false;
    records::JsonValue record;
    return parser_.parse(object, record) && record[name_];
  }

 private:
  std::string name_, json_;
  records::JsonParser parser_;
};

class ApplyJob {
 public:
  ApplyJob(const ApplyOptions& options, job::Job& job)
      : options_(options),
        job_(job),
        table_(stages::open_stage_file(options.clusters, "clusters")),
        metadata_(stages::stage_metadata_from_json(table_.metadata(), options.clusters)),
        annotation_key_(options.annotate_key),
        set_(metadata_.sketches, metadata_.old_sketches, options.in_memory),
        members_(options.output_dir + "/apply.", job.room()),
        has_addresses_(set_.has_addresses()),
        keep_check_(metadata_.keep, set_),
        report_(set_, metadata_, options.giant_cluster) {}

  Counts run() {
    std::optional<stages::RecordOutputs> records;
    // Before anything else, because it may refuse the output directory.
    if (options_.outputs == Outputs::all) records.emplace(options_, set_, output_threads());
    if (options_.annotate || !records) {
      write_others(records ? &*records : nullptr);
    } else {
      const auto when = job_.threads() > 1 ? std::launch::async : std::launch::deferred;
      std::future<void> kept = std::async(when, [&] { write_kept(*records); });
      const Abandon on_failure(abandoned_);  // before the end of `kept`, which waits
      write_others(nullptr);
      kept.get();
    }
    for (const std::string& sentence : keep_check_.sentences()) job_.note(sentence);
    job_.unread(unread());
    remove_other_forms();
    write_summary();
    job_.finish_progress(set_.rows(), metadata_.counts.records);
    return metadata_.counts;
  }

 private:
  // Tells write_kept(), which another thread may run, that what is around it has failed.
  class Abandon {
   public:
    explicit Abandon(std::atomic<bool>& abandoned) : abandoned_(abandoned) {}
    ~Abandon() { abandoned_ = true; }
    Abandon(const Abandon&) = delete;
    Abandon& operator=(const Abandon&) = delete;

   private:
    std::atomic<bool>& abandoned_;
  };

  // Kept records, as their inputs have them.
  void write_kept(stages::RecordOutputs& records) {
    sketches::RecordCursor cursor(set_);
    ClusterReader clusters(table_, set_.rows());
    const std::vector<std::size_t> columns = {SketchColumns::source, SketchColumns::offset, SketchColumns::length, SketchColumns::id,
                                              SketchColumns::line};
    set_.for_each_block(columns, [&](std::uint64_t first, const storage::Block& block) {
      if (abandoned_) throw Error(ErrorCode::interrupted, "the other outputs could not be written");
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const auto row = static_cast<std::uint32_t>(first + i);
        const ClusterRow* clustered = clusters.head();
        if (clustered != nullptr && clustered->row != row) clustered = nullptr;
        if (!set_.is_old(row) && (clustered == nullptr || clustered->kept == row)) write_record(records, cursor, row, block, i);
        if (clustered != nullptr) clusters.next();
      }
      job_.progress(first + block.rows(), set_.rows(), first + block.rows());
    });
    records.finish();
  }

  // `annotated`: null if records are not annotated.
  void write_others(stages::RecordOutputs* annotated) {
    name_rows();
    write_clusters();
    stream(annotated);
    write_report();
  }

  // First pass over the sketch files: stores the names of the rows in clusters, because a removed record names its kept record, which may
  // come later.
  void name_rows() {
    std::vector<std::size_t> columns = {SketchColumns::record, SketchColumns::source, SketchColumns::id};
    if (has_addresses_) columns.push_back(SketchColumns::fields);
    sketches::RowReader reader(set_, columns);
    RecordName name;
    ClusterReader clusters(table_, set_.rows());
    for (; const ClusterRow* row = clusters.head(); clusters.next()) {
      if (row->row % 4096 == 0) job_.check_stop();
      reader.seek(row->row);
      name.file = static_cast<std::uint32_t>(reader.file());
      name.source = reader.value<std::uint32_t>(SketchColumns::source);
      name.record = set_.files()[reader.file()].first_record + reader.value<std::uint64_t>(SketchColumns::record);
      name.id = reader.text(SketchColumns::id);
      if (has_addresses_) name.url = set_.url(reader.file(), reader.text(SketchColumns::fields));
      members_.add(row->row, row->cluster, row->kept == row->row, name);
      report_.add(*row);
    }
  }

  [[nodiscard]] std::uint64_t record_of(std::size_t file, const storage::Block& block, std::size_t i) const {
    return set_.files()[file].first_record + block.column<std::uint64_t>(SketchColumns::record)[i];
  }

  void stream(stages::RecordOutputs* annotated) {
    outputs::OutputFile removed(options_.output_dir + "/" + lines_name("removed"));
    sketches::RecordCursor cursor(set_);
    ClusterReader clusters(table_, set_.rows());
    std::vector<std::size_t> columns = {SketchColumns::record,  SketchColumns::source, SketchColumns::text_bytes, SketchColumns::flags,
                                        SketchColumns::simhash, SketchColumns::id,     SketchColumns::line,       SketchColumns::offset};
    if (keep_check_.is_open() || has_addresses_) columns.push_back(SketchColumns::fields);
    set_.for_each_block(columns, [&](std::uint64_t first, const storage::Block& block) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const auto row = static_cast<std::uint32_t>(first + i);
        const ClusterRow* clustered = clusters.head();
        if (clustered != nullptr && clustered->row != row) clustered = nullptr;
        const auto place = clustered != nullptr ? members_.next_row() : stages::ClusterMembers::Place();
        const bool is_removed = clustered != nullptr && clustered->kept != row;
        const std::size_t file = set_.file_of(row);
        const std::uint32_t source = block.column<std::uint32_t>(SketchColumns::source)[i];
        const std::string_view id = block.text(SketchColumns::id, i);
        const std::uint64_t record = record_of(file, block, i);
        report_.count(row, id, record, file, source, block.column<std::uint32_t>(SketchColumns::text_bytes)[i], clustered);
        if (report_.wants(row)) report_.text(row, cursor.text(row));
        if (set_.is_old(row)) {
          if (clustered != nullptr) clusters.next();
          continue;
        }
        if (bounded_.size() < metadata_.bounded_records.size() && metadata_.bounded_records[bounded_.size()] == row)
          bounded_.push_back(record);
        if (keep_check_.is_open()) keep_check_.add(file, source, block.text(SketchColumns::fields, i));
        if (clustered != nullptr && place.size >= options_.giant_cluster) count_in_giant(*clustered);
        const std::string_view url = has_addresses_ ? set_.url(file, block.text(SketchColumns::fields, i)) : std::string_view();
        if (!url.empty()) domains_.add(text::host_of(url), is_removed);
        if (is_removed) {
          const RecordName& kept = members_.name(place.kept);
          if (kept.file < set_.old_files()) report_.count_for_old(kept.file, kept.source);
          write_removed(removed, *clustered, kept, id, record, file, source, url);
        }
        if (annotated != nullptr) {
          write_annotated_record(*annotated, cursor, row, file, block, i, clustered, place);
          annotated->flush_if_full();
        }
        if (clustered != nullptr) clusters.next();
      }
      if (annotated != nullptr)
        job_.progress(first + block.rows(), set_.rows(), first + block.rows());
      else
        job_.check_stop();
    });
    if (annotated != nullptr) annotated->finish();
    removed.finish();
  }

  // Each thread holds two mebibytes of lines or, if the output is compressed, one and the compressed bytes.
  [[nodiscard]] unsigned output_threads() const {
    return static_cast<unsigned>(std::clamp<std::uint64_t>(job_.memory() >> 26, 1, job_.threads()));
  }

  [[nodiscard]] std::string lines_name(std::string_view name) const {
    return outputs::lines_name(name, options_.compression.value_or(Compression::none));
  }

  // Once summary.json exists the run counts as finished, so outputs of earlier runs in other forms must be removed before.
  void remove_other_forms() const {
    const bool by_input = options_.layout == OutputLayout::input;
    const RecordFormat format = stages::format_of_one(set_, stages::wanted_format(set_, options_));
    for (const std::string name : {"kept", "annotated"}) {
      const bool is_written = options_.outputs == Outputs::all && (name == "annotated") == options_.annotate;
      outputs::remove_other_forms(options_.output_dir, name,
                                  !is_written ? ""
                                  : by_input
                                      ? name
                                      : outputs::records_name(name, format, stages::packing_of_one(set_, format, options_.compression)));
    }
    for (const std::string name : {"removed", "clusters"}) outputs::remove_other_forms(options_.output_dir, name, lines_name(name));
  }

  [[nodiscard]] const std::string& path_of(std::size_t file, std::uint32_t source) const {
    return set_.files()[file].metadata.sources.at(source).path;
  }

  // Copies records of JSON Lines, and rows to Parquet, unchanged; writes records of other formats as an object with id, text and source.
  void write_record(stages::RecordOutputs& records, sketches::RecordCursor& cursor, std::uint32_t row, const storage::Block& block,
                    std::size_t i) {
    const std::size_t file = set_.file_of(row);
    const std::uint32_t number = block.column<std::uint32_t>(SketchColumns::source)[i];
    const stages::RecordOutputs::Form form = records.open(file, number);
    if (form == stages::RecordOutputs::Form::archive) {
      cursor.append_archived(row, records.packing(), records.bytes().buffer());
      return records.bytes().flush_if_full();
    }
    if (form != stages::RecordOutputs::Form::lines) return write_columns(records, cursor, row, file, block, i, {});
    const records::Source& source = set_.files()[file].metadata.sources.at(number);
    outputs::OutputBytes& out = records.bytes();
    if (source.format == records::Format::jsonl && out.can_copy(source)) {
      out.copy(source, block.column<std::uint64_t>(SketchColumns::offset)[i], block.column<std::uint64_t>(SketchColumns::length)[i]);
      return;
    }
    write_object(out.buffer(), cursor, row, file, number, block.text(SketchColumns::id, i));
    out.buffer().push_back('\n');
    out.flush_if_full();
  }

  void write_annotated_record(stages::RecordOutputs& records, sketches::RecordCursor& cursor, std::uint32_t row, std::size_t file,
                              const storage::Block& block, std::size_t i, const ClusterRow* clustered,
                              const stages::ClusterMembers::Place& place) {
    if (records.open(file, block.column<std::uint32_t>(SketchColumns::source)[i]) == stages::RecordOutputs::Form::lines)
      write_annotated(records.bytes().buffer(), cursor, row, file, block, i, clustered, place);
    else
      write_columns(records, cursor, row, file, block, i, annotation(row, clustered, place));
  }

  // To Parquet: a row of columns as it is, any other record as what its object has.
  void write_columns(stages::RecordOutputs& records, sketches::RecordCursor& cursor, std::uint32_t row, std::size_t file,
                     const storage::Block& block, std::size_t i, const outputs::RowAnnotation& annotation) {
    const std::uint32_t source = block.column<std::uint32_t>(SketchColumns::source)[i];
    if (records.form() == stages::RecordOutputs::Form::rows)
      return records.rows().add(block.column<std::uint64_t>(SketchColumns::offset)[i], annotation);
    object_.clear();
    write_object(object_, cursor, row, file, source, block.text(SketchColumns::id, i));
    const std::string name = fmt::format("{}:{}", path_of(file, source), block.column<std::uint64_t>(SketchColumns::line)[i]);
    records.objects().add(object_, name, annotation);
  }

  // What write_annotated() says in words of JSON.
  outputs::RowAnnotation annotation(std::uint32_t row, const ClusterRow* clustered, const stages::ClusterMembers::Place& place) {
    outputs::RowAnnotation out;
    if (clustered == nullptr) return out;
    out.keep = clustered->kept == row;
    out.cluster = clustered->cluster;
    if (out.keep) return out;
    const RecordName& kept = members_.name(place.kept);
    if (!kept.id.empty()) out.dup_of = job::plain_id(kept.id);
    if (!is_stored(kept)) out.dup_of_record = kept.record;
    if (clustered->distance != stages::no_distance) out.distance = clustered->distance;
    return out;
  }

  void write_object(std::string& out, sketches::RecordCursor& cursor, std::uint32_t row, std::size_t file, std::uint32_t source,
                    std::string_view id) {
    cursor.append_object(row, set_.files()[file].metadata.sources.at(source), id, out);
  }

  // A document of a store has an id, but no record number and no text, so its similarity is unknown.
  [[nodiscard]] bool is_stored(const RecordName& name) const { return set_.files()[name.file].metadata.fingerprints_only; }
  [[nodiscard]] std::string record_number(const RecordName& name) const {
    return is_stored(name) ? "null" : fmt::format("{}", name.record);
  }
  [[nodiscard]] std::string similarity_to(const RecordName& kept, float similarity) const {
    return is_stored(kept) ? "null" : similarity_text(similarity);
  }
  [[nodiscard]] const char* reason_of(const RecordName& kept, PairKind kind) const {
    return is_stored(kept) ? "unverified" : kind == PairKind::equal ? "equal" : "near";
  }

  void write_removed(outputs::OutputFile& file, const ClusterRow& row, const RecordName& kept, std::string_view id, std::uint64_t record,
                     std::size_t in_file, std::uint32_t source, std::string_view url) {
    std::string& out = file.buffer();
    out += "{\"id\":";
    append_id(out, id);
    append_url(out, "url", url);
    fmt::format_to(std::back_inserter(out), ",\"record\":{},\"source\":", record);
    records::append_json_string(out, shown_name(path_of(in_file, source)));
    fmt::format_to(std::back_inserter(out), ",\"cluster\":{},\"kept\":", row.cluster);
    append_id(out, kept.id);
    append_url(out, "kept_url", kept.url);
    fmt::format_to(std::back_inserter(out), ",\"kept_record\":{},\"distance\":", record_number(kept));
    out += row.distance == stages::no_distance ? "null" : fmt::format("{}", row.distance);
    out += ",\"similarity\":" + similarity_to(kept, row.similarity) + ",\"reason\":\"" + reason_of(kept, row.kind) + "\"";
    append_against(out, kept);
    out += "}\n";
    file.flush_if_full();
  }

  static void append_url(std::string& out, std::string_view name, std::string_view url) {
    if (url.empty()) return;
    out.append(",\"").append(name).append("\":");
    records::append_json_string(out, url);
  }

  // The source of the kept record if it is an old one: its record number counts in the old collection.
  void append_against(std::string& out, const RecordName& kept) const {
    if (kept.file >= set_.old_files()) return;
    out += ",\"against\":";
    records::append_json_string(out, shown_name(path_of(kept.file, kept.source)));
  }

  static std::string similarity_text(float similarity) { return fmt::format("{:.4f}", static_cast<double>(similarity)); }

  // Writes the record with the annotation as its last member.
  void write_annotated(std::string& out, sketches::RecordCursor& cursor, std::uint32_t row, std::size_t in_file,
                       const storage::Block& block, std::size_t i, const ClusterRow* clustered,
                       const stages::ClusterMembers::Place& place) {
    const std::string_view id = block.text(SketchColumns::id, i);
    const std::size_t begin = out.size();
    const std::uint32_t source = block.column<std::uint32_t>(SketchColumns::source)[i];
    write_object(out, cursor, row, in_file, source, id);
    if (annotation_key_.is_in(std::string_view(out).substr(begin)))
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "{}:{}: record {} has a field \"{}\" already: name the added object otherwise with --annotate-key (with dedup --resume "
              "only this last stage is run again)",
              path_of(in_file, source), block.column<std::uint64_t>(SketchColumns::line)[i], record_of(in_file, block, i),
              options_.annotate_key));
    while (!out.empty() && out.back() != '}') out.pop_back();
    if (out.empty()) throw Error(ErrorCode::format, "a record is no JSON object any more; the input has changed");
    out.pop_back();
    while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    if (out.back() != '{') out.push_back(',');
    out += annotation_key_.json();
    out += ":{\"fp\":";
    const std::size_t words = fingerprint_words(set_.profile().bits);
    if ((block.column<std::uint8_t>(SketchColumns::flags)[i] & sketches::flags::fingerprint) != 0) {
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
    fmt::format_to(std::back_inserter(out), ",\"cluster\":{},\"size\":{},\"keep\":{},\"dup_of\":", clustered->cluster, place.size, keep);
    append_id(out, keep ? std::string_view() : std::string_view(members_.name(place.kept).id));
    out += ",\"distance\":" +
           (keep || clustered->distance == stages::no_distance ? std::string("null") : fmt::format("{}", clustered->distance));
    if (!keep) {
      const RecordName& kept = members_.name(place.kept);
      out += fmt::format(",\"dup_of_record\":{},\"similarity\":{}", record_number(kept), similarity_to(kept, clustered->similarity));
      append_against(out, kept);
    }
    out += "}}\n";
  }

  void write_clusters() {
    outputs::OutputFile file(options_.output_dir + "/" + lines_name("clusters"));
    members_.for_each_cluster([&](const stages::ClusterMembers::Cluster& cluster) {
      job_.check_stop();
      report_.add(cluster);
      std::string& out = file.buffer();
      fmt::format_to(std::back_inserter(out), "{{\"cluster\":{},\"size\":{},\"keep\":", cluster.number, cluster.size);
      append_id(out, cluster.kept().id);
      fmt::format_to(std::back_inserter(out), ",\"keep_record\":{}", record_number(cluster.kept()));
      append_url(out, "keep_url", cluster.kept().url);
      append_against(out, cluster.kept());
      out += ",\"members\":[";
      // An old kept record is named above and not listed as a member, since the lists are of input records. It comes first, as old rows
      // precede new ones.
      const std::uint64_t first = set_.is_old(cluster.kept_row) ? 1 : 0;
      for (std::uint64_t i = first; i < cluster.size; ++i) {
        if (i > first) out.push_back(',');
        append_id(out, cluster.name(i).id);
        file.flush_if_full();
      }
      out += "],\"records\":[";
      for (std::uint64_t i = first; i < cluster.size; ++i) {
        fmt::format_to(std::back_inserter(out), "{}{}", i > first ? "," : "", cluster.name(i).record);
        file.flush_if_full();
      }
      out.push_back(']');
      if (has_addresses_) append_urls(file, cluster, first);
      out += "}\n";
      file.flush_if_full();
      if (cluster.size >= options_.giant_cluster && ++giants_ <= named_giants) first_giants_.push_back({cluster.number, cluster.size});
    });
    file.finish();
    report_.choose();
  }

  // Of the members, null for one that has none.
  static void append_urls(outputs::OutputFile& file, const stages::ClusterMembers::Cluster& cluster, std::uint64_t first) {
    std::string& out = file.buffer();
    out += ",\"urls\":[";
    for (std::uint64_t i = first; i < cluster.size; ++i) {
      if (i > first) out.push_back(',');
      const std::string& url = cluster.name(i).url;
      url.empty() ? static_cast<void>(out += "null") : records::append_json_string(out, url);
      file.flush_if_full();
    }
    out.push_back(']');
  }

  [[nodiscard]] std::string met_text() const {
    const Counts& c = metadata_.counts;
    return c.old_stores == 0 ? "" : fmt::format(", {} of them the nearest documents of stores without texts", c.old_met);
  }

  std::vector<std::pair<std::string, std::string>> configuration() const {
    std::vector<std::pair<std::string, std::string>> settings;
    const Profile& profile = set_.profile();
    const InputOptions& input = set_.new_files().front().metadata.input;
    const auto list = [](const std::vector<std::string>& values) {
      return values.empty() ? std::string("none") : fmt::format("{}", fmt::join(values, ", "));
    };
    settings.emplace_back("candidates", metadata_.method);
    settings.emplace_back("verification", metadata_.verify);
    settings.emplace_back("similarity thresholds", metadata_.thresholds);
    settings.emplace_back("keep", metadata_.keep);
    if (set_.old_files() > 0)
      settings.emplace_back("against", fmt::format("{} ({} records{})", fmt::join(shown(sketches::inputs_of(set_.old())), ", "),
                                                   metadata_.counts.old_records, met_text()));
    settings.emplace_back("fingerprint", fmt::format("SimHash of {} bits", profile.bits));
    settings.emplace_back("traditional folded", profile.fold_traditional ? "yes" : "no");
    settings.emplace_back("format", input.format);
    settings.emplace_back("text field", fmt::format("{}", fmt::join(records::text_fields_of(input), ", ")));
    settings.emplace_back("encoding", input.encoding);
    if (const Pages p = pages(); p.all > 0)
      settings.emplace_back("web pages", fmt::format("{}, --extract {}{}; {} without a main content that was found", p.all, input.extract,
                                                     p.model.empty() ? "" : " by model " + p.model, p.fallen_back));
    settings.emplace_back("id field", input.id_field);
    settings.emplace_back("include", list(shown(input.include)));
    settings.emplace_back("exclude", list(shown(input.exclude)));
    settings.emplace_back("longest document", fmt::format("{} bytes", input.max_document_bytes));
    return settings;
  }

  // Counts how the removed members of a giant cluster resemble the kept record.
  struct Giant {
    std::uint32_t cluster = 0;
    std::uint64_t size = 0, equal = 0, copies = 0, others = 0;  // removed members: equal, surely similar, less similar
    float least = 1;
    bool unverified = false;  // they were removed because of a document of a store
  };

  void count_in_giant(const ClusterRow& row) {
    const auto giant = std::ranges::lower_bound(first_giants_, row.cluster, {}, &Giant::cluster);
    if (giant == first_giants_.end() || giant->cluster != row.cluster || row.row == row.kept) return;
    giant->unverified = set_.is_stored(row.kept);
    const bool sure = static_cast<double>(row.similarity) >= metadata_.rule.sure_similarity;
    ++(row.kind == PairKind::equal ? giant->equal : sure ? giant->copies : giant->others);
    giant->least = std::min(giant->least, row.similarity);
  }

  [[nodiscard]] std::string explained(const Giant& giant) const {
    if (giant.unverified)
      return fmt::format(
          "Cluster {} holds {} records, for one document of a store: by their fingerprints alone, for no text is kept there.",
          giant.cluster, giant.size - 1);
    const std::string members = fmt::format(
        "Cluster {} holds {} records: {} have the text of the one that is kept, {} a similarity of {} and more to it, "
        "{} less (the least {:.2f}).",
        giant.cluster, giant.size, giant.equal, giant.copies, metadata_.rule.sure_similarity, giant.others,
        static_cast<double>(giant.least));
    return members + (giant.others > giant.equal + giant.copies
                          ? " Most resemble it in part only, as pages of one template do: look at them before you trust it."
                          : " Most are copies; a template whose pages differ in a name alone looks like that too.");
  }

  // Records that are web pages, those of them without a main content that was found, and the model that looked for it.
  struct Pages {
    std::uint64_t all = 0, fallen_back = 0;
    std::string model;
  };
  [[nodiscard]] Pages pages() const {
    Pages sum;
    for (const auto& file : set_.new_files()) {
      sum.all += file.metadata.pages;
      sum.fallen_back += file.metadata.pages_fallen_back;
      if (sum.model.empty()) sum.model = file.metadata.page_model;
    }
    return sum;
  }

  // Inputs that could not be read to their end.
  [[nodiscard]] std::vector<std::string> unread() const {
    std::vector<std::string> paths;
    for (const auto& file : set_.files()) paths.insert(paths.end(), file.metadata.unread.begin(), file.metadata.unread.end());
    return paths;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> list;
    for (const Giant& giant : first_giants_) list.push_back(explained(giant));
    if (giants_ > named_giants) list.push_back(fmt::format("{} more giant clusters.", giants_ - named_giants));
    if (metadata_.counts.bounded > 0)
      list.push_back(
          fmt::format("{} records resemble so many others that not all of their candidate pairs were tried; summary.json lists them.",
                      metadata_.counts.bounded));
    for (const auto& file : set_.files())
      for (const std::string& sentence : file.metadata.notes) list.push_back(sentence + ".");
    for (const std::string& sentence : keep_check_.sentences()) list.push_back(sentence + ".");
    if (set_.old_files() > 0 && metadata_.counts.old_stores == 0 && metadata_.counts.old_records == metadata_.counts.old_rejected)
      list.push_back("The old collection holds no readable record: nothing was held against it.");
    else if (metadata_.counts.old_rejected > 0)
      list.push_back(fmt::format("{} of the old collection left out, listed in {}.",
                                 report::counted(metadata_.counts.old_rejected, "bad record", "bad records"),
                                 lines_name("rejected-against")));
    if (metadata_.counts.rejected > 0)
      list.push_back(fmt::format("{} left out, listed in {}.", report::counted(metadata_.counts.rejected, "bad record", "bad records"),
                                 lines_name("rejected")));
    if (metadata_.counts.old_met > 0)
      list.push_back(
          "Stores keep no texts: what was removed for one of their documents resembles it by its fingerprint alone, and is marked "
          "\"unverified\" in " +
          lines_name("removed") + ".");
    if (metadata_.verify != "text") list.push_back("Texts were not compared: similarities are estimates from sketches.");
    return list;
  }

  void write_report() {
    report::Report report = report_.finish();
    report.title = outputs::title_of_inputs(set_.new_files());
    if (set_.old_files() > 0) report.against = outputs::title_of_inputs(set_.old());
    report.packed = records::suffix_of(options_.compression.value_or(Compression::none));
    report.configuration = configuration();
    report.warnings = warnings();
    report.domains = domains_.largest(shown_domains);
    outputs::write_file(options_.output_dir + "/report.html", report::render_html(report));
  }

  void write_summary() const {
    const Counts& c = metadata_.counts;
    records::JsonObject object;
    object.text("leitong", version())
        .number("records", c.records)
        .number("kept", c.kept)
        .number("removed", c.removed)
        .number("rejected", c.rejected);
    object.number("clusters", c.clusters)
        .number("featureless", c.featureless)
        .number("text_bytes", c.bytes)
        .number("candidates", c.candidates);
    object.number("edges", c.edges).number("other_facts", c.other_facts).number("bounded", c.bounded);
    const std::uint64_t good = c.records - c.rejected;
    object.real("removed_rate", good == 0 ? 0 : static_cast<double>(c.removed) / static_cast<double>(good));
    const auto& first = set_.new_files().front().metadata;
    object.text("profile", first.profile.name).text("profile_id", first.profile_id).text("profile_toml", to_toml(first.profile));
    object.text("rule", metadata_.rule.name).text("rule_id", metadata_.rule_id).text("rule_toml", to_toml(metadata_.rule));
    if (const Pages p = pages(); p.all > 0) {
      records::JsonObject pages_object;
      pages_object.text("extract", first.input.extract).text("model", p.model).number("pages", p.all).number("fallen_back", p.fallen_back);
      object.raw("pages", pages_object.str());
    }
    records::JsonObject configuration_object, recall;
    for (const auto& [name, value] : configuration()) configuration_object.text(name, value);
    for (const auto& [similarity, predicted] : metadata_.counts.recall) recall.real(fmt::format("{}", similarity), predicted);
    object.raw("configuration", configuration_object.str()).raw("predicted_candidate_recall", recall.str());
    object.names("inputs", sketches::inputs_of(set_.new_files())).texts("warnings", warnings());
    if (const std::vector<std::string> paths = unread(); !paths.empty()) object.names("unread", paths);
    if (set_.old_files() > 0) {
      records::JsonObject against;
      against.names("inputs", sketches::inputs_of(set_.old()))
          .number("records", c.old_records)
          .number("rejected", c.old_rejected)
          .number("removed", c.removed_for_old);
      if (c.old_stores > 0) against.number("stores", c.old_stores).number("met_in_stores", c.old_met);
      object.raw("against", against.str());
    }
    if (!domains_.empty()) object.raw("domains", domains_json());
    object.raw("bounded_records", fmt::format("[{}]", fmt::join(bounded_, ",")));
    object.text("clusters_identity", table_.identity());
    outputs::write_file(options_.output_dir + "/summary.json", object.str() + "\n");
  }

  [[nodiscard]] std::string domains_json() const {
    std::string list = "[";
    for (const report::Source& domain : domains_.largest(listed_domains)) {
      records::JsonObject one;
      one.text("domain", domain.path).number("records", domain.records).number("removed", domain.removed);
      list += (list.size() > 1 ? "," : "") + one.str();
    }
    return list + "]";
  }

  static constexpr std::uint64_t named_giants = 10;
  static constexpr std::size_t listed_domains = 1000, shown_domains = 100;

  const ApplyOptions& options_;
  job::Job& job_;
  storage::TableReader table_;
  stages::StageMetadata metadata_;
  AnnotationKey annotation_key_;
  std::string object_;
  sketches::SketchSet set_;
  stages::ClusterMembers members_;
  std::vector<std::uint64_t> bounded_;
  std::vector<Giant> first_giants_;  // ascending by number
  std::uint64_t giants_ = 0;
  std::atomic<bool> abandoned_ = false;
  bool has_addresses_;  // some records have one
  stages::DomainCounts domains_;
  stages::KeepCheck keep_check_;
  stages::ReportData report_;
};

}  // namespace

namespace stage {

Counts apply(const ApplyOptions& options) {
  const Compression compression = options.compression.value_or(Compression::none);
  const std::string records = options.annotate ? "annotated" : "kept";
  std::vector<std::string> written = {"summary.json", "report.html", outputs::lines_name("removed", compression),
                                      outputs::lines_name("clusters", compression)};
  if (options.outputs == Outputs::all && options.layout == OutputLayout::one)
    for (const std::string& name : outputs::possible_names(records, options.format, options.compression)) written.push_back(name);
  if (options.outputs == Outputs::all && options.layout == OutputLayout::input)
    outputs::require_own(options.output_dir + "/" + records, outputs::read_layout(options.output_dir, records));
  outputs::OutputRule rule;
  stages::add_chain(rule, options.clusters, "clusters", options.job);
  outputs::ResultsDirectory results(options.output_dir, rule, written);
  results.begin();
  ApplyOptions unfinished = options;
  unfinished.output_dir = results.unfinished();
  const Counts counts = stages::apply_locked(unfinished);
  results.publish(stages::is_of_apply);
  return counts;
}

}  // namespace stage

bool stages::is_of_apply(const std::string& name) {
  for (const char* records : {"kept", "annotated"})
    if (outputs::is_form_of(name, records) || name.starts_with(std::string(records) + "/") || name == outputs::layout_list_name(records))
      return true;
  return outputs::is_form_of(name, "removed") || outputs::is_form_of(name, "clusters") || name == "summary.json" || name == "report.html";
}

Counts stages::apply_locked(const ApplyOptions& options) {
  job::Job job(options.job, "apply");
  return ApplyJob(options, job).run();
}

}  // namespace leitong
