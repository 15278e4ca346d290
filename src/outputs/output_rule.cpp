#include "outputs/output_rule.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "leitong/error.h"
#include "outputs/made_mark.h"
#include "records/spool.h"
#include "records/walk.h"
#include "segment/hanlp_sections.h"
#include "segment/ik_image.h"
#include "segment/jieba_format.h"
#include "sketches/sketch_file.h"

namespace leitong::outputs {
namespace {

std::string read_part(std::ifstream& file, std::streamoff at, std::size_t size) {
  std::string out(size, '\0');
  file.seekg(at);
  file.read(out.data(), static_cast<std::streamsize>(size));
  return file ? out : std::string();
}

// docs/file-format.md, docs/fingerprint-files.md
bool is_table(std::ifstream& file) { return read_part(file, 0, 8) == "\x89LTB\r\n\x1a\n"; }
bool is_index(std::ifstream& file) { return read_part(file, 0, 8) == "\x89LHX\r\n\x1a\n"; }

bool is_data(std::ifstream& file) {
  const std::string head = read_part(file, 0, 8);
  return head == segment::jieba_magic || head == segment::hanlp_magic || head == segment::ik_magic;
}

// Whether the file is a zstd file with a table of its frames at the end, as records/spool.h writes it.
bool is_spool(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  return size >= 8 && read_part(file, 0, 4) == "\x28\xB5\x2F\xFD" && read_part(file, size - 4, 4) == "\xB1\xEA\x92\x8F";
}

struct FormOfFile {
  OutputForm form;
  const char* name;
  bool (*fits)(std::ifstream& file);
};
constexpr std::array forms = {
    FormOfFile{OutputForm::table, "stage file", is_table},
    FormOfFile{OutputForm::index, "index", is_index},
    FormOfFile{OutputForm::data, "compiled dictionary", is_data},
    FormOfFile{OutputForm::spool, "copy of standard input", is_spool},
};

void refuse_foreign(const std::string& target, OutputForm wanted) {
  struct stat status{};
  if (::lstat(target.c_str(), &status) != 0 || status.st_size == 0 || is_marked_as_made(target) || is_of_form(target, wanted)) return;
  const auto* form = std::ranges::find(forms, wanted, &FormOfFile::form);
  const std::string what = form == forms.end() ? "nothing says that Leitong made it" : fmt::format("it is no {} of Leitong", form->name);
  throw Error(ErrorCode::usage, fmt::format("{}: is there already, and {}, so it is not replaced: give the output another name, or move "
                                            "the file away",
                                            target, what));
}

}  // namespace

bool is_of_form(const std::string& path, OutputForm wanted) {
  const auto* form = std::ranges::find(forms, wanted, &FormOfFile::form);
  std::ifstream file(path, std::ios::binary);
  return form != forms.end() && file && form->fits(file);
}

void refuse_special_file(const std::string& target) {
  struct stat status{};
  if (::lstat(target.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  throw Error(ErrorCode::usage, target + ": exists and is no regular file, so no file can take its name; name another");
}

void OutputRule::reads(const std::vector<std::string>& files) {
  files_.insert(files_.end(), files.begin(), files.end());
  read_.reset();
}

void OutputRule::reads(const InputOptions& input) {
  inputs_.push_back(input);
  read_.reset();
}

void OutputRule::reads_run(const std::vector<std::string>& sketches, std::uint64_t old_sketches) {
  reads(sketches);
  const sketches::SketchSet set(sketches, old_sketches);
  for (const sketches::SketchSet::File& file : set.files()) {
    std::vector<std::string> sources;
    for (const records::Source& source : file.metadata.sources)
      if (source.path != "-") sources.push_back(source.path);
    const auto streams = static_cast<std::size_t>(std::ranges::count(file.metadata.sources, 0, &records::Source::modified));
    for (std::size_t i = 0; !file.metadata.spool.empty() && i < streams; ++i)
      sources.push_back(records::spool_path(file.metadata.spool, i));
    reads(sources);
  }
}

void OutputRule::add(const std::string& path) const {
  struct stat status{};
  const bool there = path == "-" ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (there && S_ISREG(status.st_mode)) read_->emplace(FileId(status.st_dev, status.st_ino), path == "-" ? "standard input" : path);
}

const std::string* OutputRule::input_at(const std::string& target) const {
  struct stat status{};
  if (::stat(target.c_str(), &status) != 0) return nullptr;
  if (!read_) {
    read_.emplace();
    for (const std::string& file : files_) add(file);
    for (const InputOptions& input : inputs_)
      for (const records::Entry& entry : records::expand_paths(input))
        if (!entry.table) add(entry.path);
  }
  const auto found = read_->find(FileId(status.st_dev, status.st_ino));
  return found == read_->end() ? nullptr : &found->second;
}

void OutputRule::refuse_input(const std::string& target) const {
  if (const std::string* input = input_at(target))
    throw Error(ErrorCode::usage, fmt::format("{}: would be written, and is an input of this run ({}): give the output another name",
                                              target, *input == target ? "the same file" : *input + ", the same file"));
}

void OutputRule::check(const std::string& target, OutputForm form) const {
  if (target.empty() || target == "-") return;
  std::vector<std::string> names = {target};
  if (form == OutputForm::table) names.push_back(target + ".tmp");  // the name of a table file until it is complete
  for (const std::string& path : names) {
    refuse_input(path);
    refuse_special_file(path);
    refuse_foreign(path, form);
  }
}

}  // namespace leitong::outputs

namespace leitong {

void check_output(const std::string& path, const std::vector<std::string>& inputs, OutputForm form) {
  outputs::OutputRule rule;
  rule.reads(inputs);
  rule.check(path, form);
}

}  // namespace leitong
