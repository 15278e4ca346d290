#include "records/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "leitong/file_name.h"
#include "records/chunker.h"
#include "records/encoding.h"
#include "records/format.h"
#include "records/json.h"
#include "records/utf8.h"
#include "text/canonical_link.h"
#include "text/host.h"
#include "text/html.h"

namespace leitong::records {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::size_t most_names = 64;  // of fields that records without a text have
constexpr unsigned most_named = 8;      // records of a chunk that are looked at for them
constexpr std::string_view bad_quotes_reason = "broken quotes: a quoted field is not closed, or text follows its closing quote";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n\v\f") == none; }

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

std::string_view json_text(const JsonPiece& value, Parsed& out) {
  if (!value.escaped) return value.raw.substr(1, value.raw.size() - 2);
  char* to = out.scratch->arena.reserve(out.storage, value.raw.size() + 16);
  const std::size_t size = unescape_json(value.raw, to);
  out.scratch->arena.use(size);
  return {to, size};
}

// The strings' texts, a line end between each and the next.
std::string_view joined_text(const std::vector<JsonPiece>& strings, Parsed& out) {
  if (strings.size() == 1) return json_text(strings.front(), out);
  std::size_t room = 16;
  for (const JsonPiece& string : strings) room += string.raw.size();  // the quotes' room is the line end's
  char* const begin = out.scratch->arena.reserve(out.storage, room);
  char* to = begin;
  for (const JsonPiece& string : strings) {
    if (to != begin) *to++ = '\n';
    if (string.escaped) {
      to += unescape_json(string.raw, to);
    } else {
      to = std::copy(string.raw.begin() + 1, string.raw.end() - 1, to);
    }
  }
  out.scratch->arena.use(static_cast<std::size_t>(to - begin));
  return {begin, static_cast<std::size_t>(to - begin)};
}

std::string_view plain_value(const JsonPiece& value, Parsed& out) {
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
    scratch.columns.push_back(found == header.end() ? none : static_cast<std::size_t>(found - header.begin()));
  }
}

std::vector<std::string> wanted_fields(const InputOptions& options) {
  std::vector<std::string> wanted = text_fields_of(options);
  wanted.push_back(options.id_field);
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
  // Nothing follows, not even a line end: the source ends there, for else a piece ends at a line end.
  [[nodiscard]] bool ends_with(std::string_view raw) const { return raw.data() + raw.size() == chunk.bytes.data() + piece.end; }
  [[nodiscard]] std::uint64_t offset(std::string_view raw) const {
    return piece.offset + static_cast<std::uint64_t>(raw.data() - chunk.bytes.data()) - piece.begin;
  }
};

Parser::Parser(const InputOptions& options)
    : options_(options),
      limit_(static_cast<std::size_t>(std::clamp<std::uint64_t>(options.max_document_bytes, 1, std::uint64_t{1} << 40))),
      encoding_(parse_encoding(options.encoding)),
      wanted_of_page_(pages::wanted_named(options.extract)),
      texts_(text_fields_of(options).size()),
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
  out.field_names.clear();
  out.archive = {};
  out.text_fields = 0;
  out.pages = out.pages_fallen_back = 0;
  out.scratch->page_facts.clear();
  out.scratch->named = 0;
  out.count = 0;
  std::uint32_t first_line = 0;
  for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
    const Chunk::Piece& piece = chunk.pieces[i];
    if (i > 0 && chunk.pieces[i - 1].source != piece.source) first_line = 0;
    Run run{chunk, piece, out, false, first_line, 0};
    if (!piece.reject.empty()) {
      out.rejects.push_back(
          {out.count++, piece.source, piece.offset, is_whole_file(piece.format) ? 0 : first_line, piece.reject, piece.whole, false});
      run.line = 1;
    } else if (piece.batch != nullptr) {
      rows_of_table(run);
    } else if (piece.format == Format::warc) {
      archive(run);
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

bool Parser::parse_row(const ColumnBatch& batch, const ColumnValues& values, std::size_t row, Parsed& out, Record& record,
                       std::string& reason) const {
  if (!out.scratch) out.scratch = std::make_shared<Parsed::Scratch>();
  if (!column_texts(batch, values, row, out, record, reason)) return false;
  const auto value = [&](std::size_t column) {
    return batch.types()[column].kind == ColumnKind::missing ? std::string_view() : values.columns[column][row];
  };
  const ColumnKind of_id = batch.types()[texts_].kind;
  if (const std::string_view id = value(texts_); id.data() != nullptr) {
    if (of_id == ColumnKind::text) record.id = as_json_string(id, out);
    if (of_id == ColumnKind::scalar) record.id = id;
  }
  const std::size_t first = texts_ + 1, as_json = first + options_.fields.size();
  record.fields.reserve(wanted_.size() - first);
  for (std::size_t i = first; i < wanted_.size(); ++i) {
    const ColumnKind kind = batch.types()[i].kind;
    const std::string_view plain = value(i);
    if (i >= as_json && kind != ColumnKind::missing)
      record.fields.push_back(plain.data() == nullptr ? "null" : kind == ColumnKind::text ? as_json_string(plain, out) : plain);
    else
      record.fields.push_back(kind == ColumnKind::text || kind == ColumnKind::scalar ? plain : std::string_view());
  }
  return true;
}

void Parser::rows_of_table(Run& run) const {
  Parsed& out = run.out;
  const ColumnBatch& batch = *run.piece.batch;
  ColumnValues& values = out.scratch->values;
  batch.read(values);
  for (std::uint32_t row = 0; row < batch.rows(); ++row) {
    Record record;
    record.index = out.count++;
    record.source = run.piece.source;
    record.offset = batch.first_row() + row;
    record.length = 1;
    record.line = run.first_line + row;
    std::string reason;
    out.scratch->no_text = false;
    if (parse_row(batch, values, row, out, record, reason))
      out.records.push_back(std::move(record));
    else
      out.rejects.push_back({record.index, record.source, record.offset, record.line, std::move(reason), false, out.scratch->no_text});
  }
  run.line = batch.rows();
}

// What is null is left out; so is a column that the table lacks, as long as it has another one (check_columns).
bool Parser::column_texts(const ColumnBatch& batch, const ColumnValues& values, std::size_t row, Parsed& out, Record& record,
                          std::string& reason) const {
  std::size_t found = 0;
  std::string& work = out.scratch->work;
  work.clear();
  for (std::size_t i = 0; i < texts_; ++i) {
    if (batch.types()[i].kind != ColumnKind::text) continue;
    out.text_fields |= std::uint64_t{1} << i;
    const std::string_view text = values.columns[i][row];
    if (text.data() == nullptr) continue;
    if (texts_ > 1) work.append(found == 0 ? "" : "\n").append(text);
    if (found++ == 0) record.text = text;
  }
  if (texts_ > 1) record.text = copy(work, out);
  const bool of_page = !options_.html_field.empty() && found > 0;
  if (found == 0 && options_.need_text)
    reason = texts_ == 1 && !paths_.paths()[0].many ? fmt::format("field \"{}\" is not a string", wanted_[0]) : no_field();
  else if (record.text.size() > limit_)
    reason = too_long(limit_);
  else if (!valid_utf8(record.text))
    reason = fmt::format("invalid UTF-8 at byte {}", valid_utf8_prefix(record.text));
  if (reason.empty() && of_page) page_text(record.text, out, record);
  return reason.empty();
}

void Parser::lines(Run& run) const {
  std::string_view rest = run.bytes();
  for (; !rest.empty(); ++run.line) {
    const std::size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(newline == none ? rest.size() : newline + 1);
    // To JSON a carriage return is white space, and the record is given back as it stands.
    const std::size_t end = newline != none && line.ends_with('\r') ? 1 : 0;
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
      add(run, raw, bad_quotes_reason);
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
  if (run.out.records.size() > before) run.out.records.back().id = as_json_string(shown_name(path_of(run.piece.source)), run.out);
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
  out.scratch->no_text = out.scratch->cut = false;
  if (reason.empty() && content(run.piece, raw, run.valid, out, record, reason)) {
    out.records.push_back(std::move(record));
  } else {
    const bool cut = run.ends_with(raw) && out.scratch->cut && !is_whole_file(run.piece.format);
    if (cut) reason = "ends in the middle of a record (file cut off?): " + reason;
    out.rejects.push_back({record.index, record.source, record.offset, record.line, std::move(reason), cut, out.scratch->no_text});
  }
}

void Parser::archive(Run& run) const {
  Parsed& out = run.out;
  run.line = run.piece.records;
  out.archive.add(run.piece.passed_by);
  for (const Chunk::ArchiveEntry& entry : run.piece.entries) {
    const std::uint32_t line = run.first_line + entry.line;
    if (!entry.reject.empty()) {
      out.rejects.push_back({out.count++, run.piece.source, entry.place.offset, line, entry.reject, entry.whole, false});
      continue;
    }
    const auto bytes = [&](std::size_t begin, std::size_t end) { return std::string_view(run.chunk.bytes.data() + begin, end - begin); };
    const warc::ArchiveRecord archived{entry.form, bytes(entry.begin, entry.header), bytes(entry.header, entry.end), entry.place,
                                       entry.cut};
    Record record;
    std::string reason;
    const bool good = archive_text(archived, out, record, reason);
    const warc::Page& page = out.scratch->page;
    out.archive.count(page.kind);
    if (!good && reason.empty()) continue;
    record.index = out.count++;
    record.source = run.piece.source;
    record.line = line;
    if (good) {
      out.archive.truncated += page.truncated ? 1 : 0;
      out.records.push_back(std::move(record));
    } else {
      out.rejects.push_back({record.index, record.source, entry.place.offset, line, std::move(reason), false, false});
    }
  }
}

// False without a reason: the record holds no text.
bool Parser::archive_text(const warc::ArchiveRecord& archived, Parsed& out, Record& record, std::string& reason) const {
  Parsed::Scratch& scratch = *out.scratch;
  warc::Page& page = scratch.page;
  warc::read_page(archived, limit_, page, scratch.body);
  if (!warc::is_text(page.kind)) return false;
  if (page.too_long) {
    reason = too_long(limit_);
    return false;
  }
  const bool html = page.kind == warc::Kind::page;
  const std::string_view text = page_as_utf8(page.body, page.charset, html, encoding_, scratch.page_in_utf8);
  if (html)
    page_text(text, out, record);
  else
    record.text = copy(text, out);
  record.offset = archived.place.packed_offset();
  record.length = archived.place.length;
  record.url = copy(shown_name(page.url), out);
  if (record.page != nullptr) scratch.page_facts.back().url = record.url;  // the address that it was fetched from
  record.date = copy(shown_name(page.date), out);
  archive_fields(page, html ? text : std::string_view(), out, record);
  return true;
}

bool Parser::parse_archived(const warc::ArchiveRecord& archived, Parsed& out, Record& record, std::string& reason) const {
  if (!out.scratch) out.scratch = std::make_shared<Parsed::Scratch>();
  out.scratch->arena.clear(out.storage);
  if (archive_text(archived, out, record, reason)) return true;
  if (reason.empty()) reason = "it holds no text";
  return false;
}

// What a record says of itself, by the names that fields have.
void Parser::archive_fields(const warc::Page& page, std::string_view html, Parsed& out, Record& record) const {
  const auto value = [&](std::string_view name) -> std::string {
    if (name == "id") return page.id;
    if (name == "url") return page.url;
    if (name == "date") return page.date;
    if (name == "host") return text::host_of(page.url);
    if (name == "media") return page.media;
    if (name == "status") return page.status == 0 ? std::string() : std::to_string(page.status);
    if (name == "truncated") return page.truncated ? "true" : "false";
    if (name == "canonical") return text::canonical_link(html);
    return {};
  };
  if (const std::string id = value(wanted_[texts_]); !id.empty()) record.id = as_json_string(shown_name(id), out);
  const std::size_t first = texts_ + 1, as_json = first + options_.fields.size();
  record.fields.reserve(wanted_.size() - first);
  for (std::size_t i = first; i < wanted_.size(); ++i) {
    const std::string found = shown_name(value(wanted_[i]));
    record.fields.push_back(found.empty() ? std::string_view() : i >= as_json ? as_json_string(found, out) : copy(found, out));
  }
}

bool Parser::content(const Chunk::Piece& piece, std::string_view raw, bool known_valid, Parsed& out, Record& record,
                     std::string& reason) const {
  if (!known_valid && !valid_utf8(raw)) {
    const std::size_t good = valid_utf8_prefix(raw);
    reason = piece.encoding.empty() ? fmt::format("invalid UTF-8 at byte {}", good)
                                    : fmt::format("invalid {} at byte {} of the record in UTF-8", piece.encoding, good);
    out.scratch->cut = raw.size() - good < 4 && invalid_utf8_length(raw.substr(good)) == raw.size() - good;
    return false;
  }
  switch (piece.format) {
    case Format::jsonl:
      return json(raw, out, record, reason);
    case Format::csv:
    case Format::tsv:
      return row(piece, raw, out, record, reason);
    case Format::html:
      page_text(raw, out, record);
      break;
    case Format::text:
    case Format::lines:
      record.text = raw;
      break;
    case Format::parquet:
    case Format::arrow:
    case Format::memory:  // rows, not bytes
    case Format::warc:    // parse_archived
      break;
  }
  record.fields.resize(wanted_.size() - texts_ - 1);
  return true;
}

// The one place where a page becomes the text of a record.
void Parser::page_text(std::string_view html, Parsed& out, Record& record) const {
  ++out.pages;
  if (wanted_of_page_ == pages::Wanted::all && !options_.page_facts) {
    text::html_to_text(html, out.scratch->work);
    record.text = copy(out.scratch->work, out);
    return;
  }
  const pages::Extraction& page = out.scratch->extract(html, wanted_of_page_, options_.page_trace);
  record.text = copy(page.text, out);
  out.pages_fallen_back += pages::fell_back(page) ? 1U : 0U;
  if (!options_.page_facts) return;
  PageFacts& facts = out.scratch->page_facts.emplace_back();
  facts = {copy(page.title, out),     copy(page.url, out),         copy(page.date, out),   copy(page.language, out),
           pages::name_of(page.kind), pages::name_of(page.source), pages::fell_back(page), {}};
  if (options_.page_trace) facts.trace = copy(pages::traced(page), out);
  record.page = &facts;
}

std::string Parser::no_field() const {
  const std::vector<std::string> names(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(texts_));
  return fmt::format("no field \"{}\"", fmt::join(names, "\" or \""));
}

bool Parser::json(std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  JsonFields& fields = out.scratch->json;
  if (!fields.extract(paths_, raw)) {
    reason =
        fields.is_other_value() ? "not a JSON object" : fmt::format("broken JSON at byte {}: {}", fields.error_offset(), fields.error());
    out.scratch->cut = fields.is_cut_off() && raw.starts_with('{');
    return false;
  }
  if (!json_texts(raw, out, record, reason)) return false;
  const JsonPiece& id = fields.value(texts_);
  if (id.kind == JsonKind::string || id.kind == JsonKind::number || id.kind == JsonKind::boolean) record.id = id.raw;
  const std::size_t first = texts_ + 1, as_json = first + options_.fields.size();
  record.fields.reserve(wanted_.size() - first);
  for (std::size_t i = first; i < wanted_.size(); ++i)
    record.fields.push_back(i >= as_json ? fields.value(i).raw : plain_value(fields.value(i), out));
  return true;
}

// A path with * takes the strings that it meets; what else a path meets makes the record bad.
bool Parser::json_texts(std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  std::vector<JsonPiece>& strings = out.scratch->strings;
  strings.clear();
  bool null = false;
  for (std::size_t i = 0; i < texts_ && reason.empty(); ++i) {
    for (const JsonPiece& value : out.scratch->json.values(i)) {
      if (value.kind != JsonKind::missing) out.text_fields |= std::uint64_t{1} << i;
      if (value.kind == JsonKind::string) strings.push_back(value);
      null = null || value.kind == JsonKind::null;
      const bool other = value.kind != JsonKind::string && value.kind != JsonKind::missing && value.kind != JsonKind::null;
      if (other && !paths_.paths()[i].many) reason = fmt::format("field \"{}\" is not a string", wanted_[i]);
    }
  }
  if (reason.empty() && !strings.empty()) {
    record.text = joined_text(strings, out);
    if (!options_.html_field.empty()) page_text(record.text, out, record);
    return true;
  }
  if (reason.empty() && !options_.need_text) return true;
  out.scratch->no_text = !null || !reason.empty();
  if (out.scratch->no_text && out.field_names.size() < most_names && out.scratch->named++ < most_named)
    add_field_names(raw, most_names, out.field_names);
  if (reason.empty()) reason = null && texts_ == 1 ? fmt::format("field \"{}\" is not a string", wanted_[0]) : no_field();
  return false;
}

bool Parser::row(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const {
  Parsed::Scratch& scratch = *out.scratch;
  find_columns(piece.header, wanted_, scratch);
  const char delimiter = delimiter_of(piece.format);
  const CsvRow found = scan_csv_row(raw, true, delimiter, limit_);
  const bool quotes = found.state == CsvRow::State::good;
  if (found.length != raw.size() || (!quotes && piece.format == Format::csv)) {
    reason = bad_quotes_reason;
    return false;
  }
  split_csv_row(raw, delimiter, quotes, scratch.row);
  if (scratch.row.size() != piece.header.size()) {
    reason = fmt::format("{} columns instead of {}", scratch.row.size(), piece.header.size());
    scratch.cut = scratch.row.size() < piece.header.size();
    return false;
  }
  if (!row_texts(piece.header, out, record, reason)) return false;
  const auto value = [&](std::size_t wanted) {
    const std::size_t column = scratch.columns[wanted];
    return column == none ? std::string_view{} : csv_value(scratch.row[column], out);
  };
  if (const std::string_view id = value(texts_); !id.empty()) record.id = as_json_string(id, out);
  const std::size_t first = texts_ + 1, as_json = first + options_.fields.size();
  record.fields.reserve(wanted_.size() - first);
  for (std::size_t i = first; i < wanted_.size(); ++i) {
    const bool there = scratch.columns[i] != none;
    record.fields.push_back(i >= as_json && there ? as_json_string(value(i), out) : value(i));
  }
  return true;
}

bool Parser::row_texts(const std::vector<std::string>& header, Parsed& out, Record& record, std::string& reason) const {
  Parsed::Scratch& scratch = *out.scratch;
  std::size_t columns = 0;
  scratch.work.clear();
  for (std::size_t i = 0; i < texts_; ++i) {
    if (scratch.columns[i] == none) continue;
    out.text_fields |= std::uint64_t{1} << i;
    const CsvField& field = scratch.row[scratch.columns[i]];
    if (texts_ == 1) {
      record.text = csv_value(field, out);
      if (!options_.html_field.empty()) page_text(record.text, out, record);
      return true;
    }
    if (columns++ > 0) scratch.work.push_back('\n');
    scratch.work += csv_value(field, out);
  }
  if (columns > 0 || !options_.need_text) {
    record.text = copy(scratch.work, out);
    return true;
  }
  reason = no_field();
  scratch.no_text = true;
  if (out.field_names.empty()) out.field_names = header;
  return false;
}

}  // namespace leitong::records
