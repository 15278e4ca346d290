// Stage 1: reads the inputs and writes a sketch file.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "job/input_notes.h"
#include "job/job.h"
#include "job/long_texts.h"
#include "job/numbering.h"
#include "job/ordered_pipeline.h"
#include "leitong/error.h"
#include "leitong/page.h"
#include "outputs/output_rule.h"
#include "outputs/reject_file.h"
#include "records/chunker.h"
#include "records/json.h"
#include "records/spool.h"
#include "sketches/sketch_file.h"
#include "stages/stages.h"

namespace leitong {
namespace {

using sketches::SketchColumns;

// A chunk on its way through the pipeline: the bytes read, the parsed records, and the rows made of them. Record and line numbers are
// relative to the chunk until commit, because only commit knows how many came before.
struct Item {
  records::Chunk chunk;
  records::Parsed parsed;
  std::unique_ptr<storage::Block> block;
  std::uint64_t text_bytes = 0, featureless = 0;
};

class RowMaker {
 public:
  RowMaker(const Profile& profile, job::LongTexts& long_texts, const job::Job& job)
      : profile_(profile), long_texts_(long_texts), job_(job), sketcher_(profile) {}

  void operator()(Item& item, const storage::Schema& schema) {
    if (!item.block) item.block = std::make_unique<storage::Block>(schema);
    storage::Block& block = *item.block;
    block.clear();
    item.text_bytes = item.featureless = 0;
    const std::size_t rows = item.parsed.records.size();
    bands_.assign(sketches::band_columns * rows, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      const records::Record& record = item.parsed.records[row];
      job_.check_stop();
      sketch(record.text);
      item.text_bytes += record.text.size();
      item.featureless += sketch_.has_fingerprint ? 0 : 1;
      put(block, record);
      if (sketch_.has_slots) put_bands(row, rows);
    }
    for (unsigned band = 0; band < sketches::band_columns; ++band)
      block.put_all<std::uint32_t>(SketchColumns::first_band + band, std::span(bands_).subspan(band * rows, rows));
  }

 private:
  void sketch(std::string_view text) {
    if (!long_texts_.is_long(text.size())) return sketcher_(text, sketch_);
    long_texts_.alone([&] { return fingerprint::Sketcher(profile_); }, [&](fingerprint::Sketcher& sketcher) { sketcher(text, sketch_); });
  }

  void put(storage::Block& block, const records::Record& record) {
    block.put(SketchColumns::source, record.source);
    block.put(SketchColumns::offset, record.offset);
    block.put(SketchColumns::length, record.length);
    block.put(SketchColumns::text_bytes, static_cast<std::uint32_t>(record.text.size()));
    sketches::put_sketch(sketch_, block);
    block.put_text(SketchColumns::id, record.id);
    fields_ = record.fields;
    if (!record.url.empty()) fields_.push_back(record.url);
    sketches::pack_fields(fields_, packed_);
    block.put_text(SketchColumns::fields, packed_);
  }

  void put_bands(std::size_t row, std::size_t rows) {
    for (unsigned band = 0; band < sketches::band_columns; ++band) std::memcpy(&bands_[band * rows + row], &sketch_.slots[4 * band], 4);
  }

  const Profile& profile_;
  job::LongTexts& long_texts_;
  const job::Job& job_;
  fingerprint::Sketcher sketcher_;
  fingerprint::Sketch sketch_;
  std::vector<std::uint32_t> bands_;
  std::vector<std::string_view> fields_;
  std::string packed_;
};

std::string too_long_for_memory(std::uint64_t limit) {
  return fmt::format("longer than {} bytes, the most that --memory has room for: a document takes up to {} times its size", limit,
                     job::document_bytes_a_byte);
}

void check_outputs(const SketchOptions& options, const std::string& spool) {
  outputs::OutputRule rule;
  rule.reads(options.job.reads);
  rule.reads(options.input);
  rule.check(options.output, OutputForm::table);
  rule.check(options.rejected, OutputForm::text);
  const auto streams = std::ranges::count_if(options.input.paths, [&](const std::string& path) {
    if (options.input.in_memory.contains(path)) return false;
    return path == "-" || !(std::filesystem::is_regular_file(path) || std::filesystem::is_directory(path));
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(streams); ++i) rule.check(records::spool_path(spool, i), OutputForm::spool);
}

}  // namespace

Counts stage::sketch(const SketchOptions& options) {
  job::Job job(options.job, "sketch");
  const std::string spool = options.spool.empty() ? options.output + ".spool" : options.spool;
  check_outputs(options, spool);
  const InputOptions within = job::within_memory(options.input, options.job);
  records::Input input(within, spool, options.job.stop);
  sketches::SketchMetadata metadata;
  metadata.profile = options.profile;
  metadata.profile_id = profile_id(options.profile);
  metadata.input = options.input;
  metadata.made_from = stages::made_from_sketch(options);
  const storage::Schema schema = sketches::sketch_schema(options.profile.bits);
  storage::TableWriter writer(storage::posix_vfs(), options.output, schema);
  outputs::RejectFile rejected(options.rejected);
  job::LongTexts long_texts(job);
  std::vector<RowMaker> makers;
  for (unsigned worker = 0; worker < job.threads(); ++worker) makers.emplace_back(options.profile, long_texts, job);

  job::Numbering numbering;
  job::InputNotes notes;
  std::uint64_t packed_bytes = 0;
  std::vector<std::uint64_t> numbers, lines;
  const auto commit = [&](Item& item) {
    numbering.start(item.chunk, item.parsed);
    notes.add(input, item.parsed);
    for (records::Reject& reject : item.parsed.rejects) {
      if (within.max_document_bytes < options.input.max_document_bytes && reject.reason == records::too_long(within.max_document_bytes))
        reject.reason = too_long_for_memory(within.max_document_bytes);
      const std::string& source = input.source_path(reject.source);
      const std::uint64_t line = numbering.line(reject.source, reject.line);
      if (options.input.strict) throw Error(ErrorCode::format, fmt::format("{}:{}: {} (--strict)", source, line, reject.reason));
      rejected.add(source, line, reject.offset, numbering.record(reject.index), reject.reason);
    }
    numbers.clear(), lines.clear();
    for (const records::Record& record : item.parsed.records) {
      numbers.push_back(numbering.record(record.index));
      lines.push_back(numbering.line(record.source, record.line));
    }
    item.block->put_all<std::uint64_t>(SketchColumns::record, numbers);
    item.block->put_all<std::uint64_t>(SketchColumns::line, lines);
    writer.append(*item.block);
    metadata.rejected += item.parsed.rejects.size();
    metadata.text_bytes += item.text_bytes;
    metadata.featureless += item.featureless;
    numbering.end(item.parsed);
    packed_bytes += item.chunk.packed_bytes;
    job.progress(packed_bytes, input.total_bytes(), numbering.records());
  };
  job::ordered_pipeline<Item>(
      job.threads(), [&](Item& item) { return input.next(item.chunk); },
      [&](Item& item, unsigned worker) {
        input.parse(item.chunk, item.parsed);
        makers[worker](item, schema);
      },
      commit);
  rejected.finish();
  metadata.records = numbering.records();
  metadata.sources = input.sources();
  metadata.rejected_of = notes.rejected();
  metadata.notes = notes.finish(input);
  metadata.unread = notes.unread();
  metadata.pages = notes.pages();
  metadata.pages_fallen_back = notes.pages_fallen_back();
  if (metadata.pages > 0 && options.input.extract != "all") metadata.page_model = page_model();
  for (std::string& sentence : profile_warnings(options.profile)) metadata.notes.push_back(std::move(sentence));
  if (input.spooled_bytes() > 0) metadata.spool = spool;
  writer.finish(to_json(metadata));
  job.finish_progress(packed_bytes, metadata.records);
  for (const std::string& sentence : metadata.notes) job.note(sentence);
  job.unread(metadata.unread);
  Counts counts;
  counts.records = metadata.records;
  counts.rejected = metadata.rejected;
  counts.featureless = metadata.featureless;
  counts.bytes = metadata.text_bytes;
  return counts;
}

}  // namespace leitong
