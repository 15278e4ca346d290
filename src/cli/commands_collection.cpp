// What collection and its actions are for, in words.
#include "cli/commands_collection.h"

#include <array>

namespace leitong::cli {
namespace {

constexpr const char* done_or_error = "0 done\n2 error";
constexpr const char* reads_records = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal";

constexpr std::array table{
    CommandInfo{
        .command = cmd_collection,
        .name = "collection",
        .purpose = "Keep documents in a collection, on disk or on a server: add every day, ask at any time, lose nothing",
        .usage = "ACTION STORE [OPERAND...] [FLAG...]",
        .description =
            "A collection is a directory. Its documents have ids and fingerprints of one profile, and what else it was made to keep: "
            "texts, metadata. One process writes, any number read meanwhile. A crash, or a signal, loses nothing that was "
            "acknowledged. docs/collection.md shows the daily job.\n\n"
            "STORE is a directory, or an address of a server, which keeps fingerprints under ids and nothing else: "
            "redis://HOST:PORT/DB?prefix=P, rediss:// (TLS), redis+cluster://HOST:PORT?prefix=P, es+http://HOST:PORT/INDEX, es+https:// "
            "(Elasticsearch, OpenSearch). docs/remote-stores.md says more.",
        .examples = "leitong collection create news --texts\n"
                    "leitong collection add news monday.jsonl --unique > monday.answers.jsonl\n"
                    "leitong collection query news --text '谢谢同学们的支持'",
        .exit_codes = "0 done\n1 there was not one good record; get: an id is not there\n2 error\n130 stopped by a signal",
        .operands = "actions"},
    CommandInfo{.command = cmd_collection_create,
                .name = "collection create",
                .purpose = "Make an empty collection",
                .usage = "STORE [--profile P] [-k K] [--ids KIND] [--texts] [--metadata] [FLAG...]",
                .description =
                    "What is said here holds as long as the collection: the profile, what is kept of a document, and what its ids "
                    "are. With --texts every match is verified by the texts, as dedup does; without, similarities are estimated "
                    "from a second sketch.",
                .examples = "leitong collection create news --texts --metadata\n"
                            "leitong collection create shop --profile java-hanlp --ids number --fingerprints-only",
                .exit_codes = done_or_error,
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_inspect,
                .name = "collection inspect",
                .purpose = "Say how another program has stored fingerprints on a server",
                .usage = "URL [--json]",
                .description =
                    "Takes a sample and prints the layout that fits it best, as adopt takes it, with the evidence: how many of the sampled "
                    "fingerprints stand where the layout says, and what a sample cannot tell. Writes nothing.",
                .examples = "leitong collection inspect 'redis://localhost:6379/0?prefix=simhash:'",
                .exit_codes = "0 done\n1 no layout that Leitong knows fits\n2 error",
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_adopt,
                .name = "collection adopt",
                .purpose = "Take over what another program has stored on a server",
                .usage = "URL --profile P [-k K] [--ids KIND] [--layout L] [--sample FILE] [FLAG...]",
                .description =
                    "Leaves a record of profile and layout beside what is there and changes nothing else, so that both programs can go on "
                    "reading and writing. The profile is the one that makes the same fingerprints: leitong parity finds out which. Without "
                    "--layout one is taken that fits what is stored, and in which the profile makes the stored fingerprints of the "
                    "--sample, or of texts that are stored themselves; without any text, the order of bits in which leitong fingerprint "
                    "--format bits prints them. Says what it took and why; if none fits, or several, it says so and takes none.",
                .examples = "leitong collection adopt 'redis://localhost:6379/0?prefix=simhash:' --profile java-hanlp --sample some.jsonl\n"
                            "leitong collection query 'redis://localhost:6379/0?prefix=simhash:' today.jsonl",
                .exit_codes = done_or_error,
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{
        .command = cmd_collection_add,
        .name = "collection add",
        .purpose = "Add documents, or replace those whose ids are there",
        .usage = "STORE [INPUT...] [--unique] [FLAG...]",
        .description =
            "Reads files and directories (- or nothing is standard input) and adds their records in batches. A batch is there when "
            "the next is begun, whatever happens to the machine then (--buffered: later). A record without an id is a bad record. "
            "Run again after a stop, it replaces what is there by the same.\n\n"
            "With --unique it prints {\"id\",\"result\":\"new\"} or "
            "{\"id\",\"result\":\"duplicate\",\"of\",\"distance\",\"similarity\"} for each good record, in input order, and adds only "
            "the new: the daily job. A record whose own id is there is a duplicate of it if the text is like it was.",
        .examples = "leitong collection add news monday.jsonl\n"
                    "leitong collection add news tuesday.jsonl --unique | grep '\"new\"'\n"
                    "zcat crawl.jsonl.gz | leitong collection add news --id-field url --metadata-field source",
        .exit_codes = reads_records,
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_collection_query,
        .name = "collection query",
        .purpose = "Find the documents that are near records, texts or fingerprints",
        .usage = "STORE INPUT...|--text TEXT|--fingerprint HEX|--id ID [-k K] [--most N] [FLAG...]",
        .description =
            "Prints {\"query\",\"id\",\"distance\",\"similarity\"} for each match: queries in order, of each the most similar first, then "
            "the nearest, then the oldest. query is the record's id, or its row from 0 if it has none. \"unverified\":true marks what "
            "the texts did not confirm, because they are not there or --no-verify was given. similarity is null if nothing says it.",
        .examples = "leitong collection query news today.jsonl --most 1\n"
                    "leitong collection query news --text '谢谢同学们的支持' -k 6\n"
                    "leitong collection query news --fingerprint 8f3a90c15e7d2b64\n"
                    "leitong collection query news --id m3",
        .exit_codes =
            "0 done, with or without matches\n1 there was not one good record; an id is not there\n2 error\n130 stopped by a signal",
        .least = 1,
        .most = ~0U,
        .operands = "files"},
    CommandInfo{
        .command = cmd_collection_clusters,
        .name = "collection clusters",
        .purpose = "Group the documents of a collection that are near-duplicates",
        .usage = "DIR [--changes FILE] [--last] [FLAG...]",
        .description =
            "Prints {\"cluster\",\"documents\",\"keep\"} for each group of two or more, made as dedup makes them and whatever the order in "
            "which the documents came. cluster is the smallest sequence number of its documents, keep the one that dedup would keep. The "
            "result is saved beside the collection; --last prints it again.\n\n"
            "--changes FILE also appends to FILE what has changed since FILE's last line, so that a copy of the clusters can be kept up to "
            "date; docs/collection.md says how.",
        .examples = "leitong collection clusters news\n"
                    "leitong collection clusters news --changes clusters.feed > clusters.jsonl",
        .exit_codes = "0 done\n2 error\n130 stopped by a signal; what was saved is as before",
        .least = 1,
        .most = 1,
        .operands = "files"},
    CommandInfo{.command = cmd_collection_delete,
                .name = "collection delete",
                .purpose = "Delete documents by their ids",
                .usage = "STORE ID...|-",
                .description = "- reads ids from standard input, one a line. Says how many of them were there.",
                .examples = "leitong collection delete news a1 a2\ncut -d, -f1 withdrawn.csv | leitong collection delete news -",
                .exit_codes = "0 done\n2 error\n130 stopped by a signal",
                .least = 2,
                .most = ~0U,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_get,
                .name = "collection get",
                .purpose = "Print documents by their ids",
                .usage = "STORE ID...|-",
                .description = "Prints {\"id\",\"sequence\",\"fingerprint\",\"metadata\",\"text\"} for each; what is not kept is null, and "
                               "\"unverified\":true marks what came as a fingerprint. - reads ids from standard input, one a line.",
                .examples = "leitong collection get news a1",
                .exit_codes = "0 done\n1 an id is not there\n2 error\n130 stopped by a signal",
                .least = 2,
                .most = ~0U,
                .operands = "files"},
    CommandInfo{
        .command = cmd_collection_stats,
        .name = "collection stats",
        .purpose = "Say what a collection holds",
        .usage = "STORE [--json]",
        .description = "Documents, profile, files, bytes. Rows count replaced and deleted documents, too, until they are merged away.",
        .examples = "leitong collection stats news --json",
        .exit_codes = done_or_error,
        .least = 1,
        .most = 1,
        .operands = "files"},
    CommandInfo{.command = cmd_collection_check,
                .name = "collection check",
                .purpose = "Compare every byte of a collection with its checksums",
                .usage = "STORE",
                .description = "Names the first file that is damaged. Writers and readers may go on meanwhile.",
                .examples = "leitong collection check news",
                .exit_codes = "0 whole\n2 error, or damaged",
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_compact,
                .name = "collection compact",
                .purpose = "Merge a collection's files into what is fastest to read",
                .usage = "STORE",
                .description = "Replaced and deleted documents go for good. It is not needed: adding merges by itself what must be.",
                .examples = "leitong collection compact news",
                .exit_codes = "0 done\n2 error\n130 stopped by a signal; the collection is as before",
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_backup,
                .name = "collection backup",
                .purpose = "Copy a collection as it is now",
                .usage = "DIR TO",
                .description = "TO is a new directory, and a collection like any other. Adding may go on meanwhile.",
                .examples = "leitong collection backup news /backup/news-monday",
                .exit_codes = done_or_error,
                .least = 2,
                .most = 2,
                .operands = "files"},
    CommandInfo{.command = cmd_collection_export,
                .name = "collection export",
                .purpose = "Print all documents as JSON Lines",
                .usage = "STORE [--output FILE]",
                .description =
                    "One line a document as `collection get` prints it, as of the beginning of the command, in the order in which "
                    "they were added. `collection import` reads it.",
                .examples = "leitong collection export news | zstd > news.jsonl.zst",
                .exit_codes = "0 done\n2 error\n130 stopped by a signal",
                .least = 1,
                .most = 1,
                .operands = "files"},
    CommandInfo{
        .command = cmd_collection_import,
        .name = "collection import",
        .purpose = "Add documents that were exported, or stored fingerprints without texts",
        .usage = "STORE [INPUT...] [--fingerprints] [FLAG...]",
        .description =
            "Reads the JSON Lines of `collection export`. A document with its text is added as `collection add` does; one without comes in "
            "as a "
            "fingerprint, which nothing can verify. With --fingerprints all do: ids and values that another program or `leitong "
            "fingerprint` has stored, made with the collection's profile (leitong parity finds out which that is).\n\n"
            "All or nothing: what is good of the inputs is in when the command has ended well. After an error, a signal or a crash nothing "
            "of "
            "it is. On a server each batch is there at once, and stays.",
        .examples =
            "leitong collection import copy news.jsonl.zst\n"
            "leitong fingerprint news.jsonl | leitong collection import prints --fingerprints\n"
            "leitong collection import shop --fingerprints stored.csv --id-field sku --fp-field simhash --fingerprint-format signed",
        .exit_codes = reads_records,
        .least = 1,
        .most = ~0U,
        .operands = "files"},
};

}  // namespace

std::span<const CommandInfo> collection_commands() { return table; }

}  // namespace leitong::cli
