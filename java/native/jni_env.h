// What every native method does: bytes and buffers of Java in, a LeitongException out where something is wrong.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leitong::jni {

// Throws org.leitong.LeitongException; the caller returns to Java next.
void throw_error(JNIEnv* env, int status, const char* message) noexcept;
// A status of the C interface: what is not LEITONG_OK is thrown, with the last error. True: all is well.
bool succeeded(JNIEnv* env, int status) noexcept;

// Runs `work`; a C++ exception, which can only be memory that is wanting, is thrown as LEITONG_INTERNAL, and `otherwise` is returned.
template <typename Result, typename Work>
Result guarded(JNIEnv* env, Result otherwise, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    throw_error(env, 7, error.what());
  } catch (...) {
    throw_error(env, 7, "unknown error");
  }
  return otherwise;
}

[[nodiscard]] jbyteArray bytes_of(JNIEnv* env, const char* text, std::size_t length);

// Bytes of Java with a zero behind them, or null.
class Text {
 public:
  Text(JNIEnv* env, jbyteArray bytes);
  [[nodiscard]] const char* get() const { return given_ ? text_.c_str() : nullptr; }
  [[nodiscard]] std::size_t size() const { return text_.size(); }

 private:
  bool given_;
  std::string text_;
};

// The memory of a direct buffer with at least `bytes` bytes; null, and an exception is thrown: it has less, or is none. 0 bytes need none.
[[nodiscard]] void* memory_of(JNIEnv* env, jobject buffer, std::size_t bytes, const char* what);

// `count` texts one behind the other in a direct buffer, and their lengths as 32-bit numbers in another. A negative length stands for null.
struct Packed {
  Packed(JNIEnv* env, jobject bytes, jobject lengths, jint count);
  [[nodiscard]] bool valid() const { return valid_; }  // no: an exception is thrown
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;

 private:
  bool valid_ = false;
};

// Calls of Java from whatever thread the library chooses, one at a time. What Java throws there is kept and thrown where it all began.
class Callback {
 public:
  Callback(JNIEnv* env, jobject target, const char* method, const char* signature);
  ~Callback();
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  // `call(env, target, method)` with a JNIEnv of the current thread. False: Java threw, now or before; stop.
  template <typename Call>
  bool run(const Call& call) {
    Attached attached(vm_);
    if (attached.env == nullptr || failure_ != nullptr) return false;
    const bool goes_on = call(attached.env, target_, method_);
    keep_failure(attached.env);
    return goes_on && failure_ == nullptr;
  }
  // In the thread that made this: throws what was kept. True: something was.
  bool rethrow();

 private:
  struct Attached {
    explicit Attached(JavaVM* vm);
    ~Attached();
    JavaVM* vm;
    JNIEnv* env = nullptr;
    bool ours = false;
  };
  void keep_failure(JNIEnv* env);

  JNIEnv* env_;
  JavaVM* vm_ = nullptr;
  jobject target_;
  jmethodID method_;
  jthrowable failure_ = nullptr;
};

}  // namespace leitong::jni
