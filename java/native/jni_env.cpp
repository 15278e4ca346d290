#include "jni_env.h"

#include <cstring>

#include "leitong/c.h"

namespace leitong::jni {

// Its class is looked for each time: a reference that lasts would keep the class loader, and so this library, for ever.
void throw_error(JNIEnv* env, int status, const char* message) noexcept {
  if (env->ExceptionCheck()) return;
  const jclass type = env->FindClass("org/leitong/LeitongException");
  if (type == nullptr) return;
  const jmethodID make = env->GetStaticMethodID(type, "ofNative", "(I[B)Lorg/leitong/LeitongException;");
  const jbyteArray text = make == nullptr ? nullptr : bytes_of(env, message, std::strlen(message));
  if (text == nullptr) return;
  const auto error = static_cast<jthrowable>(env->CallStaticObjectMethod(type, make, static_cast<jint>(status), text));
  if (!env->ExceptionCheck() && error != nullptr) env->Throw(error);
}

bool succeeded(JNIEnv* env, int status) noexcept {
  if (status == LEITONG_OK) return true;
  throw_error(env, status, leitong_last_error());
  return false;
}

jbyteArray bytes_of(JNIEnv* env, const char* text, std::size_t length) {
  if (length > 0x7FFFFFF0) {
    throw_error(env, LEITONG_LIMIT, "an answer of more than 2 GiB; ask for less at a time");
    return nullptr;
  }
  const jbyteArray bytes = env->NewByteArray(static_cast<jsize>(length));
  if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, static_cast<jsize>(length), reinterpret_cast<const jbyte*>(text));
  return bytes;
}

Text::Text(JNIEnv* env, jbyteArray bytes) : given_(bytes != nullptr) {
  if (!given_) return;
  text_.resize(static_cast<std::size_t>(env->GetArrayLength(bytes)));
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text_.size()), reinterpret_cast<jbyte*>(text_.data()));
}

void* memory_of(JNIEnv* env, jobject buffer, std::size_t bytes, const char* what) {
  static char none;
  if (bytes == 0) return &none;
  void* const memory = buffer == nullptr ? nullptr : env->GetDirectBufferAddress(buffer);
  // Of a LongBuffer the capacity counts longs, and is the smaller number: what passes here is there.
  if (memory != nullptr && env->GetDirectBufferCapacity(buffer) >= 0 &&
      static_cast<std::size_t>(env->GetDirectBufferCapacity(buffer)) >= bytes)
    return memory;
  throw_error(env, LEITONG_USAGE, what);
  return nullptr;
}

Packed::Packed(JNIEnv* env, jobject bytes, jobject sizes, jint count) {
  const auto rows = static_cast<std::size_t>(count < 0 ? 0 : count);
  const auto* const numbers =
      static_cast<const std::int32_t*>(memory_of(env, sizes, rows * sizeof(std::int32_t), "no direct buffer of lengths"));
  if (numbers == nullptr) return;
  const std::vector<std::int32_t> given(numbers, numbers + rows);  // read once: another thread may write to the buffer
  std::size_t total = 0;
  for (const std::int32_t length : given) total += length < 0 ? 0 : static_cast<std::size_t>(length);
  const auto* const memory =
      static_cast<const char*>(memory_of(env, bytes, total, "the direct buffer of texts is shorter than its lengths"));
  if (memory == nullptr) return;
  texts.reserve(rows), lengths.reserve(rows);
  std::size_t at = 0;
  for (const std::int32_t length : given) {
    texts.push_back(length < 0 ? nullptr : memory + at);
    lengths.push_back(length < 0 ? 0 : static_cast<std::size_t>(length));
    at += lengths.back();
  }
  valid_ = true;
}

Callback::Callback(JNIEnv* env, jobject target, const char* method, const char* signature)
    : env_(env), target_(env->NewGlobalRef(target)), method_(env->GetMethodID(env->GetObjectClass(target), method, signature)) {
  env->GetJavaVM(&vm_);
}

Callback::~Callback() {
  if (failure_ != nullptr) env_->DeleteGlobalRef(failure_);
  env_->DeleteGlobalRef(target_);
}

Callback::Attached::Attached(JavaVM* machine) : vm(machine) {
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK) return;
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>("leitong"), nullptr};
  env = nullptr;
  ours = vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), &arguments) == JNI_OK;
  if (!ours) env = nullptr;
}

Callback::Attached::~Attached() {
  if (ours) vm->DetachCurrentThread();
}

void Callback::keep_failure(JNIEnv* env) {
  const jthrowable thrown = env->ExceptionOccurred();
  if (thrown == nullptr) return;
  env->ExceptionClear();
  failure_ = static_cast<jthrowable>(env->NewGlobalRef(thrown));
  env->DeleteLocalRef(thrown);
}

bool Callback::rethrow() {
  if (failure_ == nullptr) return false;
  env_->Throw(failure_);
  return true;
}

}  // namespace leitong::jni
