// leitong collection query: what is near records, texts or fingerprints.
#include <fmt/format.h>

#include <array>

#include "cli/collection_batch.h"
#include "cli/collection_lines.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/run_collection.h"
#include "cli/run_records.h"
#include "cli/signals.h"
#include "cli/utf8.h"
#include "leitong/error.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

CollectionQuery query_of(const Settings& s) {
  CollectionQuery query;
  query.k = s.match.k;
  query.rule = effective_rule(s.rule);
  query.most = s.collection.query.most;
  query.verify = !s.collection.no_verify;
  return query;
}

// What was asked, for the closing notes.
struct Asked {
  std::uint64_t queries = 0, matched = 0, truncated = 0;
};

// That nothing was found must not look like nothing done.
void say_asked(const Asked& asked, bool quiet) {
  if (asked.truncated > 0)
    print_note(fmt::format("{} quer{} met more candidates than one looks at, so matches may be missing", asked.truncated,
                           asked.truncated == 1 ? "y" : "ies"));
  if (asked.queries > 0 && asked.matched == 0 && !quiet)
    print_note(asked.queries == 1 ? "no match; texts are compared as wholes"
                                  : fmt::format("none of {} queries has a match; texts are compared as wholes", asked.queries));
}

void append_matches(const CollectionAnswer& answer, std::string_view query, const CollectionLines& lines, std::string& out, Asked& asked) {
  ++asked.queries;
  asked.matched += answer.matches.empty() ? 0 : 1;
  asked.truncated += answer.truncated ? 1 : 0;
  for (const CollectionMatch& match : answer.matches) {
    out += "{\"query\":";
    out += query;
    lines.append_match(match, out);
  }
}

int query_given(const Settings& s, const std::string& directory, const Collection& collection, Output& output) {
  std::vector<Fingerprint> fingerprints;  // all are read before the first answer
  for (const std::string& hex : s.collection.query.fingerprints) fingerprints.push_back(fingerprint_from_hex(hex));
  const CollectionLines lines(collection.options());
  const CollectionQuery query = query_of(s);
  std::uint64_t row = 0;
  Asked asked;
  std::string out;
  for (const std::string& text : s.collection.query.texts) require_utf8(text, "--text");
  for (const std::string& text : s.collection.query.texts)
    append_matches(collection.query(text, query), std::to_string(row++), lines, out, asked);
  for (const Fingerprint& fingerprint : fingerprints)
    append_matches(collection.query(fingerprint, query), std::to_string(row++), lines, out, asked);
  std::uint64_t missing = 0;
  for (const std::string& id : s.collection.query.ids) {
    std::string reason = refused_id(collection.options(), id);
    const auto answer = reason.empty() ? collection.query_id(id, query) : std::nullopt;
    if (answer) {
      std::string shown;
      lines.append_id(id, shown);
      append_matches(*answer, shown, lines, out, asked);
    } else {
      ++missing;
      print_note(reason.empty() ? fmt::format("\"{}\" is not in {}", harmless(id), directory) : reason);
    }
  }
  output.write(out);
  say_asked(asked, s.face.quiet);
  return missing == 0 ? 0 : 1;
}

// Records on their way to the collection, so many at once that a server is asked in few round trips.
class QueryBatch {
 public:
  QueryBatch(const Collection& collection, const CollectionQuery& query, Output& output)
      : collection_(collection), query_(query), lines_(collection.options()), output_(output) {}

  void add(std::string_view shown, std::string_view text) {
    waiting_.push_back({std::string(shown), std::string(text)});
    bytes_ += text.size();
    if (waiting_.size() >= most_queries || bytes_ >= most_bytes) flush();
  }
  void flush() {
    std::vector<std::string_view> texts;
    for (const Waiting& one : waiting_) texts.push_back(one.text);
    const std::vector<CollectionAnswer> answers = collection_.query_all(texts, query_);
    std::string out;
    for (std::size_t i = 0; i < answers.size(); ++i) append_matches(answers[i], waiting_[i].shown, lines_, out, asked_);
    output_.write(out);
    waiting_.clear();
    bytes_ = 0;
  }
  [[nodiscard]] const Asked& asked() const { return asked_; }

 private:
  static constexpr std::size_t most_queries = 1000, most_bytes = std::size_t{8} << 20;
  struct Waiting {
    std::string shown, text;  // the query as answers name it
  };
  const Collection& collection_;
  CollectionQuery query_;
  CollectionLines lines_;
  Output& output_;
  std::vector<Waiting> waiting_;
  std::size_t bytes_ = 0;
  Asked asked_;
};

// One by one: each line of the input has its answer before the next one is waited for.
int query_stream(const Invocation& invocation, Collection& collection, Output& output) {
  const Settings& s = invocation.settings;
  InputOptions input = s.input;
  input.page_facts = true;
  input.paths = inputs_of(invocation);
  JobOptions job = s.job;
  job.threads = 1;
  job.stop = stop_flag();
  const CollectionLines lines(collection.options());
  const CollectionQuery query = query_of(s);
  const auto answer_with = [&](const std::string& answer) {
    output.write(answer);
    output.finish();
  };
  Asked asked;
  const auto make_worker = [no_pages = other_pages(s, collection.options())] {
    return [no_pages](const RecordView& record, std::string& out) {
      if (record.page != nullptr && !no_pages.empty()) throw Error(ErrorCode::usage, no_pages);
      append_part(out, record.id);
      append_part(out, record.text);
    };
  };
  const auto visit = [&](const RecordPlace& place, std::string_view parts) -> std::string {
    const std::string_view id = take_part(parts);
    const std::string shown = id.empty() ? std::to_string(place.record) : std::string(id);
    collection.refresh();  // what a writer has added meanwhile
    const CollectionAnswer found = collection.query(take_part(parts), query);
    std::string out;
    append_matches(found, shown, lines, out, asked);
    CollectionLines::append_query_end(shown, found, out);
    answer_with(out);
    return {};
  };
  const auto bad = [&](const RecordPlace& place, std::string_view reason) {
    std::string out;
    CollectionLines::append_bad(place.line, reason, out);
    answer_with(out);
  };
  const Counts counts = visit_records(input, job, command_info(invocation.command).name, make_worker, visit, {}, bad);
  return counts.records == counts.rejected ? 1 : 0;
}

int query_records(const Invocation& invocation, const Collection& collection, Output& output) {
  const Settings& s = invocation.settings;
  InputOptions input = s.input;
  input.page_facts = true;
  input.paths = inputs_of(invocation);
  ProgressLine line(!s.face.quiet && !is_terminal(1));
  const JobOptions job = line.watch(s.job);
  QueryBatch batch(collection, query_of(s), output);
  const auto make_worker = [no_pages = other_pages(s, collection.options())] {
    return [no_pages](const RecordView& record, std::string& out) {
      if (record.page != nullptr && !no_pages.empty()) throw Error(ErrorCode::usage, no_pages);
      append_part(out, record.id);
      append_part(out, record.text);
    };
  };
  const Counts counts = visit_records(input, job, command_info(invocation.command).name, make_worker,
                                      [&](const RecordPlace& place, std::string_view parts) -> std::string {
                                        const std::string_view id = take_part(parts);
                                        const std::string shown = id.empty() ? std::to_string(place.record) : std::string(id);
                                        batch.add(shown, take_part(parts));
                                        return {};
                                      });
  batch.flush();
  line.erase();
  say_asked(batch.asked(), s.face.quiet);
  return end_of_records(counts, s.face);
}

int run_collection_query(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const bool given = !s.collection.query.texts.empty() || !s.collection.query.fingerprints.empty() || !s.collection.query.ids.empty(),
             inputs = invocation.operands.size() > 1;
  if (given && s.collection.stream)
    throw Error(ErrorCode::usage, "--stream answers the lines of standard input: leave --text, --fingerprint and --id out");
  if (given && inputs) throw Error(ErrorCode::usage, "--text, --fingerprint and --id replace the inputs: give one of them");
  if (!given && !inputs)
    throw Error(ErrorCode::usage,
                "collection query needs what to look for: INPUT... (- is standard input), --text TEXT, --fingerprint HEX or --id ID");
  Collection collection = open_collection(invocation, Access::read);
  if (s.collection.stream) return query_stream(invocation, collection, output);
  return given ? query_given(s, invocation.operands[0], collection, output) : query_records(invocation, collection, output);
}

constexpr std::array own_flags{
    Flag{.name = "text",
         .argument = "TEXT",
         .kind = Kind::list,
         .help = "Look for what resembles this text, instead of the records of inputs. May be repeated",
         .group = Group::matching,
         .before = "k",
         .set = [](Settings& s, const Value& v) { s.collection.query.texts.push_back(v.text); },
         .example = "some words",
         .took = [](const Settings& s) { return is_only(s.collection.query.texts, "some words"); }},
    Flag{.name = "fingerprint",
         .argument = "HEX",
         .kind = Kind::list,
         .help = "Look for what is near this fingerprint of the collection's profile. May be repeated",
         .group = Group::matching,
         .before = "k",
         .set = [](Settings& s, const Value& v) { s.collection.query.fingerprints.push_back(v.text); },
         .example = "0f1e",
         .took = [](const Settings& s) { return is_only(s.collection.query.fingerprints, "0f1e"); }},
    Flag{.name = "id",
         .argument = "ID",
         .kind = Kind::list,
         .help = "Look for what resembles the document with this id, by what the collection keeps of it. May be repeated",
         .group = Group::matching,
         .before = "k",
         .set = [](Settings& s, const Value& v) { s.collection.query.ids.push_back(v.text); },
         .example = "a1",
         .took = [](const Settings& s) { return is_only(s.collection.query.ids, "a1"); }},
    Flag{.name = "most",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "all of them",
         .help = "Only the best N matches of each query",
         .group = Group::matching,
         .before = "no-verify",
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.collection.query.most = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.collection.query.most == 7U; }},
};

}  // namespace

constexpr CommandInfo collection_query_command{
    .command = cmd_collection_query,
    .name = "collection query",
    .purpose = "Find the documents that are near records, texts or fingerprints",
    .usage = "STORE INPUT...|--text TEXT|--fingerprint HEX|--id ID [-k K] [--most N] [FLAG...]",
    .description =
        "Prints {\"query\",\"id\",\"distance\",\"similarity\"} for each match: queries in order, of each the most similar first, then "
        "the nearest, then the oldest. query is the record's id, or its row from 0 if it has none. \"unverified\":true marks what "
        "the texts did not confirm, because they are not there or --no-verify was given. similarity is null if nothing says it.",
    .examples =
        "leitong collection query news today.jsonl --most 1\n"
        "leitong collection query news --text '谢谢同学们的支持' -k 6\n"
        "leitong collection query news --fingerprint 8f3a90c15e7d2b64\n"
        "leitong collection query news --id m3",
    .exit_codes = "0 done, with or without matches\n1 there was not one good record; an id is not there\n2 error\n130 stopped by a signal",
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_collection_query};

}  // namespace leitong::cli
