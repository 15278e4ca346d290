#include "redis/redis_errors.h"

namespace leitong::redis {
namespace {

using enum ErrorKind;

constexpr KnownError known[] = {
    {"MOVED", moved, "the server is a node of a cluster: connect to it as a cluster"},
    {"ASK", ask, "the server is a node of a cluster: connect to it as a cluster"},
    {"LOADING", later, "the server is loading its data: wait until it has, or raise the retries' total time"},
    {"MASTERDOWN", later, "the replica has lost its master: bring the master back"},
    {"TRYAGAIN", later, "the slot is on its way to another node: finish the resharding (redis-cli --cluster fix)"},
    {"CLUSTERDOWN", later, "the cluster has no owner for some slots: see redis-cli --cluster check"},
    {"BUSY", later, "a script runs for too long: SCRIPT KILL ends it"},
    {"NOREPLICAS", later, "too few replicas are in reach (min-replicas-to-write): bring them back"},
    {"ERR max number of clients", later, "too many clients: raise maxclients, or close some"},
    {"OOM", refuse, "the server's memory is full: raise maxmemory, or add nodes; do not let it evict these keys"},
    {"READONLY", refuse, "the server is a replica, which takes no writes: give the master's address"},
    {"NOAUTH", refuse, "the server asks for a password: give user and password"},
    {"WRONGPASS", refuse, "user or password is wrong, or the user is off: see ACL LIST"},
    {"NOPERM", refuse, "the user may not do this: extend its rights by ACL SETUSER"},
    {"WRONGTYPE", refuse, "the key is there and holds something else: use another key prefix, or delete the key"},
    {"MISCONF", refuse, "the server cannot save to disk and takes no writes: its log says why (disk full, rights)"},
    {"CROSSSLOT", refuse, "the command's keys are of several slots: they need one {hash tag}"},
    {"DENIED", refuse, "the server is in protected mode: give it a password, or set bind and protected-mode"},
    {"ERR DB index is out of range", refuse, "the server has fewer databases: give a lower one, or raise its setting databases"},
    {"ERR SELECT is not allowed in cluster mode", refuse, "a cluster has only database 0"},
    {"ERR This instance has cluster support disabled", refuse, "the server is not a node of a cluster: connect to it as a single server"},
};

}  // namespace

const KnownError& known_error(std::string_view reply) {
  static constexpr KnownError none{};
  for (const KnownError& row : known) {
    if (reply.starts_with(row.begins) && (reply.size() == row.begins.size() || reply[row.begins.size()] == ' ')) return row;
  }
  return none;
}

}  // namespace leitong::redis
