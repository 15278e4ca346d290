// Collections, for Java.
#include <cstring>

#include "handles.h"
#include "jni_env.h"
#include "leitong/c.h"

using leitong::jni::bytes_of;
using leitong::jni::guarded;
using leitong::jni::memory_of;
using leitong::jni::Packed;
using leitong::jni::succeeded;
using leitong::jni::Text;

namespace {

leitong_collection* collection_of(jlong handle) { return reinterpret_cast<leitong_collection*>(handle); }

// Flags of TextCollection.Options.
constexpr jint numbers = 1, texts_kept = 2, metadata_kept = 4, fingerprints_only = 8;

leitong_collection_options made_with(const Text& profile, jint k, jint flags) {
  leitong_collection_options options{};
  options.size = sizeof options;
  options.profile = profile.get(), options.k = static_cast<unsigned>(k);
  options.numbers = (flags & numbers) != 0, options.texts = (flags & texts_kept) != 0;
  options.metadata = (flags & metadata_kept) != 0, options.fingerprints_only = (flags & fingerprints_only) != 0;
  return options;
}

leitong_query_options question_of(jint k, jlong most, jboolean unverified, const Text& rule) {
  leitong_query_options options{};
  options.size = sizeof options;
  options.use_k = k >= 0 ? 1 : 0, options.k = k >= 0 ? static_cast<unsigned>(k) : 0;
  options.most = static_cast<std::uint64_t>(most), options.no_verify = unverified;
  options.rule = rule.get();
  return options;
}

template <typename Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Of each question: how many matches; of each match: the id's length and bytes, sequence, distance, verified, similarity.
jbyteArray written(JNIEnv* env, leitong_answers* answers, std::size_t questions) {
  std::string out;
  for (std::size_t i = 0; i < questions; ++i) {
    const std::size_t count = leitong_answers_count(answers, i);
    const leitong_match* const matches = leitong_answers_matches(answers, i);
    put(out, static_cast<std::int32_t>(count));
    for (std::size_t m = 0; m < count; ++m) {
      put(out, static_cast<std::int32_t>(matches[m].id_length));
      out.append(matches[m].id, matches[m].id_length);
      put(out, static_cast<std::int64_t>(matches[m].sequence));
      put(out, static_cast<std::int32_t>(matches[m].distance));
      put(out, static_cast<std::int32_t>(matches[m].verified));
      put(out, matches[m].similarity);
    }
  }
  return bytes_of(env, out.data(), out.size());
}

jlong opened(leitong_collection* made) {
  leitong::jni::remember(made, [](void* handle) { (void)leitong_collection_close(static_cast<leitong_collection*>(handle)); });
  return reinterpret_cast<jlong>(made);
}

struct AnswersFree {
  leitong_answers* answers = nullptr;
  ~AnswersFree() { leitong_answers_free(answers); }
};

struct DocumentFree {
  leitong_document* document = nullptr;
  ~DocumentFree() { leitong_document_free(document); }
};

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_org_leitong_Native_collectionCreate(JNIEnv* env, jclass, jbyteArray where, jbyteArray profile, jint k,
                                                                jint flags) {
  guarded<int>(env, 0, [&] {
    const Text text(env, profile);
    const leitong_collection_options options = made_with(text, k, flags);
    (void)succeeded(env, leitong_collection_create(Text(env, where).get(), &options));
    return 0;
  });
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_collectionInMemory(JNIEnv* env, jclass, jbyteArray profile, jint k, jint flags) {
  return guarded<jlong>(env, 0, [&] {
    const Text text(env, profile);
    const leitong_collection_options options = made_with(text, k, flags);
    leitong_collection* made = nullptr;
    return succeeded(env, leitong_collection_in_memory(&options, &made)) ? opened(made) : 0;
  });
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_collectionOpen(JNIEnv* env, jclass, jbyteArray where, jboolean write, jbyteArray key,
                                                               jint threads, jlong memory) {
  return guarded<jlong>(env, 0, [&] {
    const Text secret(env, key);
    leitong_open_options options{};
    options.size = sizeof options;
    options.write = write, options.key = secret.get();
    options.threads = static_cast<unsigned>(threads), options.memory = static_cast<std::uint64_t>(memory);
    leitong_collection* made = nullptr;
    return succeeded(env, leitong_collection_open(Text(env, where).get(), &options, &made)) ? opened(made) : 0;
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_collectionClose(JNIEnv* env, jclass, jlong handle) {
  leitong::jni::forget(collection_of(handle));
  (void)succeeded(env, leitong_collection_close(collection_of(handle)));
}

// Ids, texts and metadata of document i at 3 i, 3 i + 1 and 3 i + 2. Metadata of length -1: none.
JNIEXPORT jlong JNICALL Java_org_leitong_Native_collectionAdd(JNIEnv* env, jclass, jlong handle, jobject bytes, jobject lengths, jint count,
                                                              jboolean durable) {
  return guarded<jlong>(env, 0, [&]() -> jlong {
    const Packed packed(env, bytes, lengths, count * 3);
    if (!packed.valid()) return 0;
    const std::size_t rows = packed.texts.size() / 3;
    std::vector<const char*> ids, texts, metadata;
    std::vector<std::size_t> id_lengths, text_lengths;
    std::vector<std::string> values(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      ids.push_back(packed.texts[3 * i]), id_lengths.push_back(packed.lengths[3 * i]);
      texts.push_back(packed.texts[3 * i + 1]), text_lengths.push_back(packed.lengths[3 * i + 1]);
      const char* const json = packed.texts[3 * i + 2];
      if (json != nullptr) values[i].assign(json, packed.lengths[3 * i + 2]);
      metadata.push_back(json == nullptr ? nullptr : values[i].c_str());
    }
    std::uint64_t first = 0;
    (void)succeeded(env, leitong_collection_add(collection_of(handle), ids.data(), id_lengths.data(), texts.data(), text_lengths.data(),
                                                metadata.data(), rows, durable, &first));
    return static_cast<jlong>(first);
  });
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_collectionErase(JNIEnv* env, jclass, jlong handle, jobject bytes, jobject lengths,
                                                                jint count, jboolean durable) {
  return guarded<jlong>(env, 0, [&]() -> jlong {
    const Packed ids(env, bytes, lengths, count);
    std::uint64_t erased = 0;
    if (ids.valid())
      (void)succeeded(
          env, leitong_collection_erase(collection_of(handle), ids.texts.data(), ids.lengths.data(), ids.texts.size(), durable, &erased));
    return static_cast<jlong>(erased);
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_collectionSync(JNIEnv* env, jclass, jlong handle) {
  (void)succeeded(env, leitong_collection_sync(collection_of(handle)));
}

JNIEXPORT void JNICALL Java_org_leitong_Native_collectionRefresh(JNIEnv* env, jclass, jlong handle) {
  (void)succeeded(env, leitong_collection_refresh(collection_of(handle)));
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_collectionDocuments(JNIEnv* env, jclass, jlong handle) {
  std::uint64_t documents = 0;
  (void)succeeded(env, leitong_collection_documents(collection_of(handle), &documents));
  return static_cast<jlong>(documents);
}

JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_collectionQueryTexts(JNIEnv* env, jclass, jlong handle, jobject bytes, jobject lengths,
                                                                          jint count, jint k, jlong most, jboolean unverified,
                                                                          jbyteArray rule) {
  return guarded<jbyteArray>(env, nullptr, [&]() -> jbyteArray {
    const Packed texts(env, bytes, lengths, count);
    if (!texts.valid()) return nullptr;
    const Text name(env, rule);
    const leitong_query_options options = question_of(k, most, unverified, name);
    AnswersFree found;
    const int status = leitong_collection_query_texts(collection_of(handle), texts.texts.data(), texts.lengths.data(), texts.texts.size(),
                                                      &options, &found.answers);
    return succeeded(env, status) ? written(env, found.answers, texts.texts.size()) : nullptr;
  });
}

JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_collectionQueryFingerprints(JNIEnv* env, jclass, jlong handle, jobject values,
                                                                                 jint longs, jint count, jint k, jlong most) {
  return guarded<jbyteArray>(env, nullptr, [&]() -> jbyteArray {
    const void* const words = memory_of(env, values, static_cast<std::size_t>(longs), "the direct buffer of fingerprints is too short");
    if (words == nullptr) return nullptr;
    const Text none(env, nullptr);
    const leitong_query_options options = question_of(k, most, JNI_FALSE, none);
    AnswersFree found;
    const int status = leitong_collection_query_fingerprints(collection_of(handle), static_cast<const std::uint64_t*>(words),
                                                             static_cast<std::size_t>(count), &options, &found.answers);
    return succeeded(env, status) ? written(env, found.answers, static_cast<std::size_t>(count)) : nullptr;
  });
}

// The text's length, the text, the metadata.
JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_collectionGet(JNIEnv* env, jclass, jlong handle, jbyteArray id) {
  return guarded<jbyteArray>(env, nullptr, [&]() -> jbyteArray {
    const Text name(env, id);
    DocumentFree found;
    if (!succeeded(env, leitong_collection_get(collection_of(handle), name.get(), name.size(), &found.document))) return nullptr;
    std::size_t length = 0, metadata_length = 0;
    const char* const text = leitong_document_text(found.document, &length);
    const char* const metadata = leitong_document_metadata(found.document, &metadata_length);
    std::string out;
    put(out, static_cast<std::int32_t>(length));
    out.append(text, length).append(metadata, metadata_length);
    return bytes_of(env, out.data(), out.size());
  });
}

}  // extern "C"
