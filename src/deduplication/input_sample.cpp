#include "deduplication/input_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "leitong/error.h"
#include "records/column_file.h"
#include "records/encoding.h"
#include "records/format.h"
#include "records/spool.h"
#include "records/unpack.h"

namespace leitong::deduplication {
namespace {

constexpr std::size_t head_bytes = 8192;  // bytes from which a format is detected

// Reads up to `size` bytes from the current position of the stream.
std::string read_some(std::istream& in, std::uint64_t size) {
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// The lines that begin in [offset, offset + size).
std::string lines_at(std::istream& in, std::uint64_t offset, std::uint64_t size) {
  std::string skipped, last;
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset == 0 ? 0 : offset - 1));
  if (offset > 0) std::getline(in, skipped);
  if (skipped.size() > size) return {};  // all of it belongs to a line that began earlier
  std::string lines = read_some(in, size - std::min<std::uint64_t>(size, skipped.size()));
  if (!lines.empty() && lines.back() != '\n' && std::getline(in, last)) lines += last + "\n";
  return lines;
}

bool is_packed(std::string_view head) { return records::detect_compression(head) != records::Compression::none; }

}  // namespace

InputSample::InputSample(const InputOptions& input, std::string directory, std::uint64_t bytes)
    : options_(input), directory_(std::move(directory)), format_(input.format), entries_(records::expand_paths(input)) {
  std::filesystem::create_directories(directory_);
  for (const records::Entry& entry : entries_) {
    if (entry.table)
      throw Error(ErrorCode::unsupported, entry.path + ": a plan is made of files; of records in memory their number says as much");
    total_bytes_ += entry.size;
    if (entry.spooled) take_stream(entry, bytes);
  }
  find_longest();
  const std::uint64_t of_files = total_bytes_ - std::min(total_bytes_, sampled_bytes_),
                      units = std::max<std::uint64_t>(bytes / unit_bytes, 1);
  std::uint64_t before = 0;  // bytes of the entries before `entry`
  std::size_t entry = 0;
  for (std::uint64_t unit = 0; unit < units && of_files > 0; ++unit) {
    const std::uint64_t target = of_files / units * unit;
    for (; entry < entries_.size() && before + entries_[entry].size <= target; ++entry) before += entries_[entry].size;
    take_unit(entry, target - before, bytes);
  }
}

InputOptions InputSample::input() const {
  InputOptions sample = options_;
  sample.paths = {directory_};
  const auto given = records::parse_format(format_);
  sample.format = given && records::is_columnar(*given) ? "auto" : format_;  // rows are taken as JSON Lines
  sample.include.clear(), sample.exclude.clear();
  sample.strict = false;  // a record that is cut in two must not be an error
  return sample;
}

void InputSample::write(const std::string& path, std::string_view content) {
  const std::string name = std::filesystem::path(path).filename().string();
  const std::string sample = fmt::format("{}/{:08}-{}", directory_, units_.size(), name);
  std::ofstream file(sample, std::ios::binary);
  file << content;
  if (!file.flush())
    throw Error(ErrorCode::io, sample + ": a sample of the inputs could not be written; is there room for temporary files?");
  units_.push_back(unit_);
  sampled_bytes_ += content.size();
}

InputSample::Kind InputSample::kind_of(const records::Entry& entry) const {
  std::ifstream file(entry.path, std::ios::binary);
  const std::string head = read_some(file, head_bytes);
  const auto given = records::parse_format(format_);
  const bool packed = is_packed(head);  // then the format shows in the name, not in the first bytes
  // From a position inside a UTF-16 file neither the encoding nor the start of a character can be found, so it is read from the start, like
  // a compressed file.
  const auto encoding = records::encoding_of_head(records::parse_encoding(options_.encoding), head);
  const bool wide = encoding && encoding->name.starts_with("UTF-");
  if (!given && records::begins_archive(head)) return {records::Format::warc, false};
  if (const auto columns = records::column_format(head); columns && !given) return {*columns, false};
  return {given ? *given : records::detect_format(entry.path, false, packed || wide ? std::string_view() : head), packed || wide};
}

void InputSample::find_longest() {
  constexpr std::uint64_t expansion = 4;  // assumed ratio of text to compressed bytes
  for (const records::Entry& entry : entries_) {
    if (entry.spooled || !entry.error.empty() || entry.size <= unit_bytes) continue;
    const Kind kind = kind_of(entry);
    const std::uint64_t size = kind.packed ? expansion * entry.size : entry.size;
    if (records::is_whole_file(kind.format) && size <= options_.max_document_bytes) longest_document_ = std::max(longest_document_, size);
  }
}

void InputSample::take_stream(const records::Entry& entry, std::uint64_t bytes) {
  std::ifstream file;
  if (entry.path != "-") file.open(entry.path, std::ios::binary);
  std::istream& in = entry.path == "-" ? std::cin : file;
  std::string content = read_some(in, bytes);
  if (content.size() == bytes && in.peek() != std::istream::traits_type::eof()) {
    open_ended_ = true;
    if (!is_packed(content)) content.resize(std::min(content.size(), content.rfind('\n') + 1));
  }
  const std::string spool = directory_ + ".spool";
  records::SpoolWriter writer(spool);
  writer.append(content);
  writer.finish();
  spool_bytes_ += std::filesystem::file_size(spool);
  std::filesystem::remove(spool);
  if (format_ == "auto" && entries_.size() == 1 && !is_packed(content))
    format_ = records::name_of(records::detect_format(entry.path, true, std::string_view(content).substr(0, head_bytes)));
  write(entry.path == "-" ? "stdin" : entry.path, content);
  total_bytes_ += content.size();
  ++unit_;
}

// Takes one unit that begins in this entry and continues with the next entries until it is full.
void InputSample::take_unit(std::size_t entry, std::uint64_t offset, std::uint64_t bytes) {
  std::uint64_t taken = 0;
  for (; entry < entries_.size() && taken < unit_bytes; ++entry, offset = 0)
    if (entry >= unused_ && !entries_[entry].spooled && entries_[entry].error.empty())
      taken += take_file(entry, offset, unit_bytes - taken, bytes);
    else if (entry < unused_ && offset > 0)
      return;  // inside a file that has been taken already
  ++unit_;
}

// A file that is damaged gives what stands before.
std::uint64_t InputSample::take_rows(const records::Entry& entry, std::uint64_t offset, std::uint64_t wanted) {
  std::string lines;
  const double size = static_cast<double>(std::max<std::uint64_t>(entry.size, 1));
  try {
    const auto file = records::open_column_file(entry.path, entry.path);
    const auto rows = static_cast<double>(file->rows().value_or(0));
    const auto objects = file->objects();
    auto row = static_cast<std::uint64_t>(static_cast<double>(offset) / size * rows);
    const auto end = static_cast<std::uint64_t>(std::min(rows, std::ceil(static_cast<double>(offset + wanted) / size * rows)));
    for (; row < end; ++row) {
      objects->append(row, lines);
      lines.push_back('\n');
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;
  }
  const std::uint64_t before = sampled_bytes_;
  write(entry.path + ".jsonl", lines);
  const std::uint64_t taken = std::min(wanted, entry.size - std::min(entry.size, offset));
  sampled_bytes_ = before + taken;
  return std::max<std::uint64_t>(taken, 1);
}

std::uint64_t InputSample::take_file(std::size_t index, std::uint64_t offset, std::uint64_t wanted, std::uint64_t bytes) {
  const records::Entry& entry = entries_[index];
  const Kind kind = kind_of(entry);
  if (records::is_columnar(kind.format)) return take_rows(entry, offset, wanted);
  std::ifstream file(entry.path, std::ios::binary);
  const auto [format, packed] = kind;
  const bool whole = entry.size <= 2 * unit_bytes || (records::is_whole_file(format) && entry.size <= bytes);
  if (whole || packed || records::is_whole_file(format)) unused_ = index + 1;
  if (entry.size > unit_bytes && whole) {
    // A longer file is hit by more units, and taking it adds more bytes. So only some of the long files that are hit are taken, so that
    // every byte has the same chance.
    long_files_ += static_cast<double>(unit_bytes) / static_cast<double>(entry.size);
    if (long_files_ < 1) return 0;
    long_files_ -= 1;
  }
  std::string content;
  if (whole) {
    content = read_some(file, entry.size);
  } else if (packed) {
    const double share = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(total_bytes_, 1));
    content = read_some(file, std::max<std::uint64_t>(4 * unit_bytes, static_cast<std::uint64_t>(share * static_cast<double>(entry.size))));
  } else if (records::is_whole_file(format)) {
    return 0;  // longer than the limit for documents
  } else {
    if (offset > 0 && options_.header && records::is_table(format)) {
      std::getline(file, content);
      content.push_back('\n');
    }
    content += lines_at(file, offset, wanted);
  }
  write(entry.path, content);
  return std::max<std::uint64_t>(content.size(), 1);
}

}  // namespace leitong::deduplication
