// One line of results: a row of the printed table, and the same as a JSON object in a file.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "measure.h"
#include "oracle.h"

namespace bench_hamming {

class Record {
 public:
  explicit Record(const std::string& measure) { add("measure", measure); }

  Record& add(const std::string& name, const std::string& text);
  Record& add(const std::string& name, const char* text) { return add(name, std::string(text)); }
  Record& add(const std::string& name, double number);
  template <typename Integer>
    requires std::is_integral_v<Integer>
  Record& add(const std::string& name, Integer number) {
    return add_whole(name, static_cast<std::uint64_t>(number));
  }

  // Who did what, and its times: medians, minima, nanoseconds for each of `units` (rows, queries), processor time.
  Record& add_times(const std::string& who, const Samples& times, double units);
  // The ratio of medians, and that of minima.
  Record& add_ratio(const Samples& times, const Samples& yardstick, const std::string& yardstick_name);
  Record& add_tally(const Tally& tally);
  // What the result was compared with, and whether it was equal. A difference makes the program fail.
  Record& add_check(const std::string& how, bool equal);

  // Prints it, and adds it to the file.
  void write(const std::string& json_file) const;

 private:
  Record& add_whole(const std::string& name, std::uint64_t number);

  std::string json_, line_;
};

[[nodiscard]] bool all_checks_held();

}  // namespace bench_hamming
