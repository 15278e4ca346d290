// The library's values as Python's.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string_view>

#include "leitong/explain.h"
#include "leitong/fingerprint.h"
#include "leitong/similarity.h"

namespace leitong::python {

namespace nb = nanobind;

[[nodiscard]] nb::object python_hex(const std::optional<Fingerprint>& fingerprint);  // or None
// The members by name; runs of the difference as (same, text of a, text of b).
[[nodiscard]] nb::object dict_of(const Comparison& comparison, std::string_view a, std::string_view b);
[[nodiscard]] nb::object dict_of(const Explanation& explanation);

}  // namespace leitong::python
