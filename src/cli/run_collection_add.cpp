// leitong collection add and import: records into a collection.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/collection_batch.h"
#include "cli/collection_lines.h"
#include "cli/commands.h"
#include "cli/fingerprint_input.h"
#include "cli/fingerprint_value.h"
#include "cli/named_choices.h"
#include "cli/progress.h"
#include "cli/run_collection.h"
#include "leitong/error.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

// A record for the collection. What is missing has no bytes.
struct Arrival {
  std::string_view id, text, metadata, fingerprint;
  bool has_text = true;
};

// JSON null is no value; others are kept as they stand.
std::string_view value_or_nothing(std::string_view json) { return json == "null" ? std::string_view() : json; }

// Reads the inputs and puts into `batch` what `arrive` accepts; it returns why a record is bad, or nothing.
class Reading {
 public:
  using Arrive = std::function<std::string(const Arrival&)>;

  Reading(const Invocation& invocation, Output& output, Collection& collection, CollectionBatch& batch, bool all_or_nothing)
      : invocation_(invocation), output_(output), collection_(collection), batch_(batch), all_or_nothing_(all_or_nothing) {}

  Counts read(const InputOptions& input, const Arrive& arrive) {
    const Settings& s = invocation_.settings;
    ProgressLine line(!s.face.quiet && !s.collection.stream && !(s.collection.add.unique && is_terminal(1)));
    const JobOptions job = line.watch(s.job);
    try {
      const Counts counts = visit_records(
          input, job, command_info(invocation_.command).name, [&] { return worker(input, other_pages(s, collection_.options())); },
          [&](const RecordPlace&, std::string_view parts) { return visit(parts, arrive, job); }, s.output.rejected,
          s.collection.stream ? BadRecordVisitor([&](const RecordPlace& place, std::string_view reason) { answer_bad(place, reason); })
                              : BadRecordVisitor());
      put_in();
      if (all_or_nothing_) {
        if (job.stop != nullptr && *job.stop) throw Error(ErrorCode::interrupted, "");
        committing_ = true;
        batch_.commit();
      }
      collection_.close();
      return counts;
    } catch (const Error& error) {
      line.erase();
      output_.finish();  // answers to what is in
      if (error.code() == ErrorCode::interrupted) throw Error(error.code(), stopped());
      if (all_or_nothing_ || so_far() > 0) print_note(what_is_in());
      throw;
    }
  }

 private:
  // id, text, metadata, fingerprint, and a byte that says whether there is a text.
  static RecordWorker worker(const InputOptions& input, const std::string& no_pages) {
    return [fields = input.fields.size(), no_pages](const RecordView& record, std::string& out) {
      if (record.page != nullptr && !no_pages.empty()) refuse(no_pages);
      const auto field = [&](std::size_t i) { return i < record.fields.size() ? record.fields[i] : std::string_view(); };
      append_part(out, text_of_json(record.id));
      append_part(out, record.text);
      append_part(out, value_or_nothing(field(fields)));
      std::string_view fingerprint;
      for (std::size_t i = fields; i-- > 0;)
        if (!field(i).empty()) fingerprint = field(i);
      append_part(out, fingerprint);
      out += !record.text.empty() || field(fields + 1).starts_with('"') ? 't' : ' ';
    };
  }

  std::string visit(std::string_view parts, const Arrive& arrive, const JobOptions& job) {
    Arrival arrival;
    arrival.id = take_part(parts);
    arrival.text = take_part(parts);
    arrival.metadata = take_part(parts);
    arrival.fingerprint = take_part(parts);
    arrival.has_text = parts == "t";
    const InputOptions& input = invocation_.settings.input;
    std::string reason;
    if (arrival.id.empty()) {
      reason = fmt::format("no id in the field \"{}\"; --id-field PATH says where it is", input.id_field);
    } else {
      reason = refused_id(collection_.options(), arrival.id);
    }
    if (reason.empty()) reason = arrive(arrival);
    if (!batch_.full() && !invocation_.settings.collection.stream) return reason;
    put_in();
    if (reason.empty() && invocation_.settings.collection.stream && !invocation_.settings.collection.add.unique) answer_added(arrival.id);
    if (job.stop != nullptr && *job.stop) throw Error(ErrorCode::interrupted, "");
    return reason;
  }

  void answer_added(std::string_view id) {
    std::string line;
    CollectionLines(collection_.options()).append_added(id, line);
    output_.write(line);
    output_.finish();
  }
  void answer_bad(const RecordPlace& place, std::string_view reason) {
    std::string line;
    CollectionLines::append_bad(place.line, reason, line);
    output_.write(line);
    output_.finish();
  }
  // And answers, lest a batch that is in be killed with its answers still here.
  void put_in() {
    batch_.flush();
    if (invocation_.settings.collection.add.unique) output_.finish();
  }
  [[nodiscard]] std::uint64_t so_far() const { return batch_.added() + batch_.fingerprints() + batch_.duplicates(); }
  [[nodiscard]] std::string what_is_in() const {
    if (committing_) return "all was imported or nothing: collection stats says which";
    if (all_or_nothing_) return "nothing was imported";
    return invocation_.settings.collection.add.unique ? fmt::format("{} were answered before that, {} of them new and in the collection",
                                                                    counted(so_far(), "record"), human_count(batch_.added()))
                                                      : fmt::format("{} before that went into the collection", counted(so_far(), "record"));
  }
  [[nodiscard]] std::string stopped() const {
    if (all_or_nothing_) return "stopped: nothing was imported";
    return "stopped: " +
           (invocation_.settings.collection.add.unique
                ? fmt::format("{} answered, {} of them new and in the collection", counted(so_far(), "record"), human_count(batch_.added()))
                : fmt::format("{} went into the collection; run the command again for the rest, for what is there is replaced by the same",
                              counted(so_far(), "record")));
  }

  const Invocation& invocation_;
  Output& output_;
  Collection& collection_;
  CollectionBatch& batch_;
  bool all_or_nothing_, committing_ = false;
};

Acknowledge acknowledgement(const AddSettings& s) { return s.buffered ? Acknowledge::buffered : Acknowledge::durable; }

void check_add(const Invocation& invocation, const CollectionOptions& options) {
  const Settings& s = invocation.settings;
  if (!s.collection.add.unique && (s.match.k || s.collection.no_verify || s.collection.allow_unverified || !s.rule.name.empty()))
    refuse("--rule, -k, --no-verify and --allow-unverified say what is alike, for --unique");
  if (!s.collection.add.metadata_field.empty() && !options.metadata)
    refuse(invocation.operands[0] + ": keeps no metadata; make a collection with --metadata, or leave --metadata-field out");
}

int end_of_adding(const Counts& counts, const Settings& s, const Collection& collection, const std::string& done) {
  const std::uint64_t good = counts.records - counts.rejected;
  if (counts.records == 0) {
    print_note("the inputs hold no record");
  } else if (!s.face.quiet || good == 0) {
    const std::string bad = counts.rejected == 0
                                ? ""
                                : fmt::format("; {} of {} bad and left out", human_count(counts.rejected),
                                              counted(counts.records, "record") + (counts.rejected == 1 ? " was" : " were"));
    print_note(done + bad);
  }
  if (const std::uint64_t left_out = collection.left_out(); left_out > 0)
    print_note(fmt::format("{} no fingerprint, as texts without words have none, and {} left out: a server keeps fingerprints only",
                           counted(left_out, "document") + (left_out == 1 ? " has" : " have"), left_out == 1 ? "is" : "are"));
  return good == 0 ? 1 : 0;
}

int run_collection_add(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const AddSettings& add = s.collection.add;
  Collection collection = open_collection(invocation, Access::write);
  check_add(invocation, collection.options());
  const CollectionLines lines(collection.options());
  CollectionBatch batch(collection, acknowledgement(add));
  if (add.unique) {
    CollectionQuery query;
    query.k = s.match.k;
    query.rule = effective_rule(s.rule);
    query.verify = !s.collection.no_verify;
    query.allow_unverified = s.collection.allow_unverified;
    batch.only_unique(query, [&](std::string_view id, const CollectionOutcome& outcome) {
      std::string line;
      lines.append_outcome(id, outcome, line);
      output.write(line);
    });
  }
  InputOptions input = s.input;
  input.page_facts = true;
  input.paths = inputs_of(invocation);
  if (!add.metadata_field.empty()) input.json_fields = {add.metadata_field};
  const Counts counts = Reading(invocation, output, collection, batch, false).read(input, [&](const Arrival& arrival) {
    batch.add(arrival.id, arrival.text, arrival.metadata);
    return std::string();
  });
  const std::string rest = add.unique ? fmt::format(", {} refused as duplicates", human_count(batch.duplicates())) : " or replaced";
  return end_of_adding(counts, s, collection, fmt::format("{} added{}", counted(batch.added() - collection.left_out(), "document"), rest));
}

int run_collection_import(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const AddSettings& add = s.collection.add;
  Collection collection = open_collection(invocation, Access::write);
  CollectionBatch batch(collection, Acknowledge::durable);
  const bool all_or_nothing = !is_store_url(invocation.operands[0]);
  if (all_or_nothing) batch.all_or_nothing();
  InputOptions input = s.input;
  input.page_facts = true;
  input.paths = inputs_of(invocation);
  input.need_text = false;
  if (add.fingerprint_field.empty()) {
    input.fields = {"fp", "fingerprint"};
  } else {
    input.fields = {add.fingerprint_field};
  }
  input.json_fields = {add.metadata_field.empty() ? "metadata" : add.metadata_field, input.text_field};
  std::uint64_t without = 0, lost_metadata = 0;
  const Counts counts =
      Reading(invocation, output, collection, batch, all_or_nothing).read(input, [&](const Arrival& arrival) -> std::string {
        const CollectionOptions& options = collection.options();
        if (!arrival.metadata.empty() && !options.metadata) ++lost_metadata;
        if (arrival.has_text && !add.fingerprints) {
          batch.add(arrival.id, arrival.text, arrival.metadata);
          return {};
        }
        if (arrival.fingerprint.empty() || arrival.fingerprint == "null") {
          ++without;
          return {};
        }
        const auto value = read_fingerprint_value(arrival.fingerprint, s.record.format, s.record.reverse_bits, options.profile);
        if (!value)
          return fmt::format("\"{}\" is not {}; --fingerprint-format says how fingerprints are written",
                             harmless(arrival.fingerprint.substr(0, 100)), expected_value(s.record.format, options.profile.bits));
        batch.add(arrival.id, *value, arrival.metadata);
        return {};
      });
  if (without > 0)
    print_note(fmt::format("{} no fingerprint{} and {} left out", counted(without, "record") + (without == 1 ? " has" : " have"),
                           add.fingerprints ? "" : " and no text", without == 1 ? "is" : "are"));
  if (lost_metadata > 0)
    print_note(fmt::format("{} metadata, which this collection does not keep (collection create --metadata)",
                           counted(lost_metadata, "record") + (lost_metadata == 1 ? " has" : " have")));
  const std::string imported = fmt::format("{} without texts, whose matches are unverified", counted(batch.fingerprints(), "fingerprint"));
  std::string done = batch.fingerprints() == 0 ? "" : imported;
  const bool none = counts.records > 0 && batch.fingerprints() + batch.added() == 0;
  if (batch.added() > 0 || done.empty()) done = counted(batch.added(), "document") + (done.empty() ? "" : " and " + done);
  return std::max(none ? 1 : 0, end_of_adding(counts, s, collection, done + ": imported"));
}

constexpr std::array import_flags{
    Flag{.name = "fingerprints",
         .help = "The inputs are stored fingerprints with ids, without texts: JSON Lines, CSV or TSV. Nothing can verify them, so their "
                 "matches are marked unverified",
         .group = Group::input,
         .set = [](Settings& s, const Value& v) { s.collection.add.fingerprints = v.on; },
         .took = [](const Settings& s) { return s.collection.add.fingerprints; }},
    Flag{.name = "fp-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "fp, or fingerprint in a record without it",
         .help = "Field of the fingerprint: a dotted path (JSON Lines) or a column name (CSV, TSV)",
         .group = Group::input,
         .aliases = "fingerprint-field",
         .set = [](Settings& s, const Value& v) { s.collection.add.fingerprint_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.collection.add.fingerprint_field == "some.path"; }},
    Flag{.name = "fingerprint-format",
         .argument = "FORM",
         .kind = Kind::choice,
         .fallback = "hex",
         .help =
             "How fingerprints are written: hex, decimal, signed (as Java's int and long), or bits in the order of the profile's program, "
             "as `leitong fingerprint --format` writes them",
         .group = Group::input,
         .choices = "hex bits decimal signed",
         .set = [](Settings& s, const Value& v) { s.record.format = fingerprint_format(v.text); },
         .example = "signed",
         .took = [](const Settings& s) { return s.record.format == FingerprintFormat::signed_decimal; }},
    Flag{.name = "reverse-bits",
         .help = "Bits are written in the other order, and numbers are of the bits in the other order",
         .group = Group::input,
         .set = [](Settings& s, const Value& v) { s.record.reverse_bits = v.on; },
         .took = [](const Settings& s) { return s.record.reverse_bits; }},
};

constexpr std::array add_flags{
    Flag{.name = "unique",
         .help = "Add only documents that resemble none that is there, those before them in the input included. Prints for each, in order, "
                 "that it is new or which document it is a duplicate of. What is added depends on the order",
         .group = Group::matching,
         .before = "k",
         .set = [](Settings& s, const Value& v) { s.collection.add.unique = v.on; },
         .took = [](const Settings& s) { return s.collection.add.unique; }},
    Flag{.name = "buffered",
         .help = "Do not wait for the disk after each batch: a crash of the machine may lose what was added in the last second or the last "
                 "16 MiB, whichever is less, but nothing once the command has ended",
         .group = Group::job,
         .before = "threads",
         .set = [](Settings& s, const Value& v) { s.collection.add.buffered = v.on; },
         .took = [](const Settings& s) { return s.collection.add.buffered; }},
};

}  // namespace

constexpr CommandInfo collection_add_command{
    .command = cmd_collection_add,
    .name = "collection add",
    .purpose = "Add documents, or replace those whose ids are there",
    .usage = "STORE [INPUT...] [--unique] [FLAG...]",
    .description =
        "Reads files and directories (- or nothing is standard input) and adds their records in batches. A batch is there when "
        "the next is begun, whatever happens to the machine then (--buffered: later). A record without an id is a bad record. "
        "Run again after a stop, it replaces what is there by the same.\n\n"
        "With --unique it prints {\"id\",\"result\":\"new\"} or "
        "{\"id\",\"result\":\"duplicate\",\"of\",\"distance\",\"similarity\"} for each good record, in input order, and adds only "
        "the new: the daily job. A record whose own id is there is a duplicate of it if the text is like it was.",
    .examples =
        "leitong collection add news monday.jsonl\n"
        "leitong collection add news tuesday.jsonl --unique | grep '\"new\"'\n"
        "zcat crawl.jsonl.gz | leitong collection add news --id-field url --metadata-field source",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = add_flags,
    .run = run_collection_add};

constexpr CommandInfo collection_import_command{
    .command = cmd_collection_import,
    .name = "collection import",
    .purpose = "Add documents that were exported, or stored fingerprints without texts",
    .usage = "STORE [INPUT...] [--fingerprints] [FLAG...]",
    .description =
        "Reads the JSON Lines of `collection export`. A document with its text is added as `collection add` does; one without comes in "
        "as a "
        "fingerprint, which nothing can verify. With --fingerprints all do: ids and values that another program or `leitong "
        "fingerprint` has stored, made with the collection's profile (leitong parity finds out which that is).\n\n"
        "All or nothing: what is good of the inputs is in when the command has ended well. After an error, a signal or a crash nothing "
        "of "
        "it is. On a server each batch is there at once, and stays.",
    .examples =
        "leitong collection import copy news.jsonl.zst\n"
        "leitong fingerprint news.jsonl | leitong collection import prints --fingerprints\n"
        "leitong collection import shop --fingerprints stored.csv --id-field sku --fp-field simhash --fingerprint-format signed",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = import_flags,
    .run = run_collection_import};

}  // namespace leitong::cli
