// What the training of the model for web pages reads (train.py): the numbers that src/pages itself makes of each block, never a copy of
// their definition.
//
//   bench_web rows PAGES.jsonl OUT           a page after the other: the number of its blocks (u32), its page numbers, and a row a block of
//   the
//                                            first stage's numbers and the words of the block (i16, the words as two)
//   bench_web context PAGES.jsonl SCORES OUT the context numbers of each block (i16); SCORES: a score a block (i32), in the same order
//   bench_web blocks PAGES.jsonl             {"id","title","blocks":[[text, after a cell's bound], ...]} a page, JSON Lines
//   bench_web size                           how many numbers a row of the first stage has
//   bench_web text WANTED PAGES.jsonl        {"id","text","kind","source"} a page: what is extracted; WANTED: main, article, page or all
//   bench_web speed PAGES.jsonl              MB/s of all text, of blocks alone, with their numbers, of main content; the best of five
//   rounds
//
// PAGES.jsonl: {"id","html"} a line.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "leitong/records.h"
#include "pages/blocks.h"
#include "pages/extract.h"
#include "pages/features.h"
#include "text/html.h"

namespace {

using namespace leitong;

void each_page(const std::string& path, const std::function<void(std::string_view id, std::string_view html)>& visit) {
  std::ifstream in(path);
  simdjson::dom::parser parser;
  for (std::string line; std::getline(in, line);) {
    const simdjson::dom::element page = parser.parse(line);
    visit(page["id"].get_string().value(), page["html"].get_string().value());
  }
}

template <class Value>
void write(std::FILE* to, const Value* values, std::size_t count) {
  if (std::fwrite(values, sizeof(Value), count, to) != count) throw std::runtime_error("cannot write");
}

void rows(const std::string& path, std::FILE* to) {
  pages::Page page;
  pages::Features features;
  each_page(path, [&](std::string_view, std::string_view html) {
    pages::cut_into_blocks(html, page);
    const auto count = static_cast<std::uint32_t>(page.blocks.size());
    write(to, &count, 1);
    features.page_row.fill(0);
    if (count != 0) features.make(page);
    write(to, features.page_row.data(), features.page_row.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      write(to, features.row(i), pages::first_stage);
      write(to, &page.blocks[i].counts.words, 1);
    }
  });
}

void context(const std::string& path, const std::string& scores_path, std::FILE* to) {
  pages::Page page;
  pages::Features features;
  std::ifstream scores_in(scores_path, std::ios::binary);
  std::vector<std::int32_t> scores;
  each_page(path, [&](std::string_view, std::string_view html) {
    pages::cut_into_blocks(html, page);
    if (page.blocks.empty()) return;
    features.make(page);
    scores.resize(page.blocks.size());
    scores_in.read(reinterpret_cast<char*>(scores.data()), static_cast<std::streamsize>(scores.size() * sizeof(scores[0])));
    features.add_context(page, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) write(to, features.row(i) + pages::first_stage, pages::context_numbers);
  });
}

void blocks(const std::string& path) {
  pages::Page page;
  each_page(path, [&](std::string_view id, std::string_view html) {
    pages::cut_into_blocks(html, page);
    std::string out = "{\"id\":";
    append_json_string(out, id);
    append_json_string(out += ",\"title\":", page.title);
    out += ",\"blocks\":[";
    for (const pages::Block& block : page.blocks) {
      if (out.back() != '[') out += ',';
      append_json_string(out += '[', std::string_view(page.text).substr(block.begin, block.end - block.begin));
      out += block.after_cell ? ",1]" : ",0]";
    }
    std::puts((out += "]}").c_str());
  });
}

void speed(const std::string& path) {
  std::vector<std::string> all;
  std::size_t bytes = 0;
  each_page(path, [&](std::string_view, std::string_view html) { bytes += all.emplace_back(html).size(); });
  pages::Page page;
  pages::Features features;
  std::string text;
  const auto time = [&](const char* what, const std::function<void(const std::string&)>& step) {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const std::clock_t begin = std::clock();  // of the processor: other programs' time does not count
      for (const std::string& html : all) step(html);
      best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    fmt::print("{:10} {:7.1f} MB/s  {:.4f} s\n", what, static_cast<double>(bytes) / 1e6 / best, best);
  };
  time("all text", [&](const std::string& html) { text::html_to_text(html, text); });
  time("blocks", [&](const std::string& html) { pages::cut_into_blocks(html, page); });
  time("numbers", [&](const std::string& html) {
    pages::cut_into_blocks(html, page);
    if (!page.blocks.empty()) features.make(page);
  });
  pages::Extractor extract;
  time("main", [&](const std::string& html) { (void)extract(html, pages::Wanted::main); });
}

// The main content of each page as a record, for dedup and judge.py.
void texts(const std::string& path, pages::Wanted wanted) {
  pages::Extractor extract;
  each_page(path, [&](std::string_view id, std::string_view html) {
    const pages::Extraction& page = extract(html, wanted);
    std::string out = "{\"id\":";
    append_json_string(out, id);
    append_json_string(out += ",\"text\":", page.text);
    append_json_string(out += ",\"kind\":", pages::name_of(page.kind));
    append_json_string(out += ",\"source\":", pages::name_of(page.source));
    std::puts((out += "}").c_str());
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto is = [&](const char* name, std::size_t count) { return args.size() == count && args[0] == name; };
  if (is("blocks", 2)) return blocks(args[1]), 0;
  if (is("size", 1)) return fmt::print("{}\n", pages::first_stage), 0;
  if (is("text", 3)) return texts(args[2], pages::wanted_named(args[1])), 0;
  if (is("speed", 2)) return speed(args[1]), 0;
  if (!is("rows", 3) && !is("context", 4)) return std::fputs("usage: bench_web rows|context|blocks|speed PAGES.jsonl ...\n", stderr), 2;
  std::FILE* const to = std::fopen(args.back().c_str(), "wb");
  if (to == nullptr) return std::perror(args.back().c_str()), 1;
  is("rows", 3) ? rows(args[1], to) : context(args[1], args[2], to);
  return std::fclose(to) == 0 ? 0 : 1;
}
