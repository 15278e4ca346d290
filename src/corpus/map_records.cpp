#include <fmt/format.h>

#include "corpus/input_notes.h"
#include "corpus/job.h"
#include "corpus/numbering.h"
#include "corpus/ordered_pipeline.h"
#include "leitong/error.h"
#include "leitong/records.h"
#include "records/input.h"
#include "records/json.h"

namespace leitong {
namespace {

struct Item {
  records::Chunk chunk;
  records::Parsed parsed;
  std::string out;
};

}  // namespace

Counts map_records(const InputOptions& options, const JobOptions& job_options, const char* name,
                   const std::function<RecordWorker()>& make_worker, const std::function<void(std::string_view)>& sink) {
  corpus::Job job(job_options, name);
  records::Input input(options, "");
  std::vector<RecordWorker> workers;
  for (unsigned worker = 0; worker < job.threads(); ++worker) workers.push_back(make_worker());
  corpus::Numbering numbering;
  corpus::InputNotes notes;
  Counts counts;
  std::uint64_t packed_bytes = 0;
  bool named = false;
  corpus::ordered_pipeline<Item>(
      job.threads(), [&](Item& item) { return input.next(item.chunk); },
      [&](Item& item, unsigned worker) {
        input.parse(item.chunk, item.parsed);
        item.out.clear();
        for (const records::Record& record : item.parsed.records) workers[worker]({record.id, record.text, record.fields}, item.out);
      },
      [&](Item& item) {
        numbering.start(item.chunk, item.parsed);
        notes.add(input, item.parsed);
        for (const records::Reject& reject : item.parsed.rejects)
          if (options.strict)
            throw Error(ErrorCode::format, fmt::format("{}:{}: {} (--strict)", input.source_path(reject.source),
                                                       numbering.line(reject.source, reject.line), reject.reason));
        // The first bad record's reason; a source that could not be read has a note of its own.
        for (const records::Reject& reject : item.parsed.rejects) {
          if (named || reject.whole) continue;
          job.note(fmt::format("{}:{}: {}", input.source_path(reject.source), numbering.line(reject.source, reject.line), reject.reason));
          named = true;
        }
        for (const records::Record& record : item.parsed.records) counts.bytes += record.text.size();
        sink(item.out);
        numbering.end(item.parsed);
        counts.records = numbering.records();
        counts.rejected += item.parsed.rejects.size();
        packed_bytes += item.chunk.packed_bytes;
        job.progress(packed_bytes, input.total_bytes(), counts.records);
      });
  for (const std::string& sentence : notes.sentences(input)) job.note(sentence);
  return counts;
}

void append_json_string(std::string& out, std::string_view utf8) { records::append_json_string(out, utf8); }

}  // namespace leitong
