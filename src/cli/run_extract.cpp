// leitong extract: web pages to their main content.
#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/run_records.h"
#include "leitong/page.h"

namespace leitong::cli {
namespace {

void append_field(std::string& out, const char* name, std::string_view value) {
  out += fmt::format(",\"{}\":", name);
  append_json_string(out, value);
}

void append_record(const RecordView& record, std::string& out) {
  static constexpr PageFacts plain{};  // of a record that is no page: a text file, say
  const PageFacts& page = record.page == nullptr ? plain : *record.page;
  out += "{\"id\":";
  out += record.id.empty() ? "null" : record.id;
  append_field(out, "url", record.page == nullptr ? record.url : page.url);
  append_field(out, "title", page.title);
  append_field(out, "text", record.text);
  append_field(out, "kind", record.page == nullptr ? "text" : page.kind);
  if (!page.date.empty()) append_field(out, "date", page.date);
  if (!page.language.empty()) append_field(out, "language", page.language);
  if (page.fell_back) append_field(out, "fallback", page.source);
  if (record.page != nullptr && page.kind != "all") append_field(out, "model", page_model());
  out += "}\n";
}

void append_trace(const RecordView& record, std::string& out) {
  out += fmt::format("record {}: {}\n", record.id.empty() ? "without id" : record.id,
                     record.page == nullptr ? "no page\n" : record.page->trace);
}

int run_extract(const Invocation& invocation, Output& output) {
  Invocation extracting = invocation;
  InputOptions& input = extracting.settings.input;
  if (invocation.settings.text_field_given && input.html_field.empty()) input.html_field = input.text_field;
  input.page_facts = true;
  input.page_trace = invocation.settings.record.trace;
  const bool trace = input.page_trace;
  return run_on_records(extracting, {}, [trace] { return trace ? RecordWorker(append_trace) : RecordWorker(append_record); }, output);
}

constexpr std::array own_flags{
    Flag{.name = "trace",
         .help = "Print the blocks of each page instead, each with its score, the cut, where it stands and how it begins",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.record.trace = v.on; },
         .took = [](const Settings& s) { return s.record.trace; }},
};

}  // namespace

constexpr CommandInfo extract_command{
    .command = cmd_extract,
    .name = "extract",
    .purpose = "Print the main content of web pages as JSON Lines",
    .usage = "INPUT... [--extract main|article|page|all] [--html-field PATH] [--trace] [FLAG...]",
    .description =
        "Prints {\"id\",\"url\",\"title\",\"text\",\"kind\"} for each page, in input order: HTML files, or the field of JSON Lines, CSV, "
        "Parquet "
        "that --html-field names (--text-field says the same here). kind is article or page, as what the page was read. date and language "
        "stand "
        "there if the page says them; fallback if no main content was found, with what was taken instead; model is the id of the model "
        "that chose. The text is what dedup compares. docs/web-pages.md says how it is chosen.",
    .examples =
        "leitong extract crawl/ > texts.jsonl\n"
        "leitong extract pages.jsonl --html-field html --extract article\n"
        "leitong extract page.html --trace",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_extract};

}  // namespace leitong::cli
