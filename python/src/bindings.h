// What each file gives to the module.
#pragma once

#include <nanobind/nanobind.h>

#include "errors.h"

namespace leitong::python {

void bind_fingerprints(nb::module_& m);
void bind_comparing(nb::module_& m);
void bind_jobs(nb::module_& m);
void bind_collection(nb::module_& m);
void bind_pages(nb::module_& m);
void bind_distributed(nb::module_& m);

}  // namespace leitong::python
