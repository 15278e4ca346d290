// Web pages to their main content.
#include <nanobind/stl/string.h>

#include <vector>

#include "bindings.h"
#include "leitong/extract.h"
#include "slices.h"
#include "texts.h"
#include "waiting.h"

namespace leitong::python {
namespace {

nb::object python_page(const PageText& page) {
  return nb::make_tuple(python_text(page.text), python_text(page.title), python_text(page.url), python_text(page.date),
                        python_text(page.language), page.kind, page.source, page.fell_back, page.model);
}

// A page, or None for one that is missing, for each of the texts.
nb::list extract_pages(nb::handle source, const std::string& column, const std::string& mode, unsigned threads) {
  (void)without_lock([&] { return extract_page({}, mode); });  // what is wrong with the word comes now, also of no pages
  std::unique_ptr<Texts> texts = texts_of(source, column);
  nb::list out;
  std::vector<PageText> pages;
  for (TextBatch batch; texts->next(batch);) {
    if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
    pages.resize(batch.texts.size());
    without_lock([&] {
      in_slices(pages.size(), 1, threads_of(threads), [&](std::size_t, std::size_t i) {
        if (batch.texts[i].data() != nullptr) pages[i] = extract_page(batch.texts[i], mode);
      });
    });
    for (std::size_t i = 0; i < pages.size(); ++i) out.append(batch.texts[i].data() == nullptr ? nb::none() : python_page(pages[i]));
  }
  return out;
}

}  // namespace

void bind_pages(nb::module_& m) {
  m.def("extract", &extract_pages, nb::arg("pages"), nb::arg("column"), nb::arg("mode"), nb::arg("threads"),
        nb::sig("def extract(pages: object, column: str, mode: str, threads: int) -> "
                "list[tuple[str, str, str, str, str, str, str, bool, str] | None]"));
}

}  // namespace leitong::python
