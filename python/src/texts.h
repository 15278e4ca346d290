// Texts that Python holds, as views of their UTF-8: a list, or a stream of Arrow that is read in place.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::python {

namespace nb = nanobind;

// Some texts in a row; a missing one has data() null (an empty one has not). All but reading the views wants the interpreter's lock.
struct TextBatch {
  std::vector<std::string_view> texts;
  std::vector<nb::object> held;       // what the views look into
  std::shared_ptr<const void> array;  // or this
};

class Texts {
 public:
  virtual ~Texts() = default;
  // The next 8,192 texts or 4 MiB of them, whichever is less; false: there are no more. Replaces what is in the batch.
  virtual bool next(TextBatch& batch) = 0;
};

// `source`: a list of str, bytes or None, or a capsule arrow_array_stream; of a stream of tables the column of that name, or, without a
// name, the only one. Error(usage) for anything else, in a list with the place.
[[nodiscard]] std::unique_ptr<Texts> texts_of(nb::handle source, const std::string& column = {});
[[nodiscard]] std::unique_ptr<Texts> arrow_texts(nb::handle capsule, const std::string& column);

// A str's or bytes' UTF-8; a lone surrogate stands as three bytes. `held` is what must live as long as the view; nullopt: it is neither.
struct HeldText {
  nb::object held;
  std::string_view text;
};
[[nodiscard]] std::optional<HeldText> held_text(nb::handle value);
// The other way round. Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] nb::str python_text(std::string_view utf8);

}  // namespace leitong::python
