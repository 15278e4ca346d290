// Coming and going of the library. It goes with its class loader, while threads that called it live on: what the library keeps for a thread
// is therefore not left to the C library, which would hold the mapping until all of these threads have ended, but freed here.
#include <jni.h>
#include <pthread.h>

#include <mutex>
#include <vector>

#include "handles.h"

namespace __gnu_cxx {
void __freeres();  // the reserve for exceptions, of the libstdc++ that is linked in
}

namespace {

struct Kept {
  void (*destroy)(void*);
  void* object;
};
using KeptOfThread = std::vector<Kept>;

// All threads that have something. Made at first use, freed when the library goes.
struct Threads {
  std::recursive_mutex mutex;  // what is destroyed under it may make another
  std::vector<KeptOfThread*> all;
};
Threads* threads = nullptr;
pthread_key_t key;
pthread_once_t once = PTHREAD_ONCE_INIT;

void destroy(KeptOfThread* kept) {
  while (!kept->empty()) {  // the last made first; what is destroyed may make another
    const Kept last = kept->back();
    kept->pop_back();
    last.destroy(last.object);
  }
  delete kept;
}

void thread_ends(void* value) {
  auto* const kept = static_cast<KeptOfThread*>(value);
  const std::lock_guard lock(threads->mutex);
  std::erase(threads->all, kept);
  destroy(kept);
}

void make_key() {
  threads = new Threads;
  pthread_key_create(&key, thread_ends);
}

}  // namespace

// What the compiler calls for every thread_local object with a destructor; ours stands before that of libstdc++.
extern "C" __attribute__((visibility("hidden"))) int __cxa_thread_atexit(void (*function)(void*), void* object, void*) noexcept {
  pthread_once(&once, make_key);
  auto* kept = static_cast<KeptOfThread*>(pthread_getspecific(key));
  if (kept == nullptr) {
    kept = new KeptOfThread;
    const std::lock_guard lock(threads->mutex);
    threads->all.push_back(kept);
    pthread_setspecific(key, kept);
  }
  kept->push_back({function, object});
  return 0;
}

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM*, void*) { return JNI_VERSION_1_8; }

// No thread is in the library any more: nobody can reach its classes.
JNIEXPORT void JNICALL JNI_OnUnload(JavaVM*, void*) {
  leitong::jni::free_all();
  if (threads != nullptr) {
    pthread_key_delete(key);
    {
      const std::lock_guard lock(threads->mutex);
      for (KeptOfThread* const kept : threads->all) destroy(kept);
    }
    delete threads;
    threads = nullptr;
  }
  __gnu_cxx::__freeres();
}

}  // extern "C"
