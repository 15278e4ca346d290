// A dictionary of a few words for tests that need no data of others.
#pragma once

#include <memory>
#include <string>

#include "segment/jieba_compile.h"
#include "segment/jieba_data.h"

namespace leitong::segment {

inline JiebaSources small_sources() {
  JiebaSources sources;
  sources.dictionary =
      "天 50 n\n气 40 n\n天气 300 n\n很 80 d\n好 90 a\n很好 20 d\n气很 10 x\n今天 200 t\n今天天气 500 n\n"
      "中 30 n\n国 30 n\n中国 500 ns\n国家 100 n\n中国国家 2 n\n家 20 n\n"
      "甲乙 7 x\n乙丙 7 x\n甲 7 x\n丙 7 x\n"
      "C++ 9 nz\nA股 9 n\nT恤 9 n\nT恤衫 9 n\n衫 1 n\n零 0 m\n";
  sources.start = "P={'B': -0.3, 'E': -3.14e+100, 'M': -3.14e+100, 'S': -1.4}";
  sources.transitions =
      "P={'B': {'E': -0.5, 'M': -0.9}, 'E': {'B': -0.6, 'S': -0.8}, 'M': {'E': -0.3, 'M': -1.2}, 'S': {'B': -0.7, 'S': -0.6}}";
  sources.emissions =
      "P={'B': {'\\u738b': -2.0, '\\u5c0f': -3.0}, 'E': {'\\u660e': -2.0, '\\u5c0f': -6.0}, 'M': {'\\u5c0f': -4.0}, "
      "'S': {'\\u4e86': -1.0, '\\u738b': -8.0, '\\u5c0f': -8.0, '\\u660e': -8.0}}";
  sources.idf = "天气 8.5\n中国 3.0\n国家 2.5\nabc 11\n中国 4.0\n";
  sources.stop_words = "STOP_WORDS = set((\n \"the\", \"of\"\n))\n";
  return sources;
}

inline std::shared_ptr<const JiebaData> small_jieba() {
  return std::make_shared<const JiebaData>(JiebaData::from_bytes(compile_jieba(small_sources()), "small data"));
}

}  // namespace leitong::segment
