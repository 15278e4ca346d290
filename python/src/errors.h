// leitong::Error as Python's exceptions, which leitong/_errors.py defines.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace leitong::python {

namespace nb = nanobind;

void translate_errors();

// Of what was raised while the library worked: a KeyboardInterrupt becomes leitong.Interrupted, anything else is raised as it is.
[[noreturn]] void raise_interrupted(nb::python_error raised);

// leitong.LeitongWarning, at the caller's line.
void warn_of(const std::string& sentence);

}  // namespace leitong::python
