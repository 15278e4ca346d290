/* The C interface, called from C99: every group of functions, and how errors come back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leitong/c.h"

static int failures = 0;

static void check(int ok, const char* what) {
  if (ok) return;
  ++failures;
  printf("failed: %s (last error: %s)\n", what, leitong_last_error());
}

static void fingerprints(void) {
  const char* texts[3] = {"one two three", "ONE, two: three!", "..."};
  const size_t lengths[3] = {strlen(texts[0]), strlen(texts[1]), strlen(texts[2])};
  uint64_t words[3] = {0, 0, 1};
  uint8_t present[3] = {0, 0, 1};
  uint32_t features[3] = {0, 0, 1};
  leitong_fingerprinter* fingerprinter = NULL;
  check(leitong_fingerprinter_new("no-such-profile", &fingerprinter) == LEITONG_USAGE, "an unknown profile is refused");
  check(strstr(leitong_last_error(), "no-such-profile") != NULL, "the error names the profile");
  check(leitong_fingerprinter_new(NULL, &fingerprinter) == LEITONG_OK, "the default profile");
  check(strlen(leitong_fingerprinter_profile_id(fingerprinter)) == 32, "a profile id has 32 digits");
  check(leitong_fingerprinter_words(fingerprinter) == 1, "64 bits are one word");
  check(leitong_fingerprint_batch(fingerprinter, texts, lengths, 3, words, present, features) == LEITONG_OK, "a batch");
  check(present[0] == 1 && present[1] == 1 && present[2] == 0 && words[2] == 0, "a text without words has no fingerprint");
  check(words[0] == words[1] && words[0] != 0, "case and punctuation do not count");
  check(features[0] == 5, "three words and two pairs");
  leitong_fingerprinter_free(fingerprinter);
}

static void comparison(void) {
  leitong_comparison result;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  check(leitong_compare(NULL, "a b c", 5, "a b d", 5, &result) == LEITONG_OK, "compare");
  check(result.jaccard > 0.4 && result.jaccard < 0.45, "three of seven features are common");
  check(leitong_compare(NULL, "", 0, "a", 1, &result) == LEITONG_OK && result.distance == -1, "no fingerprint, no distance");
}

static int count_pairs(void* context, const leitong_pair* pairs, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i) *(size_t*)context += pairs[i].distance;
  return 0;
}

static int refuse_pairs(void* context, const leitong_pair* pairs, size_t count) {
  (void)context;
  (void)pairs;
  (void)count;
  return 1;
}

static void join(void) {
  const uint64_t values[4] = {0, 7, 0xff, 0xffffffff00000000ULL};
  size_t total = 0;
  check(leitong_hamming_self_join(values, 4, 1, 5, 1, count_pairs, &total) == LEITONG_OK, "join");
  check(total == 3 + 5, "two pairs within 5 bits: 3 and 5 apart");
  check(leitong_hamming_self_join(values, 4, 1, 5, 1, refuse_pairs, NULL) == LEITONG_INTERRUPTED, "a sink can end the join");
  check(leitong_hamming_self_join(values, 4, 3, 5, 1, count_pairs, &total) == LEITONG_USAGE, "three words are refused");
}

static void two_sides(void) {
  const uint64_t left[2] = {0, 0xff}, right[3] = {7, 0xfe, 0xffffffff00000000ULL};
  size_t total = 0;
  check(leitong_hamming_join(left, 2, right, 3, 1, 3, 1, count_pairs, &total) == LEITONG_OK, "a join of two sides");
  check(total == 3 + 1, "two pairs across: 3 and 1 apart");
  check(leitong_hamming_join(left, 2, right, 3, 1, 3, 1, refuse_pairs, NULL) == LEITONG_INTERRUPTED, "it can be ended");
  check(leitong_hamming_join(NULL, 2, right, 3, 1, 3, 1, count_pairs, &total) == LEITONG_USAGE, "no left side");
  check(leitong_hamming_join(NULL, 0, NULL, 0, 1, 3, 1, count_pairs, &total) == LEITONG_OK && total == 4, "two empty sides");
}

/* A profile's name, and the same as TOML. */
static void profiles(void) {
  const char* text = "one two three";
  const size_t length = strlen(text);
  uint64_t words[2] = {0, 0};
  uint8_t present = 0;
  size_t i = 0;
  int java = 0;
  leitong_fingerprinter *plain = NULL, *wide = NULL;
  check(leitong_profile_name(0) != NULL && strcmp(leitong_profile_name(0), "leitong-1") == 0, "the default profile's name");
  for (; leitong_profile_name(i) != NULL; ++i) java += strcmp(leitong_profile_name(i), "java-ik") == 0;
  check(java == 1 && leitong_profile_name(i + 1) == NULL, "all names");
  check(leitong_fingerprinter_new("base = \"leitong-1\"\n", &plain) == LEITONG_OK, "a profile as TOML");
  check(leitong_fingerprinter_new("base = \"leitong-1\"\nbits = 128\n", &wide) == LEITONG_OK, "one with another width");
  check(leitong_fingerprinter_bits(plain) == 64 && leitong_fingerprinter_bits(wide) == 128 && leitong_fingerprinter_bits(NULL) == 0,
        "bits");
  check(leitong_fingerprinter_words(wide) == 2 && leitong_fingerprinter_least_bit_first(wide) == 0, "two words, and no Java program");
  check(leitong_fingerprint_batch(wide, &text, &length, 1, words, &present, NULL) == LEITONG_OK && present == 1 && words[1] != 0,
        "a fingerprint of two words");
  leitong_fingerprinter_free(plain);
  leitong_fingerprinter_free(wide);
  check(leitong_fingerprinter_new("bits = \n", &plain) == LEITONG_FORMAT && plain == NULL, "TOML that is none");
  check(leitong_fingerprinter_new("bits = 100\n", &plain) == LEITONG_USAGE, "a width that there is not");
}

/* Words by a small dictionary of IKAnalyzer's form. */
static void words(void) {
  static const char* const lists[6] = {"main", "surname", "quantifier", "suffix", "preposition", "stopword"};
  const char* profile = "base = \"java-ik\"\ndata = \"./c-ik.data\"\n";
  const char* text = "\xe4\xb8\xad\xe5\x9b\xbd ABC"; /* the two characters of China, and letters */
  leitong_segmenter* segmenter = NULL;
  leitong_fingerprinter* fingerprinter = NULL;
  const leitong_word* found = NULL;
  const char* cut = NULL;
  size_t count = 0, cut_length = 0;
  int i;
  if (system("rm -rf c-ik c-ik.data && mkdir c-ik") != 0) check(0, "a folder of lists");
  for (i = 0; i < 6; ++i) {
    char name[64];
    FILE* list;
    sprintf(name, "c-ik/%s.dic", lists[i]);
    list = fopen(name, "w");
    fputs(i == 0 ? "\xe4\xb8\xad\xe5\x9b\xbd\n" : "\xe6\x97\xa5\n", list);
    fclose(list);
  }
  check(leitong_data_add("ik", "c-ik", "c-ik.data") == LEITONG_OK, "a dictionary is compiled");
  check(leitong_data_add("klingon", "c-ik", "c-ik.data") == LEITONG_USAGE, "of a kind that there is");
  check(leitong_data_add(NULL, "c-ik", NULL) == LEITONG_USAGE && leitong_data_add("ik", NULL, NULL) == LEITONG_USAGE, "NULL");
  check(leitong_data_add("ik", "c-no-such-folder", "c-ik2.data") == LEITONG_IO, "a source that is not there");
  check(leitong_segmenter_new(profile, &segmenter) == LEITONG_OK, "a segmenter");
  check(leitong_segment(segmenter, text, strlen(text), &found, &count, &cut, &cut_length) == LEITONG_OK && count == 2, "two words");
  check(count == 2 && found[0].length == 6 && memcmp(found[0].text, text, 6) == 0, "the first");
  check(count == 2 && found[1].length == 3 && memcmp(found[1].text, "abc", 3) == 0, "the second, in small letters");
  check(cut_length == strlen(text) && memcmp(cut, text, cut_length) == 0, "this profile cuts the text as it is");
  check(leitong_segment(segmenter, NULL, 0, NULL, NULL, NULL, NULL) == LEITONG_OK, "nothing is asked for");
  check(leitong_segment(NULL, text, 1, &found, &count, NULL, NULL) == LEITONG_USAGE, "no segmenter");
  check(leitong_segment(segmenter, NULL, 1, &found, &count, NULL, NULL) == LEITONG_USAGE, "no text");
  leitong_segmenter_free(segmenter);
  leitong_segmenter_free(NULL);
  check(leitong_segmenter_new(NULL, NULL) == LEITONG_USAGE, "no place for a segmenter");
  check(leitong_segmenter_new("leitong-1", &segmenter) == LEITONG_OK, "a profile without a segmenter");
  check(leitong_segment(segmenter, "One, TWO", 8, &found, &count, NULL, NULL) == LEITONG_OK && count == 2, "gives tokens");
  check(count == 2 && found[1].length == 3 && memcmp(found[1].text, "two", 3) == 0, "in small letters");
  leitong_segmenter_free(segmenter);
  check(leitong_fingerprinter_new(profile, &fingerprinter) == LEITONG_OK, "a profile of a Java program");
  check(leitong_fingerprinter_least_bit_first(fingerprinter) == 1, "which writes the lowest bit first");
  leitong_fingerprinter_free(fingerprinter);
}

static void dedup_errors(void) {
  const char* inputs[1] = {"no-such-file"};
  leitong_dedup_options options;
  leitong_dedup_counts counts;
  memset(&options, 0, sizeof options);
  memset(&counts, 0, sizeof counts);
  options.size = sizeof options;
  counts.size = sizeof counts;
  options.inputs = inputs;
  options.input_count = 1;
  options.output_dir = "c-interface-out";
  check(leitong_dedup(&options, &counts) == LEITONG_IO, "a missing file is an io error");
  check(strstr(leitong_last_error(), "no-such-file") != NULL, "the error names the file");
}

int main(void) {
  fingerprints();
  comparison();
  join();
  two_sides();
  profiles();
  words();
  dedup_errors();
  printf("leitong %s: %d failed\n", leitong_version(), failures);
  return failures == 0 ? 0 : 1;
}
