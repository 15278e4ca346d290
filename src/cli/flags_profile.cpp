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
  for (std::string part; std::getline(in, part, ',');) s.parts_of_speech.push_back(part);
}

void add_ngram_sizes(Settings& s, const Value& v) {
  std::vector<unsigned> sizes;
  std::istringstream in(v.text);
  for (std::string word; std::getline(in, word, ',');) {
    if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos || word == "0" || word == "00")
      throw Error(ErrorCode::usage, "\"" + v.text + "\" is not a list of sizes such as 1,2");
    sizes.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  s.ngram_sizes = sizes;
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
         .set = [](Settings& s, const Value& v) { s.profile = v.text; }},
    Flag{.name = "bits",
         .argument = "N",
         .kind = Kind::choice,
         .help = "Width of the fingerprint; 32 only with the profiles java-ik and java-hanlp",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "32 64 128 256",
         .set = [](Settings& s, const Value& v) { s.bits = static_cast<unsigned>(std::stoul(v.text)); }},
    Flag{.name = "sketch",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How features become a fingerprint: simhash, by vote; minhash1, a 1-bit MinHash, the better estimate at the same width, "
                 "of n-grams "
                 "that all weigh the same",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "simhash minhash1",
         .set = [](Settings& s, const Value& v) { s.sketch = v.text == "minhash1" ? SketchKind::minhash1 : SketchKind::simhash; }},
    Flag{.name = "features",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "What is hashed; word shingles are token n-grams of one size, 5 if --ngram-sizes does not say",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "token-ngrams character-ngrams word-shingles",
         .set =
             [](Settings& s, const Value& v) {
               s.features = feature_kind(v.text);
               s.shingles = v.text == "word-shingles";
             }},
    Flag{.name = "ngram-sizes",
         .argument = "N[,N]",
         .kind = Kind::text,
         .help = "Sizes of the n-grams; character n-grams and word shingles have one size",
         .group = Group::profile,
         .commands = overrides_profile,
         .aliases = "ngram-size ngram",
         .set = add_ngram_sizes},
    Flag{.name = "weights",
         .argument = "KIND",
         .kind = Kind::choice,
         .help = "How much a feature counts",
         .group = Group::profile,
         .commands = overrides_profile,
         .choices = "set tf sqrt log tfidf table",
         .set = [](Settings& s, const Value& v) { s.weights = weight_kind(v.text); }},
    Flag{.name = "idf",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Table of inverse document frequencies, \"feature idf\" a line (leitong idf makes one): makes the weights tfidf; of the "
                 "profile java-hanlp-tfidf its program's table",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.idf_file = v.text; }},
    Flag{.name = "words",
         .argument = "SEGMENTER",
         .kind = Kind::choice,
         .help =
             "Make the SimHash of words instead of n-grams of the standard tokens: jieba (plain: without its hidden Markov model; search: "
             "cut_for_search; all: cut_all), hanlp or ik",
         .group = Group::profile,
         .commands = chooses_words,
         .choices = "tokens jieba jieba-plain jieba-search jieba-all hanlp ik",
         .set = [](Settings& s, const Value& v) { s.words = word_kind(v.text); }},
    Flag{.name = "data",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "jieba, hanlp or ik, as the segmenter",
         .help = "The segmenter's compiled dictionary, as `leitong data` lists it",
         .group = Group::profile,
         .commands = chooses_words,
         .set = [](Settings& s, const Value& v) { s.data = v.text; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words that do not count, one a line",
         .group = Group::profile,
         .commands = overrides_profile | cmd_parity,
         .set = [](Settings& s, const Value& v) { s.stop_words = v.text; }},
    Flag{.name = "data",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "jieba",
         .help = "Jieba's compiled dictionary, as `leitong data` lists it",
         .group = Group::profile,
         .commands = cmd_keywords,
         .set = [](Settings& s, const Value& v) { s.data = v.text; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words that are no keywords, one a line, beside the dictionary's own (jieba.analyse.set_stop_words)",
         .group = Group::profile,
         .commands = cmd_keywords,
         .set = [](Settings& s, const Value& v) { s.stop_words = v.text; }},
    Flag{.name = "user-words",
         .argument = "FILE",
         .kind = Kind::list,
         .help = "Words that jieba is to know, \"word [frequency] [tag]\" a line (jieba.load_userdict). May be repeated",
         .group = Group::profile,
         .commands = cmd_keywords,
         .aliases = "userdict",
         .set = [](Settings& s, const Value& v) { s.user_words.push_back(v.text); }},
    Flag{.name = "word-weights",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "How much a word counts, \"word weight\" a line, times its frequency; a word that is not listed weighs 1",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.word_weights = v.text; }},
    Flag{.name = "parts-of-speech",
         .argument = "TAG[,TAG]",
         .kind = Kind::text,
         .help = "Only words whose tag begins like one of these count; -TAG leaves those out: \"n,v\", \"-u\". HanLP tags every "
                 "word; jieba's tags are those of its dictionary, and a word that it lacks has none",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = add_parts_of_speech},
    Flag{.name = "top-words",
         .argument = "N",
         .kind = Kind::number,
         .help = "Only the N heaviest words count; 0: all",
         .group = Group::profile,
         .commands = overrides_profile,
         .high = 0xffffffffU,
         .set = [](Settings& s, const Value& v) { s.top_words = static_cast<std::uint32_t>(v.number); }},
    Flag{.name = "fold-traditional",
         .help = "Count a traditional Chinese character as its simplified one",
         .group = Group::profile,
         .commands = overrides_profile | cmd_idf | cmd_overlap,
         .set = [](Settings& s, const Value& v) { s.fold_traditional = v.on; }},
    Flag{.name = "key",
         .argument = "HEX",
         .kind = Kind::text,
         .help = "Secret of the feature hash; others can see it in the process list, so rather use --key-file",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.key = v.text; }},
    Flag{.name = "key-file",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "File that holds the secret of the feature hash, in hexadecimal digits",
         .group = Group::profile,
         .commands = overrides_profile,
         .set = [](Settings& s, const Value& v) { s.key_file = v.text; }},
};

}  // namespace

std::span<const Flag> profile_flags() { return table; }

}  // namespace leitong::cli
