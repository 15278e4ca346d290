#include "records/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "records/chunker.h"
#include "records/format.h"
#include "records/json.h"
#include "records/utf8.h"
#include "text/html.h"

namespace leitong::records {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kBlock = (std::size_t{5} << 20) / 4;  // holds what a usual chunk unescapes to
constexpr std::size_t kText = 0, kId = 1, kFirstField = 2;  // in Parser::wanted_
constexpr std::string_view kBadQuotes = "broken quotes: a quoted field is not closed, or text follows its closing quote";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n\v\f") == kNone; }

std::string_view copy(std::string_view text, Parsed& out) {
  char* to = out.scratch->arena.reserve(out.storage, text.size());
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  out.scratch->arena.use(text.size());
  return {to, text.size()};
}

std::string_view as_json_string(std::string_view text, Parsed& out) {
  std::string& work = out.scratch->work;
  work.clear();
  append_json_string(work, text);
  return copy(work, out);
}

std::string_view json_text(const JsonValue& value, Parsed& out) {
  if (!value.escaped) return value.raw.substr(1, value.raw.size() - 2);
  char* to = out.scratch->arena.reserve(out.storage, value.raw.size() + 16);
  const std::size_t size = unescape_json(value.raw, to);
  out.scratch->arena.use(size);
  return {to, size};
}

std::string_view plain_value(const JsonValue& value, Parsed& out) {
  switch (value.kind) {
    case JsonKind::string:
      return json_text(value, out);
    case JsonKind::number:
    case JsonKind::boolean:
      return value.raw;
    default:
      return {};
  }
}

std::string_view csv_value(const CsvField& field, Parsed& out) {
  if (!field.escaped) return field.raw;
  char* to = out.scratch->arena.reserve(out.storage, field.raw.size());
  const std::size_t size = unescape_csv(field.raw, to);
  out.scratch->arena.use(size);
  return {to, size};
}

void find_columns(const std::vector<std::string>& header, const std::vector<std::string>& wanted, Parsed::Scratch& scratch) {
  if (scratch.header == header && scratch.columns.size() == wanted.size()) return;
  scratch.header = header;
  scratch.columns.clear();
  for (const std::string& name : wanted) {
    const auto found = std::find(header.begin(), header.end(), name);
    scratch.columns.push_back(found == header.end() ? kNone : static_cast<std::size_t>(found - header.begin()));
  }
}

std::vector<std::string> wanted_fields(const InputOptions& options) {
  std::vector<std::string> wanted{options.text_field, options.id_field};
  wanted.insert(wanted.end(), options.fields.begin(), options.fields.end());
  wanted.insert(wanted.end(), options.json_fields.begin(), options.json_fields.end());
  return wanted;
}

}  // namespace

// A piece on its way through the parser.
struct Parser::Run {
  const Chunk& chunk;
  const Chunk::Piece& piece;
  Parsed& out;
  bool valid = false;            // the whole piece is valid UTF-8
  std::uint32_t first_line = 0;  // lines of this source in earlier pieces of the chunk
  std::uint32_t line = 0;        // of the next record, in the piece

  [[nodiscard]] std::string_view bytes() const { return {chunk.bytes.data() + piece.begin, piece.end - piece.begin}; }
  [[nodiscard]] std::uint64_t offset(std::string_view raw) const {
    return piece.offset + static_cast<std::uint64_t>(raw.data() - chunk.bytes.data()) - piece.begin;
  }
};

char* Arena::reserve(std::vector<std::unique_ptr<char[]>>& storage, std::size_t size) {
  if (storage.empty() || capacity_ - used_ < size) {
    capacity_ = std::max(kBlock, size);
    used_ = 0;
    storage.push_back(std::make_unique_for_overwrite<char[]>(capacity_));
  }
  return storage.back().get() + used_;
}

void Arena::clear(std::vector<std::unique_ptr<char[]>>& storage) {
  used_ = 0;
  if (storage.size() > 1 || capacity_ > kBlock) {  // an exceptional chunk: its memory is given back
    storage.clear();
    capacity_ = 0;
  }
}

Parser::Parser(const InputOptions& options)
    : options_(options),
      limit_(static_cast<std::size_t>(std::clamp<std::uint64_t>(options.max_document_bytes, 1, std::uint64_t{1} << 40))),
      wanted_(wanted_fields(options)),
      paths_(wanted_) {}

void Parser::parse(const Chunk& chunk, const PathOf& path_of, Parsed& out) const {
  if (!out.scratch) {
    out.scratch = std::make_shared<Parsed::Scratch>();
    out.storage.clear();
  }
  out.scratch->arena.clear(out.storage);
  out.records.clear();
  out.rejects.clear();
  out.lines.clear();
  out.count = 0;
  std::uint32_t first_line = 0;
  for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
    const Chunk::Piece& piece = chunk.pieces[i];
    if (i > 0 && chunk.pieces[i - 1].source != piece.source) first_line = 0;
    Run run{chunk, piece, out, false, first_line, 0};
    if (!piece.reject.empty()) {
      out.rejects.push_back(
          {out.count++, piece.source, piece.offset, is_whole_file(piece.format) ? 0 : first_line, piece.reject, piece.whole});
      run.line = 1;
    } else if (is_whole_file(piece.format)) {
      whole_file(run, path_of);
    } else {
      run.valid = valid_utf8(run.bytes());
      is_table(piece.format) ? rows(run) : lines(run);
    }
    out.lines.push_back(run.line);
    first_line += run.line;
  }
}

bool Parser::parse_again(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  if (!out.scratch) out.scratch = std::make_shared<Parsed::Scratch>();
  out.scratch->arena.clear(out.storage);
  return content(piece, raw, false, out, record, reason);
}

void Parser::lines(Run& run) const {
  std::string_view rest = run.bytes();
  for (; !rest.empty(); ++run.line) {
    const std::size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(newline == kNone ? rest.size() : newline + 1);
    // To JSON a carriage return is white space, and the record is given back as it stands.
    const std::size_t end = newline != kNone && line.ends_with('\r') ? 1 : 0;
    if (run.piece.format == Format::lines) line.remove_suffix(end);
    if (line.size() > limit_ + (run.piece.format == Format::lines ? 0 : end)) {
      add(run, line, too_long(limit_));
    } else if (!is_blank(line)) {
      add(run, line, {});
    }
  }
}

void Parser::rows(Run& run) const {
  const char delimiter = delimiter_of(run.piece.format);
  std::string_view rest = run.bytes();
  bool header = run.piece.has_header;
  while (!rest.empty()) {
    const CsvRow found = scan_csv_row(rest, true, delimiter, limit_);
    const std::string_view raw = rest.substr(0, found.length);
    rest.remove_prefix(found.next);
    if (header && !raw.empty()) {
      header = false;
    } else if (found.state == CsvRow::State::too_long) {
      add(run, raw, too_long(limit_));
    } else if (found.state == CsvRow::State::bad_quotes && run.piece.format == Format::csv) {
      add(run, raw, kBadQuotes);
    } else if (!raw.empty()) {
      add(run, raw, {});
    }
    run.line += static_cast<std::uint32_t>(found.lines);
  }
}

void Parser::whole_file(Run& run, const PathOf& path_of) const {
  const std::string_view raw = run.bytes();
  const std::size_t before = run.out.records.size();
  if (raw.size() > limit_) {
    add(run, raw, too_long(limit_));
  } else {
    add(run, raw, {});
  }
  if (run.out.records.size() > before) run.out.records.back().id = as_json_string(path_of(run.piece.source), run.out);
  run.line = static_cast<std::uint32_t>(std::count(raw.begin(), raw.end(), '\n')) + (raw.empty() || raw.back() == '\n' ? 0U : 1U);
}

void Parser::add(Run& run, std::string_view raw, std::string_view defect) const {
  Parsed& out = run.out;
  Record record;
  record.index = out.count++;
  record.source = run.piece.source;
  record.offset = run.offset(raw);
  record.length = raw.size();
  record.line = is_whole_file(run.piece.format) ? 0 : run.first_line + run.line;
  record.raw = raw;
  std::string reason(defect);
  if (reason.empty() && content(run.piece, raw, run.valid, out, record, reason)) {
    out.records.push_back(std::move(record));
  } else {
    out.rejects.push_back({record.index, record.source, record.offset, record.line, std::move(reason), false});
  }
}

bool Parser::content(const Chunk::Piece& piece, std::string_view raw, bool known_valid, Parsed& out, Record& record,
                     std::string& reason) const {
  if (!known_valid && !valid_utf8(raw)) {
    reason = fmt::format("invalid UTF-8 at byte {}", valid_utf8_prefix(raw));
    return false;
  }
  switch (piece.format) {
    case Format::jsonl:
      return json(raw, out, record, reason);
    case Format::csv:
    case Format::tsv:
      return row(piece, raw, out, record, reason);
    case Format::html:
      text::html_to_text(raw, out.scratch->work);
      record.text = copy(out.scratch->work, out);
      break;
    case Format::text:
    case Format::lines:
      record.text = raw;
      break;
  }
  record.fields.resize(wanted_.size() - kFirstField);
  return true;
}

bool Parser::json(std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  JsonFields& fields = out.scratch->json;
  if (!fields.extract(paths_, raw)) {
    reason =
        fields.is_other_value() ? "not a JSON object" : fmt::format("broken JSON at byte {}: {}", fields.error_offset(), fields.error());
    return false;
  }
  const JsonValue& text = fields.value(kText);
  const bool none = text.kind == JsonKind::missing || text.kind == JsonKind::null;
  if (text.kind != JsonKind::string && (options_.need_text || !none)) {
    reason = text.kind == JsonKind::missing ? fmt::format("no field \"{}\"", options_.text_field)
                                            : fmt::format("field \"{}\" is not a string", options_.text_field);
    return false;
  }
  if (!none) record.text = json_text(text, out);
  const JsonValue& id = fields.value(kId);
  if (id.kind == JsonKind::string || id.kind == JsonKind::number || id.kind == JsonKind::boolean) record.id = id.raw;
  record.fields.reserve(wanted_.size() - kFirstField);
  for (std::size_t i = kFirstField; i < wanted_.size(); ++i)
    record.fields.push_back(i >= kFirstField + options_.fields.size() ? fields.value(i).raw : plain_value(fields.value(i), out));
  return true;
}

bool Parser::row(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  Parsed::Scratch& scratch = *out.scratch;
  find_columns(piece.header, wanted_, scratch);
  const char delimiter = delimiter_of(piece.format);
  const CsvRow found = scan_csv_row(raw, true, delimiter, limit_);
  const bool quotes = found.state == CsvRow::State::good;
  if (found.length != raw.size() || (!quotes && piece.format == Format::csv)) {
    reason = kBadQuotes;
    return false;
  }
  split_csv_row(raw, delimiter, quotes, scratch.row);
  if (scratch.row.size() != piece.header.size()) {
    reason = fmt::format("{} columns instead of {}", scratch.row.size(), piece.header.size());
    return false;
  }
  const auto value = [&](std::size_t wanted) {
    const std::size_t column = scratch.columns[wanted];
    return column == kNone ? std::string_view{} : csv_value(scratch.row[column], out);
  };
  if (scratch.columns[kText] == kNone && options_.need_text) {
    reason = fmt::format("no field \"{}\"", options_.text_field);
    return false;
  }
  record.text = value(kText);
  if (const std::string_view id = value(kId); !id.empty()) record.id = as_json_string(id, out);
  record.fields.reserve(wanted_.size() - kFirstField);
  for (std::size_t i = kFirstField; i < wanted_.size(); ++i) {
    const bool there = scratch.columns[i] != kNone;
    record.fields.push_back(i >= kFirstField + options_.fields.size() && there ? as_json_string(value(i), out) : value(i));
  }
  return true;
}

}  // namespace leitong::records
