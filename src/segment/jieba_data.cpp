#include "segment/jieba_data.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_io(const std::string& path) {
  throw Error(ErrorCode::io, path + ": " + std::strerror(errno) + "; compile the data of python3-jieba to make it");
}

}  // namespace

JiebaData JiebaData::open(const std::string& path) {
  JiebaData data;
  data.name_ = path;
  const Descriptor file(path);
  struct stat status{};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) fail_io(path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(JiebaHeader)) data.fail("is too short");
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file.number(), 0);
  if (at == MAP_FAILED) fail_io(path);
  data.mapped_ = true;
  data.bytes_ = {static_cast<const char*>(at), size};
  data.check_header();
  data.find_sections();
  return data;
}

JiebaData JiebaData::from_bytes(std::string bytes, const std::string& name) {
  JiebaData data;
  data.name_ = name;
  data.owned_ = std::move(bytes);
  data.bytes_ = data.owned_;
  if (data.bytes_.size() < sizeof(JiebaHeader)) data.fail("is too short");
  data.check_header();
  data.find_sections();
  return data;
}

JiebaData::~JiebaData() {
  if (mapped_) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void JiebaData::swap(JiebaData& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(owned_, other.owned_);  // long enough to stand on the heap: views into it stay valid
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  std::swap(labels_, other.labels_);
  std::swap(far_labels_, other.far_labels_);
  std::swap(words_, other.words_);
  std::swap(idf_words_, other.idf_words_);
  std::swap(frequencies_, other.frequencies_);
  std::swap(logs_, other.logs_);
  std::swap(idf_values_, other.idf_values_);
  std::swap(hmm_, other.hmm_);
  std::swap(emissions_, other.emissions_);
  std::swap(ascii_marks_, other.ascii_marks_);
  std::swap(stop_words_, other.stop_words_);
}

void JiebaData::fail(const std::string& what) const {
  throw Error(ErrorCode::format, name_ + " " + what + ", so it is no usable jieba data; compile it again");
}

void JiebaData::check_header() const {
  const JiebaHeader& h = header();
  if (std::memcmp(h.magic, jieba_magic, sizeof jieba_magic) != 0) fail("does not begin like jieba data");
  if (h.byte_order != byte_order_mark)
    throw Error(ErrorCode::unsupported, name_ + " was compiled on a machine of the other byte order; compile it here");
  if (h.version != jieba_version) {
    throw Error(ErrorCode::unsupported, name_ + " has version " + std::to_string(h.version) + ", this program reads version " +
                                            std::to_string(jieba_version) + "; compile it again");
  }
  if (h.file_size != bytes_.size()) fail("has " + std::to_string(bytes_.size()) + " bytes instead of " + std::to_string(h.file_size));
  if (h.section_count != static_cast<std::uint32_t>(JiebaSection::count)) fail("has a wrong number of sections");
  if (bytes_.size() < sizeof h + h.section_count * sizeof(JiebaSectionEntry)) fail("ends within its table of sections");
  if (h.label_count == 0 || h.label_count > 65536) fail("has a wrong number of labels");
  if (h.total == 0 || h.total > std::uint64_t{1} << 62) fail("has a wrong sum of frequencies");
}

template <typename Item>
std::span<const Item> JiebaData::section(JiebaSection id, std::size_t items_each) const {
  const auto index = static_cast<std::size_t>(id);
  const auto& entry = reinterpret_cast<const JiebaSectionEntry*>(bytes_.data() + sizeof(JiebaHeader))[index];
  if (entry.id != index || entry.item_size != sizeof(Item) * items_each || entry.offset % section_alignment != 0 ||
      entry.offset > bytes_.size() || entry.count > (bytes_.size() - entry.offset) / entry.item_size) {
    fail("has a damaged section " + std::to_string(index));
  }
  return {reinterpret_cast<const Item*>(bytes_.data() + entry.offset), entry.count * items_each};
}

void JiebaData::find_sections() {
  const std::size_t label_count = header().label_count;
  const auto labels = section<Label>(JiebaSection::labels);
  if (labels.size() != 65536 || *std::max_element(labels.begin(), labels.end()) >= label_count) fail("has damaged labels");
  labels_ = labels.data();
  far_labels_ = section<std::uint32_t>(JiebaSection::far_labels, 2);
  for (std::size_t i = 0; i < far_labels_.size(); i += 2) {
    if (far_labels_[i + 1] >= label_count) fail("has damaged labels");
  }
  frequencies_ = section<std::uint64_t>(JiebaSection::frequencies);
  logs_ = section<double>(JiebaSection::logs);
  idf_values_ = section<double>(JiebaSection::idf_values);
  if (frequencies_.empty() || frequencies_.size() != logs_.size() || idf_values_.empty()) fail("has damaged frequencies");
  const auto words = section<Node>(JiebaSection::words), idf_words = section<Node>(JiebaSection::idf_words);
  check_nodes(words, frequencies_.size());
  check_nodes(idf_words, idf_values_.size());
  words_ = words.data();
  idf_words_ = idf_words.data();
  const auto hmm = section<double>(JiebaSection::hmm);
  const auto emissions = section<double>(JiebaSection::emissions, state_count);
  const auto marks = section<std::uint64_t>(JiebaSection::ascii_marks);
  if (hmm.size() != state_count * (state_count + 1) || emissions.size() != label_count * state_count || marks.size() != 2)
    fail("has damaged tables");
  hmm_ = hmm.data();
  emissions_ = emissions.data();
  ascii_marks_ = marks.data();
  const auto stop_words = section<char>(JiebaSection::stop_words);
  stop_words_ = {stop_words.data(), stop_words.size()};
}

void JiebaData::check_nodes(std::span<const Node> nodes, std::size_t values) const {
  std::uint32_t base = 0, value = 0;
  for (const Node node : nodes) {
    base = std::max(base, base_of(node));
    value = std::max(value, value_of(node));
  }
  if (nodes.size() < std::size_t{base} + header().label_count || value >= values) fail("has a damaged dictionary");
}

void JiebaData::verify() const {
  JiebaHeader copy = header();
  copy.checksum = 0;
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, &copy, sizeof copy);
  XXH3_64bits_update(state, bytes_.data() + sizeof copy, bytes_.size() - sizeof copy);
  const std::uint64_t sum = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  if (sum != checksum()) fail("has a wrong checksum");
}

Label JiebaData::far_label(char32_t c) const {
  std::size_t low = 0, high = far_labels_.size() / 2;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (far_labels_[2 * middle] < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 2 * low < far_labels_.size() && far_labels_[2 * low] == c ? static_cast<Label>(far_labels_[2 * low + 1]) : Label{0};
}

double JiebaData::idf(std::u32string_view word) const {
  std::u16string labels;
  for (const char32_t c : word) labels.push_back(label(c));
  const std::uint32_t rank = find_value(idf_words_, labels);
  return rank == 0 ? header().median_idf : idf_values_[rank];
}

}  // namespace leitong::segment
