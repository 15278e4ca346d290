// Joins and the dedup job, for Java.
#include <array>

#include "jni_env.h"
#include "leitong/c.h"

using leitong::jni::Callback;
using leitong::jni::guarded;
using leitong::jni::memory_of;
using leitong::jni::succeeded;
using leitong::jni::Text;

namespace {

static_assert(sizeof(leitong_pair) == 12, "Java reads three numbers of 32 bits a pair");

int give_pairs(void* context, const leitong_pair* pairs, std::size_t count) {
  const bool goes_on = static_cast<Callback*>(context)->run([&](JNIEnv* env, jobject target, jmethodID method) {
    const jobject buffer = env->NewDirectByteBuffer(const_cast<leitong_pair*>(pairs), static_cast<jlong>(count * sizeof(leitong_pair)));
    if (buffer == nullptr) return false;
    env->CallVoidMethod(target, method, buffer);
    env->DeleteLocalRef(buffer);
    return true;
  });
  return goes_on ? 0 : 1;
}

int give_progress(void* context, const char* stage, std::uint64_t done, std::uint64_t total, std::uint64_t records) {
  bool wanted = true;
  const bool goes_on = static_cast<Callback*>(context)->run([&](JNIEnv* env, jobject target, jmethodID method) {
    const jstring name = env->NewStringUTF(stage);
    if (name == nullptr) return false;
    wanted = env->CallBooleanMethod(target, method, name, static_cast<jlong>(done), static_cast<jlong>(total),
                                    static_cast<jlong>(records)) != JNI_FALSE;
    env->DeleteLocalRef(name);
    return true;
  });
  return goes_on && wanted ? 0 : 1;
}

// What Java threw in a callback comes before what the library makes of it.
void finish(JNIEnv* env, Callback& callback, int status) {
  if (!callback.rethrow()) (void)succeeded(env, status);
}

// A LongBuffer's capacity counts longs: it is asked for as such.
const std::uint64_t* rows_of(JNIEnv* env, jobject buffer, jint rows, jint words) {
  const auto longs = static_cast<std::size_t>(rows < 0 ? 0 : rows) * static_cast<std::size_t>(words < 0 ? 0 : words);
  return static_cast<const std::uint64_t*>(memory_of(env, buffer, longs, "the direct buffer of fingerprints is too short"));
}

// Strings of the job in the order of Dedup.java.
enum StringOption { output_dir, profile, rule, format, text_field, id_field, keep, verify, string_options };
enum NumberOption { k, threads, memory, resume, overwrite, annotate, strict, number_options };

std::vector<Text> texts_of(JNIEnv* env, jobjectArray list) {
  std::vector<Text> texts;
  const jsize count = env->GetArrayLength(list);
  for (jsize i = 0; i < count; ++i) {
    const auto one = static_cast<jbyteArray>(env->GetObjectArrayElement(list, i));
    texts.emplace_back(env, one);
    if (one != nullptr) env->DeleteLocalRef(one);
  }
  return texts;
}

leitong_dedup_options options_of(const std::vector<const char*>& inputs, const std::vector<Text>& strings,
                                 const std::array<jlong, number_options>& numbers) {
  leitong_dedup_options options{};
  options.size = sizeof options;
  options.inputs = inputs.data(), options.input_count = inputs.size();
  options.output_dir = strings[output_dir].get();
  options.profile = strings[profile].get(), options.rule = strings[rule].get();
  options.format = strings[format].get();
  options.text_field = strings[text_field].get(), options.id_field = strings[id_field].get();
  options.keep = strings[keep].get(), options.verify = strings[verify].get();
  options.use_k = numbers[k] >= 0 ? 1 : 0, options.k = numbers[k] >= 0 ? static_cast<unsigned>(numbers[k]) : 0;
  options.threads = static_cast<unsigned>(numbers[threads]);
  options.memory = static_cast<std::uint64_t>(numbers[memory]);
  options.resume = static_cast<int>(numbers[resume]), options.overwrite = static_cast<int>(numbers[overwrite]);
  options.annotate = static_cast<int>(numbers[annotate]), options.strict = static_cast<int>(numbers[strict]);
  return options;
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_org_leitong_Native_selfJoin(JNIEnv* env, jclass, jobject values, jint rows, jint words, jint k, jint threads,
                                                        jobject sink) {
  guarded<int>(env, 0, [&] {
    const std::uint64_t* const numbers = rows_of(env, values, rows, words);
    if (numbers == nullptr) return 0;
    Callback callback(env, sink, "pairs", "(Ljava/nio/ByteBuffer;)V");
    finish(env, callback,
           leitong_hamming_self_join(numbers, static_cast<std::size_t>(rows), static_cast<unsigned>(words), static_cast<unsigned>(k),
                                     static_cast<unsigned>(threads), give_pairs, &callback));
    return 0;
  });
}

JNIEXPORT void JNICALL Java_org_leitong_Native_join(JNIEnv* env, jclass, jobject left, jint left_rows, jobject right, jint right_rows,
                                                    jint words, jint k, jint threads, jobject sink) {
  guarded<int>(env, 0, [&] {
    const std::uint64_t* const a = rows_of(env, left, left_rows, words);
    const std::uint64_t* const b = a == nullptr ? nullptr : rows_of(env, right, right_rows, words);
    if (b == nullptr) return 0;
    Callback callback(env, sink, "pairs", "(Ljava/nio/ByteBuffer;)V");
    finish(
        env, callback,
        leitong_hamming_join(a, static_cast<std::size_t>(left_rows), b, static_cast<std::size_t>(right_rows), static_cast<unsigned>(words),
                             static_cast<unsigned>(k), static_cast<unsigned>(threads), give_pairs, &callback));
    return 0;
  });
}

// records, rejected, featureless, clusters, kept, removed
JNIEXPORT jlongArray JNICALL Java_org_leitong_Native_dedup(JNIEnv* env, jclass, jobjectArray inputs, jobjectArray strings,
                                                           jlongArray numbers, jobject progress) {
  return guarded<jlongArray>(env, nullptr, [&]() -> jlongArray {
    const std::vector<Text> paths = texts_of(env, inputs), texts = texts_of(env, strings);
    std::array<jlong, number_options> given{};
    if (texts.size() != string_options || env->GetArrayLength(numbers) != number_options) {
      leitong::jni::throw_error(env, LEITONG_INTERNAL, "the classes are of another version than the native library");
      return nullptr;
    }
    env->GetLongArrayRegion(numbers, 0, number_options, given.data());
    std::vector<const char*> names;
    for (const Text& path : paths) names.push_back(path.get());
    leitong_dedup_options options = options_of(names, texts, given);
    leitong_dedup_counts counts{};
    counts.size = sizeof counts;
    Callback callback(env, progress, "at", "(Ljava/lang/String;JJJ)Z");
    options.progress = give_progress, options.progress_context = &callback;
    const int status = leitong_dedup(&options, &counts);
    if (callback.rethrow() || !succeeded(env, status)) return nullptr;
    const jlong out[6] = {static_cast<jlong>(counts.records),  static_cast<jlong>(counts.rejected), static_cast<jlong>(counts.featureless),
                          static_cast<jlong>(counts.clusters), static_cast<jlong>(counts.kept),     static_cast<jlong>(counts.removed)};
    const jlongArray result = env->NewLongArray(6);
    if (result != nullptr) env->SetLongArrayRegion(result, 0, 6, out);
    return result;
  });
}

}  // extern "C"
