// Chunks to records: pure, any number of threads at once, each with its own Parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "records/csv.h"
#include "records/input.h"
#include "records/json_fields.h"

namespace leitong::records {

// Where unescaped texts live until the chunk's records are done with.
class Arena {
 public:
  char* reserve(std::vector<std::unique_ptr<char[]>>& storage, std::size_t size);  // valid until the next clear
  void use(std::size_t size) { used_ += size; }                                    // the first bytes of what was reserved last
  void clear(std::vector<std::unique_ptr<char[]>>& storage);

 private:
  std::size_t capacity_ = 0, used_ = 0;  // of the last block
};

struct Parsed::Scratch {
  Arena arena;
  JsonFields json;
  std::vector<JsonPiece> strings;
  std::vector<CsvField> row;
  std::vector<std::string> header;   // that `columns` belongs to
  std::vector<std::size_t> columns;  // of text, id and the further fields; npos: there is none
  std::string work;
  bool no_text = false, cut = false;  // of the record that was bad last
  unsigned named = 0;                 // records of the chunk whose fields were listed
};

class Parser {
 public:
  using PathOf = std::function<std::string(std::uint32_t source)>;  // the id of a document that is a whole file

  explicit Parser(const InputOptions& options);
  // Replaces the contents of `out`.
  void parse(const Chunk& chunk, const PathOf& path_of, Parsed& out) const;
  // One raw record again, in the format and with the columns of `piece`. False: `reason` says what is wrong. Views in `record` live until
  // the next call for `out`; 16 bytes behind `raw` must be readable.
  bool parse_again(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const;

 private:
  struct Run;
  void lines(Run& run) const;
  void rows(Run& run) const;
  void whole_file(Run& run, const PathOf& path_of) const;
  void add(Run& run, std::string_view raw, std::string_view defect) const;
  bool content(const Chunk::Piece& piece, std::string_view raw, bool known_valid, Parsed& out, Record& record, std::string& reason) const;
  bool json(std::string_view raw, Parsed& out, Record& record, std::string& reason) const;
  bool json_texts(std::string_view raw, Parsed& out, Record& record, std::string& reason) const;
  bool row_texts(const std::vector<std::string>& header, Parsed& out, Record& record, std::string& reason) const;
  [[nodiscard]] std::string no_field() const;
  bool row(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const;

  InputOptions options_;
  std::size_t limit_;
  std::size_t texts_;                // how many fields make the text
  std::vector<std::string> wanted_;  // these, id, further fields
  JsonPaths paths_;
};

}  // namespace leitong::records
