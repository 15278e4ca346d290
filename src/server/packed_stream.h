// PackedStream: a stream whose bytes leave in a Content-Encoding, each step readable as soon as it arrives.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "server/coding.h"
#include "server/http.h"

namespace leitong::server {

class PackedStream : public Stream {
 public:
  PackedStream(std::unique_ptr<Stream> plain, Coding coding) : plain_(std::move(plain)), packer_(coding) {}
  void feed(std::string bytes, bool last, Then then) override {
    plain_->feed(std::move(bytes), last, [this, then = std::move(then)](Step step) {
      if (!step.bytes.empty() || step.ended) {
        std::string packed;
        packer_.pack(step.bytes, step.ended, packed);
        step.bytes = std::move(packed);
      }
      then(std::move(step));
    });
  }

 private:
  std::unique_ptr<Stream> plain_;
  Packer packer_;
};

}  // namespace leitong::server
