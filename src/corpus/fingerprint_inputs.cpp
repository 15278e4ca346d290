// Fingerprints of all records of the inputs, in their order, made in parallel.

#include <fmt/format.h>

#include "corpus/input_notes.h"
#include "corpus/job.h"
#include "corpus/numbering.h"
#include "corpus/ordered_pipeline.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "records/input.h"

namespace leitong {
namespace {

struct Item {
  records::Chunk chunk;
  records::Parsed parsed;
  std::vector<Fingerprinter::Result> results;
};

}  // namespace

Counts fingerprint_inputs(const InputOptions& options, const Profile& profile, const JobOptions& job_options,
                          const std::function<void(const FingerprintedRecord&)>& sink) {
  corpus::Job job(job_options, "fingerprint");
  records::Input input(options, "");
  std::vector<Fingerprinter> fingerprinters;
  for (unsigned worker = 0; worker < job.threads(); ++worker) fingerprinters.emplace_back(profile);
  corpus::Numbering numbering;
  corpus::InputNotes notes;
  Counts counts;
  std::uint64_t packed_bytes = 0;
  corpus::ordered_pipeline<Item>(
      job.threads(), [&](Item& item) { return input.next(item.chunk); },
      [&](Item& item, unsigned worker) {
        input.parse(item.chunk, item.parsed);
        item.results.clear();
        for (const records::Record& record : item.parsed.records) item.results.push_back(fingerprinters[worker](record.text));
      },
      [&](Item& item) {
        numbering.start(item.chunk, item.parsed);
        notes.add(input, item.parsed);
        for (const records::Reject& reject : item.parsed.rejects)
          if (options.strict)
            throw Error(ErrorCode::format, fmt::format("{}:{}: {} (--strict)", input.source_path(reject.source),
                                                       numbering.line(reject.source, reject.line), reject.reason));
        for (std::size_t i = 0; i < item.parsed.records.size(); ++i) {
          const records::Record& record = item.parsed.records[i];
          FingerprintedRecord out;
          out.id = record.id;
          out.has_id = !record.id.empty();
          out.record = numbering.record(record.index);
          if (item.results[i].fingerprint) out.fingerprint = to_hex(*item.results[i].fingerprint);
          out.features = item.results[i].features;
          counts.featureless += item.results[i].fingerprint ? 0 : 1;
          counts.bytes += record.text.size();
          sink(out);
        }
        numbering.end(item.parsed);
        counts.records = numbering.records();
        counts.rejected += item.parsed.rejects.size();
        packed_bytes += item.chunk.packed_bytes;
        job.progress(packed_bytes, input.total_bytes(), counts.records);
      });
  for (const std::string& sentence : notes.sentences(input)) job.note(sentence);
  return counts;
}

}  // namespace leitong
