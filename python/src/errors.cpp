#include "errors.h"

#include <exception>
#include <new>

#include "leitong/error.h"

namespace leitong::python {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return "UsageError";
    case ErrorCode::io:
      return "StoreIOError";
    case ErrorCode::format:
      return "FormatError";
    case ErrorCode::limit:
      return "LimitError";
    case ErrorCode::unsupported:
      return "UnsupportedError";
    case ErrorCode::interrupted:
      return "Interrupted";
  }
  return "Error";
}

nb::object exception_class(const char* name) { return nb::module_::import_("leitong._errors").attr(name); }

void set(const char* name, const std::string& message) {
  // Names of files may be any bytes, and stand in messages.
  const nb::object text = nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
  PyErr_SetObject(exception_class(name).ptr(), text.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    set(name_of(error.code()), error.what());
  }
}

}  // namespace

void translate_errors() { nb::register_exception_translator(translate); }

void raise_interrupted(nb::python_error raised) {
  if (!raised.matches(PyExc_KeyboardInterrupt)) throw raised;
  set("Interrupted", "stopped");
  throw nb::python_error();
}

void warn_of(const std::string& sentence) {
  if (PyErr_WarnEx(exception_class("LeitongWarning").ptr(), sentence.c_str(), 3) != 0) throw nb::python_error();
}

}  // namespace leitong::python
