#include "outputs/output_forms.h"

#include <fmt/format.h>

#include "leitong/error.h"
#include "outputs/output_file.h"
#include "outputs/output_layout.h"
#include "outputs/output_names.h"
#include "records/byte_stream.h"
#include "records/pack.h"
#include "records/unpack.h"

namespace leitong::outputs {
namespace {

void remove_file(const std::string& path) {
  if (storage::posix_vfs().exists(path)) storage::posix_vfs().remove(path);
}

void copy_lines(const std::string& from, const std::string& to) {
  std::string error;
  auto file = records::open_file(from, true, error);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: {}", from, error));
  const auto lines = records::unpack(std::move(file), records::compression_of_name(from), ~0ULL);
  OutputFile out(to);
  constexpr std::size_t step = 1 << 20;
  for (std::size_t got = step; got == step; out.flush_if_full()) {
    std::string& buffer = out.buffer();
    buffer.resize(step);
    got = lines->read(buffer.data(), step);
    buffer.resize(got);
  }
  if (!lines->fault().empty()) throw Error(ErrorCode::format, fmt::format("{}: {}", from, lines->fault()));
  out.finish();
}

}  // namespace

std::optional<std::vector<std::string>> kept_files(const std::string& output_dir) {
  auto& vfs = storage::posix_vfs();
  for (const std::string& name : lines_names("kept"))
    if (vfs.exists(output_dir + "/" + name)) return std::vector{output_dir + "/" + name};
  if (!vfs.exists(output_dir + "/kept") || !vfs.exists(layout_list(output_dir, "kept"))) return std::nullopt;
  std::vector<std::string> files;
  for (const std::string& name : read_layout(output_dir, "kept")) files.push_back(output_dir + "/kept/" + name);
  return files;
}

void remove_other_forms(const std::string& output_dir, const std::string& name, const std::string& written) {
  for (const std::string& form : lines_names(name))
    if (form != written) remove_file(output_dir + "/" + form);
  if (written == name) return;
  remove_listed(output_dir + "/" + name, read_layout(output_dir, name));
  remove_file(layout_list(output_dir, name));
}

void change_form(const std::string& output_dir, const std::string& name, const std::string& path) {
  if (storage::posix_vfs().exists(path)) return;
  for (const std::string& form : lines_names(name)) {
    const std::string other = output_dir + "/" + form;
    if (!storage::posix_vfs().exists(other)) continue;
    copy_lines(other, path);
    return remove_file(other);
  }
}

}  // namespace leitong::outputs
