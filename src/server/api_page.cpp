// Routes of the page at /, of the description at /docs, and of what they are made of.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "server/api.h"
#include "server/assets.h"

namespace leitong::server {
namespace {

constexpr std::array kinds{std::pair<std::string_view, const char*>{".html", "text/html; charset=utf-8"},
                           std::pair<std::string_view, const char*>{".css", "text/css; charset=utf-8"},
                           std::pair<std::string_view, const char*>{".svg", "image/svg+xml"},
                           std::pair<std::string_view, const char*>{".js", "text/javascript; charset=utf-8"}};

// The begin of the content's hash: who has it need not be sent it again.
std::string tag_of(std::string_view bytes) {
  std::array<unsigned char, 32> hash{};
  ::EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, ::EVP_sha256(), nullptr);
  std::string out = "\"";
  for (std::size_t i = 0; i < 8; ++i) out += fmt::format("{:02x}", hash[i]);
  return out + "\"";
}

Response page_of(const Request& request, std::string_view name) {
  for (const auto& [end, kind] : kinds) {
    const std::string_view bytes = name.ends_with(end) ? asset(name) : std::string_view();
    if (bytes.empty()) continue;
    const std::string tag = tag_of(bytes);
    Response response{request.header("If-None-Match") == tag ? 304 : 200};
    if (response.status == 200) response.body = bytes;
    response.headers = {{"Content-Type", kind},
                        {"ETag", tag},
                        {"Cache-Control", "no-cache"},
                        {"Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};
    return response;
  }
  throw Problem(404, "no-route", "there is no such file");
}

}  // namespace

void show_page(Api&, const CallPtr& call) {
  answer_with(call, [&] { return page_of(*call->request, "page.html"); });
}

void show_docs(Api&, const CallPtr& call) {
  answer_with(call, [&] { return page_of(*call->request, "docs.html"); });
}

void show_asset(Api&, const CallPtr& call) {
  answer_with(call, [&] { return page_of(*call->request, call->path("asset")); });
}

}  // namespace leitong::server
