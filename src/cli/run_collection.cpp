// leitong collection: the actions on a collection that do not read records.
#include "cli/run_collection.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/collection_batch.h"
#include "cli/collection_lines.h"
#include "cli/fingerprint_input.h"
#include "cli/signals.h"
#include "leitong/error.h"
#include "leitong/near_fingerprints.h"
#include "leitong/output.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

// What --profile, -k and the like say of a new collection.
CollectionOptions options_of(const Settings& s) {
  CollectionOptions options;
  options.profile = effective_profile(s);
  for (const std::string& sentence : profile_warnings(options.profile)) print_note(sentence);
  options.k = s.k.value_or(options.k);
  options.ids = s.number_ids ? CollectionIds::number : CollectionIds::text;
  options.texts = s.keep_texts;
  options.metadata = s.keep_metadata;
  options.fingerprints_only = s.fingerprints_only;
  if (s.keep_texts && s.fingerprints_only)
    throw Error(ErrorCode::usage, "--texts and --fingerprints-only contradict each other: give one of them");
  options.layout = s.layout;
  return options;
}

struct SampleText {
  std::string id, text;
};

// Documents of --sample, as many as evidence needs.
std::vector<SampleText> sample_of(const Invocation& invocation) {
  constexpr std::size_t most = 1'000;
  const Settings& s = invocation.settings;
  std::vector<SampleText> sample;
  if (s.sample.empty()) return sample;
  InputOptions input = s.input;
  input.paths = {s.sample};
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
  if (sample.empty()) throw Error(ErrorCode::usage, s.sample + ": holds no record with an id and a text");
  return sample;
}

int adopt(const Invocation& invocation, Output& output) {
  const std::string& url = invocation.operands[0];
  if (invocation.settings.profile.empty())
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

int inspect(const Invocation& invocation, Output& output) {
  const StoreInspection found = inspect_store(invocation.operands[0]);
  output.write(invocation.settings.json ? inspection_as_json(found) : inspection_for_people(found));
  return found.layout.empty() ? 1 : 0;
}

std::span<const std::string> operands_behind_directory(const Invocation& invocation) { return std::span(invocation.operands).subspan(1); }

// Ids that a person gave: one that cannot be there is a mistake.
void check_ids(const CollectionOptions& options, std::span<const std::string_view> ids) {
  for (const std::string_view id : ids)
    if (const std::string reason = refused_id(options, id); !reason.empty()) throw Error(ErrorCode::usage, reason);
}

int erase(const Invocation& invocation, Output& output) {
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

int get(const Invocation& invocation, Output& output) {
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

int check(const Invocation& invocation, Output& output) {
  end_at_first_signal();
  const Collection collection = open_collection(invocation, Access::read);
  collection.check();
  output.write(fmt::format("whole: {}\n", counted(collection.stats().documents, "document")));
  return 0;
}

int compact(const Invocation& invocation) {
  end_at_first_signal();
  Collection collection = open_collection(invocation, Access::write);
  collection.compact();
  collection.close();
  return 0;
}

int backup(const Invocation& invocation) {
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

int print_documents(const Invocation& invocation, Output& output) {
  const std::string& target = invocation.settings.output;
  const bool to_file = !target.empty() && target != "-";
  if (to_file) check_output(target, {}, OutputForm::text);
  if (to_file && !invocation.settings.overwrite && std::filesystem::exists(target))
    throw Error(ErrorCode::usage, target + ": is there already: give another --output, or --overwrite to replace it");
  const Collection collection = open_collection(invocation, Access::read);
  if (to_file) {
    write_whole_file(target, [&](const LineSink& sink) { print_all(collection, sink); });
  } else {
    print_all(collection, [&](std::string_view lines) { output.write(lines); });
  }
  return 0;
}

int show_stats(const Invocation& invocation, Output& output) {
  const Collection collection = open_collection(invocation, Access::read);
  output.write(invocation.settings.json ? stats_as_json(collection) : stats_for_people(collection));
  return 0;
}

}  // namespace

Collection open_collection(const Invocation& invocation, Access access) {
  const Settings& s = invocation.settings;
  CollectionOpen open;
  open.key = key_of(s);
  if (!s.profile.empty()) open.profile_id = profile_id(effective_profile(s));
  open.threads = s.job.threads;
  open.memory = s.job.memory;
  return {invocation.operands[0], access, open};
}

std::vector<std::string> inputs_of(const Invocation& invocation) {
  const auto inputs = operands_behind_directory(invocation);
  return inputs.empty() ? std::vector<std::string>{"-"} : std::vector<std::string>(inputs.begin(), inputs.end());
}

int run_collection(const Invocation& invocation, Output& output) {
  switch (invocation.command) {
    case cmd_collection_create:
      Collection::create(invocation.operands[0], options_of(invocation.settings));
      return 0;
    case cmd_collection_adopt:
      return adopt(invocation, output);
    case cmd_collection_inspect:
      return inspect(invocation, output);
    case cmd_collection_add:
      return run_collection_add(invocation, output);
    case cmd_collection_query:
      return run_collection_query(invocation, output);
    case cmd_collection_import:
      return run_collection_import(invocation, output);
    case cmd_collection_clusters:
      return run_collection_clusters(invocation, output);
    case cmd_collection_delete:
      return erase(invocation, output);
    case cmd_collection_get:
      return get(invocation, output);
    case cmd_collection_check:
      return check(invocation, output);
    case cmd_collection_compact:
      return compact(invocation);
    case cmd_collection_backup:
      return backup(invocation);
    case cmd_collection_export:
      return print_documents(invocation, output);
    default:
      return show_stats(invocation, output);
  }
}

}  // namespace leitong::cli
