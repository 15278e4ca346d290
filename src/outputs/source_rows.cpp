#include "outputs/source_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "leitong/file_name.h"

namespace leitong::outputs {
namespace {

using report::Source;

void add(Source& sum, const Source& part) {
  sum.records += part.records, sum.removed += part.removed, sum.rejected += part.rejected;
  sum.removed_for_old += part.removed_for_old;
}

std::vector<Source> largest_first(const std::vector<Source>& files, std::vector<std::size_t>& row_of) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::pair(files[x].records, files[x].removed) > std::pair(files[y].records, files[y].removed);
  });
  std::vector<Source> rows;
  for (const std::size_t file : order) {
    row_of[file] = rows.size();
    rows.push_back(files[file]);
  }
  return rows;
}

// A group of files: the path of the directory that contains them, the name that the files share there, and the number of names in it.
struct Group {
  std::string directory, name;
  Source sum;
  std::size_t entries = 1;
  std::vector<std::size_t> files;
};

// The operand that is the directory of a file (its path begins with it); empty for files that are operands themselves.
std::string_view directory_of(std::string_view path, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories)
    if (path.size() > directory.size() && path.starts_with(directory)) return directory;
  return {};
}

// One group for each entry directly in an input directory.
std::vector<Group> by_entry(const std::vector<Source>& files, const std::vector<std::string>& inputs) {
  std::vector<std::string> directories;
  for (const std::string& input : inputs) directories.push_back(input.ends_with('/') ? input : input + "/");
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Source& file = files[i];
    const std::string_view directory = directory_of(file.path, directories);
    const std::size_t slash = directory.empty() ? std::string::npos : file.path.find('/', directory.size());
    const std::string key = slash == std::string::npos ? file.path : file.path.substr(0, slash + 1);
    const auto [at, is_new] = index.try_emplace(key, groups.size());
    if (is_new) groups.push_back({std::string(directory), key.substr(directory.size()), {}, 1, {}});
    add(groups[at->second].sum, file);
    groups[at->second].files.push_back(i);
  }
  return groups;
}

// Groups entries whose names begin alike, up to the first character that is not a letter or digit.
std::vector<Group> by_beginning(const std::vector<Group>& entries) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const Group& entry : entries) {
    const std::size_t end = entry.name.find_first_of("-_.");
    const bool family = !entry.directory.empty() && end != std::string::npos && end > 0;
    if (!family) {
      groups.push_back(entry);
      continue;
    }
    const auto [at, is_new] = index.try_emplace({entry.directory, entry.name.substr(0, end + 1)}, groups.size());
    if (is_new) {
      groups.push_back(entry);
      continue;
    }
    Group& group = groups[at->second];
    group.name = at->first.second + "*";
    add(group.sum, entry.sum);
    group.files.insert(group.files.end(), entry.files.begin(), entry.files.end());
    ++group.entries;
  }
  return groups;
}

std::vector<Source> shown(std::vector<Source> rows) {
  for (Source& row : rows) row.path = shown_name(row.path);
  return rows;
}

}  // namespace

std::vector<Source> source_rows(std::vector<Source> files, const std::vector<std::string>& inputs, std::vector<std::size_t>* row_of) {
  std::vector<std::size_t> unwanted;
  std::vector<std::size_t>& rows_of = row_of != nullptr ? *row_of : unwanted;
  rows_of.assign(files.size(), 0);
  if (files.size() <= most_source_rows) return shown(largest_first(files, rows_of));
  std::vector<Group> groups = by_entry(files, inputs);
  if (groups.size() > most_source_rows) groups = by_beginning(groups);
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return std::pair(a.sum.records, a.sum.removed) > std::pair(b.sum.records, b.sum.removed);
  });
  const bool all = groups.size() <= most_source_rows;
  std::vector<Source> rows;
  Source rest;
  std::size_t summed = 0;
  std::string place = groups.front().directory;  // the directory of all summed groups, if they have the same one
  for (const Group& group : groups) {
    const bool own = all || (rows.size() < most_source_rows && group.sum.records > 1);
    for (const std::size_t file : group.files) rows_of[file] = own ? rows.size() : most_source_rows;
    if (own) {
      rows.push_back(group.sum);
      rows.back().path = group.directory + group.name;
      continue;
    }
    add(rest, group.sum);
    summed += group.entries;
    if (group.directory != place) place.clear();
  }
  if (summed > 0) {
    rest.path = fmt::format("{}… ({} {})", place, summed, rows.empty() ? "entries" : "others");
    for (std::size_t& row : rows_of)
      if (row == most_source_rows) row = rows.size();
    rows.push_back(rest);
  }
  return shown(std::move(rows));
}

}  // namespace leitong::outputs
