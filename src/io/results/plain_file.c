// SPDX-License-Identifier: MIT
// Files to be read; pipes and devices are refused.
#define _GNU_SOURCE // O_CLOEXEC
#include <biela/io.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *bi_open_plain(const char *path, const char **why)
{
    struct stat about;
    const char *unused;
    why = why ? why : &unused;
    if (!path) {
        *why = "there is no name";
        return NULL;
    }
    // a pipe without a writer, or a device without an answer, would keep us waiting at once
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is_known = fd >= 0 && fstat(fd, &about) == 0, is_plain = is_known && S_ISREG(about.st_mode);
    FILE *file = is_plain ? fdopen(fd, "rb") : NULL;
    *why = file                      ? NULL
           : !is_known || is_plain   ? strerror(errno)
           : S_ISDIR(about.st_mode)  ? "it is a folder"
           : S_ISFIFO(about.st_mode) ? "it is a pipe, not a plain file"
                                     : "it is a device, not a plain file";
    if (fd >= 0 && !file) {
        close(fd);
    }
    return file;
}
