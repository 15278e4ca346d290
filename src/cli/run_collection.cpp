// leitong collection: the actions on a collection that do not read records.
#include "cli/run_collection.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "cli/collection_batch.h"
#include "cli/collection_lines.h"
#include "cli/commands.h"
#include "cli/fingerprint_input.h"
#include "cli/signals.h"
#include "leitong/error.h"
#include "leitong/near_fingerprints.h"
#include "leitong/output.h"
#include "leitong/page.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

// What --profile, -k and the like say of a new collection.
CollectionOptions options_of(const Settings& s) {
  const CreateSettings& made = s.collection.create;
  CollectionOptions options;
  options.profile = effective_profile(s.profile);
  for (const std::string& sentence : profile_warnings(options.profile)) print_note(sentence);
  options.k = s.match.k.value_or(options.k);
  options.ids = made.number_ids ? CollectionIds::number : CollectionIds::text;
  options.texts = made.texts;
  options.metadata = made.metadata;
  options.fingerprints_only = made.fingerprints_only;
  if (made.texts && made.fingerprints_only)
    throw Error(ErrorCode::usage, "--texts and --fingerprints-only contradict each other: give one of them");
  options.layout = made.layout;
  options.pages = page_rule(s.input.extract);
  return options;
}

int run_collection_create(const Invocation& invocation, Output& /*output*/) {
  Collection::create(invocation.operands[0], options_of(invocation.settings));
  return 0;
}

struct SampleText {
  std::string id, text;
};

// Documents of --sample, as many as evidence needs.
std::vector<SampleText> sample_of(const Invocation& invocation) {
  constexpr std::size_t most = 1'000;
  const Settings& s = invocation.settings;
  std::vector<SampleText> sample;
  if (s.collection.create.sample.empty()) return sample;
  InputOptions input = s.input;
  input.paths = {s.collection.create.sample};
  const auto worker = [] {
    return [](const RecordView& record, std::string& out) {
      append_part(out, text_of_json(record.id));
      append_part(out, record.text);
    };
  };
  (void)visit_records(input, s.job, "sample", worker, [&](const RecordPlace&, std::string_view parts) -> std::string {
    const std::string_view id = take_part(parts), text = take_part(parts);
    if (id.empty()) return fmt::format("no id in the field \"{}\"; --id-field PATH says where it is", input.id_field);
    if (sample.size() < most) sample.push_back({std::string(id), std::string(text)});
    return {};
  });
  if (sample.empty()) throw Error(ErrorCode::usage, s.collection.create.sample + ": holds no record with an id and a text");
  return sample;
}

int run_collection_adopt(const Invocation& invocation, Output& output) {
  const std::string& url = invocation.operands[0];
  if (invocation.settings.profile.name.empty())
    throw Error(ErrorCode::usage,
                "collection adopt needs --profile: the one that makes the stored fingerprints; leitong parity finds out which");
  const std::vector<SampleText> sample = sample_of(invocation);
  std::vector<CollectionDocument> documents;
  for (const SampleText& one : sample) documents.push_back({one.id, one.text});
  const StoreInspection taken = Collection::adopt(url, options_of(invocation.settings), documents);
  for (const std::string& doubt : taken.doubts) print_note(doubt);
  for (const std::string& sentence : taken.evidence) output.write("evidence  " + harmless(sentence) + "\n");
  output.write("adopted with the layout " + taken.layout + "\n");
  return 0;
}

int run_collection_inspect(const Invocation& invocation, Output& output) {
  const StoreInspection found = inspect_store(invocation.operands[0]);
  output.write(invocation.settings.face.json ? inspection_as_json(found) : inspection_for_people(found));
  return found.layout.empty() ? 1 : 0;
}

std::span<const std::string> operands_behind_directory(const Invocation& invocation) { return std::span(invocation.operands).subspan(1); }

// Ids that a person gave: one that cannot be there is a mistake.
void check_ids(const CollectionOptions& options, std::span<const std::string_view> ids) {
  for (const std::string_view id : ids)
    if (const std::string reason = refused_id(options, id); !reason.empty()) throw Error(ErrorCode::usage, reason);
}

int run_collection_delete(const Invocation& invocation, Output& output) {
  Collection collection = open_collection(invocation, Access::write);
  std::uint64_t asked = 0, erased = 0;
  for_ids(operands_behind_directory(invocation), [&](std::span<const std::string_view> ids) {
    check_ids(collection.options(), ids);
    erased += collection.erase(ids, Acknowledge::durable);
    asked += ids.size();
    if (*stop_flag()) throw Error(ErrorCode::interrupted, fmt::format("stopped: {} deleted so far", counted(erased, "document")));
  });
  collection.close();
  output.write(fmt::format("{} of {} deleted\n", human_count(erased), counted(asked, "document")));
  return 0;
}

int run_collection_get(const Invocation& invocation, Output& output) {
  const Collection collection = open_collection(invocation, Access::read);
  const CollectionLines lines(collection.options());
  bool missing = false;
  std::string line;
  for_ids(operands_behind_directory(invocation), [&](std::span<const std::string_view> ids) {
    check_ids(collection.options(), ids);
    const auto entries = collection.get_all(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (entries[i]) {
        line.clear();
        lines.append_entry(*entries[i], line);
        output.write(line);
      } else {
        print_note(fmt::format("\"{}\" is not in {}", harmless(ids[i]), invocation.operands[0]));
        missing = true;
      }
    }
  });
  return missing ? 1 : 0;
}

int run_collection_check(const Invocation& invocation, Output& output) {
  end_at_first_signal();
  const Collection collection = open_collection(invocation, Access::read);
  collection.check();
  output.write(fmt::format("whole: {}\n", counted(collection.stats().documents, "document")));
  return 0;
}

int run_collection_compact(const Invocation& invocation, Output& /*output*/) {
  end_at_first_signal();
  Collection collection = open_collection(invocation, Access::write);
  collection.compact();
  collection.close();
  return 0;
}

int run_collection_backup(const Invocation& invocation, Output& /*output*/) {
  end_at_first_signal();
  open_collection(invocation, Access::read).backup(invocation.operands[1]);
  return 0;
}

void print_all(const Collection& collection, const LineSink& sink) {
  const CollectionLines lines(collection.options());
  constexpr std::size_t at_once = std::size_t{1} << 16;
  std::string out;
  collection.scan([&](const CollectionEntry& entry) {
    if (*stop_flag()) throw Error(ErrorCode::interrupted, "stopped before the end");
    lines.append_entry(entry, out);
    if (out.size() < at_once) return;
    sink(out);
    out.clear();
  });
  sink(out);
}

int run_collection_export(const Invocation& invocation, Output& output) {
  const std::string& target = invocation.settings.output.file;
  const bool to_file = !target.empty() && target != "-";
  if (to_file) check_output(target, {}, OutputForm::text);
  if (to_file && !invocation.settings.output.overwrite && std::filesystem::exists(target))
    throw Error(ErrorCode::usage, target + ": is there already: give another --output, or --overwrite to replace it");
  const Collection collection = open_collection(invocation, Access::read);
  if (to_file) {
    write_whole_file(target, [&](const LineSink& sink) { print_all(collection, sink); });
  } else {
    print_all(collection, [&](std::string_view lines) { output.write(lines); });
  }
  return 0;
}

int run_collection_stats(const Invocation& invocation, Output& output) {
  const Collection collection = open_collection(invocation, Access::read);
  output.write(invocation.settings.face.json ? stats_as_json(collection) : stats_for_people(collection));
  return 0;
}

constexpr std::array create_flags{
    Flag{.name = "texts",
         .help = "Keep the texts, compressed: matches are verified, and documents can be read back and exported",
         .group = Group::collection,
         .before = "layout",
         .set = [](Settings& s, const Value& v) { s.collection.create.texts = v.on; },
         .took = [](const Settings& s) { return s.collection.create.texts; }},
    Flag{.name = "metadata",
         .help = "Keep a JSON value with each document; add --metadata-field says which",
         .group = Group::collection,
         .before = "layout",
         .set = [](Settings& s, const Value& v) { s.collection.create.metadata = v.on; },
         .took = [](const Settings& s) { return s.collection.create.metadata; }},
    Flag{.name = "fingerprints-only",
         .help = "Keep nothing beside fingerprints, no second sketch either: the least space, but similarities are unknown and no match is "
                 "verified",
         .group = Group::collection,
         .before = "layout",
         .set = [](Settings& s, const Value& v) { s.collection.create.fingerprints_only = v.on; },
         .took = [](const Settings& s) { return s.collection.create.fingerprints_only; }},
};

constexpr std::array adopt_flags{
    Flag{.name = "sample",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Ids and texts of documents that are stored there: their fingerprints are made again and looked up, which tells how the "
                 "stored ones are to be read",
         .group = Group::collection,
         .set = [](Settings& s, const Value& v) { s.collection.create.sample = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.collection.create.sample == "some/file"; }},
};

constexpr std::array export_flags{
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .fallback = "standard output",
         .help = "Where the documents go; it appears under this name only when it is whole",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.output.file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.file == "some/file"; }},
    Flag{.name = "overwrite",
         .help = "Replace the file that stands there",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.output.overwrite = v.on; },
         .took = [](const Settings& s) { return s.output.overwrite; }},
};

}  // namespace

Collection open_collection(const Invocation& invocation, Access access) {
  const Settings& s = invocation.settings;
  CollectionOpen open;
  open.key = key_of(s.profile);
  if (!s.profile.name.empty()) open.profile_id = profile_id(effective_profile(s.profile));
  open.threads = s.job.threads;
  open.memory = s.job.memory;
  return {invocation.operands[0], access, open};
}

std::string other_pages(const Settings& settings, const CollectionOptions& collection) {
  const std::string here = page_rule(settings.input.extract);
  if (settings.collection.add.other_pages || collection.pages.empty() || collection.pages == here) return {};
  return fmt::format(
      "the collection holds texts of web pages by \"{}\" (what --extract took, and its model); these would be by \"{}\", and the "
      "same page has another text: give --extract as the collection has it, or --other-pages",
      collection.pages, here);
}

std::vector<std::string> inputs_of(const Invocation& invocation) {
  const auto inputs = operands_behind_directory(invocation);
  return inputs.empty() ? std::vector<std::string>{"-"} : std::vector<std::string>(inputs.begin(), inputs.end());
}

constexpr CommandInfo collection_command{
    .command = cmd_collection,
    .name = "collection",
    .purpose = "Keep documents in a collection, on disk or on a server: add every day, ask at any time, lose nothing",
    .usage = "ACTION STORE [OPERAND...] [FLAG...]",
    .description =
        "A collection is a directory. Its documents have ids and fingerprints of one profile, and what else it was made to keep: "
        "texts, metadata. One process writes, any number read meanwhile. A crash, or a signal, loses nothing that was "
        "acknowledged. docs/collection.md shows the daily job.\n\n"
        "STORE is a directory, or an address of a server, which keeps fingerprints under ids and nothing else: "
        "redis://HOST:PORT/DB?prefix=P, rediss:// (TLS), redis+cluster://HOST:PORT?prefix=P, es+http://HOST:PORT/INDEX, es+https:// "
        "(Elasticsearch, OpenSearch). docs/remote-stores.md says more.",
    .examples =
        "leitong collection create news --texts\n"
        "leitong collection add news monday.jsonl --unique > monday.answers.jsonl\n"
        "leitong collection query news --text '谢谢同学们的支持'",
    .exit_codes = "0 done\n1 there was not one good record; get: an id is not there\n2 error\n130 stopped by a signal",
    .operands = "actions"};

constexpr CommandInfo collection_create_command{
    .command = cmd_collection_create,
    .name = "collection create",
    .purpose = "Make an empty collection",
    .usage = "STORE [--profile P] [-k K] [--ids KIND] [--texts] [--metadata] [FLAG...]",
    .description =
        "What is said here holds as long as the collection: the profile, what is kept of a document, and what its ids "
        "are. With --texts every match is verified by the texts, as dedup does; without, similarities are estimated "
        "from a second sketch.",
    .examples =
        "leitong collection create news --texts --metadata\n"
        "leitong collection create shop --profile java-hanlp --ids number --fingerprints-only",
    .exit_codes = exits_done,
    .least = 1,
    .most = 1,
    .operands = "files",
    .own_flags = create_flags,
    .run = run_collection_create};

constexpr CommandInfo collection_inspect_command{
    .command = cmd_collection_inspect,
    .name = "collection inspect",
    .purpose = "Say how another program has stored fingerprints on a server",
    .usage = "URL [--json]",
    .description =
        "Takes a sample and prints the layout that fits it best, as adopt takes it, with the evidence: how many of the sampled "
        "fingerprints stand where the layout says, and what a sample cannot tell. Writes nothing.",
    .examples = "leitong collection inspect 'redis://localhost:6379/0?prefix=simhash:'",
    .exit_codes = "0 done\n1 no layout that Leitong knows fits\n2 error",
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_collection_inspect};

constexpr CommandInfo collection_adopt_command{
    .command = cmd_collection_adopt,
    .name = "collection adopt",
    .purpose = "Take over what another program has stored on a server",
    .usage = "URL --profile P [-k K] [--ids KIND] [--layout L] [--sample FILE] [FLAG...]",
    .description =
        "Leaves a record of profile and layout beside what is there and changes nothing else, so that both programs can go on "
        "reading and writing. The profile is the one that makes the same fingerprints: leitong parity finds out which. Without "
        "--layout one is taken that fits what is stored, and in which the profile makes the stored fingerprints of the "
        "--sample, or of texts that are stored themselves; without any text, the order of bits in which leitong fingerprint "
        "--format bits prints them. Says what it took and why; if none fits, or several, it says so and takes none.",
    .examples =
        "leitong collection adopt 'redis://localhost:6379/0?prefix=simhash:' --profile java-hanlp --sample some.jsonl\n"
        "leitong collection query 'redis://localhost:6379/0?prefix=simhash:' today.jsonl",
    .exit_codes = exits_done,
    .least = 1,
    .most = 1,
    .operands = "files",
    .own_flags = adopt_flags,
    .run = run_collection_adopt};

constexpr CommandInfo collection_delete_command{
    .command = cmd_collection_delete,
    .name = "collection delete",
    .purpose = "Delete documents by their ids",
    .usage = "STORE ID...|-",
    .description = "- reads ids from standard input, one a line. Says how many of them were there.",
    .examples = "leitong collection delete news a1 a2\ncut -d, -f1 withdrawn.csv | leitong collection delete news -",
    .exit_codes = exits_done_or_stopped,
    .least = 2,
    .most = ~0U,
    .operands = "files",
    .run = run_collection_delete};

constexpr CommandInfo collection_get_command{
    .command = cmd_collection_get,
    .name = "collection get",
    .purpose = "Print documents by their ids",
    .usage = "STORE ID...|-",
    .description =
        "Prints {\"id\",\"sequence\",\"fingerprint\",\"metadata\",\"text\"} for each; what is not kept is null, and "
        "\"unverified\":true marks what came as a fingerprint. - reads ids from standard input, one a line.",
    .examples = "leitong collection get news a1",
    .exit_codes = "0 done\n1 an id is not there\n2 error\n130 stopped by a signal",
    .least = 2,
    .most = ~0U,
    .operands = "files",
    .run = run_collection_get};

constexpr CommandInfo collection_stats_command{
    .command = cmd_collection_stats,
    .name = "collection stats",
    .purpose = "Say what a collection holds",
    .usage = "STORE [--json]",
    .description = "Documents, profile, files, bytes. Rows count replaced and deleted documents, too, until they are merged away.",
    .examples = "leitong collection stats news --json",
    .exit_codes = exits_done,
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_collection_stats};

constexpr CommandInfo collection_check_command{
    .command = cmd_collection_check,
    .name = "collection check",
    .purpose = "Compare every byte of a collection with its checksums",
    .usage = "STORE",
    .description = "Names the first file that is damaged. Writers and readers may go on meanwhile.",
    .examples = "leitong collection check news",
    .exit_codes = "0 whole\n2 error, or damaged",
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_collection_check};

constexpr CommandInfo collection_compact_command{
    .command = cmd_collection_compact,
    .name = "collection compact",
    .purpose = "Merge a collection's files into what is fastest to read",
    .usage = "STORE",
    .description = "Replaced and deleted documents go for good. It is not needed: adding merges by itself what must be.",
    .examples = "leitong collection compact news",
    .exit_codes = "0 done\n2 error\n130 stopped by a signal; the collection is as before",
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_collection_compact};

constexpr CommandInfo collection_backup_command{
    .command = cmd_collection_backup,
    .name = "collection backup",
    .purpose = "Copy a collection as it is now",
    .usage = "DIR TO",
    .description = "TO is a new directory, and a collection like any other. Adding may go on meanwhile.",
    .examples = "leitong collection backup news /backup/news-monday",
    .exit_codes = exits_done,
    .least = 2,
    .most = 2,
    .operands = "files",
    .run = run_collection_backup};

constexpr CommandInfo collection_export_command{
    .command = cmd_collection_export,
    .name = "collection export",
    .purpose = "Print all documents as JSON Lines",
    .usage = "STORE [--output FILE]",
    .description =
        "One line a document as `collection get` prints it, as of the beginning of the command, in the order in which "
        "they were added. `collection import` reads it.",
    .examples = "leitong collection export news | zstd > news.jsonl.zst",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = 1,
    .operands = "files",
    .own_flags = export_flags,
    .run = run_collection_export};

}  // namespace leitong::cli
