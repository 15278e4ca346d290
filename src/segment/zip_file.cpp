#include "segment/zip_file.h"

#include <zip.h>

#include <utility>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

std::string reason(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

struct CloseMember {
  void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
};

}  // namespace

void ZipFile::Close::operator()(struct zip* archive) const noexcept { zip_discard(archive); }

ZipFile::ZipFile(std::string path) : path_(std::move(path)) {
  int code = 0;
  archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
  if (archive_) return;
  if (code == ZIP_ER_NOENT || code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK)
    throw Error(ErrorCode::io, path_ + ": cannot be opened (" + reason(code) + "); check that the file exists and is readable");
  throw Error(ErrorCode::format, path_ + ": is not a whole zip or jar (" + reason(code) + "); get it again");
}

void ZipFile::fail(const std::string& name, const std::string& what) const {
  throw Error(ErrorCode::format, path_ + ": " + name + ": " + what + "; get the file again");
}

bool ZipFile::contains(const std::string& name) const { return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0; }

std::vector<std::uint8_t> ZipFile::read(const std::string& name) const {
  const zip_int64_t index = zip_name_locate(archive_.get(), name.c_str(), 0);
  if (index < 0) throw Error(ErrorCode::format, path_ + ": holds no member " + name);
  zip_stat_t status;
  if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &status) != 0 || (status.valid & ZIP_STAT_SIZE) == 0)
    fail(name, "has no length");
  if (status.size > most_member_bytes)
    throw Error(ErrorCode::limit, path_ + ": " + name + ": would have " + std::to_string(status.size) +
                                      " bytes unpacked; no dictionary is as large, get the file again");
  if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE)
    throw Error(ErrorCode::unsupported, path_ + ": " + name + ": is encrypted; make a file without encryption");
  const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  if (!member) {
    const int code = zip_error_code_zip(zip_get_error(archive_.get()));
    if (code == ZIP_ER_COMPNOTSUPP)
      throw Error(ErrorCode::unsupported, path_ + ": " + name + ": " + reason(code) + "; pack it again with deflate");
    fail(name, reason(code));
  }
  // One byte more than it claims to have: a member that goes on is broken, and the checksum is compared where the end is met.
  std::vector<std::uint8_t> out(status.size + 1);
  std::uint64_t at = 0;
  while (at < out.size()) {
    const zip_int64_t got = zip_fread(member.get(), out.data() + at, out.size() - at);
    if (got < 0) fail(name, reason(zip_error_code_zip(zip_file_get_error(member.get()))));
    if (got == 0) break;
    at += static_cast<std::uint64_t>(got);
  }
  if (at != status.size) fail(name, "has another length than it claims");
  out.resize(status.size);
  return out;
}

}  // namespace leitong::segment
