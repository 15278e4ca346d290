/* Leitong for other languages: a small, stable C interface.
 *
 * Handles are opaque. Every function that can fail returns 0 on success and a leitong_status otherwise; leitong_last_error() then says what
 * was wrong, in the calling thread, until its next call. Texts are UTF-8 with a length and need no final zero. No function keeps a pointer
 * after it returns. A handle may be used by one thread at a time. Structures begin with their size, so that they can grow without breaking
 * callers. */
#ifndef LEITONG_C_H
#define LEITONG_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum leitong_status {
  LEITONG_OK = 0,
  LEITONG_USAGE = 1,
  LEITONG_IO = 2,
  LEITONG_FORMAT = 3,
  LEITONG_LIMIT = 4,
  LEITONG_UNSUPPORTED = 5,
  LEITONG_INTERRUPTED = 6,
  LEITONG_INTERNAL = 7 /* out of memory, or a defect */
} leitong_status;

const char* leitong_version(void);
const char* leitong_last_error(void);

/* Fingerprints. `profile`: a built-in profile's name, a TOML file's path, or NULL for the default. */
typedef struct leitong_fingerprinter leitong_fingerprinter;
int leitong_fingerprinter_new(const char* profile, leitong_fingerprinter** out);
void leitong_fingerprinter_free(leitong_fingerprinter* fingerprinter);
unsigned leitong_fingerprinter_words(const leitong_fingerprinter* fingerprinter);         /* 64-bit words a fingerprint */
const char* leitong_fingerprinter_profile_id(const leitong_fingerprinter* fingerprinter); /* lives as long as the handle */

/* `count` texts to count × words words (least significant word first). present[i] is 0 for a text that has no fingerprint; its words are
 * then 0. features may be NULL. */
int leitong_fingerprint_batch(leitong_fingerprinter* fingerprinter, const char* const* texts, const size_t* lengths, size_t count,
                              uint64_t* words, uint8_t* present, uint32_t* features);

/* Two texts, every measure. distance is -1 if one of them has no fingerprint. */
typedef struct leitong_comparison {
  size_t size; /* set to sizeof(leitong_comparison) before the call */
  int distance;
  double jaccard, containment, lcs, threshold;
} leitong_comparison;
int leitong_compare(const char* profile, const char* a, size_t a_length, const char* b, size_t b_length, leitong_comparison* out);

/* All pairs of rows within k bits. `sink` gets batches; a value other than 0 from it ends the join with LEITONG_INTERRUPTED. */
typedef struct leitong_pair {
  uint32_t a, b, distance;
} leitong_pair;
typedef int (*leitong_pair_sink)(void* context, const leitong_pair* pairs, size_t count);
int leitong_hamming_self_join(const uint64_t* values, size_t rows, unsigned words, unsigned k, unsigned threads, leitong_pair_sink sink,
                              void* context);

/* The main job. NULL or 0 means the default everywhere. */
typedef struct leitong_dedup_options {
  size_t size; /* set to sizeof(leitong_dedup_options) before the call */
  const char* const* inputs;
  size_t input_count;
  const char* output_dir;
  const char* profile;
  const char* rule;   /* which texts are near-duplicates, by name or file */
  const char* format; /* auto, jsonl, csv, tsv, text, lines, html */
  const char* text_field;
  const char* id_field;
  const char* keep;
  const char* verify; /* text, sketch, none */
  int use_k;          /* not 0: candidates are fingerprints within k bits */
  unsigned k;
  unsigned threads;
  uint64_t memory; /* bytes */
  int resume, overwrite, annotate, strict;
} leitong_dedup_options;
typedef struct leitong_dedup_counts {
  size_t size; /* set to sizeof(leitong_dedup_counts) before the call */
  uint64_t records, rejected, featureless, clusters, kept, removed;
} leitong_dedup_counts;
int leitong_dedup(const leitong_dedup_options* options, leitong_dedup_counts* counts);

#ifdef __cplusplus
}
#endif

#endif
