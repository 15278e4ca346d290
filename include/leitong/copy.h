// copy: the fingerprints of one collection into another, whatever they stand on, and the proof that they arrived.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/job.h"

namespace leitong {

struct CopyOptions {
  std::string from, to;  // directories or addresses of servers, as of Collection; `to` is made if nothing is there
  std::string layout;    // of `to`, if it is made on a server; empty: the default
  std::string key;       // of a profile with a key
  // If not empty: a file that says how far the copy is. The same copy goes on from there; at the end it is removed.
  std::string progress_file;
  JobOptions job;
};

struct CopyResult {
  std::uint64_t documents = 0;           // of `from`, all of them in `to` now; one that a server's scan gives twice counts twice
  std::uint64_t without = 0;             // of `from`, left out, for they have no fingerprint
  std::uint64_t before = 0;              // of an earlier copy that this one went on from
  std::uint64_t others = 0;              // that `to` holds besides
  std::uint64_t checksum = 0;            // of ids and fingerprints, whatever their order; equal on both sides
  std::vector<std::string> left_behind;  // what `to` cannot keep: "texts", "second sketches", "metadata"
};

// Copies in batches of some thousands, each there when the next is begun; then reads `from` again and compares every fingerprint with what
// `to` gives for its id. Documents that are there already are written over if they differ and otherwise left alone, so that a copy that was
// stopped is simply run again. Where both are directories the whole collection is copied into a new one, as by Collection::backup().
// Errors: those of Collection; usage if the two have different profiles, or `from` is `to`; format if the two differ at the end (a writer
// may have been at work: copy again).
CopyResult copy(const CopyOptions& options);

}  // namespace leitong
