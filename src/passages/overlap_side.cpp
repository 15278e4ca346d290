#include "passages/overlap_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "leitong/error.h"
#include "records/format.h"
#include "records/json.h"
#include "records/spool.h"

namespace leitong::passages {

std::size_t TokenHasher::operator()(std::string_view text, std::vector<std::uint64_t>& out) {
  options_.with_source = false;
  text::tokenize(text, options_, tokens_);
  const std::size_t begin = out.size();
  out.resize(begin + tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    out[begin + i] = hasher_.padded_bytes(tokens_.bytes.data() + tokens_.tokens[i].begin, tokens_.tokens[i].end - tokens_.tokens[i].begin);
  return tokens_.size();
}

const std::vector<text::Range>& TokenHasher::places(std::string_view text) {
  options_.with_source = true;
  text::tokenize(text, options_, tokens_);
  return tokens_.source;
}

// What could be read only once is read again from its copy, which is an ordinary zstd file.
std::unique_ptr<records::Input> OverlapSide::open() const {
  const bool spooled =
      std::any_of(sources_.begin(), sources_.end(), [](const auto& source) { return source.size == 0 && source.modified == 0; });
  if (!spooled) return std::make_unique<records::Input>(options_, sources_.empty() ? spool_ : std::string(), stop_);
  InputOptions again = options_;
  again.paths = {records::spool_path(spool_, 0)};
  again.encoding = "UTF-8";  // the copy was made of the converted text
  again.format = records::name_of(sources_.front().format);
  again.max_expansion = std::numeric_limits<std::uint64_t>::max();
  return std::make_unique<records::Input>(again, "", stop_);
}

OverlapSide::Reading::Reading(OverlapSide& side, outputs::OutputFile* rejected) : side_(side), rejected_(rejected), input_(side.open()) {}

void OverlapSide::Reading::count(std::vector<std::uint64_t>& counts, std::uint32_t source) {
  if (source >= counts.size()) counts.resize(source + 1, 0);
  ++counts[source];
}

void OverlapSide::Reading::begin(const records::Chunk& chunk, const records::Parsed& parsed) {
  numbering_.start(chunk, parsed);
  notes_.add(*input_, parsed);
  for (const records::Record& record : parsed.records) count(records_of_, record.source);
  for (const records::Reject& reject : parsed.rejects) {
    count(records_of_, reject.source);
    ++rejected_count_;
    if (rejected_ == nullptr) continue;
    const std::string& source = input_->source_path(reject.source);
    const std::uint64_t line = numbering_.line(reject.source, reject.line);
    if (side_.options_.strict) throw Error(ErrorCode::format, fmt::format("{}:{}: {} (--strict)", source, line, reject.reason));
    std::string& out = rejected_->buffer();
    fmt::format_to(std::back_inserter(out), "{{\"collection\":\"{}\",\"source\":", side_.name_);
    records::append_json_string(out, source);
    fmt::format_to(std::back_inserter(out), ",\"line\":{},\"offset\":{},\"record\":{},\"reason\":", line, reject.offset,
                   numbering_.record(reject.index));
    records::append_json_string(out, reject.reason);
    out += "}\n";
    rejected_->flush_if_full();
  }
}

void OverlapSide::Reading::end(const records::Chunk& chunk, const records::Parsed& parsed, job::Job& job) {
  numbering_.end(parsed);
  packed_ += chunk.packed_bytes;
  job.progress(packed_, input_->total_bytes(), numbering_.records());
}

void OverlapSide::Reading::finish(job::Job& job) {
  job.finish_progress(packed_, numbering_.records());
  if (rejected_ == nullptr) return;
  side_.sources_ = input_->sources();
  side_.notes_ = notes_.finish(*input_);
  side_.unread_ = notes_.unread();
  side_.records_of_ = std::move(records_of_);
  side_.rejected_of_ = notes_.rejected();
  side_.records_of_.resize(side_.sources_.size(), 0);
  side_.rejected_of_.resize(side_.sources_.size(), 0);
}

}  // namespace leitong::passages
