/* The wall clock of one host, for LD_PRELOAD: that of the machine and the seconds in a file.

   SABOT_SOAK_CLOCK names the file, eight bytes in the order of the machine, which may change at
   any time. CLOCK_MONOTONIC and the times of files stay those of the machine. libfaketime 0.9.10
   cannot do this: time.sleep of Python 3.11 fails under it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t *shared;

__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("SABOT_SOAK_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED)
        shared = mapped;
}

static int64_t difference(void) {
    return shared ? __atomic_load_n(shared, __ATOMIC_RELAXED) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += difference();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int status = (int)syscall(SYS_gettimeofday, now, zone);
    if (status == 0 && now)
        now->tv_sec += difference();
    return status;
}

time_t time(time_t *stored) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (stored)
        *stored = now.tv_sec;
    return now.tv_sec;
}

/* Its deadline is by the wall clock: older builds of Python wait for locks by it. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    static int (*next)(sem_t *, const struct timespec *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec machine = *deadline;
    machine.tv_sec -= difference();
    return next(semaphore, &machine);
}
