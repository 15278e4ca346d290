// One thing done to each record, in parallel and in order.

#include <fmt/format.h>

#include "job/input_notes.h"
#include "job/job.h"
#include "job/numbering.h"
#include "job/ordered_pipeline.h"
#include "job/plain_id.h"
#include "leitong/error.h"
#include "leitong/records.h"
#include "outputs/reject_file.h"
#include "records/input.h"
#include "records/json.h"

namespace leitong {
namespace {

struct Item {
  records::Chunk chunk;
  records::Parsed parsed;
  std::string out;
  std::vector<std::size_t> ends;  // in `out`, of what belongs to each good record
};

// Bad records: counted, the first named, all listed where that is wanted.
class Rejects {
 public:
  Rejects(const records::Input& input, const job::Job& job, bool strict, const std::string& list, const BadRecordVisitor& tell)
      : input_(input), job_(job), strict_(strict), list_(list), tell_(tell) {}
  void add(std::uint32_t source, std::uint64_t line, std::uint64_t offset, std::uint64_t record, const std::string& reason, bool whole) {
    ++count_;
    const std::string message = fmt::format("{}:{}: {}", input_.source_path(source), line, reason);
    if (strict_) throw Error(ErrorCode::format, message + " (--strict)");
    // A source that could not be read has a note of its own.
    if (!named_ && !whole) job_.note(message);
    named_ = named_ || !whole;
    list_.add(input_.source_path(source), line, offset, record, reason);
    if (tell_) tell_({input_.source_path(source), line, record}, reason);
  }
  void finish() { list_.finish(); }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  const records::Input& input_;
  const job::Job& job_;
  bool strict_, named_ = false;
  outputs::RejectFile list_;
  const BadRecordVisitor& tell_;
  std::uint64_t count_ = 0;
};

using Deliver = std::function<void(const records::Input&, const job::Numbering&, const Item&, Rejects&)>;

Counts read_records(const InputOptions& options, const JobOptions& job_options, const char* name,
                    const std::function<RecordWorker()>& make_worker, const std::string& list, const BadRecordVisitor& tell,
                    const Deliver& deliver) {
  job::Job job(job_options, name);
  records::Input input(options, "", job_options.stop);
  std::vector<RecordWorker> workers;
  for (unsigned worker = 0; worker < job.threads(); ++worker) workers.push_back(make_worker());
  job::Numbering numbering;
  job::InputNotes notes;
  Rejects rejects(input, job, options.strict, list, tell);
  Counts counts;
  std::uint64_t packed_bytes = 0;
  job::ordered_pipeline<Item>(
      job.threads(), [&](Item& item) { return input.next(item.chunk); },
      [&](Item& item, unsigned worker) {
        input.parse(item.chunk, item.parsed);
        item.out.clear();
        item.ends.clear();
        for (const records::Record& record : item.parsed.records) {
          workers[worker]({record.id, record.text, record.fields, record.page, record.url}, item.out);
          item.ends.push_back(item.out.size());
        }
      },
      [&](Item& item) {
        numbering.start(item.chunk, item.parsed);
        notes.add(input, item.parsed);
        for (const records::Reject& reject : item.parsed.rejects)
          rejects.add(reject.source, numbering.line(reject.source, reject.line), reject.offset, numbering.record(reject.index),
                      reject.reason, reject.whole);
        for (const records::Record& record : item.parsed.records) counts.bytes += record.text.size();
        deliver(input, numbering, item, rejects);
        numbering.end(item.parsed);
        counts.records = numbering.records();
        counts.rejected = rejects.count();
        packed_bytes += item.chunk.packed_bytes;
        job.progress(packed_bytes, input.total_bytes(), counts.records);
      });
  rejects.finish();
  for (const std::string& sentence : notes.finish(input)) job.note(sentence);
  job.unread(notes.unread());
  return counts;
}

}  // namespace

Counts map_records(const InputOptions& input, const JobOptions& job, const char* name, const std::function<RecordWorker()>& make_worker,
                   const std::function<void(std::string_view)>& sink) {
  return read_records(input, job, name, make_worker, "", {}, [&](const auto&, const auto&, const Item& item, auto&) { sink(item.out); });
}

Counts visit_records(const InputOptions& options, const JobOptions& job, const char* name, const std::function<RecordWorker()>& make_worker,
                     const RecordVisitor& visit, const std::string& rejected, const BadRecordVisitor& bad) {
  return read_records(options, job, name, make_worker, rejected, bad,
                      [&](const records::Input& input, const job::Numbering& numbering, const Item& item, Rejects& rejects) {
                        std::size_t begin = 0;
                        for (std::size_t i = 0; i < item.ends.size(); begin = item.ends[i++]) {
                          const records::Record& record = item.parsed.records[i];
                          const std::uint64_t line = numbering.line(record.source, record.line);
                          const RecordPlace place{input.source_path(record.source), line, numbering.record(record.index)};
                          const std::string reason = visit(place, std::string_view(item.out).substr(begin, item.ends[i] - begin));
                          if (!reason.empty()) rejects.add(record.source, line, record.offset, place.record, reason, false);
                        }
                      });
}

void append_json_string(std::string& out, std::string_view utf8) { records::append_json_string(out, utf8); }
std::string text_of_json(std::string_view json) { return job::plain_id(json); }

}  // namespace leitong
