// Flags by what a user wrote, and what their groups are called.
#include <algorithm>

#include "cli/flags.h"

namespace leitong::cli {
namespace {

bool has_name(const Flag& flag, std::string_view name) {
  if (name == flag.name) return true;
  for (const std::string_view alias : split_words(flag.aliases))
    if (alias == name) return true;
  return false;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

std::string canonical_name(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c == '_') c = '-';
  return out;
}

const Flag* find_flag(std::string_view name, Command command) {
  const std::string wanted = canonical_name(name);
  const Flag* other = nullptr;
  for (const Flag& flag : flags()) {
    if (!has_name(flag, wanted)) continue;
    if ((flag.commands & command) != 0) return &flag;
    other = &flag;
  }
  return other;
}

const Flag* find_letter(char letter, Command command) {
  for (const Flag& flag : flags())
    if (flag.letter == letter && (flag.commands & command) != 0) return &flag;
  return nullptr;
}

std::string_view refusal(std::string_view name) {
  const std::string wanted = canonical_name(name);
  if (wanted == "num-bucket" || wanted == "num-buckets" || wanted == "num-blocks" || wanted == "num-block")
    return "the join plans its own blocks from -k, so there is nothing to set";
  if (wanted == "num-perm" || wanted == "num-hashes" || wanted == "bands" || wanted == "rows")
    return "the bands follow from the number of records, or from --recall and --similarity; --threshold says how similar texts must be";
  return {};
}

std::string_view group_title(Group group) {
  switch (group) {
    case Group::fingerprints:
      return "Fingerprints";
    case Group::collection:
      return "Collection";
    case Group::input:
      return "Input";
    case Group::profile:
      return "Profile";
    case Group::matching:
      return "Matching";
    case Group::keeping:
      return "Groups";
    case Group::output:
      return "Output";
    case Group::calibration:
      return "Calibration";
    case Group::job:
      return "Job";
    case Group::general:
      break;
  }
  return "General";
}

}  // namespace leitong::cli
