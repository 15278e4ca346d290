/* Collections, progress and growing structures through C99. */
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

static const char* const ids[3] = {"a", "b", "c"};
static const size_t id_lengths[3] = {1, 1, 1};
static const char* const texts[3] = {
    "The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week",
    "Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month",
    "Fresh noodles need only two minutes in boiling water and dried ones about seven, whatever the packet may say about it"};
static size_t text_lengths[3];

static void ask(leitong_collection* collection, int verified) {
  const char* question =
      "The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of that week";
  const size_t length = strlen(question);
  leitong_answers* answers = NULL;
  leitong_query_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.use_k = !verified;
  options.k = 12;
  check(leitong_collection_query_texts(collection, &question, &length, 1, &options, &answers) == LEITONG_OK, "a question");
  check(leitong_answers_count(answers, 0) == 1, "one document is near");
  if (leitong_answers_count(answers, 0) == 1) {
    const leitong_match* match = leitong_answers_matches(answers, 0);
    check(strcmp(match->id, "a") == 0 && match->id_length == 1, "it is a");
    check(match->verified == verified && match->distance >= 0, "as it was asked for");
  }
  check(leitong_answers_count(answers, 1) == 0 && leitong_answers_matches(answers, 1) == NULL, "there is no second question");
  leitong_answers_free(answers);
}

static void directory(void) {
  leitong_collection_options made;
  leitong_open_options open;
  leitong_collection* collection = NULL;
  leitong_document* document = NULL;
  uint64_t first = 0, number = 0;
  size_t length = 0;
  const char* const metadata[3] = {"{\"page\":1}", NULL, NULL};
  memset(&made, 0, sizeof made);
  made.size = sizeof made;
  made.texts = made.metadata = 1;
  memset(&open, 0, sizeof open);
  open.size = sizeof open;
  open.write = 1;
  if (system("rm -rf c-collection") != 0) check(0, "an old collection is removed");
  check(leitong_collection_open("c-collection", NULL, &collection) == LEITONG_USAGE && collection == NULL, "there is none yet");
  check(leitong_collection_create("c-collection", &made) == LEITONG_OK, "create");
  check(leitong_collection_create("c-collection", &made) == LEITONG_USAGE, "a second time");
  check(leitong_collection_open("c-collection", &open, &collection) == LEITONG_OK, "open");
  check(leitong_collection_add(collection, ids, id_lengths, texts, text_lengths, metadata, 3, 1, &first) == LEITONG_OK && first == 1,
        "add");
  check(leitong_collection_documents(collection, &number) == LEITONG_OK && number == 3, "three documents");
  ask(collection, 1);
  check(leitong_collection_get(collection, "a", 1, &document) == LEITONG_OK, "get");
  check(strcmp(leitong_document_text(document, &length), texts[0]) == 0 && length == text_lengths[0], "its text");
  check(strcmp(leitong_document_metadata(document, NULL), metadata[0]) == 0, "its metadata");
  leitong_document_free(document);
  check(leitong_collection_get(collection, "x", 1, &document) == LEITONG_USAGE && document == NULL, "no such id");
  check(leitong_collection_erase(collection, ids, id_lengths, 2, 0, &number) == LEITONG_OK && number == 2, "erase");
  check(leitong_collection_sync(collection) == LEITONG_OK, "sync");
  check(leitong_collection_close(collection) == LEITONG_OK, "close");
  check(leitong_collection_open("c-collection", NULL, &collection) == LEITONG_OK, "open for reading");
  check(leitong_collection_documents(collection, &number) == LEITONG_OK && number == 1, "one is left");
  check(leitong_collection_add(collection, ids, id_lengths, texts, text_lengths, NULL, 1, 1, NULL) == LEITONG_USAGE,
        "a reader adds nothing");
  check(leitong_collection_refresh(collection) == LEITONG_OK, "refresh");
  check(leitong_collection_close(collection) == LEITONG_OK, "close again");
}

static void memory(void) {
  leitong_collection* collection = NULL;
  leitong_fingerprinter* fingerprinter = NULL;
  leitong_answers* answers = NULL;
  uint64_t words[3];
  uint8_t present[3];
  check(leitong_collection_in_memory(NULL, &collection) == LEITONG_OK, "in memory");
  check(leitong_collection_add(collection, ids, id_lengths, texts, text_lengths, NULL, 3, 0, NULL) == LEITONG_OK, "add");
  ask(collection, 0);
  check(leitong_fingerprinter_new(NULL, &fingerprinter) == LEITONG_OK, "a fingerprinter");
  check(leitong_fingerprint_batch(fingerprinter, texts, text_lengths, 3, words, present, NULL) == LEITONG_OK, "fingerprints");
  check(leitong_collection_query_fingerprints(collection, words, 3, NULL, &answers) == LEITONG_OK, "three questions");
  check(leitong_answers_count(answers, 2) == 1 && leitong_answers_matches(answers, 2)->distance == 0, "each finds its own");
  leitong_answers_free(answers);
  leitong_fingerprinter_free(fingerprinter);
  check(leitong_collection_close(collection) == LEITONG_OK, "close");
}

static int stages_seen = 0;

static int stop_at_once(void* context, const char* stage, uint64_t done, uint64_t total, uint64_t records) {
  (void)context;
  (void)done;
  (void)total;
  (void)records;
  stages_seen += stage != NULL;
  return 1;
}

static int go_on(void* context, const char* stage, uint64_t done, uint64_t total, uint64_t records) {
  (void)stage;
  (void)done;
  (void)total;
  *(uint64_t*)context = records;
  return 0;
}

/* As a caller's structures were when they ended with `strict`, and as a later version's may be. */
struct newer {
  leitong_dedup_options known;
  uint64_t unknown[2];
};

static void growth(void) {
  const char* inputs[1] = {"c-input.jsonl"};
  struct newer options;
  leitong_dedup_counts counts;
  leitong_comparison comparison;
  uint64_t records = 0;
  FILE* file = fopen("c-input.jsonl", "w");
  int i;
  for (i = 0; i < 3; ++i) fprintf(file, "{\"id\":%d,\"text\":\"%s\"}\n{\"text\":\"%s\"}\n", i, texts[i], texts[i]);
  fclose(file);
  if (system("rm -rf c-out") != 0) check(0, "old results are removed");
  memset(&options, 0, sizeof options);
  memset(&counts, 0, sizeof counts);
  options.known.inputs = inputs;
  options.known.input_count = 1;
  options.known.output_dir = "c-out";
  options.known.overwrite = 1;
  counts.size = offsetof(leitong_dedup_counts, kept);
  options.known.size = offsetof(leitong_dedup_options, progress);
  options.known.progress = stop_at_once; /* behind the end of what the caller knows: not read */
  check(leitong_dedup(&options.known, &counts) == LEITONG_OK, "a smaller structure");
  check(counts.records == 6 && counts.clusters == 3 && counts.kept == 0, "what is behind its end is not written");
  counts.size = sizeof counts;
  options.known.size = sizeof options;
  options.known.progress = go_on;
  options.known.progress_context = &records;
  check(leitong_dedup(&options.known, &counts) == LEITONG_OK && counts.kept == 3, "a larger one, of zeros");
  check(records == 6, "progress tells of the records");
  options.unknown[1] = 1;
  check(leitong_dedup(&options.known, &counts) == LEITONG_UNSUPPORTED, "a larger one that asks for more");
  options.known.size = sizeof options.known;
  options.known.progress = stop_at_once;
  check(leitong_dedup(&options.known, &counts) == LEITONG_INTERRUPTED && stages_seen > 0, "a job is stopped");
  options.known.size = 0;
  check(leitong_dedup(&options.known, &counts) == LEITONG_USAGE, "no size");
  memset(&comparison, 7, sizeof comparison);
  comparison.size = offsetof(leitong_comparison, lcs);
  check(leitong_compare(NULL, "a b c", 5, "a b d", 5, &comparison) == LEITONG_OK && comparison.jaccard > 0.4, "a smaller result");
  check(memcmp((char*)&comparison + offsetof(leitong_comparison, lcs), "\7\7\7\7", 4) == 0, "its end is left alone");
}

static void nothing_given(void) {
  leitong_collection* collection = NULL;
  leitong_answers* answers = NULL;
  leitong_document* document = NULL;
  const char* none = NULL;
  const size_t one = 1;
  uint64_t word = 0;
  uint8_t present = 0;
  leitong_fingerprinter* fingerprinter = NULL;
  check(leitong_fingerprinter_words(NULL) == 0 && *leitong_fingerprinter_profile_id(NULL) == 0, "a fingerprinter that is NULL");
  check(leitong_fingerprinter_new(NULL, NULL) == LEITONG_USAGE, "no place for a fingerprinter");
  leitong_fingerprinter_free(NULL);
  check(leitong_fingerprinter_new(NULL, &fingerprinter) == LEITONG_OK, "a fingerprinter");
  check(leitong_fingerprint_batch(NULL, &none, &one, 1, &word, &present, NULL) == LEITONG_USAGE, "no fingerprinter");
  check(leitong_fingerprint_batch(fingerprinter, &none, &one, 1, &word, &present, NULL) == LEITONG_USAGE, "a text that is NULL");
  leitong_fingerprinter_free(fingerprinter);
  check(leitong_compare(NULL, NULL, 1, "a", 1, NULL) == LEITONG_USAGE, "compare");
  check(leitong_hamming_self_join(NULL, 1, 1, 3, 1, NULL, NULL) == LEITONG_USAGE, "join");
  check(leitong_dedup(NULL, NULL) == LEITONG_USAGE, "dedup");
  check(leitong_collection_create(NULL, NULL) == LEITONG_USAGE, "create");
  check(leitong_collection_open(NULL, NULL, &collection) == LEITONG_USAGE && leitong_collection_open("x", NULL, NULL) == LEITONG_USAGE,
        "open");
  check(leitong_collection_in_memory(NULL, NULL) == LEITONG_USAGE, "in memory");
  check(leitong_collection_add(NULL, ids, id_lengths, texts, text_lengths, NULL, 1, 0, NULL) == LEITONG_USAGE, "add");
  check(leitong_collection_erase(NULL, ids, id_lengths, 1, 0, NULL) == LEITONG_USAGE, "erase");
  check(leitong_collection_sync(NULL) == LEITONG_USAGE && leitong_collection_refresh(NULL) == LEITONG_USAGE, "sync and refresh");
  check(leitong_collection_documents(NULL, NULL) == LEITONG_USAGE, "documents");
  check(leitong_collection_query_texts(NULL, texts, text_lengths, 1, NULL, &answers) == LEITONG_USAGE && answers == NULL, "query");
  check(leitong_collection_query_fingerprints(NULL, &word, 1, NULL, &answers) == LEITONG_USAGE, "query by fingerprints");
  check(leitong_collection_get(NULL, "a", 1, &document) == LEITONG_USAGE && document == NULL, "get");
  check(leitong_collection_in_memory(NULL, &collection) == LEITONG_OK, "a collection");
  check(leitong_collection_add(collection, &none, &one, texts, text_lengths, NULL, 1, 0, NULL) == LEITONG_USAGE, "an id that is NULL");
  check(leitong_collection_query_texts(collection, NULL, NULL, 1, NULL, &answers) == LEITONG_USAGE, "no questions");
  check(leitong_collection_close(collection) == LEITONG_OK && leitong_collection_close(NULL) == LEITONG_OK, "close");
  check(leitong_answers_count(NULL, 0) == 0 && leitong_answers_matches(NULL, 0) == NULL, "answers that are NULL");
  check(*leitong_document_text(NULL, NULL) == 0 && *leitong_document_metadata(NULL, NULL) == 0, "a document that is NULL");
  leitong_answers_free(NULL);
  leitong_document_free(NULL);
}

int main(void) {
  int i;
  for (i = 0; i < 3; ++i) text_lengths[i] = strlen(texts[i]);
  directory();
  memory();
  growth();
  nothing_given();
  printf("leitong %s: %d failed\n", leitong_version(), failures);
  return failures == 0 ? 0 : 1;
}
