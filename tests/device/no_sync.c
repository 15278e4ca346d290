/* Preloaded, it makes syncs do nothing and report success: the planted bug that a replay of crashes must find.
 * LEITONG_UNSYNCED says which: "all", "directories", or those files whose path has it as a part. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_swallowed(int file) {
  const char* which = getenv("LEITONG_UNSYNCED");
  if (which == NULL) return 0;
  if (strcmp(which, "all") == 0) return 1;
  struct stat status;
  const int is_directory = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  if (strcmp(which, "directories") == 0 || is_directory) return is_directory && strcmp(which, "directories") == 0;
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(name, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = '\0';
  return strstr(path, which) != NULL;
}

static int call_real(const char* name, int file) {
  int (*real)(int) = NULL;
  *(void**)&real = dlsym(RTLD_NEXT, name);
  return real(file);
}

int fsync(int file) { return is_swallowed(file) ? 0 : call_real("fsync", file); }
int fdatasync(int file) { return is_swallowed(file) ? 0 : call_real("fdatasync", file); }
