/*
 * Preloaded into a daemon: every sync of a file takes SYNC_MS milliseconds longer, as on a slow disk, and fails while the file that
 * SYNC_FAILS names is there, as on a broken one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int delayed(const char *name, int file) {
  const char *ms = getenv("SYNC_MS");
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *fails = getenv("SYNC_FAILS");
  usleep((useconds_t)(1000 * (ms ? atof(ms) : 0)));
  if (fails && access(fails, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return sync(file);
}

int fsync(int file) { return delayed("fsync", file); }
int fdatasync(int file) { return delayed("fdatasync", file); }
