#include "records/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "leitong/error.h"
#include "leitong/file_name.h"
#include "records/input.h"

namespace leitong::records {
namespace {

constexpr std::size_t most_names = 30;

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "it has no columns at all";
  const std::size_t shown = std::min(names.size(), most_names);
  return fmt::format("its columns are {}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? ", ..." : "");
}

std::string described(const ColumnType& type) { return type.kind == ColumnKind::missing ? "missing" : type.name; }

}  // namespace

void ColumnCheck::check(const std::string& path, const ColumnSource& source, const std::vector<ColumnType>& types) {
  const std::string name = path == "-" ? "standard input" : shown_name(path);
  for (std::size_t i = 0; i < texts_; ++i)
    if (types[i].kind != ColumnKind::text && types[i].kind != ColumnKind::missing)
      throw Error(ErrorCode::format,
                  fmt::format("{}: column \"{}\" is {}, not text; --text-field says where the text is{}", name, wanted_[i], types[i].name,
                              types[i].kind == ColumnKind::nested ? fmt::format(" (\"{}.*\": the strings of a list)", wanted_[i]) : ""));
  const auto is_there = [](const ColumnType& type) { return type.kind != ColumnKind::missing; };
  if (need_text_ && std::none_of(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(texts_), is_there))
    throw Error(
        ErrorCode::format,
        fmt::format("{}: it has no column \"{}\": {}; --text-field says where the text is", name,
                    fmt::join(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(texts_), "\" or \""), listed(source.names())));
  if (first_.empty()) {
    first_ = types, first_name_ = name;
    return;
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i].kind != first_[i].kind)
      throw Error(ErrorCode::format, fmt::format("{}: column \"{}\" is {}, and {} in {}: a column must be the same in all files", name,
                                                 wanted_[i], described(types[i]), described(first_[i]), first_name_));
}

}  // namespace leitong::records
