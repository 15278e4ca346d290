#include "passages/overlap_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "job/plain_id.h"
#include "leitong/error.h"
#include "leitong/file_name.h"
#include "leitong/input.h"
#include "leitong/version.h"
#include "outputs/output_file.h"
#include "outputs/output_names.h"
#include "outputs/run_title.h"
#include "outputs/source_rows.h"
#include "passages/character_offsets.h"
#include "records/json.h"
#include "records/json_object.h"
#include "records/pack.h"
#include "report/html.h"
#include "report/numbers.h"
#include "similarity/shared_runs.h"
#include "text/utf16.h"

namespace leitong::passages {
namespace {

constexpr std::size_t most_samples = 60;
constexpr std::size_t excerpt_characters = 200;

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : shown_name(path); }

// The text of one record of B, with the places of its tokens. Pairs come by record, so it is read once.
class TextOfB {
 public:
  TextOfB(const OverlapSide& side, bool fold_traditional) : side_(side), reread_(side.reread()), hasher_(fold_traditional) {}

  void seek(const OverlapPair::Text& text) {
    if (record_ == text.record) return;
    text_ = reread_.text(text.source, text.offset, text.length);
    places_ = &hasher_.places(text_);
    if (places_->size() != text.tokens)
      throw Error(ErrorCode::format, side_.sources().at(text.source).path + ": it has changed since it was read first: run again");
    characters_.emplace(text_);
    record_ = text.record;
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> bytes(const OverlapPair::Span& span) const {
    return {(*places_)[span.b_token].begin, (*places_)[span.b_token + span.tokens - 1].end};
  }
  [[nodiscard]] std::uint32_t character(std::uint32_t byte) const { return characters_->at(byte); }

 private:
  const OverlapSide& side_;
  records::Reread reread_;
  TokenHasher hasher_;
  std::string_view text_;
  const std::vector<text::Range>* places_ = nullptr;
  std::optional<CharacterOffsets> characters_;
  std::optional<std::uint64_t> record_;
};

void append_text(std::string& out, const OverlapPair::Text& text, const OverlapSide& side) {
  out += "{\"source\":";
  records::append_json_string(out, shown_name(side.sources().at(text.source).path));
  fmt::format_to(std::back_inserter(out), ",\"line\":{},\"record\":{}", text.line, text.record);
  if (!text.id.empty()) out.append(",\"id\":").append(text.id);
  fmt::format_to(std::back_inserter(out), ",\"tokens\":{}}}", text.tokens);
}

// A share with six digits is exact enough, and reads.
void append_share(std::string& out, double share) { records::append_json_number(out, std::round(share * 1e6) / 1e6); }

void append_match(std::string& out, const OverlapPair& pair, const TextOfB& b, const OverlapSide& a_side, const OverlapSide& b_side,
                  bool contained) {
  out += "{\"b\":";
  append_text(out, pair.b, b_side);
  out += ",\"a\":";
  append_text(out, pair.a, a_side);
  fmt::format_to(std::back_inserter(out), ",\"verdict\":\"{}\",\"contained\":", contained ? "contained" : "partial");
  append_share(out, pair.contained());
  out += ",\"of_a\":";
  append_share(out, pair.of_a());
  fmt::format_to(std::back_inserter(out), ",\"tokens\":{},\"spans\":[", pair.b.covered);
  const OverlapPair::Span* longest = &pair.spans.front();
  for (const OverlapPair::Span& span : pair.spans) {
    const auto [begin, end] = b.bytes(span);
    fmt::format_to(std::back_inserter(out), "{}{{\"a\":[{},{}],\"b\":[{},{}],\"tokens\":{}}}", &span == pair.spans.data() ? "" : ",",
                   span.a_from, span.a_to, b.character(begin), b.character(end), span.tokens);
    if (span.tokens > longest->tokens) longest = &span;
  }
  const auto [begin, end] = b.bytes(*longest);
  out += "],\"excerpt\":";
  records::append_json_string(out, report::shortened(b.text().substr(begin, end - begin), excerpt_characters));
  if (pair.bounded) out += ",\"bounded\":true";
  out += "}\n";
}

// Ascending characters to bytes.
std::vector<std::pair<std::size_t, std::size_t>> bytes_of(std::string_view text,
                                                          std::vector<std::pair<std::uint32_t, std::uint32_t>> spans) {
  std::sort(spans.begin(), spans.end());
  const CharacterOffsets characters(text);
  const auto byte = [&](std::uint32_t character) {
    std::size_t low = 0, high = text.size();
    while (low < high)
      if (const std::size_t middle = (low + high) / 2; characters.at(middle) < character)
        low = middle + 1;
      else
        high = middle;
    while (low < text.size() && (text[low] & 0xC0) == 0x80) ++low;
    return low;
  };
  std::vector<std::pair<std::size_t, std::size_t>> bytes;
  for (const auto& [begin, end] : spans) bytes.emplace_back(byte(begin), byte(end));
  return bytes;
}

report::OverlapPage::Text sample_text(const OverlapPair::Text& text, const OverlapSide& side, double covered, std::string_view content,
                                      const std::vector<std::pair<std::size_t, std::size_t>>& ranges) {
  std::vector<report::OverlapPart> parts = report::overlap_parts(content, ranges);
  for (report::OverlapPart& part : parts) part.text = text::without_surrogates(part.text);  // as no reader of UTF-8 takes them
  return {text.id.empty() ? "" : job::plain_id(text.id),
          shown_path(side.sources().at(text.source).path),
          text.record,
          text.tokens,
          covered,
          std::move(parts)};
}

}  // namespace

void OverlapOutput::write(OverlapPairs& pairs) {
  write_matches(pairs);
  write_report();
  write_summary();
}

void OverlapOutput::write_matches(OverlapPairs& pairs) {
  job::Job job(options_.job, "write");
  outputs::OutputFile file(options_.output_dir + "/" + outputs::lines_name("matches", options_.compression), std::min(job.threads(), 4U));
  TextOfB b(b_, options_.fold_traditional);
  OverlapPair pair;
  for (std::uint64_t done = 0; pairs.next(pair); ++done) {
    if ((done & 0x3ff) == 0) job.progress(done, pairs.size(), done);
    b.seek(pair.b);
    append_match(file.buffer(), pair, b, a_, b_, matrix_.is_contained(pair));
    file.flush_if_full();
    matrix_.add(pair);
  }
  matrix_.finish();
  file.finish();
  counts_.contained = matrix_.total().contained, counts_.partial = matrix_.total().partial;
  for (std::size_t row = 0; row < matrix_.rows().size(); ++row) {
    const report::Source& source = matrix_.rows()[row];
    const OverlapShares& shares = matrix_.of_rows()[row];
    counts_.matrix.push_back({source.path, source.records - source.rejected, shares.contained, shares.partial});
  }
}

// Texts in the order of their places, B and A apart.
std::vector<report::OverlapPage::Pair> OverlapOutput::samples() const {
  const std::vector<OverlapPair> pairs = matrix_.samples(most_samples);
  std::vector<report::OverlapPage::Pair> out(pairs.size());
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> by_b, by_a;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    by_b[{pairs[i].b.record, i}] = by_a[{pairs[i].a.record, i}] = i;
    out[i].tokens = pairs[i].b.covered, out[i].spans = pairs[i].spans.size();
    out[i].contained = matrix_.is_contained(pairs[i]);
  }
  TextOfB b(b_, options_.fold_traditional);
  for (const auto& [place, i] : by_b) {
    b.seek(pairs[i].b);
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (const OverlapPair::Span& span : pairs[i].spans) ranges.emplace_back(b.bytes(span));
    out[i].b = sample_text(pairs[i].b, b_, pairs[i].contained(), b.text(), ranges);
  }
  records::Reread reread = a_.reread();
  for (const auto& [place, i] : by_a) {
    const std::string_view text = reread.text(pairs[i].a.source, pairs[i].a.offset, pairs[i].a.length);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;
    for (const OverlapPair::Span& span : pairs[i].spans) spans.emplace_back(span.a_from, span.a_to);
    out[i].a = sample_text(pairs[i].a, a_, pairs[i].of_a(), text, bytes_of(text, std::move(spans)));
  }
  return out;
}

std::vector<std::string> OverlapOutput::warnings() const {
  std::vector<std::string> list;
  for (const auto& [name, side] : {std::pair("A", &a_), std::pair("B", &b_)})
    for (const std::string& sentence : side->notes()) list.push_back(fmt::format("{}: {}.", name, sentence));
  if (counts_.common_passages > 0)
    list.push_back(
        fmt::format("{} passages of A stand in more than {} places of B; {} further places were not held against A. A text of B that has "
                    "nothing else in common with A may be missing.",
                    report::count_text(counts_.common_passages), similarity::most_places, report::count_text(counts_.places_left_out)));
  if (counts_.bounded_pairs > 0)
    list.push_back(fmt::format("{} pairs repeat themselves so much that not all of their runs were looked at; {} marks them.",
                               report::count_text(counts_.bounded_pairs), outputs::lines_name("matches", options_.compression)));
  if (counts_.a_rejected + counts_.b_rejected > 0)
    list.push_back(fmt::format("{} left out, listed in {}.",
                               report::counted(counts_.a_rejected + counts_.b_rejected, "bad record", "bad records"),
                               outputs::lines_name("rejected", options_.compression)));
  return list;
}

void OverlapOutput::write_report() {
  report::OverlapPage page;
  page.version = version();
  page.a_title = outputs::title_of_inputs(a_.options().paths, a_.sources());
  page.b_title = outputs::title_of_inputs(b_.options().paths, b_.sources());
  page.packed = records::suffix_of(options_.compression);
  page.span = options_.span, page.contained = options_.contained, page.fold_traditional = options_.fold_traditional;
  page.counts = counts_;
  for (const report::Source& column : matrix_.columns()) page.columns.push_back({column.path, column.records - column.rejected, 0});
  for (std::size_t i = 0; i < findings_.holding_of.size(); ++i) page.columns[matrix_.column_of(i)].holding += findings_.holding_of[i];
  for (std::size_t row = 0; row < matrix_.rows().size(); ++row) {
    const report::Source& source = matrix_.rows()[row];
    const OverlapShares& all = matrix_.of_rows()[row];
    report::OverlapPage::Row out{source.path, source.records - source.rejected, {all.contained, all.partial}, {}};
    for (std::size_t column = 0; column < page.columns.size(); ++column) {
      const OverlapShares& shares = matrix_.cell(row, column).shares;
      out.cells.push_back({shares.contained, shares.partial});
    }
    page.rows.push_back(std::move(out));
  }
  // The row that sums all other sources stays the last.
  const auto summed = page.rows.end() - (page.rows.size() > outputs::most_source_rows ? 1 : 0);
  std::stable_sort(page.rows.begin(), summed, [](const auto& x, const auto& y) {
    return std::pair(x.all.contained, x.all.partial) > std::pair(y.all.contained, y.all.partial);
  });
  page.pairs = samples();
  page.passages = findings_.passages;
  page.warnings = warnings();
  outputs::write_file(options_.output_dir + "/report.html", report::render_overlap(page));
}

std::string OverlapOutput::matrix_json() const {
  std::string out = "[";
  for (std::size_t row = 0; row < matrix_.rows().size(); ++row) {
    std::string cells = "[";
    for (std::size_t column = 0; column < matrix_.columns().size(); ++column) {
      const OverlapShares& shares = matrix_.cell(row, column).shares;
      if (shares.contained + shares.partial == 0) continue;
      records::JsonObject cell;
      cell.text("a", matrix_.columns()[column].path).number("contained", shares.contained).number("partial", shares.partial);
      cells += (cells.size() > 1 ? "," : "") + cell.str();
    }
    const report::Source& source = matrix_.rows()[row];
    const std::uint64_t good = source.records - source.rejected;
    const OverlapShares& all = matrix_.of_rows()[row];
    records::JsonObject object;
    object.text("b", source.path).number("records", good).number("contained", all.contained).number("partial", all.partial);
    object.real("contained_rate", good == 0 ? 0 : static_cast<double>(all.contained) / static_cast<double>(good));
    object.raw("cells", cells + "]");
    out += (row > 0 ? "," : "") + object.str();
  }
  return out + "]";
}

void OverlapOutput::write_summary() const {
  const OverlapCounts& c = counts_;
  const auto collection = [&](const OverlapSide& side, std::uint64_t records, std::uint64_t rejected, std::uint64_t bytes,
                              std::uint64_t tokens) {
    records::JsonObject object;
    object.names("inputs", side.options().paths).number("records", records).number("rejected", rejected);
    object.number("text_bytes", bytes).number("tokens", tokens);
    return object;
  };
  std::string a_sources, b_sources;
  for (std::size_t i = 0; i < a_.sources().size(); ++i) {
    records::JsonObject source;
    source.name("source", a_.sources()[i].path).number("records", a_.records_of()[i]).number("rejected", a_.rejected_of()[i]);
    source.number("holding", findings_.holding_of[i]);
    a_sources += (i > 0 ? "," : "") + source.str();
  }
  for (std::size_t i = 0; i < b_.sources().size(); ++i) {
    records::JsonObject source;
    source.name("source", b_.sources()[i].path).number("records", b_.records_of()[i]).number("rejected", b_.rejected_of()[i]);
    source.number("too_short", findings_.too_short_of[i]).number("contained", matrix_.of_sources()[i].contained);
    source.number("partial", matrix_.of_sources()[i].partial);
    b_sources += (i > 0 ? "," : "") + source.str();
  }
  std::string passages;
  for (const report::OverlapPassage& passage : findings_.passages) {
    records::JsonObject object;
    object.text("text", passage.text).number("places", passage.places).number("met", passage.met);
    passages += (passages.empty() ? "" : ",") + object.str();
  }
  records::JsonObject configuration, out;
  configuration.number("span", options_.span).real("contained", options_.contained).boolean("fold_traditional", options_.fold_traditional);
  configuration.number("shortest_text", similarity::run_shape(options_.span).shortest);
  const InputOptions& input = options_.a;
  const auto fields_of = [](const InputOptions& side) { return fmt::format("{}", fmt::join(records::text_fields_of(side), ", ")); };
  configuration.text("format", input.format).text("text_field", fields_of(input)).text("id_field", input.id_field);
  configuration.text("encoding", input.encoding).text("b_text_field", fields_of(options_.b)).text("b_id_field", options_.b.id_field);
  configuration.names("include", input.include).names("exclude", input.exclude).number("max_document", input.max_document_bytes);
  out.text("leitong", version()).text("command", "overlap").number("contained", c.contained).number("partial", c.partial);
  out.number("holding", c.holding).number("pairs", c.pairs).number("too_short", c.too_short);
  out.number("common_passages", c.common_passages).number("places_left_out", c.places_left_out).number("bounded_pairs", c.bounded_pairs);
  out.raw("a", collection(a_, c.a_records, c.a_rejected, c.a_bytes, c.a_tokens).raw("sources", "[" + a_sources + "]").str());
  out.raw("b", collection(b_, c.b_records, c.b_rejected, c.b_bytes, c.b_tokens).raw("sources", "[" + b_sources + "]").str());
  out.raw("matrix", matrix_json()).raw("passages", "[" + passages + "]").raw("configuration", configuration.str());
  out.texts("warnings", warnings());
  outputs::write_file(options_.output_dir + "/summary.json", out.str() + "\n");
}

}  // namespace leitong::passages
