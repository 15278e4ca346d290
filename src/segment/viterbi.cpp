#include "segment/viterbi.h"

#include <algorithm>

namespace leitong::segment {
namespace {

// jieba takes the larger (probability, state), so the state that comes later in the alphabet wins a tie. `later` is that one.
struct Step {
  double score;
  unsigned later;  // 1 if it came from the later state
};
inline Step best(double earlier, double later) { return later >= earlier ? Step{later, 1} : Step{earlier, 0}; }

// A state follows only two: B after E or S, M after B or M, E after B or M, S after E or S.
constexpr std::uint8_t predecessors[state_count][2] = {{state_e, state_s}, {state_b, state_m}, {state_b, state_m}, {state_e, state_s}};

}  // namespace

void viterbi(const JiebaData& data, std::span<const Label> labels, std::vector<std::uint8_t>& back, std::vector<std::uint8_t>& states) {
  const double* start = data.hmm();
  const double* to = start + state_count;
  const auto trans = [&](unsigned a, unsigned b) { return to[a * state_count + b]; };
  const double eb = trans(state_e, state_b), sb = trans(state_s, state_b), es = trans(state_e, state_s), ss = trans(state_s, state_s);
  const double bm = trans(state_b, state_m), mm = trans(state_m, state_m), be = trans(state_b, state_e), me = trans(state_m, state_e);
  const std::size_t n = labels.size();
  if (back.size() < n) back.resize(n);
  if (states.size() < n) states.resize(n);
  const double* emit = data.emissions(labels[0]);
  double b = start[state_b] + emit[state_b], e = start[state_e] + emit[state_e];
  double m = start[state_m] + emit[state_m], s = start[state_s] + emit[state_s];
  for (std::size_t t = 1; t < n; ++t) {
    emit = data.emissions(labels[t]);
    // Each sum is (score + transition) + emission, compared after the emission: adding it can round differences away.
    const Step to_b = best((e + eb) + emit[state_b], (s + sb) + emit[state_b]);
    const Step to_m = best((b + bm) + emit[state_m], (m + mm) + emit[state_m]);
    const Step to_e = best((b + be) + emit[state_e], (m + me) + emit[state_e]);
    const Step to_s = best((e + es) + emit[state_s], (s + ss) + emit[state_s]);
    b = to_b.score, m = to_m.score, e = to_e.score, s = to_s.score;
    back[t] = static_cast<std::uint8_t>(to_b.later << state_b | to_e.later << state_e | to_m.later << state_m | to_s.later << state_s);
  }
  unsigned state = s >= e ? state_s : state_e;
  for (std::size_t t = n - 1;; --t) {
    states[t] = static_cast<std::uint8_t>(state);
    if (t == 0) break;
    state = predecessors[state][back[t] >> state & 1U];
  }
}

// Most runs are of two characters. Only the last state matters for them: S stands alone, and E ends a word that began with the run. For a
// sum alone the larger of two terms may be taken before a third is added: rounding keeps order.
bool viterbi_splits(const JiebaData& data, Label first, Label second) {
  const double* start = data.hmm();
  const double* to = start + state_count;
  const double *emit1 = data.emissions(first), *emit2 = data.emissions(second);
  const auto reach = [&](unsigned from, unsigned state) { return (start[from] + emit1[from]) + to[from * state_count + state]; };
  const double e = std::max(reach(state_b, state_e), reach(state_m, state_e)) + emit2[state_e];
  const double s = std::max(reach(state_e, state_s), reach(state_s, state_s)) + emit2[state_s];
  return s >= e;
}

}  // namespace leitong::segment
