// Arguments of Python's functions as options of the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "leitong/dedup.h"
#include "leitong/profile.h"
#include "leitong/rule.h"

namespace leitong::python {

namespace nb = nanobind;

// A name, a path, or TOML, which has a line end.
[[nodiscard]] Profile profile_of(const std::string& text);
[[nodiscard]] Rule rule_of(const std::string& text);

// One option of a dict; what is missing or None stays as it was.
template <class T>
void set_option(const nb::dict& options, const char* name, T& value) {
  if (!options.contains(name)) return;
  const nb::object given = options[name];
  if (!given.is_none()) value = nb::cast<T>(given);
}
template <class T>
void set_option(const nb::dict& options, const char* name, std::optional<T>& value) {
  if (!options.contains(name)) return;
  const nb::object given = options[name];
  if (!given.is_none()) value = nb::cast<T>(given);
}

[[nodiscard]] InputOptions input_of(const nb::dict& options);
[[nodiscard]] DedupOptions dedup_of(const nb::dict& options);
void set_job(const nb::dict& options, JobOptions& job);
[[nodiscard]] nb::dict dict_of(const Counts& counts);

}  // namespace leitong::python
