#include "job/text_field_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "leitong/error.h"

namespace leitong::job {
namespace {

constexpr std::uint64_t enough = 1000;
constexpr std::size_t most_names = 30;

// Edit distance: insertions, deletions and substitutions.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// Suggests a field: one with a similar name, one with the same name elsewhere in the record, or one with a common name for texts.
std::string nearest(const std::string& wanted, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = (wanted.size() < 4 ? 1 : std::max<std::size_t>(2, wanted.size() / 3)) + 1;
  for (const std::string& name : names) {
    const bool part = last_part(name) == last_part(wanted) || (wanted.size() >= 3 && last_part(name).starts_with(wanted));
    const std::size_t cost = part ? 1 : edits(wanted, name);
    if (cost < least) least = cost, best = name;
  }
  for (const char* usual : {"text", "content", "body"})
    for (const std::string& name : names)
      if (best.empty() && last_part(name) == usual) best = name;
  return best;
}

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

void TextFieldWatch::add(const records::Input& input, const records::Parsed& parsed) {
  good_ += parsed.records.size();
  fields_ |= parsed.text_fields;
  for (const records::Reject& reject : parsed.rejects) {
    if (!reject.no_text) {
      ++otherwise_bad_;
    } else if (without_++ == 0) {
      source_ = reject.source;
      reason_ = reject.reason;
    }
  }
  for (const std::string& name : parsed.field_names)
    if (names_.size() < most_names && std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  if (good_ == 0 && without_ >= enough) refuse(input);
}

void TextFieldWatch::finish(const records::Input& input) const {
  if (good_ == 0 && without_ > otherwise_bad_) refuse(input);
}

std::vector<std::string> TextFieldWatch::sentences(const records::Input& input) const {
  std::vector<std::string> list;
  const std::vector<std::string> wanted = records::text_fields_of(input.options());
  for (std::size_t i = 0; i < wanted.size() && wanted.size() > 1 && fields_ != 0; ++i)
    if ((fields_ >> i & 1) == 0) list.push_back(fmt::format("no record has the field \"{}\" of --text-field", wanted[i]));
  return list;
}

void TextFieldWatch::refuse(const records::Input& input) const {
  const std::vector<std::string> wanted = records::text_fields_of(input.options());
  std::string suggestion;
  for (const std::string& name : wanted)
    if (suggestion.empty()) suggestion = nearest(name, names_);
  const std::string records = without_ >= enough ? fmt::format("the first {} records are", without_)
                              : without_ == 1    ? "the record is"
                                                 : fmt::format("all {} records are", without_);
  throw Error(ErrorCode::format, fmt::format("{}: {} without a text ({}); {}{}; --text-field says where the text is",
                                             shown(input.source_path(source_)), records, reason_,
                                             names_.empty() ? "they have no field at all"
                                                            : fmt::format("fields seen: {}{}", fmt::join(names_, ", "),
                                                                          names_.size() == most_names ? ", ..." : ""),
                                             suggestion.empty() ? "" : fmt::format("; did you mean \"{}\"?", suggestion)));
}

}  // namespace leitong::job
