#include "net/http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <random>
#include <thread>

namespace leitong::net {
namespace {

struct ListFree {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListFree>;

struct EasyFree {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};

void append(HeaderList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  (void)list.release();
  list.reset(longer);
}

void start_library() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw Error(ErrorCode::io, fmt::format("libcurl does not start: {}", curl_easy_strerror(started)));
}

template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  const CURLcode done = curl_easy_setopt(easy, option, value);
  if (done == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (done != CURLE_OK) throw Error(ErrorCode::unsupported, fmt::format("this libcurl lacks a setting: {}", curl_easy_strerror(done)));
}

bool this_machine(std::string_view host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

// How a transfer can fail without an answer.
struct Failure {
  CURLcode code;
  bool repeat;   // may be a passing condition, so the request may be sent again
  bool refusal;  // lasts until a person changes something
  std::string_view remedy;
};

constexpr std::array failures = {
    Failure{CURLE_COULDNT_RESOLVE_HOST, true, false, "is the host's name right, and does it resolve here?"},
    Failure{CURLE_COULDNT_RESOLVE_PROXY, true, false, "see the proxy in the environment (https_proxy, no_proxy)"},
    Failure{CURLE_COULDNT_CONNECT, true, false, "is the server running, and are address and port right?"},
    Failure{CURLE_OPERATION_TIMEDOUT, true, false, "the server is slow or gone: see its log, or raise the time-out"},
    Failure{CURLE_GOT_NOTHING, true, false, "the server closed the connection: is the port one for HTTP, with or without TLS as asked?"},
    Failure{CURLE_RECV_ERROR, true, false, "the connection broke: see the server's log"},
    Failure{CURLE_SEND_ERROR, true, false, "the connection broke: see the server's log"},
    Failure{CURLE_PARTIAL_FILE, true, false, "the answer was cut short: see the server's log"},
    Failure{CURLE_BAD_CONTENT_ENCODING, true, false, "the answer was garbled on its way"},
    Failure{CURLE_WEIRD_SERVER_REPLY, true, false, "this is no HTTP: is the port right, with or without TLS as asked?"},
    Failure{CURLE_UNSUPPORTED_PROTOCOL, true, false, "this is no HTTP: is the port right, with or without TLS as asked?"},
    Failure{CURLE_SSL_CONNECT_ERROR, true, false,
            "no TLS came about: does the server speak TLS on this port, and does it take our certificate?"},
    Failure{CURLE_PEER_FAILED_VERIFICATION, false, true,
            "the server's certificate is not trusted or names another host: give ca, or server-name"},
    Failure{CURLE_SSL_CACERT_BADFILE, false, true, "the file of ca cannot be read as PEM"},
    Failure{CURLE_SSL_CERTPROBLEM, false, true,
            "our certificate or key (cert, key) cannot be used: both must be PEM, the key without a pass phrase"},
    Failure{CURLE_WRITE_ERROR, false, true, "the answer is larger than can be right"},
};

Failure failure_of(CURLcode code) {
  const auto row = std::find_if(failures.begin(), failures.end(), [&](const Failure& one) { return one.code == code; });
  return row != failures.end() ? *row : Failure{code, false, false, "see the server's log"};
}

bool may_pass(unsigned status, const HttpRequest& request) {
  return (status == 429 && !request.busy_is_answer) || status == 502 || status == 503 || status == 504;
}

std::string compressed(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  (void)deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  (void)deflateEnd(&stream);
  return out;
}

struct Answer {
  std::string body;
  std::size_t largest = 0;
};

std::size_t keep(char* bytes, std::size_t one, std::size_t count, void* to) {
  auto& answer = *static_cast<Answer*>(to);
  if (answer.body.size() + one * count > answer.largest) return 0;
  try {
    answer.body.append(bytes, one * count);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return one * count;
}

}  // namespace

struct HttpClient::Impl {
  explicit Impl(HttpSettings given) : settings(std::move(given)), out_until(settings.nodes.size()) {
    if (settings.nodes.empty()) throw Error(ErrorCode::usage, "a search server needs an address: host:port");
    start_library();
    easy.reset(curl_easy_init());
    if (!easy) throw std::bad_alloc();
    next = random() % settings.nodes.size();
  }

  // The next node in turn that is not left out; if all are, the one whose time ends first.
  std::size_t choose() {
    const auto now = Clock::now();
    for (std::size_t i = 0; i < out_until.size(); ++i) {
      const std::size_t node = (next + i) % out_until.size();
      if (out_until[node] > now) continue;
      next = node + 1;
      return node;
    }
    return static_cast<std::size_t>(std::min_element(out_until.begin(), out_until.end()) - out_until.begin());
  }

  void set_tls(const Endpoint& node) {
    const TlsSettings& tls = *settings.tls;
    set(easy.get(), CURLOPT_SSL_VERIFYPEER, tls.insecure ? 0L : 1L);
    set(easy.get(), CURLOPT_SSL_VERIFYHOST, tls.insecure ? 0L : 2L);
    set(easy.get(), CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!tls.ca_file.empty()) set(easy.get(), CURLOPT_CAINFO, tls.ca_file.c_str());
    if (!tls.certificate_file.empty()) {
      set(easy.get(), CURLOPT_SSLCERT, tls.certificate_file.c_str());
      set(easy.get(), CURLOPT_SSLKEY, (tls.key_file.empty() ? tls.certificate_file : tls.key_file).c_str());
    }
    if (tls.server_name.empty()) return;
    connect_to.reset();
    append(connect_to, fmt::format("{}:{}:{}", tls.server_name, node.port, node.text()));
    set(easy.get(), CURLOPT_CONNECT_TO, connect_to.get());
  }

  void set_node(const Endpoint& node, const std::string& path) {
    const bool renamed = settings.tls && !settings.tls->server_name.empty();
    const std::string host = renamed ? Endpoint{settings.tls->server_name, node.port}.text() : node.text();
    set(easy.get(), CURLOPT_URL, fmt::format("{}://{}{}", settings.tls ? "https" : "http", host, path).c_str());
    set(easy.get(), CURLOPT_PROTOCOLS_STR, settings.tls ? "https" : "http");
    if (this_machine(node.host)) set(easy.get(), CURLOPT_PROXY, "");
    if (settings.tls) set_tls(node);
  }

  void set_account() {
    if (!settings.api_key.empty()) {
      append(headers, "Authorization: ApiKey " + settings.api_key);
    } else if (!settings.user.empty()) {
      set(easy.get(), CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
      set(easy.get(), CURLOPT_USERNAME, settings.user.c_str());
      set(easy.get(), CURLOPT_PASSWORD, settings.password.c_str());
    }
  }

  void set_body(const HttpRequest& request) {
    append(headers, "Expect:");
    if (request.body.empty()) return;
    std::string_view body = request.body;
    if (settings.gzip_from > 0 && body.size() >= settings.gzip_from) {
      packed = compressed(body);
      body = packed;
      append(headers, "Content-Encoding: gzip");
    }
    append(headers, fmt::format("Content-Type: {}", request.type));
    set(easy.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(easy.get(), CURLOPT_POSTFIELDS, body.data());
  }

  CURLcode perform(const HttpRequest& request, const Endpoint& node, Answer& answer) {
    curl_easy_reset(easy.get());  // connections are kept
    headers.reset();
    error[0] = '\0';
    const auto timeout = request.timeout.count() > 0 ? request.timeout : settings.timeout;
    set(easy.get(), CURLOPT_NOSIGNAL, 1L);
    set(easy.get(), CURLOPT_ERRORBUFFER, error.data());
    set(easy.get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(easy.get(), CURLOPT_TCP_KEEPALIVE, 1L);
    // If a kept connection breaks, libcurl would send the request again by itself. A new connection prevents that.
    if (request.repeat == Repeat::never) set(easy.get(), CURLOPT_FRESH_CONNECT, 1L);
    set(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_timeout.count()));
    set(easy.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
    set(easy.get(), CURLOPT_WRITEFUNCTION, &keep);
    set(easy.get(), CURLOPT_WRITEDATA, static_cast<void*>(&answer));
    set_node(node, request.path);
    set_account();
    set_body(request);
    set(easy.get(), CURLOPT_CUSTOMREQUEST, std::string(request.method).c_str());
    if (request.method == "HEAD") set(easy.get(), CURLOPT_NOBODY, 1L);
    set(easy.get(), CURLOPT_HTTPHEADER, headers.get());
    return curl_easy_perform(easy.get());
  }

  [[noreturn]] void fail(const HttpRequest& request, const Endpoint& node, const Failure& failure, unsigned attempts) const {
    const std::string path = request.path.substr(0, request.path.find('?'));
    const char* said = error[0] != '\0' ? error.data() : curl_easy_strerror(failure.code);
    const std::string message = fmt::format("{}: {} {}: {}{}: {}", node.text(), request.method, path, said,
                                            attempts > 1 ? fmt::format(" ({} attempts)", attempts) : "", failure.remedy);
    if (failure.refusal) throw Refusal(message);
    throw Error(ErrorCode::io, message);
  }

  HttpSettings settings;
  std::unique_ptr<CURL, EasyFree> easy;
  HeaderList headers, connect_to;
  std::string packed;
  std::array<char, CURL_ERROR_SIZE> error{};
  std::vector<Clock::time_point> out_until;
  std::size_t next = 0;
  std::mt19937 random{std::random_device{}()};
};

HttpClient::HttpClient(HttpSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
HttpClient::~HttpClient() = default;
const HttpSettings& HttpClient::settings() const { return impl_->settings; }

HttpReply HttpClient::send(const HttpRequest& request) {
  const HttpRetry& retry = impl_->settings.retry;
  const auto deadline = Clock::now() + retry.total;
  auto pause = retry.first_pause;
  for (unsigned attempt = 1;; ++attempt) {
    const std::size_t number = impl_->choose();
    const Endpoint& node = impl_->settings.nodes[number];
    Answer answer{{}, impl_->settings.largest_answer};
    const CURLcode code = impl_->perform(request, node, answer);
    const bool last =
        request.repeat == Repeat::never || attempt >= retry.attempts * impl_->settings.nodes.size() || Clock::now() + pause >= deadline;
    if (code == CURLE_OK) {
      long status = 0;
      (void)curl_easy_getinfo(impl_->easy.get(), CURLINFO_RESPONSE_CODE, &status);
      if (last || !may_pass(static_cast<unsigned>(status), request))
        return {static_cast<unsigned>(status), std::move(answer.body), node.text()};
    } else {
      const Failure failure = failure_of(code);
      impl_->out_until[number] = Clock::now() + impl_->settings.leave_out;
      if (last || !failure.repeat) impl_->fail(request, node, failure, attempt);
    }
    // Another node may work, so it is asked without a pause.
    if (attempt % impl_->settings.nodes.size() != 0) continue;
    // Random pauses, so that clients that were refused together do not come back together.
    std::this_thread::sleep_for(pause / 2 + pause / 2 * static_cast<int>(impl_->random() % 100) / 100);
    pause = std::min(2 * pause, retry.longest_pause);
  }
}

std::string percent_encoded(std::string_view bytes) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string out;
  for (const char byte : bytes) {
    if (plain.find(byte) != std::string_view::npos) {
      out.push_back(byte);
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return out;
}

}  // namespace leitong::net
