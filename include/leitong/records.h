// Inputs record by record: the frame of every command that does one thing to each text.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/page.h"
#include "leitong/stages.h"

namespace leitong {

// One good record. Views are valid during the call.
struct RecordView {
  std::string_view id;                       // a JSON value; empty: the record has none
  std::string_view text;                     // UTF-8, in which a surrogate without its partner (a JSON escape) stands as three bytes
  std::span<const std::string_view> fields;  // values of InputOptions::fields, empty where missing; text, or for JSON null: empty; then
                                             // those of json_fields
  const PageFacts* page = nullptr;           // null: the text is not that of a page, or InputOptions::page_facts is off
  std::string_view url;                      // of a record of an archive; else empty
};

// Appends what is to be said of one record. Made once a thread, so that it can own buffers; called for any of the records.
using RecordWorker = std::function<void(const RecordView&, std::string& out)>;

// Reads the inputs once, gives every good record to a worker, on JobOptions::threads threads, and calls `sink` with what they appended, in
// input order, many records at a time. Memory: about a mebibyte of input a thread. `name` is that of the job, for progress.
// Bad records are counted, the first is named in a note, and under InputOptions::strict the first is an Error(format). So are inputs of
// which no record has a text where text_field says, after the first thousand records.
Counts map_records(const InputOptions& input, const JobOptions& job, const char* name, const std::function<RecordWorker()>& make_worker,
                   const std::function<void(std::string_view)>& sink);

// Where a record stands.
struct RecordPlace {
  std::string_view source;   // the input's path
  std::uint64_t line = 0;    // of the source, from 1
  std::uint64_t record = 0;  // of all inputs, from 0, bad ones counted
};

// Called with each good record's place and what its worker appended, in input order, one at a time. Returns why the record is bad after
// all; empty: it is good.
using RecordVisitor = std::function<std::string(const RecordPlace&, std::string_view out)>;

// Called with each bad record's place and what is wrong with it, after the good ones that were read with it. Those that a RecordVisitor
// calls bad are among them.
using BadRecordVisitor = std::function<void(const RecordPlace&, std::string_view reason)>;

// map_records for who looks at records one by one. `rejected`: a file for all bad records, as SketchOptions::rejected; empty: none.
// `bad`, if not null, is told of them.
Counts visit_records(const InputOptions& input, const JobOptions& job, const char* name, const std::function<RecordWorker()>& make_worker,
                     const RecordVisitor& visit, const std::string& rejected = {}, const BadRecordVisitor& bad = {});

// Appends `utf8` as a JSON string with quotes. A surrogate without its partner becomes its escape again, other invalid parts U+FFFD.
void append_json_string(std::string& out, std::string_view utf8);
// The text of a JSON string; any other JSON value as it is.
[[nodiscard]] std::string text_of_json(std::string_view json);

}  // namespace leitong
