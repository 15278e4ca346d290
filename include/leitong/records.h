// Inputs record by record: the frame of every command that does one thing to each text.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "leitong/dedup.h"

namespace leitong {

// One good record. Views are valid during the call.
struct RecordView {
  std::string_view id;                       // a JSON value; empty: the record has none
  std::string_view text;                     // UTF-8, in which a surrogate without its partner (a JSON escape) stands as three bytes
  std::span<const std::string_view> fields;  // values of InputOptions::fields, empty where missing; text, or for JSON null: empty
};

// Appends what is to be said of one record. Made once a thread, so that it can own buffers; called for any of the records.
using RecordWorker = std::function<void(const RecordView&, std::string& out)>;

// Reads the inputs once, gives every good record to a worker, on JobOptions::threads threads, and calls `sink` with what they appended, in
// input order, many records at a time. Memory: about a mebibyte of input a thread. `name` is that of the job, for progress.
// Bad records are counted, the first is named in a note, and under InputOptions::strict the first is an Error(format).
Counts map_records(const InputOptions& input, const JobOptions& job, const char* name, const std::function<RecordWorker()>& make_worker,
                   const std::function<void(std::string_view)>& sink);

// Appends `utf8` as a JSON string with quotes. A surrogate without its partner becomes its escape again, other invalid parts U+FFFD.
void append_json_string(std::string& out, std::string_view utf8);

}  // namespace leitong
