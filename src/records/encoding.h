// What the bytes of a text mean, and turning them into UTF-8 while they are read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "records/byte_stream.h"

namespace leitong::records {

// An encoding by its name here ("GB18030"; empty: UTF-8), and how it was found (as Source::encoding_from).
struct Encoding {
  std::string name;
  std::string from;
};

// InputOptions::encoding by any of its names; none for "auto". Throws Error(usage) for one that nobody knows, Error(unsupported) for one
// that this system's iconv lacks.
[[nodiscard]] std::optional<std::string> parse_encoding(const std::string& name);

// By the first bytes of a source: a byte order mark; of `asked` (none: auto) UTF-16 the order of its bytes; of auto UTF-16 without a mark.
// None: for auto, that they do not tell.
[[nodiscard]] std::optional<Encoding> encoding_of_head(const std::optional<std::string>& asked, std::string_view head);

// The encoding that an HTML page or XML document names in its first bytes, if it is one in which ASCII stands for itself; else empty.
[[nodiscard]] std::string declared_encoding(std::string_view head);

// By bytes of which the first is beyond ASCII, the last perhaps the middle of a character: "" for UTF-8, GB18030 or Big5; none: no guess.
[[nodiscard]] std::optional<std::string> guess_encoding(std::string_view bytes);

// A page or text of the web, whole in memory, as UTF-8: by a byte order mark, else UTF-8 if it is that throughout, else what `declared`
// (the label of the HTTP header) or, if `html`, the page itself says, else a guess, at last windows-1252, as browsers do. `asked`: as
// parse_encoding gives it; a name decides. What is invalid becomes U+FFFD: a page is never lost. The result views into `bytes` or
// `storage`.
[[nodiscard]] std::string_view page_as_utf8(std::string_view bytes, std::string_view declared, bool html,
                                            const std::optional<std::string>& asked, std::string& storage);

// `inner` as UTF-8. What is invalid becomes a byte 0xFF, which is nowhere valid, so that the record is rejected as one of invalid UTF-8 is.
// Memory: some 100 kB. Throws Error(unsupported) if this system's iconv lacks the encoding.
[[nodiscard]] std::unique_ptr<ByteStream> convert(std::unique_ptr<ByteStream> inner, const std::string& encoding);

// `inner` as UTF-8, its encoding guessed by the first 64 KiB from the first byte beyond ASCII on: what is before means the same in all of
// them. `declared` counts before a guess, but not against bytes that are UTF-8: pages that were converted often keep what they declared.
class DetectingStream final : public ByteStream {
 public:
  // `page`: what is neither UTF-8 nor declared nor to be guessed is windows-1252.
  DetectingStream(std::unique_ptr<ByteStream> inner, std::string declared, bool page = false)
      : inner_(std::move(inner)), declared_(std::move(declared)), page_(page) {}
  std::size_t read(char* out, std::size_t size) override;
  [[nodiscard]] std::uint64_t packed() const override { return inner_->packed(); }
  [[nodiscard]] const Encoding& taken() const { return taken_; }  // as far as it was read

 private:
  void decide(std::string_view begun);

  std::unique_ptr<ByteStream> inner_;
  std::string declared_;
  bool page_;
  Encoding taken_;
  bool decided_ = false;
};

}  // namespace leitong::records
