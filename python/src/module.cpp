// The module _core: calls of the library, with Python's values in and out. The package beside it makes classes of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "leitong/data.h"
#include "leitong/version.h"

NB_MODULE(_core, m) {
  m.doc() = "Calls of the library. Use the package leitong.";
  leitong::python::translate_errors();
  m.def("version", &leitong::version);
  m.def("instruction_set", &leitong::instruction_set);
  m.def("also_find_data_in", &leitong::also_find_data_in);
  leitong::python::bind_fingerprints(m);
  leitong::python::bind_comparing(m);
  leitong::python::bind_jobs(m);
  leitong::python::bind_collection(m);
  leitong::python::bind_pages(m);
  leitong::python::bind_distributed(m);
}
