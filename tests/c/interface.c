/* The C interface, called from C99: every group of functions, and how errors come back. */
#include <stdio.h>
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
  dedup_errors();
  printf("leitong %s: %d failed\n", leitong_version(), failures);
  return failures == 0 ? 0 : 1;
}
