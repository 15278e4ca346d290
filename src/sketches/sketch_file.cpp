#include "sketches/sketch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "leitong/error.h"
#include "leitong/input.h"
#include "leitong/output.h"
#include "leitong/version.h"
#include "records/json_object.h"

namespace leitong::sketches {
namespace {

constexpr std::uint32_t sketch_version = 1;
constexpr std::uint32_t most_text_per_block = 16U << 20;  // of ids, fields, or keys of short texts: a stage reads a block at a time

std::string sources_json(const SketchMetadata& m) {
  std::string out = "[";
  for (std::size_t i = 0; i < m.sources.size(); ++i) {
    const records::Source& source = m.sources[i];
    if (i > 0) out.push_back(',');
    records::JsonObject object;
    object.name("path", source.path)
        .number("format", static_cast<unsigned>(source.format))
        .number("compression", static_cast<unsigned>(source.compression));
    object.number("size", source.size).raw("modified", fmt::format("{}", source.modified));
    if (!source.encoding.empty()) object.text("encoding", source.encoding);
    if (i < m.rejected_of.size() && m.rejected_of[i] > 0) object.number("rejected", m.rejected_of[i]);
    out += object.str();
  }
  return out + "]";
}

std::string input_json(const InputOptions& input) {
  records::JsonObject object;
  object.names("paths", input.paths).text("format", input.format).text("text-field", input.text_field).text("id-field", input.id_field);
  object.texts("fields", input.fields).names("include", input.include).names("exclude", input.exclude).boolean("header", input.header);
  object.number("max-document", input.max_document_bytes).number("max-expansion", input.max_expansion);
  if (!input.more_text_fields.empty()) object.texts("more-text-fields", input.more_text_fields);
  if (input.encoding != "auto") object.text("encoding", input.encoding);
  if (!input.html_field.empty()) object.text("html-field", input.html_field);
  return object.str();
}

// What is said of web pages; files without any have nothing of it.
std::string pages_json(const SketchMetadata& m) {
  records::JsonObject object;
  object.text("extract", m.input.extract).text("model", m.page_model).number("pages", m.pages).number("fallen_back", m.pages_fallen_back);
  return object.str();
}

void read_pages(const records::JsonReader& reader, records::JsonValue pages, SketchMetadata& m) {
  m.input.extract = "all";  // as it was before there was a choice
  if (!pages) return;
  m.input.extract = reader.text(pages, "extract");
  m.page_model = reader.text(pages, "model");
  m.pages = reader.number(pages, "pages");
  m.pages_fallen_back = reader.number(pages, "fallen_back");
}

std::string pages_of(const SketchMetadata& m) { return m.page_model.empty() ? m.input.extract : m.input.extract + " " + m.page_model; }

// The spool stands beside the sketch file, also if both were moved since they were written or are looked at from another directory; or
// where it was written.
std::string find_spool(const std::string& spool, const std::string& sketch) {
  if (spool.empty()) return spool;
  const std::string beside = (std::filesystem::path(sketch).parent_path() / std::filesystem::path(spool).filename()).string();
  return storage::posix_vfs().exists(beside) ? beside : spool;
}

}  // namespace

storage::Schema sketch_schema(unsigned fingerprint_bits) {
  storage::Schema schema{"sketch", sketch_version, {}};
  schema.text_per_block = most_text_per_block;
  schema.columns = {{"record", 8},
                    {"source", 4},
                    {"offset", 8},
                    {"length", 8},
                    {"line", 8},
                    {"text_bytes", 4},
                    {"tokens", 4},
                    {"features", 4},
                    {"flags", 1},
                    {"content", 16},
                    {"simhash", 8 * fingerprint_words(fingerprint_bits)},
                    {"bits", fingerprint::slot_count / 8},
                    {"short", 0},
                    {"id", 0},
                    {"fields", 0}};
  for (unsigned band = 0; band < band_columns; ++band) schema.columns.push_back({fmt::format("b{:02}", band), 4});
  return schema;
}

void put_sketch(const fingerprint::Sketch& sketch, storage::Block& block) {
  block.put(SketchColumns::tokens, sketch.tokens);
  block.put(SketchColumns::features, sketch.features);
  const bool comparable = (sketch.content[0] | sketch.content[1]) != 0;
  block.put(SketchColumns::flags, static_cast<std::uint8_t>((sketch.has_fingerprint ? flags::fingerprint : 0) |
                                                            (sketch.has_slots ? flags::slots : 0) | (comparable ? flags::comparable : 0)));
  block.put_bytes(SketchColumns::content, std::as_bytes(std::span(sketch.content)));
  block.put_bytes(SketchColumns::simhash,
                  std::as_bytes(std::span(sketch.fingerprint.words).first(fingerprint_words(sketch.fingerprint.bits))));
  std::array<std::uint64_t, fingerprint::slot_count / 64> bits{};
  if (sketch.has_slots) bits = fingerprint::slot_bits(sketch.slots);
  block.put_bytes(SketchColumns::bits, std::as_bytes(std::span(bits)));
  block.put_bytes(SketchColumns::short_features, std::as_bytes(std::span(sketch.short_features)));
}

std::string to_json(const SketchMetadata& m) {
  records::JsonObject object;
  Profile shown = m.profile;
  shown.key.clear();  // a secret; similarity does not depend on it, and the id tells keyed sketches apart
  object.text("leitong", version()).text("profile", to_toml(shown)).text("profile_id", m.profile_id).raw("input", input_json(m.input));
  object.name("spool", m.spool).number("records", m.records).number("rejected", m.rejected).number("text_bytes", m.text_bytes);
  object.number("featureless", m.featureless).text("made_from", m.made_from).texts("notes", m.notes);
  if (m.pages > 0) object.raw("pages", pages_json(m));
  if (m.fingerprints_only) object.boolean("fingerprints_only", true);
  if (!m.unread.empty()) object.names("unread", m.unread);
  object.raw("sources", sources_json(m));
  return object.str();
}

SketchMetadata sketch_metadata_from_json(const std::string& json, const std::string& path) {
  const records::JsonReader reader(json, path);
  const auto root = reader.root();
  SketchMetadata m;
  m.profile = parse_profile(reader.text(root, "profile"), path);
  m.profile_id = reader.text(root, "profile_id");
  const records::JsonValue input = root["input"];
  m.input.paths = reader.names(input, "paths");
  m.input.format = reader.text(input, "format");
  m.input.text_field = reader.text(input, "text-field");
  m.input.id_field = reader.text(input, "id-field");
  m.input.fields = reader.texts(input, "fields");
  m.input.include = reader.names(input, "include");
  m.input.exclude = reader.names(input, "exclude");
  m.input.header = reader.boolean(input, "header");
  m.input.max_document_bytes = reader.number(input, "max-document");
  m.input.max_expansion = reader.number(input, "max-expansion");
  const auto has = [](records::JsonValue object, const char* name) { return static_cast<bool>(object[name]); };
  if (has(input, "more-text-fields")) m.input.more_text_fields = reader.texts(input, "more-text-fields");
  if (has(input, "encoding")) m.input.encoding = reader.text(input, "encoding");
  if (has(input, "html-field")) m.input.html_field = reader.text(input, "html-field");
  read_pages(reader, root["pages"], m);
  if (has(root, "unread")) m.unread = reader.names(root, "unread");
  m.spool = reader.name(root, "spool");
  if (has(root, "fingerprints_only")) m.fingerprints_only = reader.boolean(root, "fingerprints_only");
  m.records = reader.number(root, "records");
  m.rejected = reader.number(root, "rejected");
  m.text_bytes = reader.number(root, "text_bytes");
  m.featureless = reader.number(root, "featureless");
  m.made_from = reader.text(root, "made_from");
  m.notes = reader.texts(root, "notes");
  for (const records::JsonValue element : reader.array(root, "sources")) {
    records::Source source;
    source.path = reader.name(element, "path");
    source.format = static_cast<records::Format>(reader.number(element, "format"));
    source.compression = static_cast<records::Compression>(reader.number(element, "compression"));
    source.size = reader.number(element, "size");
    source.modified = reader.signed_number(element, "modified");
    if (has(element, "encoding")) source.encoding = reader.text(element, "encoding");
    m.sources.push_back(std::move(source));
    m.rejected_of.push_back(has(element, "rejected") ? reader.number(element, "rejected") : 0);
  }
  return m;
}

SketchSet::SketchSet(const std::vector<std::string>& paths, std::size_t old_files, const InMemory& tables) : old_files_(old_files) {
  if (paths.size() <= old_files) throw Error(ErrorCode::usage, "no sketch file given");
  for (const std::string& path : paths) {
    File file;
    file.table = std::make_unique<storage::TableReader>(storage::posix_vfs(), path, "sketch", sketch_version);
    file.metadata = sketch_metadata_from_json(file.table->metadata(), path);
    file.metadata.spool = find_spool(file.metadata.spool, path);
    file.metadata.input.in_memory = tables;
    file.first_row = rows_;
    if (!files_.empty() && files_.size() != old_files) file.first_record = files_.back().first_record + files_.back().metadata.records;
    rows_ += file.table->rows();
    if (file.table->schema().columns != sketch_schema(file.metadata.profile.bits).columns)
      throw Error(ErrorCode::format, fmt::format("{}: its columns are not those of its profile; make the file again", path));
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (files_[i].table->identity() == file.table->identity())
        throw Error(
            ErrorCode::usage,
            fmt::format("{} and {} are the same sketch file: every record would be its own duplicate; give it once", paths[i], path));
    if (!files_.empty() && file.metadata.profile_id != files_.front().metadata.profile_id)
      throw Error(ErrorCode::usage, fmt::format("{} was made with profile {} ({}), {} with {} ({}): their sketches cannot be compared",
                                                path, file.metadata.profile.name, file.metadata.profile_id, paths.front(),
                                                files_.front().metadata.profile.name, files_.front().metadata.profile_id));
    if (const File* other = other_pages(file.metadata); other != nullptr)
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "{} has texts of web pages by \"{}\", another one by \"{}\" (what --extract took, and its model): they cannot be compared",
              path, pages_of(file.metadata), pages_of(other->metadata)));
    files_.push_back(std::move(file));
  }
  if (rows_ >= 0xfffffffeULL)
    throw Error(ErrorCode::unsupported, "more than 4,294,967,293 records in one job: join smaller sets of sketch files");
}

// A file before this one whose pages were read in another way; null: there is none.
const SketchSet::File* SketchSet::other_pages(const SketchMetadata& m) const {
  const auto found = std::ranges::find_if(files_, [&](const File& file) {
    const SketchMetadata& other = file.metadata;
    return m.pages > 0 && other.pages > 0 && (m.input.extract != other.input.extract || m.page_model != other.page_model);
  });
  return found == files_.end() ? nullptr : &*found;
}

std::vector<std::string> inputs_of(std::span<const SketchSet::File> files) {
  std::vector<std::string> inputs;
  for (const SketchSet::File& file : files) inputs.insert(inputs.end(), file.metadata.input.paths.begin(), file.metadata.input.paths.end());
  return inputs;
}

std::size_t SketchSet::file_of(std::uint64_t row) const {
  std::size_t file = files_.size() - 1;
  while (files_[file].first_row > row) --file;
  return file;
}

bool SketchSet::has_addresses() const {
  return std::ranges::any_of(files_, [](const File& file) {
    return std::ranges::any_of(file.metadata.sources, [](const records::Source& source) { return source.format == records::Format::warc; });
  });
}

std::string_view SketchSet::url(std::size_t file, std::string_view packed_fields) const {
  const std::vector<std::string_view> fields = unpack_fields(packed_fields);
  const std::size_t at = files_[file].metadata.input.fields.size();
  return at < fields.size() ? fields[at] : std::string_view();
}

void SketchSet::for_each_block(const std::vector<std::size_t>& columns,
                               const std::function<void(std::uint64_t first, const storage::Block& block)>& visit) const {
  for (const File& file : files_) {
    storage::Block block(file.table->schema());
    for (std::size_t b = 0; b < file.table->blocks(); ++b) {
      file.table->read_block(b, columns, block);
      visit(file.first_row + file.table->first_row(b), block);
    }
  }
}

void RowReader::seek(std::uint64_t row) {
  while (row >= end_) {
    const std::size_t file = set_.file_of(row);
    if (!block_ || file != file_) {
      file_ = file;
      next_block_ = 0;
      block_ = std::make_unique<storage::Block>(set_.files()[file].table->schema());
    }
    const SketchSet::File& in = set_.files()[file];
    while (in.first_row + in.table->first_row(next_block_) + in.table->block_rows(next_block_) <= row) ++next_block_;
    in.table->read_block(next_block_, columns_, *block_);
    first_ = in.first_row + in.table->first_row(next_block_);
    end_ = first_ + in.table->block_rows(next_block_);
  }
  at_ = static_cast<std::size_t>(row - first_);
}

void pack_fields(const std::vector<std::string_view>& fields, std::string& out) {
  out.clear();
  for (const std::string_view field : fields) {
    const auto size = static_cast<std::uint32_t>(field.size());
    out.append(reinterpret_cast<const char*>(&size), sizeof size);
    out += field;
  }
}

std::vector<std::string_view> unpack_fields(std::string_view packed) {
  std::vector<std::string_view> fields;
  while (packed.size() >= 4) {
    std::uint32_t size = 0;
    std::memcpy(&size, packed.data(), sizeof size);
    packed.remove_prefix(4);
    if (size > packed.size()) throw Error(ErrorCode::format, "a sketch file's fields column is damaged; make the file again");
    fields.push_back(packed.substr(0, size));
    packed.remove_prefix(size);
  }
  return fields;
}

}  // namespace leitong::sketches
