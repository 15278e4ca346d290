#include "segment/ik.h"

#include <algorithm>

#include "leitong/error.h"
#include "segment/ik_window.h"

namespace leitong::segment {
namespace {

constexpr std::uint32_t ahead = 6;      // units from the cursor to what is fetched early
constexpr std::uint32_t critical = 48;  // a full window may be left this near to its end

// Full width becomes half width, or a capital becomes small, not both.
char16_t normalized(char16_t c) {
  if (c >= u'A' && c <= u'Z') return static_cast<char16_t>(c + 32);
  if (c == 0x3000) return u' ';
  if (c > 0xFF00 && c < 0xFF5F) return static_cast<char16_t>(c - 0xFEE0);
  return c;
}

class Analysis {
 public:
  Analysis(const IkDictionary& dictionary, IkTokens& out) : dictionary_(dictionary), out_(out) {}

  void run() {
    std::size_t read = 0, kept = 0;  // units that were read; those of them that the last window left
    std::size_t begin = 0;
    for (;;) {
      const std::size_t fresh = std::min(ik_window_size - kept, out_.units.size() - read);
      read += fresh;
      // Reading at the end counts as minus one unit: the last unit that was left is lost.
      if (fresh == 0 && kept <= 1) return;
      const std::size_t available = fresh == 0 ? kept - 1 : kept + fresh;
      const std::size_t analysed = analyse(begin, static_cast<std::uint32_t>(available));
      if (!put_tokens(begin)) return;  // a window without words ends the text
      begin += analysed;
      kept = available - analysed;
    }
  }

 private:
  std::size_t analyse(std::size_t begin, std::uint32_t available) {
    char16_t* const units = out_.units.data() + begin;
    found_.clear();
    IkWindow window{dictionary_, units, available, 0, found_};
    for (; window.cursor < available; ++window.cursor) {
      const std::uint32_t i = window.cursor;
      if (i + ahead + 1 < available) dictionary_.prefetch_pair(units[i + ahead], units[i + ahead + 1]);
      units[i] = normalized(units[i]);
      const std::uint32_t entry = dictionary_.unit(units[i]);
      if (!quantifier_.sleeps(static_cast<IkNumber>(entry >> ik_number_shift))) quantifier_.step(window, entry);
      cjk_.step(window, entry);
      if (!letters_.sleeps(entry)) letters_.step(window, entry);
      if (i > available - critical && available == ik_window_size && i + 1 < available && !locked()) {
        ++window.cursor;
        break;
      }
    }
    quantifier_.reset();
    cjk_.reset();
    letters_.reset();
    return window.cursor;
  }

  [[nodiscard]] bool locked() const { return quantifier_.locked() || cjk_.locked() || letters_.locked(); }

  // Leaves out words inside the word before them.
  bool put_tokens(std::size_t begin) {
    std::uint32_t last_end = 0;
    for (const IkFound::Item& item : found_.items()) {
      if (item.end() <= last_end) continue;
      last_end = item.end();
      out_.tokens.push_back({static_cast<std::uint32_t>(begin) + item.begin(), static_cast<std::uint32_t>(begin) + item.end(), item.type});
    }
    return !found_.items().empty();
  }

  const IkDictionary& dictionary_;
  IkTokens& out_;
  IkFound found_;
  IkQuantifier quantifier_;
  IkCjk cjk_;
  IkLetters letters_;
};

}  // namespace

void segment_ik(const IkDictionary& dictionary, std::u16string_view text, IkTokens& out) {
  if (text.size() >= 0xFFFFFFFF) throw Error(ErrorCode::limit, "a text for the IK segmenter has 2^32 UTF-16 units or more; split it");
  out.units.assign(text);
  out.tokens.clear();
  Analysis(dictionary, out).run();
}

}  // namespace leitong::segment
