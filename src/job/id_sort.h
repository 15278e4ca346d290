// Sorts any number of byte strings in a bounded amount of memory; strings beyond it are spilled to files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::job {

class IdSort {
 public:
  // `prefix`: the beginning of the names of spilled files. `memory`: the budget in bytes.
  IdSort(std::string prefix, std::uint64_t memory) : prefix_(std::move(prefix)), memory_(memory) {}
  ~IdSort();  // removes the files
  IdSort(const IdSort&) = delete;
  IdSort& operator=(const IdSort&) = delete;
  void add(std::string_view id);
  // Ends adding and visits all strings in ascending order. A view is valid during the call of `visit`.
  void drain(const std::function<void(std::string_view)>& visit);

 private:
  struct Place {
    std::size_t begin, size;  // position in bytes_
  };
  [[nodiscard]] std::string_view at(const Place& place) const { return std::string_view(bytes_).substr(place.begin, place.size); }
  void sort();
  void spill();
  void merge(const std::function<void(std::string_view)>& visit) const;

  std::string prefix_;
  std::uint64_t memory_;
  std::string bytes_;
  std::vector<Place> places_;
  std::vector<std::string> files_;
};

}  // namespace leitong::job
