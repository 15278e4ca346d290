// A disk for tests: a FUSE file system whose file `disk` is meant to lie under a loop device, which makes a block flush an fsync of it.
//
//     device_disk IMAGE LOG MOUNTPOINT      (in the foreground, until SIGTERM)
//
// IMAGE holds the bytes. LOG gets all that happens, in order: 'W' offset length data, 'F' (a flush), 'N' length text (a note); numbers are
// u64 as the machine has them. Beside `disk` there are
//     notes    what is written to it stands in LOG between the writes, so that a test can tell what a program had said when; read: all so
//     far faults   takes lines "write N once", "flush N on", "read N on", "none": the N-th such call from now (from 1), or it and all after
//     it,
//              end with EIO and do nothing. Read: how many failed so far.
// One thread: what the log says is the order in which it was done. Nothing is cached above (direct I/O).
#define FUSE_USE_VERSION 31
#include <fcntl.h>
#include <fuse.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

namespace {

struct Fault {
  std::uint64_t left = 0;  // calls until it strikes; 0: never
  bool once = true;

  bool strikes() {
    if (left == 0) return false;
    if (left > 1) {
      --left;
      return false;
    }
    if (once) left = 0;
    return true;
  }
};

int image = -1;
std::FILE* events = nullptr;
std::string notes;
Fault write_fault, flush_fault, read_fault;
std::uint64_t struck = 0;

void put(char kind, std::initializer_list<std::uint64_t> numbers, std::string_view data) {
  std::fputc(kind, events);
  for (const std::uint64_t number : numbers) std::fwrite(&number, sizeof number, 1, events);
  std::fwrite(data.data(), 1, data.size(), events);
  if (std::fflush(events) != 0) {
    std::perror("device_disk: the log cannot be written");
    std::_Exit(1);  // a log with holes would prove anything
  }
}

bool fails(Fault& fault) {
  if (!fault.strikes()) return false;
  ++struck;
  return true;
}

bool take_fault(const std::string& line) {
  std::istringstream words(line);
  std::string call, how;
  std::uint64_t number = 0;
  words >> call;
  if (call == "none") {
    write_fault = flush_fault = read_fault = Fault();
    return true;
  }
  words >> number >> how;
  Fault* fault = call == "write" ? &write_fault : call == "flush" ? &flush_fault : call == "read" ? &read_fault : nullptr;
  if (fault == nullptr || number == 0 || (how != "once" && how != "on")) return false;
  *fault = {number, how == "once"};
  return true;
}

// What it mounted, it keeps in a mount namespace of its own. Else, killed together with all others, it could be the last in theirs, would
// have to unmount what lies on the disk as it ends, and wait for itself for ever.
void* begin(fuse_conn_info*, fuse_config*) {
  if (::unshare(CLONE_NEWNS) != 0) {
    std::perror("device_disk: unshare");
    std::_Exit(1);
  }
  return nullptr;
}

int get_attributes(const char* path, struct stat* status, fuse_file_info*) {
  const std::string_view name = path;
  *status = {};
  if (name == "/") {
    status->st_mode = S_IFDIR | 0700;
    status->st_nlink = 2;
    return 0;
  }
  if (name != "/disk" && name != "/notes" && name != "/faults") return -ENOENT;
  status->st_mode = S_IFREG | 0600;
  status->st_nlink = 1;
  struct stat bytes{};
  if (name == "/disk" && ::fstat(image, &bytes) == 0) status->st_size = bytes.st_size;
  return 0;
}

int open_file(const char*, fuse_file_info* file) {
  file->direct_io = 1;  // the page cache would keep writes back, and merge them
  return 0;
}

int read_text(const std::string& text, char* out, std::size_t size, off_t offset) {
  if (offset < 0 || static_cast<std::size_t>(offset) >= text.size()) return 0;
  return static_cast<int>(text.copy(out, size, static_cast<std::size_t>(offset)));
}

int read_file(const char* path, char* out, std::size_t size, off_t offset, fuse_file_info*) {
  const std::string_view name = path;
  if (name == "/notes") return read_text(notes, out, size, offset);
  if (name == "/faults") return read_text(std::to_string(struck), out, size, offset);
  if (fails(read_fault)) return -EIO;
  const ssize_t got = ::pread(image, out, size, offset);
  return got < 0 ? -errno : static_cast<int>(got);
}

int write_file(const char* path, const char* data, std::size_t size, off_t offset, fuse_file_info*) {
  const std::string_view name = path;
  if (name == "/notes") {
    notes.append(data, size);
    put('N', {size}, {data, size});
    return static_cast<int>(size);
  }
  if (name == "/faults") return take_fault(std::string(data, size)) ? static_cast<int>(size) : -EINVAL;
  if (fails(write_fault)) return -EIO;
  const ssize_t done = ::pwrite(image, data, size, offset);
  if (done < 0) return -errno;
  put('W', {static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(done)}, {data, static_cast<std::size_t>(done)});
  return static_cast<int>(done);
}

int sync_file(const char* path, int, fuse_file_info*) {
  if (std::string_view(path) != "/disk") return 0;
  if (fails(flush_fault)) return -EIO;
  put('F', {}, {});
  return 0;
}

int truncate_file(const char* path, off_t, fuse_file_info*) { return std::string_view(path) == "/disk" ? -EPERM : 0; }

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: device_disk IMAGE LOG MOUNTPOINT\n", stderr);
    return 2;
  }
  image = ::open(arguments[1], O_RDWR | O_CLOEXEC);
  events = std::fopen(arguments[2], "wbxe");
  if (image < 0 || events == nullptr) {
    std::perror("device_disk: IMAGE or LOG");
    return 2;
  }
  fuse_operations operations{};
  operations.init = begin;
  operations.getattr = get_attributes;
  operations.open = open_file;
  operations.read = read_file;
  operations.write = write_file;
  operations.fsync = sync_file;
  operations.truncate = truncate_file;
  char program[] = "device_disk", foreground[] = "-f", one_thread[] = "-s";
  char* options[] = {program, foreground, one_thread, arguments[3], nullptr};
  return fuse_main(4, options, &operations, nullptr);
}
