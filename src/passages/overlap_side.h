// One of the two collections of an overlap: read once or several times, its bad records listed the first time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fingerprint/hash.h"
#include "job/input_notes.h"
#include "job/job.h"
#include "job/numbering.h"
#include "outputs/output_file.h"
#include "records/input.h"
#include "text/tokenize.h"

namespace leitong::passages {

// Texts to hashed tokens. One a thread.
class TokenHasher {
 public:
  explicit TokenHasher(bool fold_traditional) { options_.fold_traditional = fold_traditional; }
  // Appends to `out`; returns their number.
  std::size_t operator()(std::string_view text, std::vector<std::uint64_t>& out);
  // Of the same text: the bytes of each token. Valid until the next call.
  [[nodiscard]] const std::vector<text::Range>& places(std::string_view text);

 private:
  text::TokenizeOptions options_;
  text::Tokens tokens_;
  fingerprint::Hasher hasher_;
};

class OverlapSide {
 public:
  // `name`: "a" or "b"; `spool`: where standard input is kept.
  OverlapSide(const InputOptions& options, std::string name, std::string spool, const std::atomic<bool>* stop)
      : options_(options), name_(std::move(name)), spool_(std::move(spool)), stop_(stop) {}

  [[nodiscard]] const InputOptions& options() const { return options_; }
  // Known after the first reading.
  [[nodiscard]] const std::vector<records::Source>& sources() const { return sources_; }
  [[nodiscard]] const std::vector<std::uint64_t>& records_of() const { return records_of_; }    // by source, bad ones included
  [[nodiscard]] const std::vector<std::uint64_t>& rejected_of() const { return rejected_of_; }  // by source
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<std::string>& unread() const { return unread_; }
  [[nodiscard]] records::Reread reread() const { return {options_, sources_, spool_}; }

  // One reading from the beginning. Two may not go on at once.
  class Reading {
   public:
    // `rejected`: where bad records are listed; null: not again.
    Reading(OverlapSide& side, outputs::OutputFile* rejected);
    bool next(records::Chunk& chunk) { return input_->next(chunk); }
    void parse(const records::Chunk& chunk, records::Parsed& parsed) const { input_->parse(chunk, parsed); }
    // Before and after what is done with a chunk's records, in order.
    void begin(const records::Chunk& chunk, const records::Parsed& parsed);
    void end(const records::Chunk& chunk, const records::Parsed& parsed, job::Job& job);
    [[nodiscard]] std::uint64_t record(const records::Record& record) const { return numbering_.record(record.index); }
    [[nodiscard]] std::uint64_t line(const records::Record& record) const { return numbering_.line(record.source, record.line); }
    [[nodiscard]] std::uint64_t records() const { return numbering_.records(); }
    [[nodiscard]] std::uint64_t rejected() const { return rejected_count_; }
    [[nodiscard]] std::uint64_t total_bytes() const { return input_->total_bytes(); }  // packed; 0: not known
    // After all was read.
    void finish(job::Job& job);

   private:
    void count(std::vector<std::uint64_t>& counts, std::uint32_t source);
    OverlapSide& side_;
    outputs::OutputFile* rejected_;
    std::unique_ptr<records::Input> input_;
    job::Numbering numbering_;
    job::InputNotes notes_;
    std::vector<std::uint64_t> records_of_;
    std::uint64_t rejected_count_ = 0, packed_ = 0;
  };

 private:
  [[nodiscard]] std::unique_ptr<records::Input> open() const;

  const InputOptions& options_;
  std::string name_, spool_;
  const std::atomic<bool>* stop_;
  std::vector<records::Source> sources_;
  std::vector<std::uint64_t> records_of_, rejected_of_;
  std::vector<std::string> notes_, unread_;
};

}  // namespace leitong::passages
