// Flags that choose a profile and replace parts of it.
#include <array>
#include <sstream>

#include "cli/flag_tables.h"
#include "cli/named_choices.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

void add_parts_of_speech(Settings& s, const Value& v) {
  std::istringstream in(v.text);
  for (std::string part; std::getline(in, part, ',');) s.profile.words.parts_of_speech.push_back(part);
}

void add_ngram_sizes(Settings& s, const Value& v) {
  std::vector<unsigned> sizes;
  std::istringstream in(v.text);
  for (std::string word; std::getline(in, word, ',');) {
    if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos || word == "0" || word == "00")
      throw Error(ErrorCode::usage, "\"" + v.text + "\" is not a list of sizes such as 1,2");
    sizes.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  s.profile.ngram_sizes = sizes;
}

constexpr std::array table{
    Flag{.name = "profile",
         .letter = 'p',
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "the first of `leitong profiles`",
         .help = "Every choice that decides a fingerprint's bits, by name or as a TOML file; the flags below replace parts of it",
         .group = Group::profile,
         .commands = takes_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.profile.name = v.text; },
         .example = "mine.toml",
         .took = [](const Settings& s) { return s.profile.name == "mine.toml"; }},
    Flag{.name = "bits",
         .argument = "N",
         .kind = Kind::choice,
         .help = "Width of the fingerprint; 32 only with the profiles java-ik and java-hanlp",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "32 64 128 256",
         .set = [](Settings& s, const Value& v) { s.profile.bits = static_cast<unsigned>(std::stoul(v.text)); },
         .example = "128",
         .took = [](const Settings& s) { return s.profile.bits == 128U; }},
    Flag{.name = "sketch",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How features become a fingerprint: simhash, by vote; minhash1, a 1-bit MinHash, the better estimate at the same width, "
                 "of n-grams "
                 "that all weigh the same",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "simhash minhash1",
         .set = [](Settings& s, const Value& v) { s.profile.sketch = v.text == "minhash1" ? SketchKind::minhash1 : SketchKind::simhash; },
         .example = "minhash1",
         .took = [](const Settings& s) { return s.profile.sketch == SketchKind::minhash1; }},
    Flag{.name = "features",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "What is hashed; word shingles are token n-grams of one size, 5 if --ngram-sizes does not say",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "token-ngrams character-ngrams word-shingles",
         .set =
             [](Settings& s, const Value& v) {
               s.profile.features = feature_kind(v.text);
               s.profile.shingles = v.text == "word-shingles";
             },
         .example = "word-shingles",
         .took = [](const Settings& s) { return s.profile.features == FeatureKind::token_ngrams && s.profile.shingles; }},
    Flag{.name = "ngram-sizes",
         .argument = "N[,N]",
         .kind = Kind::text,
         .help = "Sizes of the n-grams; character n-grams and word shingles have one size",
         .group = Group::profile,
         .commands = overrides_profile,
         .aliases = "ngram-size ngram",
         .set = add_ngram_sizes,
         .example = "1,3",
         .took = [](const Settings& s) { return s.profile.ngram_sizes == std::vector<unsigned>{1, 3}; }},
    Flag{.name = "weights",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How much a feature counts",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "set tf sqrt log tfidf table",
         .set = [](Settings& s, const Value& v) { s.profile.weights = weight_kind(v.text); },
         .example = "tf",
         .took = [](const Settings& s) { return s.profile.weights == WeightKind::tf; }},
    Flag{.name = "idf",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Table of inverse document frequencies, \"feature idf\" a line (leitong idf makes one): makes the weights tfidf; of the "
                 "profile java-hanlp-tfidf its program's table",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.profile.idf_file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.profile.idf_file == "some/file"; }},
    Flag{.name = "words",
         .argument = "SEGMENTER",
         .kind = Kind::choice,
         .help =
             "Make the SimHash of words instead of n-grams of the standard tokens: jieba (plain: without its hidden Markov model; search: "
             "cut_for_search; all: cut_all), hanlp or ik",
         .group = Group::profile,
         .commands = chooses_words,
         .choices = "tokens jieba jieba-plain jieba-search jieba-all hanlp ik",
         .set = [](Settings& s, const Value& v) { s.profile.words.segmenter = word_kind(v.text); },
         .example = "jieba-search",
         .took = [](const Settings& s) { return s.profile.words.segmenter == WordKind::jieba_search; }},
    Flag{.name = "data",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "jieba, hanlp or ik, as the segmenter",
         .help = "The segmenter's compiled dictionary, as `leitong data` lists it",
         .group = Group::profile,
         .commands = chooses_words,
         .set = [](Settings& s, const Value& v) { s.profile.words.data = v.text; },
         .example = "mine.toml",
         .took = [](const Settings& s) { return s.profile.words.data == "mine.toml"; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words that do not count, one a line",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.profile.words.stop_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.profile.words.stop_words == "some/file"; }},
    Flag{.name = "word-weights",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "How much a word counts, \"word weight\" a line, times its frequency; a word that is not listed weighs 1",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.profile.words.weights = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.profile.words.weights == "some/file"; }},
    Flag{.name = "parts-of-speech",
         .argument = "TAG[,TAG]",
         .kind = Kind::text,
         .help = "Only words whose tag begins like one of these count; -TAG leaves those out: \"n,v\", \"-u\". HanLP tags every "
                 "word; jieba's tags are those of its dictionary, and a word that it lacks has none",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = add_parts_of_speech,
         .example = "n,-u",
         .took = [](const Settings& s) { return s.profile.words.parts_of_speech == std::vector<std::string>{"n", "-u"}; }},
    Flag{.name = "top-words",
         .argument = "N",
         .kind = Kind::number,
         .help = "Only the N heaviest words count; 0: all",
         .group = Group::profile,
         .commands = overrides_profile,
         .high = 0xffffffffU,
         .set = [](Settings& s, const Value& v) { s.profile.words.top = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.profile.words.top == 7U; }},
    Flag{.name = "fold-traditional",
         .help = "Count a traditional Chinese character as its simplified one",
         .group = Group::profile,
         .commands = overrides_profile | cmd_idf | cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.profile.fold_traditional = v.on; },
         .took = [](const Settings& s) { return s.profile.fold_traditional == true; }},
    Flag{.name = "key",
         .argument = "HEX",
         .kind = Kind::text,
         .help = "Secret of the feature hash; others can see it in the process list, so rather use --key-file",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.profile.key = v.text; },
         .example = "0f1e",
         .took = [](const Settings& s) { return s.profile.key == "0f1e"; }},
    Flag{.name = "key-file",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "File that holds the secret of the feature hash, in hexadecimal digits",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.profile.key_file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.profile.key_file == "some/file"; }},
};

}  // namespace

std::span<const Flag> profile_flags() { return table; }

}  // namespace leitong::cli
