// Fingerprints, words and two texts, for Java.
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

leitong_fingerprinter* fingerprinter_of(jlong handle) { return reinterpret_cast<leitong_fingerprinter*>(handle); }
leitong_segmenter* segmenter_of(jlong handle) { return reinterpret_cast<leitong_segmenter*>(handle); }

void put(std::string& out, const char* text, std::size_t length) {
  const auto size = static_cast<std::int32_t>(length);
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(text, length);
}

}  // namespace

extern "C" {

JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_version(JNIEnv* env, jclass) {
  return bytes_of(env, leitong_version(), std::strlen(leitong_version()));
}

JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_profileName(JNIEnv* env, jclass, jint i) {
  const char* const name = i < 0 ? nullptr : leitong_profile_name(static_cast<std::size_t>(i));
  return name == nullptr ? nullptr : bytes_of(env, name, std::strlen(name));
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_fingerprinterNew(JNIEnv* env, jclass, jbyteArray profile) {
  return guarded<jlong>(env, 0, [&]() -> jlong {
    leitong_fingerprinter* made = nullptr;
    if (!succeeded(env, leitong_fingerprinter_new(Text(env, profile).get(), &made))) return 0;
    leitong::jni::remember(made, [](void* handle) { leitong_fingerprinter_free(static_cast<leitong_fingerprinter*>(handle)); });
    return reinterpret_cast<jlong>(made);
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_fingerprinterFree(JNIEnv*, jclass, jlong handle) {
  leitong::jni::forget(fingerprinter_of(handle));
  leitong_fingerprinter_free(fingerprinter_of(handle));
}

JNIEXPORT jint JNICALL Java_org_leitong_Native_fingerprinterBits(JNIEnv*, jclass, jlong handle) {
  return static_cast<jint>(leitong_fingerprinter_bits(fingerprinter_of(handle)));
}

JNIEXPORT jboolean JNICALL Java_org_leitong_Native_fingerprinterLeastBitFirst(JNIEnv*, jclass, jlong handle) {
  return leitong_fingerprinter_least_bit_first(fingerprinter_of(handle)) != 0 ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_fingerprinterProfileId(JNIEnv* env, jclass, jlong handle) {
  const char* const id = leitong_fingerprinter_profile_id(fingerprinter_of(handle));
  return bytes_of(env, id, std::strlen(id));
}

// words: count × words numbers of 64 bits; present: count bytes; features: count numbers of 32 bits.
JNIEXPORT void JNICALL Java_org_leitong_Native_fingerprintBatch(JNIEnv* env, jclass, jlong handle, jobject texts, jobject lengths,
                                                                jint count, jobject words, jobject present, jobject features) {
  guarded<int>(env, 0, [&] {
    const Packed packed(env, texts, lengths, count);
    if (!packed.valid()) return 0;
    const std::size_t rows = packed.texts.size(), width = leitong_fingerprinter_words(fingerprinter_of(handle));
    void* const out = memory_of(env, words, rows * width * sizeof(std::uint64_t), "the direct buffer of fingerprints is too short");
    void* const there = out == nullptr ? nullptr : memory_of(env, present, rows, "the direct buffer of flags is too short");
    void* const counts =
        there == nullptr ? nullptr : memory_of(env, features, rows * sizeof(std::uint32_t), "the direct buffer of counts is too short");
    if (counts == nullptr) return 0;
    (void)succeeded(env, leitong_fingerprint_batch(fingerprinter_of(handle), packed.texts.data(), packed.lengths.data(), rows,
                                                   static_cast<std::uint64_t*>(out), static_cast<std::uint8_t*>(there),
                                                   static_cast<std::uint32_t*>(counts)));
    return 0;
  });
}

JNIEXPORT jlong JNICALL Java_org_leitong_Native_segmenterNew(JNIEnv* env, jclass, jbyteArray profile) {
  return guarded<jlong>(env, 0, [&]() -> jlong {
    leitong_segmenter* made = nullptr;
    if (!succeeded(env, leitong_segmenter_new(Text(env, profile).get(), &made))) return 0;
    leitong::jni::remember(made, [](void* handle) { leitong_segmenter_free(static_cast<leitong_segmenter*>(handle)); });
    return reinterpret_cast<jlong>(made);
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_segmenterFree(JNIEnv*, jclass, jlong handle) {
  leitong::jni::forget(segmenter_of(handle));
  leitong_segmenter_free(segmenter_of(handle));
}

// The text that was cut, then each word and its part of speech; each as its length and its bytes.
JNIEXPORT jbyteArray JNICALL Java_org_leitong_Native_segment(JNIEnv* env, jclass, jlong handle, jbyteArray text) {
  return guarded<jbyteArray>(env, nullptr, [&]() -> jbyteArray {
    const Text given(env, text);
    const leitong_word* words = nullptr;
    const char* cut = nullptr;
    std::size_t count = 0, cut_length = 0;
    if (!succeeded(env, leitong_segment(segmenter_of(handle), given.get(), given.size(), &words, &count, &cut, &cut_length)))
      return nullptr;
    std::string out;
    put(out, cut, cut_length);
    for (std::size_t i = 0; i < count; ++i) {
      put(out, words[i].text, words[i].length);
      put(out, words[i].part_of_speech, words[i].part_of_speech_length);
    }
    return bytes_of(env, out.data(), out.size());
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_dataAdd(JNIEnv* env, jclass, jbyteArray kind, jbyteArray source, jbyteArray output) {
  guarded<int>(env, 0, [&] {
    (void)succeeded(env, leitong_data_add(Text(env, kind).get(), Text(env, source).get(), Text(env, output).get()));
    return 0;
  });
}

// out: distance, jaccard, containment, lcs, threshold.
JNIEXPORT void JNICALL Java_org_leitong_Native_compare(JNIEnv* env, jclass, jbyteArray profile, jbyteArray a, jbyteArray b,
                                                       jdoubleArray out) {
  guarded<int>(env, 0, [&] {
    const Text left(env, a), right(env, b);
    leitong_comparison found{};
    found.size = sizeof found;
    if (!succeeded(env, leitong_compare(Text(env, profile).get(), left.get(), left.size(), right.get(), right.size(), &found))) return 0;
    const jdouble values[5] = {static_cast<jdouble>(found.distance), found.jaccard, found.containment, found.lcs, found.threshold};
    env->SetDoubleArrayRegion(out, 0, 5, values);
    return 0;
  });
}

}  // extern "C"
