#include "texts.h"

#include <string>

#include "leitong/error.h"

namespace leitong::python {
namespace {

constexpr std::size_t most_texts = 8192, most_bytes = std::size_t{4} << 20;

bool is_ascii(nb::handle text) {
  static const PyObject* const name = PyUnicode_InternFromString("isascii");
  const nb::object answer = nb::steal(PyObject_CallMethodObjArgs(text.ptr(), const_cast<PyObject*>(name), nullptr));
  if (!answer.is_valid()) throw nb::python_error();
  return answer.ptr() == Py_True;
}

std::string_view bytes_of(const nb::object& bytes) {
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

class ListTexts : public Texts {
 public:
  explicit ListTexts(nb::list list) : list_(std::move(list)) {}

  bool next(TextBatch& batch) override {
    batch.texts.clear();
    batch.held.clear();
    std::size_t bytes = 0;
    for (; at_ < list_.size() && batch.texts.size() < most_texts && bytes < most_bytes; ++at_) {
      const nb::object value = list_[at_];
      if (value.is_none()) {
        batch.texts.emplace_back();
        continue;
      }
      std::optional<HeldText> text = held_text(value);
      if (!text) {
        throw Error(ErrorCode::usage, "texts[" + std::to_string(at_) + "] is " + nb::type_name(value.type()).c_str() +
                                          ": a text is a str, bytes of UTF-8, or None");
      }
      bytes += text->text.size();
      batch.texts.push_back(text->text);
      batch.held.push_back(std::move(text->held));
    }
    return !batch.texts.empty();
  }

 private:
  nb::list list_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<HeldText> held_text(nb::handle value) {
  if (PyBytes_Check(value.ptr())) {
    nb::object held = nb::borrow(value);
    const std::string_view view = bytes_of(held);
    return HeldText{std::move(held), view};
  }
  if (!PyUnicode_Check(value.ptr())) return std::nullopt;
  if (is_ascii(value)) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    return HeldText{nb::borrow(value), {data, static_cast<std::size_t>(size)}};
  }
  // Python would keep the UTF-8 of any other text inside the str, for as long as that lives: it is put into bytes of its own instead.
  nb::object encoded = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogatepass"));
  if (!encoded.is_valid()) throw nb::python_error();
  const std::string_view view = bytes_of(encoded);
  return HeldText{std::move(encoded), view};
}

nb::str python_text(std::string_view utf8) {
  PyObject* text = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
  if (text == nullptr) {
    PyErr_Clear();
    text = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  }
  if (text == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

std::unique_ptr<Texts> texts_of(nb::handle source, const std::string& column) {
  if (PyCapsule_CheckExact(source.ptr())) return arrow_texts(source, column);
  if (nb::isinstance<nb::list>(source)) return std::make_unique<ListTexts>(nb::borrow<nb::list>(source));
  throw Error(ErrorCode::usage, "texts must be a list or a stream of Arrow");
}

}  // namespace leitong::python
