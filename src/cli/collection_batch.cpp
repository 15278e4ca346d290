#include "cli/collection_batch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "cli/signals.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

constexpr std::size_t ids_at_once = 1000, longest_id = 65'535;

bool is_number(std::string_view id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() && (id.size() == 1 || id[0] != '0');
}

void use_lines(const std::function<void(std::span<const std::string_view>)>& use) {
  InputOptions input;
  input.paths = {"-"};
  input.format = "lines";
  input.strict = true;  // half of a list is not what was asked for
  JobOptions job;
  job.threads = 1;
  job.stop = stop_flag();
  const auto make_worker = [] { return [](const RecordView& record, std::string& out) { append_part(out, record.text); }; };
  (void)map_records(input, job, "ids", make_worker, [&](std::string_view parts) {
    std::vector<std::string_view> ids;
    while (!parts.empty()) {
      ids.push_back(take_part(parts));
      if (ids.size() < ids_at_once && !parts.empty()) continue;
      use(ids);
      ids.clear();
    }
  });
}

}  // namespace

std::string refused_id(const CollectionOptions& options, std::string_view id) {
  if (id.empty()) return "the id is empty";
  if (options.ids == CollectionIds::number && !is_number(id))
    return fmt::format("the id \"{}\" is no whole number below 2^64, as this collection's are; one for other ids is made with --ids text",
                       harmless(id.substr(0, 100)));
  if (id.size() > longest_id) return fmt::format("the id has {} bytes; at most 65,535 are possible", human_count(id.size()));
  return {};
}

void append_part(std::string& out, std::string_view part) {
  const std::uint64_t size = part.size();
  char bytes[sizeof size];
  std::memcpy(bytes, &size, sizeof size);
  out.append(bytes, sizeof size).append(part);
}

std::string_view take_part(std::string_view& parts) {
  std::uint64_t size = 0;
  std::memcpy(&size, parts.data(), sizeof size);
  const std::string_view part = parts.substr(sizeof size, static_cast<std::size_t>(size));
  parts.remove_prefix(sizeof size + part.size());
  return part;
}

void CollectionBatch::only_unique(const CollectionQuery& query, Answer answer) {
  unique_ = query;
  answer_ = std::move(answer);
}

void CollectionBatch::add(std::string_view id, std::string_view text, std::string_view metadata) { wait(id, text, metadata, std::nullopt); }

void CollectionBatch::add(std::string_view id, const Fingerprint& fingerprint, std::string_view metadata) {
  wait(id, {}, metadata, fingerprint);
}

void CollectionBatch::wait(std::string_view id, std::string_view text, std::string_view metadata,
                           const std::optional<Fingerprint>& fingerprint) {
  waiting_.push_back({id.size(), text.size(), metadata.size(), fingerprint});
  bytes_.append(id).append(text).append(metadata);
}

void CollectionBatch::flush() {
  std::vector<CollectionDocument> documents;
  std::vector<CollectionFingerprint> fingerprints;
  std::string_view rest = bytes_;
  const auto take = [&](std::size_t size) {
    const std::string_view part = rest.substr(0, size);
    rest.remove_prefix(size);
    return part;
  };
  for (const Waiting& one : waiting_) {
    const std::string_view id = take(one.id), text = take(one.text), metadata = take(one.metadata);
    if (one.fingerprint) {
      fingerprints.push_back({id, *one.fingerprint, metadata});
    } else {
      documents.push_back({id, text, metadata});
    }
  }
  if (!documents.empty()) put(documents);
  if (!fingerprints.empty()) {
    if (load_)
      load_->add(fingerprints);
    else
      collection_.add_fingerprints(fingerprints, acknowledge_);
  }
  fingerprints_ += fingerprints.size();
  waiting_.clear();
  bytes_.clear();
}

void CollectionBatch::commit() {
  flush();
  load_->commit();
  load_.reset();
}

void CollectionBatch::put(std::span<const CollectionDocument> documents) {
  if (!unique_) {
    if (load_)
      load_->add(documents);
    else
      collection_.add(documents, acknowledge_);
    added_ += documents.size();
    return;
  }
  const std::vector<CollectionOutcome> outcomes = collection_.add_unique(documents, *unique_, acknowledge_);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ++(outcomes[i].added ? added_ : duplicates_);
    answer_(documents[i].id, outcomes[i]);
  }
}

void for_ids(std::span<const std::string> operands, const std::function<void(std::span<const std::string_view>)>& use) {
  if (operands.size() == 1 && operands[0] == "-") {
    use_lines(use);
  } else {
    use(std::vector<std::string_view>(operands.begin(), operands.end()));
  }
}

}  // namespace leitong::cli
