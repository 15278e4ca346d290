// Chunks to records: pure, any number of threads at once, each with its own Parsed.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pages/extract.h"
#include "records/arena.h"
#include "records/columns.h"
#include "records/csv.h"
#include "records/input.h"
#include "records/json_fields.h"

namespace leitong::records {

struct Parsed::Scratch {
  Arena arena;
  JsonFields json;
  ColumnValues values;
  std::vector<JsonPiece> strings;
  std::vector<CsvField> row;
  std::vector<std::string> header;   // that `columns` belongs to
  std::vector<std::size_t> columns;  // of text, id and the further fields; npos: there is none
  std::string work;
  warc::Page page;                 // of an archive
  std::string body, page_in_utf8;  // of it
  pages::Extractor extract;
  std::deque<PageFacts> page_facts;   // of the chunk's records
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
  // A record of an archive again, as above.
  bool parse_archived(const warc::ArchiveRecord& archived, Parsed& out, Record& record, std::string& reason) const;
  // One row of a batch, whose values were read. As above.
  bool parse_row(const ColumnBatch& batch, const ColumnValues& values, std::size_t row, Parsed& out, Record& record,
                 std::string& reason) const;
  // Text, id and further fields, as they are asked of a source of columns.
  [[nodiscard]] const std::vector<std::string>& wanted() const { return wanted_; }

 private:
  struct Run;
  void lines(Run& run) const;
  void rows(Run& run) const;
  void rows_of_table(Run& run) const;
  bool column_texts(const ColumnBatch& batch, const ColumnValues& values, std::size_t row, Parsed& out, Record& record,
                    std::string& reason) const;
  void archive(Run& run) const;
  bool archive_text(const warc::ArchiveRecord& archived, Parsed& out, Record& record, std::string& reason) const;
  void archive_fields(const warc::Page& page, std::string_view html, Parsed& out, Record& record) const;
  void whole_file(Run& run, const PathOf& path_of) const;
  void add(Run& run, std::string_view raw, std::string_view defect) const;
  bool content(const Chunk::Piece& piece, std::string_view raw, bool known_valid, Parsed& out, Record& record, std::string& reason) const;
  bool json(std::string_view raw, Parsed& out, Record& record, std::string& reason) const;
  bool json_texts(std::string_view raw, Parsed& out, Record& record, std::string& reason) const;
  bool row_texts(const std::vector<std::string>& header, Parsed& out, Record& record, std::string& reason) const;
  [[nodiscard]] std::string no_field() const;
  void page_text(std::string_view html, Parsed& out, Record& record) const;
  bool row(const Chunk::Piece& piece, std::string_view raw, Parsed& out, Record& record, std::string& reason) const;

  InputOptions options_;
  std::size_t limit_;
  std::optional<std::string> encoding_;  // none: to be found, page by page
  pages::Wanted wanted_of_page_;
  std::size_t texts_;                // how many fields make the text
  std::vector<std::string> wanted_;  // these, id, further fields
  JsonPaths paths_;
};

}  // namespace leitong::records
