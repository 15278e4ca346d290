#include "passages/overlap_search.h"

#include "job/ordered_pipeline.h"
#include "passages/character_offsets.h"

namespace leitong::passages {

OverlapSearch::OverlapSearch(const OverlapOptions& options, OverlapSide& a, outputs::OutputFile& rejected, OverlapPairs& pairs,
                             const std::string& directory, std::uint64_t memory)
    : a_(a),
      rejected_(rejected),
      pairs_(pairs),
      job_(options.job, "search"),
      workers_(job_.threads(), Worker{TokenHasher(options.fold_traditional), {}}),
      holding_(storage::posix_vfs(), directory + "/holding", memory, true) {}

void OverlapSearch::search(Item& item, Worker& worker, similarity::RunFinder& finder) const {
  item.found.clear(), item.spans.clear();
  item.tokens = item.bytes = 0;
  for (std::uint32_t i = 0; i < item.parsed.records.size(); ++i) {
    const records::Record& record = item.parsed.records[i];
    worker.tokens.clear();
    worker.hasher(record.text, worker.tokens);
    item.tokens += worker.tokens.size(), item.bytes += record.text.size();
    const std::span<const similarity::TextRuns> texts = finder.find(worker.tokens);
    if (!texts.empty()) add_found(texts, record, i, item, worker);
  }
}

// Where the runs stand in the text of A: its tokens are cut once more, with their places.
void OverlapSearch::add_found(const std::span<const similarity::TextRuns>& texts, const records::Record& record, std::uint32_t index,
                              Item& item, Worker& worker) const {
  const std::vector<text::Range>& places = worker.hasher.places(record.text);
  const CharacterOffsets characters(record.text);
  for (const similarity::TextRuns& text : texts) {
    for (const similarity::SharedRun& run : text.runs)
      item.spans.push_back({characters.at(places[run.a].begin), characters.at(places[run.a + run.length - 1].end), run.b, run.length});
    item.found.push_back({index, text.text, static_cast<std::uint32_t>(places.size()), similarity::covered_a(text.runs),
                          similarity::covered_b(text.runs), static_cast<std::uint32_t>(text.runs.size()), text.bounded});
  }
}

void OverlapSearch::commit(const Item& item, const OverlapTile& tile, OverlapSide::Reading& reading) {
  auto span = item.spans.begin();
  OverlapPair pair;
  for (const Found& found : item.found) {
    const records::Record& a = item.parsed.records[found.record];
    const OverlapTile::Text& b = tile.texts[found.text];
    pair.a = {reading.record(a), reading.line(a), a.offset, a.length, a.source, found.tokens, found.covered_a, std::string(a.id)};
    pair.b = {b.record, b.line, b.offset, b.length, b.source, b.tokens, found.covered_b, std::string(tile.id(b))};
    pair.bounded = found.bounded && found.covered_b < b.tokens;  // else nothing is missing
    pair.spans.assign(span, span + found.spans);
    span += found.spans;
    pairs_.add(pair);
    bounded_ += pair.bounded ? 1 : 0;
    const storage::SortRecord holder{a.source, pair.a.record};
    holding_.add({&holder, 1});
  }
}

void OverlapSearch::run(const OverlapTile& tile) {
  const bool first = readings_++ == 0;
  OverlapSide::Reading reading(a_, first ? &rejected_ : nullptr);
  std::vector<similarity::RunFinder> finders(job_.threads(), similarity::RunFinder(tile.index));
  job::ordered_pipeline<Item>(
      job_.threads(), [&](Item& item) { return reading.next(item.chunk); },
      [&](Item& item, unsigned worker) {
        reading.parse(item.chunk, item.parsed);
        search(item, workers_[worker], finders[worker]);
      },
      [&](Item& item) {
        reading.begin(item.chunk, item.parsed);
        commit(item, tile, reading);
        if (first) tokens_ += item.tokens, bytes_ += item.bytes;
        reading.end(item.chunk, item.parsed, job_);
      });
  reading.finish(job_);
  if (first) records_ = reading.records(), rejected_count_ = reading.rejected();
  met_.resize(tile.index.common().size(), 0);
  for (const similarity::RunFinder& finder : finders)
    for (std::size_t i = 0; i < met_.size(); ++i) met_[i] += finder.met()[i];
}

std::vector<std::uint64_t> OverlapSearch::finish(OverlapCounts& counts) {
  counts.a_records = records_, counts.a_rejected = rejected_count_, counts.a_bytes = bytes_, counts.a_tokens = tokens_;
  counts.readings = readings_, counts.bounded_pairs = bounded_, counts.pairs = pairs_.size();
  std::vector<std::uint64_t> holding(a_.sources().size(), 0);
  holding_.drain([&](std::span<const storage::SortRecord> records) {
    for (const storage::SortRecord& record : records) ++holding.at(record.high), ++counts.holding;
  });
  return holding;
}

}  // namespace leitong::passages
