/* Leitong for other languages: a small, stable C interface. docs/c-interface.md shows a program.
 *
 * Handles are opaque; what NAME_new, _create, _open or _query gives is freed by NAME_free or _close, which take NULL too. Every function
 * that can fail returns 0 on success and a leitong_status otherwise; leitong_last_error() then says what was wrong, in the calling thread,
 * until its next call. A NULL where something is needed is such an error, never a crash. Texts are UTF-8 with a length and need no final
 * zero. No function keeps a pointer of the caller after it returns. A fingerprinter and an answer may be used by one thread at a time, a
 * collection by any number.
 *
 * Structures begin with their size, which the caller sets. They grow at the end only. A caller that was compiled when they were smaller
 * works as before: what it does not have is taken as 0, the default, or not written. One that was compiled for a newer library works as
 * long as what this one does not know is 0, and is refused with LEITONG_UNSUPPORTED otherwise. */
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

/* Profiles. Wherever one is given: a built-in profile's name, a TOML file's path, TOML itself (a text with a line break; its `base` names
 * the built-in profile that it changes), or NULL for the default. */
const char* leitong_profile_name(size_t i); /* of built-in profile i, the default first; NULL: there are no more */

/* Fingerprints. */
typedef struct leitong_fingerprinter leitong_fingerprinter;
int leitong_fingerprinter_new(const char* profile, leitong_fingerprinter** out);
void leitong_fingerprinter_free(leitong_fingerprinter* fingerprinter);
unsigned leitong_fingerprinter_words(const leitong_fingerprinter* fingerprinter);         /* 64-bit words a fingerprint; of NULL 0 */
unsigned leitong_fingerprinter_bits(const leitong_fingerprinter* fingerprinter);          /* of NULL 0 */
int leitong_fingerprinter_least_bit_first(const leitong_fingerprinter* fingerprinter);    /* how its Java program writes bits; else 0 */
const char* leitong_fingerprinter_profile_id(const leitong_fingerprinter* fingerprinter); /* lives as long as the handle; of NULL "" */

/* `count` texts to count × words words (least significant word first). present[i] is 0 for a text that has no fingerprint; its words are
 * then 0. features may be NULL. */
int leitong_fingerprint_batch(leitong_fingerprinter* fingerprinter, const char* const* texts, const size_t* lengths, size_t count,
                              uint64_t* words, uint8_t* present, uint32_t* features);

/* Two texts, every measure. distance is -1 if one of them has no fingerprint. */
typedef struct leitong_comparison {
  size_t size; /* sizeof(leitong_comparison) */
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

/* The same for all pairs of a row of `left` (a) and a row of `right` (b). */
int leitong_hamming_join(const uint64_t* left, size_t left_rows, const uint64_t* right, size_t right_rows, unsigned words, unsigned k,
                         unsigned threads, leitong_pair_sink sink, void* context);

/* Words, as the profile's segmenter cuts a text; of a profile without one the standard tokens. */
typedef struct leitong_segmenter leitong_segmenter;
typedef struct leitong_word {
  const char* text; /* UTF-8 without a final zero */
  size_t length;
  const char* part_of_speech; /* "" if the segmenter gives none */
  size_t part_of_speech_length;
} leitong_word;
int leitong_segmenter_new(const char* profile, leitong_segmenter** out);
void leitong_segmenter_free(leitong_segmenter* segmenter);
/* All words of a text, and in `cut` the text that they were cut from, as the profile cleans it. Any of the last four may be NULL. What they
 * are set to lives until the segmenter's next call. */
int leitong_segment(leitong_segmenter* segmenter, const char* text, size_t length, const leitong_word** words, size_t* count,
                    const char** cut, size_t* cut_length);

/* Compiles a segmenter's dictionary, as `leitong data add KIND SOURCE --output OUTPUT` does. `kind`: jieba, hanlp, ik. output: NULL, and it
 * stands where profiles find it by its kind's name. LEITONG_UNSUPPORTED for a jar in a build that reads none: give its unpacked folder. */
int leitong_data_add(const char* kind, const char* source, const char* output);

/* How far a job is: its stage, units done and in all (0: unknown), records. Called from one thread at a time, a few times a second. A value
 * other than 0 stops the job within about a second: it returns LEITONG_INTERRUPTED, and a later one with `resume` goes on. */
typedef int (*leitong_progress)(void* context, const char* stage, uint64_t done, uint64_t total, uint64_t records);

/* The main job. NULL or 0 means the default everywhere. */
typedef struct leitong_dedup_options {
  size_t size; /* sizeof(leitong_dedup_options) */
  const char* const* inputs;
  size_t input_count;
  const char* output_dir;
  const char* profile;
  const char* rule;   /* which texts are near-duplicates, by name or file */
  const char* format; /* auto, jsonl, csv, tsv, text, lines, html, parquet, arrow, warc */
  const char* text_field;
  const char* id_field;
  const char* keep;
  const char* verify; /* text, sketch, none */
  int use_k;          /* not 0: candidates are fingerprints within k bits */
  unsigned k;
  unsigned threads;
  uint64_t memory; /* bytes */
  int resume, overwrite, annotate, strict;
  leitong_progress progress;
  void* progress_context;
} leitong_dedup_options;
typedef struct leitong_dedup_counts {
  size_t size; /* sizeof(leitong_dedup_counts) */
  uint64_t records, rejected, featureless, clusters, kept, removed;
} leitong_dedup_counts;
int leitong_dedup(const leitong_dedup_options* options, leitong_dedup_counts* counts);

/* Collections: documents that are added every day and asked at any time. `where` is a directory, or the address of a server, which keeps
 * fingerprints only (docs/collection.md, docs/remote-stores.md). NULL or 0 means the default everywhere. */
typedef struct leitong_collection leitong_collection;
typedef struct leitong_collection_options {
  size_t size; /* sizeof(leitong_collection_options) */
  const char* profile;
  unsigned k;            /* bits in which near fingerprints may differ; 0: 3 */
  int numbers;           /* ids are decimal numbers, not byte strings */
  int texts, metadata;   /* kept with each document */
  int fingerprints_only; /* nothing else is kept, also no second sketch */
  const char* layout;    /* on a server */
} leitong_collection_options;
/* LEITONG_USAGE if there is one already. `options` may be NULL. */
int leitong_collection_create(const char* where, const leitong_collection_options* options);

typedef struct leitong_open_options {
  size_t size;      /* sizeof(leitong_open_options) */
  int write;        /* one process writes to a directory; any number reads */
  const char* key;  /* of a profile with a key */
  unsigned threads; /* 0: all cores */
  uint64_t memory;  /* bytes */
} leitong_open_options;
/* `options` may be NULL: for reading. */
int leitong_collection_open(const char* where, const leitong_open_options* options, leitong_collection** out);
/* In memory, for as long as it is open; of profiles of 64 bits, fingerprints only. */
int leitong_collection_in_memory(const leitong_collection_options* options, leitong_collection** out);
/* Everything is durable when this returns 0. The handle is gone in any case. */
int leitong_collection_close(leitong_collection* collection);

/* `count` documents, added or replaced all at once. metadata: NULL, or for each document JSON or NULL. durable: not 0, and they survive a
 * crash of the machine when this returns. first: NULL, or set to the first one's sequence number. */
int leitong_collection_add(leitong_collection* collection, const char* const* ids, const size_t* id_lengths, const char* const* texts,
                           const size_t* text_lengths, const char* const* metadata, size_t count, int durable, uint64_t* first);
/* erased: NULL, or set to how many of the ids were there. */
int leitong_collection_erase(leitong_collection* collection, const char* const* ids, const size_t* id_lengths, size_t count, int durable,
                             uint64_t* erased);
int leitong_collection_sync(leitong_collection* collection);
/* What another process has added is seen from now on. */
int leitong_collection_refresh(leitong_collection* collection);
int leitong_collection_documents(leitong_collection* collection, uint64_t* documents);

/* Answers to `count` questions: for each the near documents, the most similar first. What they point to lives until leitong_answers_free.
 */
typedef struct leitong_match {
  const char* id; /* ends with a zero, which id_length does not count */
  size_t id_length;
  uint64_t sequence;
  int distance;      /* bits between the fingerprints; -1: one has none */
  double similarity; /* -1: not known */
  int verified;      /* the texts were compared */
} leitong_match;
typedef struct leitong_answers leitong_answers;
typedef struct leitong_query_options {
  size_t size; /* sizeof(leitong_query_options) */
  int use_k;   /* not 0: all within k bits and nothing else */
  unsigned k;
  uint64_t most;    /* only the best so many; 0: all */
  int no_verify;    /* keep what the texts would refute */
  const char* rule; /* by name or file */
} leitong_query_options;
/* `options` may be NULL. */
int leitong_collection_query_texts(leitong_collection* collection, const char* const* texts, const size_t* lengths, size_t count,
                                   const leitong_query_options* options, leitong_answers** out);
/* count × words words, as leitong_fingerprint_batch gives them. */
int leitong_collection_query_fingerprints(leitong_collection* collection, const uint64_t* words, size_t count,
                                          const leitong_query_options* options, leitong_answers** out);
/* Of question i: how many matches, and where they begin; 0 and NULL where there is no such question. */
size_t leitong_answers_count(const leitong_answers* answers, size_t i);
const leitong_match* leitong_answers_matches(const leitong_answers* answers, size_t i);
void leitong_answers_free(leitong_answers* answers);

/* The text and metadata of a document. LEITONG_USAGE if the id is not there. They live until leitong_document_free; absent ones are "". */
typedef struct leitong_document leitong_document;
int leitong_collection_get(leitong_collection* collection, const char* id, size_t id_length, leitong_document** out);
const char* leitong_document_text(const leitong_document* document, size_t* length); /* length may be NULL; of NULL "" */
const char* leitong_document_metadata(const leitong_document* document, size_t* length);
void leitong_document_free(leitong_document* document);

#ifdef __cplusplus
}
#endif

#endif
