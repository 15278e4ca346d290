#include "outputs/reject_file.h"

#include <fmt/format.h>

#include <iterator>

#include "leitong/file_name.h"
#include "records/json.h"

namespace leitong::outputs {

RejectFile::RejectFile(const std::string& path) {
  if (!path.empty()) file_.emplace(path);
}

void RejectFile::add(std::string_view source, std::uint64_t line, std::uint64_t offset, std::uint64_t record, std::string_view reason) {
  if (!file_) return;
  std::string& out = file_->buffer();
  out += "{\"source\":";
  records::append_json_string(out, shown_name(source));
  fmt::format_to(std::back_inserter(out), ",\"line\":{},\"offset\":{},\"record\":{},\"reason\":", line, offset, record);
  records::append_json_string(out, reason);
  out += "}\n";
  file_->flush_if_full();
}

void RejectFile::finish() {
  if (file_) file_->finish();
}

}  // namespace leitong::outputs
