#include "server/jobs.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"
#include "server/problem.h"

namespace leitong::server {
namespace {

constexpr std::array<const char*, 5> state_names{"queued", "running", "done", "failed", "stopped"};

std::string new_id() {
  std::uint64_t id = 0;
  ::RAND_bytes(reinterpret_cast<unsigned char*>(&id), sizeof id);
  return fmt::format("{:016x}", id);
}

void run(Job& job, const std::function<std::string(Job&)>& work) {
  {
    const std::lock_guard lock(job.mutex);
    if (job.stop) {
      job.state = Job::State::stopped;
      return;
    }
    job.state = Job::State::running;
  }
  std::string result, problem;
  bool stopped = false;
  try {
    result = work(job);
  } catch (const Error& error) {
    stopped = error.code() == ErrorCode::interrupted;
    problem = to_json(problem_of(std::current_exception()));
  } catch (...) {
    problem = to_json(problem_of(std::current_exception()));
  }
  const std::lock_guard lock(job.mutex);
  job.state = stopped ? Job::State::stopped : problem.empty() ? Job::State::done : Job::State::failed;
  job.result = std::move(result);
  job.problem = std::move(problem);
}

}  // namespace

void Job::progress(const Progress& progress) {
  const std::lock_guard lock(mutex);
  stage = progress.stage;
  done = progress.done;
  total = progress.total;
}

std::string Job::json() const {
  const std::lock_guard lock(mutex);
  std::string out = fmt::format("{{\"id\":\"{}\",\"kind\":\"{}\",\"collection\":\"{}\",\"state\":\"{}\"", id, kind, collection,
                                state_names[static_cast<std::size_t>(state)]);
  out += fmt::format(",\"progress\":{{\"stage\":\"{}\",\"done\":{},\"total\":{}}}", stage, done, total);
  out += fmt::format(",\"result\":{},\"error\":{}}}", result.empty() ? "null" : result, problem.empty() ? "null" : problem);
  return out;
}

bool Job::ended() const {
  const std::lock_guard lock(mutex);
  return state != State::queued && state != State::running;
}

JobPtr Jobs::start(std::string kind, std::string collection, std::function<std::string(Job&)> work) {
  auto job = std::make_shared<Job>();
  job->id = new_id();
  job->kind = std::move(kind);
  job->collection = std::move(collection);
  {
    const std::lock_guard lock(mutex_);
    const auto waiting = std::count_if(jobs_.begin(), jobs_.end(), [](const JobPtr& one) { return !one->ended(); });
    if (static_cast<std::size_t>(waiting) >= most_waiting) {
      Problem problem(429, "jobs", fmt::format("{} jobs wait already", waiting), member("limit", most_waiting));
      problem.retry_after = 10;
      throw problem;
    }
    jobs_.push_back(job);
    while (jobs_.size() > most_kept && jobs_.front()->ended()) jobs_.pop_front();
  }
  worker_.post([job, work = std::move(work)] { run(*job, work); });
  return job;
}

JobPtr Jobs::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  for (const JobPtr& job : jobs_)
    if (job->id == id) return job;
  throw Problem(404, "no-job", "there is no such job; of those that have ended the last 200 are kept");
}

void Jobs::stop_all() {
  const std::lock_guard lock(mutex_);
  for (const JobPtr& job : jobs_) job->stop = true;
}

}  // namespace leitong::server
