// The table of routes: all that can be asked of the server. openapi.json says the same, and a test compares the two.
#include <array>

#include "server/api.h"

namespace leitong::server {
namespace {

#define COLLECTION "/v1/collections/{collection}"

constexpr std::array all_routes{
    Route{"GET", "/v1/collections", Scope::read, BodyKind::none, list_collections},
    Route{"POST", "/v1/collections", Scope::admin, BodyKind::whole, create_collection},
    Route{"GET", COLLECTION, Scope::read, BodyKind::none, show_collection},
    Route{"DELETE", COLLECTION, Scope::admin, BodyKind::none, delete_collection},
    Route{"POST", COLLECTION "/check", Scope::read, BodyKind::whole, check_document},
    Route{"POST", COLLECTION "/documents", Scope::write, BodyKind::streamed, add_documents},
    Route{"GET", COLLECTION "/documents", Scope::read, BodyKind::none, list_documents},
    Route{"POST", COLLECTION "/documents:delete", Scope::write, BodyKind::whole, delete_documents},
    Route{"PUT", COLLECTION "/documents/{id}", Scope::write, BodyKind::whole, put_document},
    Route{"GET", COLLECTION "/documents/{id}", Scope::read, BodyKind::none, get_document},
    Route{"DELETE", COLLECTION "/documents/{id}", Scope::write, BodyKind::none, delete_document},
    Route{"GET", COLLECTION "/documents/{id}/near", Scope::read, BodyKind::none, near_document},
    Route{"POST", COLLECTION "/query", Scope::read, BodyKind::streamed, query_collection},
    Route{"POST", COLLECTION "/clusters", Scope::write, BodyKind::none, start_clusters},
    Route{"GET", COLLECTION "/clusters", Scope::read, BodyKind::none, show_clusters},
    Route{"GET", COLLECTION "/changes", Scope::read, BodyKind::none, show_changes},
    Route{"POST", COLLECTION "/compact", Scope::admin, BodyKind::none, start_compact},
    Route{"POST", COLLECTION "/check-files", Scope::admin, BodyKind::none, start_check_files},
    Route{"POST", COLLECTION "/backup", Scope::admin, BodyKind::whole, start_backup},
    Route{"POST", COLLECTION "/refresh", Scope::admin, BodyKind::none, start_refresh},
    Route{"GET", "/v1/jobs/{job}", Scope::read, BodyKind::none, show_job},
    Route{"DELETE", "/v1/jobs/{job}", Scope::admin, BodyKind::none, stop_job},
    Route{"POST", "/v1/fingerprint", Scope::read, BodyKind::whole, fingerprint_text},
    Route{"POST", "/v1/compare", Scope::read, BodyKind::whole, compare_texts},
    Route{"POST", "/v1/explain", Scope::read, BodyKind::whole, explain_texts},
    Route{"GET", "/v1/profiles", Scope::read, BodyKind::none, list_profiles},
    Route{"GET", "/v1/version", Scope::none, BodyKind::none, show_version},
    Route{"GET", "/openapi.json", Scope::none, BodyKind::none, show_openapi},
    Route{"GET", "/", Scope::none, BodyKind::none, show_page},
    Route{"GET", "/docs", Scope::none, BodyKind::none, show_docs},
    Route{"GET", "/assets/{asset}", Scope::none, BodyKind::none, show_asset},
    Route{"GET", "/livez", Scope::none, BodyKind::none, show_alive},
    Route{"GET", "/readyz", Scope::none, BodyKind::none, show_ready},
    Route{"GET", "/metrics", Scope::metrics, BodyKind::none, show_metrics},
};

}  // namespace

std::span<const Route> routes() { return all_routes; }

}  // namespace leitong::server
