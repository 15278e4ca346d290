// Which token bigrams stand in more than 5 % of documents, whatever the collection?
//
// usage: learn_common_bigrams LANGUAGE FILE.jsonl... [-- LANGUAGE FILE.jsonl...]... > src/fingerprint/common_bigrams.cpp
//
// A bigram is common if it stands in more than 5 % of the texts (of 50 tokens or more) of at least two files of one group: what is common
// in one file alone is that collection's own boilerplate. The result is part of the default profile's definition: it was made once, and
// making it again from other texts makes another profile.

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/tokenize.h"

namespace {

std::set<std::string> common_in(const char* path) {
  std::unordered_map<std::string, std::pair<unsigned, unsigned>> count;  // documents, last document
  simdjson::dom::parser parser;
  simdjson::padded_string file = simdjson::padded_string::load(path);
  leitong::text::Tokens tokens;
  unsigned documents = 0;
  for (const simdjson::dom::element record : parser.parse_many(file, 1 << 25)) {
    leitong::text::tokenize(std::string_view(record["text"]), {}, tokens);
    if (tokens.size() < 50) continue;
    ++documents;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      auto& [seen, last] = count[std::string(tokens[i]) + " " + std::string(tokens[i + 1])];
      if (last != documents) ++seen, last = documents;
    }
  }
  std::set<std::string> common;
  for (const auto& [bigram, seen] : count)
    if (seen.first * 20 > documents) common.insert(bigram);
  std::fprintf(stderr, "%s: %u documents, %zu bigrams in more than 5 %% of them\n", path, documents, common.size());
  return common;
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::string> all;
  for (int i = 1; i < argc;) {
    std::map<std::string, unsigned> files;
    const char* language = argv[i++];
    for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
      for (const std::string& bigram : common_in(argv[i])) ++files[bigram];
    ++i;
    std::size_t chosen = 0;
    for (const auto& [bigram, n] : files)
      if (n >= 2) all.insert(bigram), ++chosen;
    std::fprintf(stderr, "%s: %zu common bigrams\n", language, chosen);
  }
  std::printf("// Made by bench/common_bigrams/learn_common_bigrams.cpp; part of the definition of every profile with a second sketch.\n");
  std::printf(
      "#include \"fingerprint/minhash.h\"\n\nnamespace leitong::fingerprint {\n\nstd::string_view common_bigrams() {\n  return R\"(");
  for (const std::string& bigram : all) std::printf("%s\n", bigram.c_str());
  std::printf(")\";\n}\n\n}  // namespace leitong::fingerprint\n");
}
