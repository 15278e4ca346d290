// What a store was given, told by notes that a worker makes while it works, so that another process can say what must be found after a
// crash.
//
//     created         the store is there
//     begin S         the batch of step S is about to be given: from now on it may be there
//     durable         every batch so far was acknowledged
//     settled N       opened again after an end that was none: the first N batches were found, and are durable
//     copying S / copied S   a backup of the store as it is now was begun in step S, and is done
#pragma once

#include <charconv>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "store/store_model_test.h"

namespace leitong::device {

using store::Change;
using store::Limits;
using store::Model;
using store::Row;
using store::Shape;
using store::Snapshot;

// A step draws from numbers of its own, so that it does the same whoever does it.
inline std::mt19937_64 numbers_of(std::uint64_t seed, std::uint64_t step) { return std::mt19937_64(seed * 1'000'003 + step); }

inline Shape shape_of(std::uint64_t seed) {
  Shape shape;
  shape.numeric_ids = seed % 2 == 0;
  shape.metadata = seed % 3 == 0;
  shape.texts = seed % 5 < 2;
  return shape;
}

// So small that tables are frozen, runs merged and manifests replaced all the time; in threads of the store's own, as in real use.
inline Limits limits_of(std::uint64_t seed) {
  Limits limits;
  limits.table_rows = static_cast<std::uint32_t>(8 + seed % 17);
  limits.runs = static_cast<unsigned>(2 + seed % 3);
  limits.logs = 2;
  limits.unsynced_bytes = 400;
  return limits;
}

class History {
 public:
  struct State {
    std::uint64_t digest = 0, next_sequence = 1;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Copy {
    State state;
    bool done = false;
  };

  explicit History(std::uint64_t seed) : seed_(seed), shape_(shape_of(seed)), states_(1), models_{{shape_, {}}} {}

  // Whole lines only: the last may have been cut off by the crash.
  void read(std::string_view notes) {
    for (std::size_t end = 0; (end = notes.find('\n')) != std::string_view::npos; notes.remove_prefix(end + 1)) note(notes.substr(0, end));
  }

  void note(std::string_view line) {
    const std::size_t space = line.find(' ');
    const std::string_view what = line.substr(0, space);
    std::uint64_t number = 0;
    if (space != std::string_view::npos) std::from_chars(line.data() + space + 1, line.data() + line.size(), number);
    if (what == "created") {
      created_ = true;
    } else if (what == "begin") {
      begin(number);
    } else if (what == "durable") {
      durable_ = batches();
    } else if (what == "settled") {
      settle(number);
    } else if (what == "copying") {
      copies_[number] = {states_.back(), false};
    } else if (what == "copied") {
      copies_.at(number).done = true;
    } else {
      throw std::runtime_error("no note: " + std::string(line));
    }
  }

  [[nodiscard]] std::vector<Change> changes(std::uint64_t step) const {
    std::mt19937_64 random = numbers_of(seed_, step);
    random.discard(8);  // the first ones say what the step is
    std::vector<Change> changes;
    for (std::uint64_t n = 1 + random() % 6; n > 0; --n) changes.push_back(store::random_change(shape_, random, 40));
    return changes;
  }

  [[nodiscard]] State state_of(const Snapshot& snapshot) const {
    return {store::digest_of(snapshot, shape_.words), snapshot.view().active->first_sequence() + snapshot.visible()};
  }

  // The beginning of the history that a snapshot shows; none: it shows what never was.
  [[nodiscard]] std::optional<std::size_t> prefix_of(const Snapshot& snapshot) const {
    const State found = state_of(snapshot);
    for (std::size_t i = states_.size(); i-- > 0;)
      if (states_[i] == found) return i;
    return std::nullopt;
  }

  [[nodiscard]] bool created() const { return created_; }
  [[nodiscard]] std::size_t batches() const { return states_.size() - 1; }
  [[nodiscard]] std::size_t durable() const { return durable_; }
  [[nodiscard]] const State& last() const { return states_.back(); }
  [[nodiscard]] const std::map<std::uint64_t, Copy>& copies() const { return copies_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }

 private:
  void begin(std::uint64_t step) {
    const std::vector<Change> changed = changes(step);
    Model model = models_.back();
    store::apply(changed, states_.back().next_sequence, model);
    states_.push_back({store::digest_of(model), states_.back().next_sequence + changed.size()});
    models_.push_back(std::move(model));
  }

  void settle(std::size_t found) {
    if (found > batches()) throw std::runtime_error("more batches were found than were begun");
    states_.resize(found + 1);
    models_.resize(found + 1);
    durable_ = found;
  }

  std::uint64_t seed_;
  Shape shape_;
  bool created_ = false;
  std::size_t durable_ = 0;    // batches
  std::vector<State> states_;  // after each batch; first: of nothing
  std::vector<Model> models_;
  std::map<std::uint64_t, Copy> copies_;  // by step
};

}  // namespace leitong::device
