/* Preloaded into a daemon: every sync of a file takes SYNC_MS milliseconds longer, as on a slow disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int delayed(const char *name, int file) {
  const char *ms = getenv("SYNC_MS");
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep((useconds_t)(1000 * (ms ? atof(ms) : 0)));
  return sync(file);
}

int fsync(int file) { return delayed("fsync", file); }
int fdatasync(int file) { return delayed("fdatasync", file); }
