// How a collection or a store is opened, and what a call of a writer waits for.
#pragma once

namespace leitong {

enum class Access { read, write };

// durable: survives a crash of the machine when the call returns; calls of several threads share one sync. buffered: may be lost in a
// crash until the next durable call or sync(); at most what was added in the last second or the last 16 MiB of log, whichever is less.
enum class Acknowledge { durable, buffered };

}  // namespace leitong
