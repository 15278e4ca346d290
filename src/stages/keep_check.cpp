#include "stages/keep_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace leitong::stages {

KeepCheck::KeepCheck(const std::string& keep, const sketches::SketchSet& set) : set_(set) {
  for (std::size_t begin = 0; begin <= keep.size();) {
    const std::size_t end = std::min(keep.find(',', begin), keep.size());
    Rule rule{keep.substr(begin, end - begin), cluster::KeepPolicy(keep.substr(begin, end - begin)), {}, false};
    begin = end + 1;
    if (rule.policy.fields().empty()) continue;
    for (const auto& file : set.files()) {
      const auto& fields = file.metadata.input.fields;
      std::vector<std::size_t>& columns = rule.columns.emplace_back();
      for (const std::string& field : rule.policy.fields())
        columns.push_back(static_cast<std::size_t>(std::find(fields.begin(), fields.end(), field) - fields.begin()));
    }
    rules_.push_back(std::move(rule));
  }
}

void KeepCheck::add(std::size_t file, std::uint32_t source, std::string_view packed_fields) {
  const std::vector<std::string_view> fields = sketches::unpack_fields(packed_fields);
  const cluster::KeepCandidate blank{0, 0, "", {""}};
  std::erase_if(rules_, [&](Rule& rule) {
    cluster::KeepCandidate own{0, 0, set_.files()[file].metadata.sources.at(source).path, {}};
    for (const std::size_t column : rule.columns[file]) {
      own.fields.push_back(column < fields.size() ? fields[column] : std::string_view{});
      rule.has_field = rule.has_field || !own.fields.back().empty();
    }
    return rule.policy.key(0, own) != rule.policy.key(0, blank);
  });
}

std::vector<std::string> KeepCheck::sentences() const {
  std::vector<std::string> all;
  for (const Rule& rule : rules_) {
    const std::string& field = rule.policy.fields().front();
    all.push_back(
        rule.has_field
            ? fmt::format("--keep: the rule \"{}\" decided nothing: no record's \"{}\" has a value that it can use", rule.text, field)
            : fmt::format("--keep: the rule \"{}\" decided nothing: no record has a field \"{}\" (of the record itself "
                          "are length:max, length:min, first and last)",
                          rule.text, field));
  }
  return all;
}

}  // namespace leitong::stages
