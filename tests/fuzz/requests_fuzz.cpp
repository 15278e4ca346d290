// A request as the sockets hand it over, through everything that answers it: METHOD TARGET, a line of each header, an empty line, the body.
// What it is must never matter: there is one answer, with a status that the server knows, and a stream ends.
#include <cstdlib>
#include <filesystem>
#include <future>
#include <utility>

#include "server/service.h"

namespace {

using namespace leitong;
using namespace leitong::server;

void require(bool condition) {
  if (!condition) std::abort();
}

// A server without sockets, on collections of its own.
struct Whole {
  Whole() {
    options.where = {directory};
    options.threads = 1;
    options.limits.body = 1 << 16;
    options.limits.line = 1 << 12;
    collections.open_all();
  }
  static std::string fresh() {
    std::string name = (std::filesystem::temp_directory_path() / "leitong-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr);
    CollectionOptions kept;
    kept.profile = load_profile("leitong-1");
    kept.texts = kept.metadata = true;
    Collection::create(name + "/c", kept);
    return name;
  }
  std::string directory = fresh();
  ServerOptions options{.where = {directory}};
  Metrics metrics;
  Engine engine{options, metrics};
  Collections collections{engine};
  Api api{engine, collections};
  ApiService service{api};
};

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::shared_ptr<Request> request_of(std::string_view input) {
  auto request = std::make_shared<Request>();
  std::string_view first = take_line(input);
  const std::size_t space = std::min(first.find(' '), first.size());
  request->method = first.substr(0, space);
  request->target = first.substr(std::min(space + 1, first.size()));
  request->peer = "127.0.0.1";
  request->headers.push_back({"Host", "localhost"});
  for (std::string_view line = take_line(input); !line.empty(); line = take_line(input)) {
    const std::size_t colon = std::min(line.find(':'), line.size());
    request->headers.push_back({std::string(line.substr(0, colon)), std::string(line.substr(std::min(colon + 1, line.size())))});
  }
  request->body = input;
  request->has_body = !input.empty();
  return request;
}

void run_stream(Stream& stream, const std::string& body) {
  const std::size_t half = body.size() / 2;
  for (int step = 0; step < 1000; ++step) {
    std::promise<Stream::Step> next;
    std::string piece = step == 0 ? body.substr(0, half) : step == 1 ? body.substr(half) : std::string();
    stream.feed(std::move(piece), step > 0, [&next](Stream::Step made) { next.set_value(std::move(made)); });
    const Stream::Step made = next.get_future().get();
    if (made.ended || made.instead) return;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Whole whole;
  const auto request = request_of({reinterpret_cast<const char*>(data), size});
  // Endless by their meaning, or of the collection that the others ask.
  if (request->target.find("/changes") != std::string::npos ||
      (request->method == "DELETE" && request->target.find("/documents") == std::string::npos))
    return 0;
  const Service::Plan plan = whole.service.plan(*request);
  Service::Served served;
  if (plan.answer) {
    served.status = plan.answer->status;
  } else {
    const std::string body = std::exchange(request->body, {});
    if (plan.body == BodyKind::whole) request->body = body;
    std::promise<Response> said;
    whole.service.answer(request, [&said](Response response) { said.set_value(std::move(response)); });
    const Response response = said.get_future().get();
    served.status = response.status;
    if (response.stream) run_stream(*response.stream, body);
  }
  require(title_of(served.status) != "Error" || served.status == 200);
  whole.service.served(request.get(), served);
  return 0;
}
