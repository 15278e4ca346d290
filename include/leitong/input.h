// What a job reads: files, directories or standard input, and where in a record the text stands. docs/inputs.md says it in full.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leitong {

class ColumnSource;  // leitong/columns.h
// Tables in memory, by the names that stand for them among paths.
using InMemory = std::map<std::string, std::shared_ptr<const ColumnSource>>;

struct InputOptions {
  std::vector<std::string> paths;  // files, directories; "-" is standard input
  std::string format = "auto";     // auto (by name, then by content), jsonl, csv, tsv, text, lines, html, parquet, arrow, warc
  // How the bytes of a text are to be understood: a name (UTF-8, GB18030, GBK, Big5, UTF-16, ..., or one that iconv knows), or auto: a byte
  // order mark, else UTF-8 where the bytes are that, else what an HTML page declares, else GB18030 or Big5 if the bytes look like it.
  // Everything else, offsets too, is of the text turned to UTF-8.
  std::string encoding = "auto";
  // Dotted path (jsonl; 0, 1, ... is an element of an array, * each of them, joined by line ends) or column name (csv, tsv).
  std::string text_field = "text";
  std::vector<std::string>
      more_text_fields;  // the text is that of text_field and of these, joined by line ends; those missing are left out
  std::string id_field = "id";
  std::vector<std::string> fields;                 // further fields to carry along for the keep policy
  std::vector<std::string> json_fields;            // and those whose values are wanted as JSON, as they stand (of a table: strings)
  bool need_text = true;                           // a record without a text is bad; else its text is empty
  std::vector<std::string> include, exclude;       // globs over paths inside directories; '*' also matches '/'
  bool header = true;                              // csv, tsv: the first row names the columns; else columns are "0", "1", ...
  bool strict = false;                             // the first bad record is an error
  bool as_it_comes = false;                        // standard input alone, JSON Lines or lines: each record as soon as its line is there
  std::uint64_t max_document_bytes = 16ULL << 20;  // a longer record is rejected
  std::uint64_t max_expansion = 1000;              // unpacked : packed bytes of a compressed input, beyond its first 64 MiB
  // What is taken of a web page (an HTML file, or html_field): its main content ("main": read as an article or as another page, whichever
  // it is), "article", "page", or "all" text. docs/web-pages.md
  std::string extract = "main";
  std::string html_field = {};  // the field that holds a page; the text is made of it instead of text_field; empty: none
  bool page_facts = false;      // PageFacts of each page are wanted, too
  bool page_trace = false;      // and its blocks with their scores
  InMemory in_memory = {};      // a path that is one of these names is that table, not a file
};

}  // namespace leitong
