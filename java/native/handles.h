// What Java has not closed yet, so that nothing stays behind when its class loader goes.
#pragma once

namespace leitong::jni {

using Free = void (*)(void*);

// `handle` is freed by `free` when the library goes, unless forget() was called before. Any thread.
void remember(void* handle, Free free);
// The caller frees it, or did.
void forget(void* handle);
// Frees all that is left; no other thread is in the library.
void free_all() noexcept;

}  // namespace leitong::jni
