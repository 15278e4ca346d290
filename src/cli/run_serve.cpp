// leitong serve.
#include <array>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/server.h"

namespace leitong::cli {
namespace {

// A line a request, until nobody reads them any more: the service goes on.
class AccessLog {
 public:
  explicit AccessLog(Output& output) : output_(output) {}
  void write(std::string_view line) {
    if (closed_) return;
    try {
      output_.write(std::string(line) + "\n");
      output_.finish();
    } catch (...) {
      closed_ = true;
      print_note("the log cannot be written any more; requests are answered all the same");
    }
  }

 private:
  Output& output_;
  bool closed_ = false;
};

int run_serve(const Invocation& invocation, Output& output) {
  const ServeSettings& s = invocation.settings.serve;
  if (!s.new_key.empty()) {
    if (!invocation.operands.empty()) throw Error(ErrorCode::usage, "--new-key makes a key and serves nothing: leave the directories out");
    const ServerKey key = new_server_key(s.new_key, s.scopes, s.collections, s.expires);
    output.write("key   " + key.key + "\nline  " + key.line + "\n");
    return 0;
  }
  if (invocation.operands.empty()) throw Error(ErrorCode::usage, "serve needs a directory of collections (it may be empty), or an address");
  ServerOptions options = s.options;
  options.where = invocation.operands;
  options.threads = invocation.settings.job.threads;
  options.memory = invocation.settings.job.memory;
  options.note = [](const std::string& what) { print_note(what); };
  AccessLog log(output);
  if (!invocation.settings.face.quiet) options.log = [&log](std::string_view line) { log.write(line); };
  serve(options);
  return 0;
}

constexpr std::array own_flags{
    Flag{.name = "listen",
         .argument = "ADDRESS:PORT",
         .kind = Kind::text,
         .fallback = "127.0.0.1:7700",
         .help = "Where to listen. An address that others reach needs --keys and --tls-cert, or --insecure; port 0 is any free one",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.listen = v.text; },
         .example = "127.0.0.1:7701",
         .took = [](const Settings& s) { return s.serve.options.listen == "127.0.0.1:7701"; }},
    Flag{.name = "keys",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "File of keys, without one of which nothing is answered: a line each, as --new-key prints it. SIGHUP reads it again",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.keys = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.serve.options.keys == "some/file"; }},
    Flag{.name = "tls-cert",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Certificate and its chain, PEM. SIGHUP reads it again",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.certificate = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.serve.options.certificate == "some/file"; }},
    Flag{.name = "tls-key",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Private key of the certificate, PEM",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.certificate_key = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.serve.options.certificate_key == "some/file"; }},
    Flag{.name = "insecure",
         .help = "Listen on any address without keys or TLS: whoever reaches it may read and change everything",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.insecure = v.on; },
         .took = [](const Settings& s) { return s.serve.options.insecure; }},
    Flag{.name = "host",
         .argument = "NAME",
         .kind = Kind::list,
         .help = "A name by which the server may be asked, besides localhost and addresses in digits. May be repeated",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.hosts.push_back(v.text); },
         .example = "dedup.example",
         .took = [](const Settings& s) { return is_only(s.serve.options.hosts, "dedup.example"); }},
    Flag{.name = "cors-origin",
         .argument = "ORIGIN",
         .kind = Kind::text,
         .help = "The one foreign origin whose pages may ask, such as https://news.example",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.cors_origin = v.text; },
         .example = "https://news.example",
         .took = [](const Settings& s) { return s.serve.options.cors_origin == "https://news.example"; }},
    Flag{.name = "sample",
         .help = "Fill DIR, if it holds nothing yet, with a small collection in Chinese and English to look at",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.sample = v.on; },
         .took = [](const Settings& s) { return s.serve.options.sample; }},
    Flag{.name = "backup-dir",
         .argument = "DIR",
         .kind = Kind::text,
         .help = "Directory below which backups may be made; without it none are",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.options.backups = v.text; },
         .example = "some/dir",
         .took = [](const Settings& s) { return s.serve.options.backups == "some/dir"; }},
    Flag{.name = "max-body",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "64M",
         .help = "The largest body that is taken whole; one of lines may have any length",
         .group = Group::general,
         .before = "config",
         .low = 1ULL << 20,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.body = v.number; },
         .example = "7M",
         .took = [](const Settings& s) { return s.serve.options.limits.body == 7ULL << 20; }},
    Flag{.name = "max-line",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "16M",
         .help = "The longest line of a body of lines",
         .group = Group::general,
         .before = "config",
         .low = 1ULL << 20,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.line = v.number; },
         .example = "7M",
         .took = [](const Settings& s) { return s.serve.options.limits.line == 7ULL << 20; }},
    Flag{.name = "max-spool",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "1G",
         .help = "The largest Parquet file, which waits in the folder for temporary files (TMPDIR) until it is whole",
         .group = Group::general,
         .before = "config",
         .low = 1ULL << 20,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.spool = v.number; },
         .example = "7M",
         .took = [](const Settings& s) { return s.serve.options.limits.spool == 7ULL << 20; }},
    Flag{.name = "max-queue",
         .argument = "SIZE",
         .kind = Kind::size,
         .fallback = "256M",
         .help = "So much may wait to be written; beyond it the answer is 429",
         .group = Group::general,
         .before = "config",
         .low = 1ULL << 20,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.queue = v.number; },
         .example = "7M",
         .took = [](const Settings& s) { return s.serve.options.limits.queue == 7ULL << 20; }},
    Flag{.name = "max-connections",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1000",
         .help = "So many connections at once",
         .group = Group::general,
         .before = "config",
         .low = 1,
         .high = 1'000'000,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.connections = static_cast<unsigned>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.serve.options.limits.connections == 7U; }},
    Flag{.name = "request-time",
         .argument = "SECONDS",
         .kind = Kind::number,
         .fallback = "30",
         .help = "A client has so long for each 64 KiB of a body, for a line, and to read as much of an answer; a third of it for a header",
         .group = Group::general,
         .before = "config",
         .low = 1,
         .high = 3600,
         .set =
             [](Settings& s, const Value& v) {
               s.serve.options.limits.body_time = std::chrono::seconds(v.number);
               s.serve.options.limits.header_time = std::chrono::seconds((v.number + 2) / 3);
             },
         .example = "7",
         .took = [](const Settings& s) { return s.serve.options.limits.body_time == std::chrono::seconds(7); }},
    Flag{.name = "idle-time",
         .argument = "SECONDS",
         .kind = Kind::number,
         .fallback = "60",
         .help = "A connection may wait so long for its next request",
         .group = Group::general,
         .before = "config",
         .low = 1,
         .high = 86'400,
         .set = [](Settings& s, const Value& v) { s.serve.options.limits.idle_time = std::chrono::seconds(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.serve.options.limits.idle_time == std::chrono::seconds(7); }},
    Flag{.name = "drain",
         .argument = "SECONDS",
         .kind = Kind::number,
         .fallback = "5",
         .help = "After SIGTERM, go on taking requests so long, while /readyz says that the end begins",
         .group = Group::general,
         .before = "config",
         .high = 3600,
         .set = [](Settings& s, const Value& v) { s.serve.options.drain = std::chrono::seconds(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.serve.options.drain == std::chrono::seconds(7); }},
    Flag{.name = "grace",
         .argument = "SECONDS",
         .kind = Kind::number,
         .fallback = "30",
         .help = "Then, what runs has so long to end",
         .group = Group::general,
         .before = "config",
         .high = 3600,
         .set = [](Settings& s, const Value& v) { s.serve.options.grace = std::chrono::seconds(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.serve.options.grace == std::chrono::seconds(7); }},
    Flag{.name = "new-key",
         .argument = "NAME",
         .kind = Kind::text,
         .help = "Print a new key, once, and the line for the file of --keys, which holds its hash only; serve nothing",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.new_key = v.text; },
         .example = "ingest",
         .took = [](const Settings& s) { return s.serve.new_key == "ingest"; }},
    Flag{.name = "scopes",
         .argument = "LIST",
         .kind = Kind::text,
         .fallback = "read",
         .help = "What the new key may do: read, write, admin (everything), metrics, joined by commas",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.scopes = v.text; },
         .example = "read,write",
         .took = [](const Settings& s) { return s.serve.scopes == "read,write"; }},
    Flag{.name = "collections",
         .argument = "LIST",
         .kind = Kind::text,
         .fallback = "*, all of them",
         .help = "With which collections, joined by commas",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.collections = v.text; },
         .example = "news,shop",
         .took = [](const Settings& s) { return s.serve.collections == "news,shop"; }},
    Flag{.name = "expires",
         .argument = "DAY",
         .kind = Kind::text,
         .fallback = "never",
         .help = "The last day on which the new key is good, such as 2027-01-31",
         .group = Group::general,
         .before = "config",
         .set = [](Settings& s, const Value& v) { s.serve.expires = v.text; },
         .example = "2027-01-31",
         .took = [](const Settings& s) { return s.serve.expires == "2027-01-31"; }},
};

}  // namespace

constexpr CommandInfo serve_command{
    .command = cmd_serve,
    .name = "serve",
    .purpose = "Serve collections over HTTP",
    .usage = "DIR|URL... [--listen ADDRESS:PORT] [FLAG...]",
    .description =
        "DIR holds any number of collections, or none yet, or is one; URL is the address of a store on a server, named by NAME=URL or by "
        "its "
        "last word. Whoever reaches the address may do everything, so it is this machine's own unless there are keys and TLS. "
        "docs/server.md says what can be asked; so does /openapi.json of the server itself.\n\n"
        "Each request is a line of JSON on standard output, never with a text; --quiet prints none. SIGTERM ends it well.",
    .examples =
        "leitong serve demo --sample\n"
        "leitong serve /var/lib/leitong\n"
        "leitong serve --new-key ingest --scopes read,write --collections news\n"
        "leitong serve data --listen 0.0.0.0:7700 --keys keys.txt --tls-cert cert.pem --tls-key key.pem --host dedup.example",
    .exit_codes = "0 it was ended\n2 error",
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_serve};

}  // namespace leitong::cli
