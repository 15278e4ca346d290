#include "warc/archive_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "warc/header.h"

namespace leitong::warc {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::size_t search_block = std::size_t{1} << 20;
constexpr std::size_t longest_line = 16384;  // of ARC
constexpr std::string_view version = "WARC/";

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

bool begins_warc(std::string_view bytes) {
  return bytes.size() >= 7 && bytes.starts_with(version) && (bytes[5] == '0' || bytes[5] == '1') && bytes[6] == '.';
}

std::string_view first_line(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool begins_arc(std::string_view bytes) {
  // Nearly every line of a page fails at its first character, or has no colon that soon.
  if (bytes.empty() || std::isalpha(static_cast<unsigned char>(bytes.front())) == 0) return false;
  if (bytes.substr(0, 17).find(':') == none) return false;
  return parse_arc_line(first_line(bytes.substr(0, longest_line))).has_value();
}

}  // namespace

bool begins_record(std::string_view line) { return begins_warc(line) || begins_arc(line); }

// Unpacks some more; false: there is nothing more, or a fault comes first.
bool ArchiveReader::load() {
  if (ended_ || !fault_.empty()) return false;
  const Members::Step step = members_.next(plain_);
  const std::uint64_t end = at_ + plain_.size();
  if (step.begin) {
    const std::uint64_t begin = end - step.made;
    // A member before it was broken before it gave anything.
    std::erase_if(marks_, [&](const Mark& mark) { return mark.begin && mark.at == begin; });
    marks_.push_back({begin, *step.begin, true});
  }
  if (step.end) marks_.push_back({end, *step.end, false});
  if (!step.fault.empty()) {
    fault_ = step.fault;
    fault_at_ = step.fault_at;
    fault_last_ = step.last;
  }
  ended_ = step.last;
  return true;
}

// At most so many bytes from here on, fewer before the end or a fault.
std::string_view ArchiveReader::need(std::size_t size) {
  while (plain_.size() < size && load()) {
  }
  return plain_.view().substr(0, size);
}

void ArchiveReader::drop(std::size_t size) {
  plain_.drop(size);
  at_ += size;
  while (!marks_.empty() && (marks_.front().at < at_ || (marks_.front().at == at_ && !marks_.front().begin))) marks_.pop_front();
}

// Line ends between records; false: nothing is left before the end or a fault.
bool ArchiveReader::skip_blank() {
  while (true) {
    const std::string_view bytes = need(1);
    if (bytes.empty()) return false;
    const std::string_view held = plain_.view();
    const auto end = std::ranges::find_if_not(held, is_line_end);
    drop(static_cast<std::size_t>(end - held.begin()));
    if (plain_.size() > 0) return true;
  }
}

bool ArchiveReader::is_record_here(std::string_view bytes) const { return begins_warc(bytes) || (arc_ && begins_arc(bytes)); }

ArchiveReader::Finding ArchiveReader::next() {
  drop(std::exchange(given_, 0));
  while (!skip_blank()) {
    if (!fault_.empty()) return fault();
    if (ended_) return {};
  }
  if (begins_warc(need(7))) return warc_record();
  if (first_ || arc_) {
    const std::string_view head = plain_.view().find('\n') == none ? need(longest_line) : plain_.view();
    const std::size_t line = head.find('\n');
    if (begins_arc(head)) {
      arc_ = true;
      return arc_record(line == none ? head.size() : line + 1);
    }
  }
  return junk(first_ ? "is no archive: it begins neither with WARC/ nor with an ARC line" : "no record begins here");
}

ArchiveReader::Finding ArchiveReader::damage(std::string reason, std::uint64_t offset) const {
  Finding finding;
  finding.found = Found::damage;
  finding.reason = std::move(reason);
  finding.offset = offset;
  return finding;
}

ArchiveReader::Finding ArchiveReader::fault() {
  Finding finding = damage(std::exchange(fault_, {}), fault_at_);
  finding.last = fault_last_;
  return finding;
}

// Of the member in which we stand, or in the plain file.
std::uint64_t ArchiveReader::file_offset() const {
  if (members_.packing() == Packing::none) return start_ + at_;
  return !marks_.empty() && marks_.front().begin && marks_.front().at == at_ ? marks_.front().packed : members_.packed();
}

// The next line that begins a record, from `from` on, which is the middle of a line; none: there is none.
std::size_t ArchiveReader::find_record(std::string_view bytes, std::size_t from) const {
  if (!arc_) {
    for (std::size_t at = bytes.find(version, from); at != none; at = bytes.find(version, at + 1))
      if (at > 0 && bytes[at - 1] == '\n' && begins_warc(bytes.substr(at))) return at;
    return none;
  }
  for (std::size_t at = bytes.find('\n', from); at != none; at = bytes.find('\n', at + 1))
    if (is_record_here(bytes.substr(at + 1))) return at + 1;
  return none;
}

// Passes over what is no record, up to the next one.
ArchiveReader::Finding ArchiveReader::junk(std::string reason) {
  first_ = false;
  const std::uint64_t offset = file_offset(), begin = at_;
  while (true) {
    const std::string_view bytes = need(search_block);
    const auto begins = std::ranges::find_if(marks_, [&](const Mark& mark) {
      return mark.begin && mark.at > at_ && mark.at - at_ < bytes.size() && is_record_here(bytes.substr(mark.at - at_));
    });
    const std::size_t member = begins == marks_.end() ? none : begins->at - at_;
    const std::size_t line = find_record(bytes, 0);
    const std::size_t record = std::min(line, member);
    const bool all = bytes.size() < search_block;
    if (record != none) {
      drop(record);
    } else {
      // A line that begins at the end may be cut; of ARC it is long.
      const std::size_t keep = all ? 0 : std::min(bytes.size(), arc_ ? longest_line : std::size_t{16});
      drop(bytes.size() - keep);
      if (!all) continue;
    }
    Finding finding = damage(fmt::format("{}: {} bytes passed over", reason, at_ - begin), offset);
    finding.last = record == none && fault_.empty() && ended_;
    return finding;
  }
}

ArchiveReader::Finding ArchiveReader::warc_record() {
  first_ = false;
  arc_ = false;
  std::string_view bytes;
  std::optional<std::size_t> header;
  // What is at hand will do, nearly always: more would be of the next record.
  for (std::size_t size = std::min<std::size_t>(plain_.size(), limits_.header);; size = std::max<std::size_t>(4096, 4 * size)) {
    bytes = need(size);
    header = header_size(bytes);
    if (header || bytes.size() < size) break;
    if (size >= limits_.header) return junk(fmt::format("the header of a record is longer than {} bytes", limits_.header));
  }
  if (!header) return junk("the header of a record is cut off");
  const std::string_view block_header = bytes.substr(0, *header);
  // A record that begins in the header of another shows that this one's lines are lost.
  if (const std::size_t inner = find_record(block_header, 1); inner != none) return junk("the header of a record is cut off");
  const auto length = number(field(block_header, "Content-Length"));
  if (!length) return unknown_block(ArchiveRecord::Form::warc, *header);
  return block(ArchiveRecord::Form::warc, *header, *length);
}

ArchiveReader::Finding ArchiveReader::arc_record(std::size_t line_size) {
  first_ = false;
  const auto line = parse_arc_line(first_line(plain_.view().substr(0, line_size)));
  if (!line || !line->length) return unknown_block(ArchiveRecord::Form::arc, line_size);
  return block(ArchiveRecord::Form::arc, line_size, *line->length);
}

// Where a packed member begins between the two, and with it a record; `to` if none does.
std::size_t ArchiveReader::record_inside(std::size_t from, std::size_t to) {
  for (const Mark& mark : marks_) {
    if (!mark.begin || mark.at <= at_ + from || mark.at >= at_ + to) continue;
    const std::size_t inside = mark.at - at_;
    if (is_record_here(plain_.view().substr(inside))) return inside;
  }
  return to;
}

ArchiveReader::Finding ArchiveReader::block(ArchiveRecord::Form form, std::size_t header, std::uint64_t length) {
  if (length > limits_.block) return pass_over(form, header, length);
  const std::size_t size = header + length;
  const std::size_t held = need(size).size();
  if (const std::size_t inside = record_inside(header, held); inside < held) return finish_record(form, header, inside - header, true);
  if (held == size && ends_well(size)) return finish_record(form, header, length, false);
  // Its length may be wrong: another record may stand in what it takes.
  const std::size_t inner = find_record(plain_.view().substr(0, held), header);
  if (inner != none && inner < held) return finish_record(form, header, inner - header, true);
  return finish_record(form, header, held - header, held < size);
}

// Whether behind so many bytes there are line ends and then a record, a member's end, or the end.
bool ArchiveReader::ends_well(std::size_t size) {
  constexpr std::size_t most = 16;
  const auto member_ends = [&](std::size_t at) {
    return std::ranges::any_of(marks_, [&](const Mark& mark) { return !mark.begin && mark.at == at_ + at; });
  };
  std::size_t end = size;
  for (; end < size + most; ++end) {
    if (member_ends(end)) return true;
    if (plain_.size() <= end && need(end + 1).size() <= end) return true;
    if (member_ends(end)) return true;
    if (!is_line_end(plain_.view()[end])) break;
  }
  static_cast<void>(need(end + (arc_ ? longest_line : 7)));
  return is_record_here(plain_.view().substr(end));
}

// A record whose header does not say how long it is: up to the next one, or to the end of its member.
ArchiveReader::Finding ArchiveReader::unknown_block(ArchiveRecord::Form form, std::size_t header) {
  for (std::size_t size = header + search_block;; size *= 2) {
    const std::size_t held = need(size).size();
    std::size_t end = record_inside(header, held);
    // The header's line end is where a record may begin at once.
    end = std::min(end, find_record(plain_.view().substr(0, held), header - 1));
    if (end < held || held < size) {
      for (end = std::min(end, held); end > header && is_line_end(plain_.view()[end - 1]);) --end;
      return finish_record(form, header, end - header, true);
    }
    if (held > limits_.block) return pass_over(form, header, held - header);
  }
}

ArchiveReader::Finding ArchiveReader::pass_over(ArchiveRecord::Form form, std::size_t header, std::uint64_t length) {
  Finding finding;
  finding.found = Found::too_long;
  finding.offset = file_offset();
  finding.record.form = form;
  finding.record.place = {start_ + at_, header + length, members_.packing() != Packing::none};
  kept_header_ = plain_.view().substr(0, header);
  finding.record.header = kept_header_;
  drop(header);
  for (std::uint64_t left = length; left > 0;) {
    const std::size_t part = std::min<std::uint64_t>(left, search_block);
    const std::size_t held = need(part + longest_line).size();
    if (held == 0) break;
    const std::size_t stop = std::min({part, held, record_inside(0, held), sure_record(held)});
    drop(stop);
    if (stop < part) break;
    left -= stop;
  }
  return finding;
}

// As find_record in the next bytes, for a place where the header in front said that none is: one that says its type too.
std::size_t ArchiveReader::sure_record(std::size_t size) const {
  const std::string_view bytes = plain_.view().substr(0, size);
  for (std::size_t at = find_record(bytes, 0); at != none; at = find_record(bytes, at + 1))
    if (arc_ || bytes.substr(at, 1024).find("WARC-Type:") != none) return at;
  return none;
}

ArchiveReader::Finding ArchiveReader::finish_record(ArchiveRecord::Form form, std::size_t header, std::size_t length, bool cut) {
  Finding finding;
  finding.found = Found::record;
  finding.record.form = form;
  finding.record.header = plain_.view().substr(0, header);
  finding.record.block = plain_.view().substr(header, length);
  finding.record.cut = cut;
  finding.record.place = place_of(header + length);
  finding.offset = finding.record.place.offset;
  given_ = header + length;
  return finding;
}

Place ArchiveReader::place_of(std::size_t size) const {
  if (members_.packing() == Packing::none) return {start_ + at_, size, false};
  const bool begins = !marks_.empty() && marks_.front().begin && marks_.front().at == at_;
  const auto end = std::ranges::find_if(marks_, [](const Mark& mark) { return !mark.begin; });
  if (begins && end != marks_.end() && end->at >= at_ + size) {
    const std::string_view rest = plain_.view().substr(size, end->at - at_ - size);
    if (std::ranges::all_of(rest, is_line_end)) return {marks_.front().packed, end->packed - marks_.front().packed, false};
  }
  return {at_, size, true};
}

}  // namespace leitong::warc
