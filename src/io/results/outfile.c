// SPDX-License-Identifier: MIT
// The one place where result files are opened, and where they get their names. See docs/reference/results.md.
#define _GNU_SOURCE // locks that belong to the open file, not to the process
#include <biela/outfile.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bi_outfile {
    FILE *file;   // NULL: closed
    char *path;   // as it was given, for messages
    char *target; // the file that is replaced, behind links; NULL: a device or pipe
    char *part;   // target.part
    int lock;     // descriptor that holds the lock of `part`; -1: none
    int error;    // errno of the first byte that was refused; 0: none
    bool is_made; // `part` is our own work; otherwise somebody may still want it
};

enum { MOST_LINKS = 40, MOST_RACES = 100 };

// Whether FILE.part begins empty.
typedef enum { PART_NEW, PART_FOUND } part_state;

// ---- names ----------------------------------------------------------------------------------------------------

static char *joined(const char *a, size_t length, const char *b)
{
    size_t size = length + strlen(b) + 1;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, "%.*s%s", (int)length, a, b);
    }
    return text;
}

// The descriptor that /dev/stdout or /dev/fd/N stands for; -1: it is another path.
static int own_descriptor(const char *path)
{
    static const char *const folder[] = { "/dev/fd/", "/proc/self/fd/" };
    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0) {
        return strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (int k = 0; k < 2; k++) {
        const char *number = path + strlen(folder[k]);
        if (strncmp(path, folder[k], strlen(folder[k])) == 0 && *number &&
            strspn(number, "0123456789") == strlen(number) && strlen(number) < 8) {
            return atoi(number);
        }
    }
    return -1;
}

// Where a link leads, from the folder that it is in. Frees the link's name. NULL: errno.
static char *behind_link(char *link, size_t length)
{
    size_t size = (length > 0 ? length : 4096) + 1;
    char *to = malloc(size), *next = NULL;
    ssize_t n = to ? readlink(link, to, size) : -1;
    if (n >= 0 && (size_t)n < size) {
        to[n] = '\0';
        const char *slash = strrchr(link, '/');
        size_t folder = to[0] == '/' || !slash ? 0 : (size_t)(slash - link) + 1;
        next = joined(link, folder, to);
    }
    free(to);
    free(link);
    return next;
}

// The last of a chain of links, whether it exists or not; /dev/fd/N ends a chain. NULL: errno.
static char *follow(const char *path)
{
    char *at = joined(path, strlen(path), "");
    for (int k = 0; at && k <= MOST_LINKS; k++) {
        struct stat about;
        if (own_descriptor(at) >= 0 || lstat(at, &about) != 0 || !S_ISLNK(about.st_mode)) {
            return at;
        }
        at = behind_link(at, (size_t)about.st_size);
    }
    errno = at ? ELOOP : errno;
    free(at);
    return NULL;
}

bool bi_outfile_is_stream(const char *path)
{
    struct stat about;
    char *end = path ? follow(path) : NULL;
    bool is_stream = end && (own_descriptor(end) >= 0 ||
                             (stat(end, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)));
    free(end);
    return is_stream;
}

// ---- the same file --------------------------------------------------------------------------------------------

// Cuts a path into the folder and the name in it; the folder is "." where the path does not say it. False: there is no
// name.
static bool cut(char *path, const char **folder, const char **name)
{
    size_t length = strlen(path);
    // "a/." and "a//" are "a"
    while (length > 1 && (path[length - 1] == '/' || (path[length - 1] == '.' && path[length - 2] == '/'))) {
        path[--length] = '\0';
    }
    char *slash = strrchr(path, '/');
    *folder = !slash ? "." : slash == path ? "/" : path;
    *name = slash ? slash + 1 : path;
    if (slash && slash != path) {
        *slash = '\0';
    }
    return **name != '\0' && strcmp(*name, ".") != 0 && strcmp(*name, "..") != 0;
}

// By device and number. What is not there yet is the same by its name in the same folder.
static bool is_same(const char *a, const char *b)
{
    struct stat about_a, about_b;
    bool is_a = stat(a, &about_a) == 0, is_b = stat(b, &about_b) == 0;
    if (is_a || is_b) {
        return is_a && is_b && about_a.st_dev == about_b.st_dev && about_a.st_ino == about_b.st_ino;
    }
    char *copy_a = joined(a, strlen(a), ""), *copy_b = joined(b, strlen(b), "");
    const char *folder_a, *folder_b, *name_a, *name_b;
    bool is_equal = copy_a && copy_b && cut(copy_a, &folder_a, &name_a) && cut(copy_b, &folder_b, &name_b) &&
                    strcmp(name_a, name_b) == 0 && is_same(folder_a, folder_b);
    free(copy_a);
    free(copy_b);
    return is_equal;
}

bool bi_outfile_touches(const char *path, const char *other)
{
    char *end = path && other && !bi_outfile_is_stream(path) ? follow(path) : NULL;
    char *end_other = end && !bi_outfile_is_stream(other) ? follow(other) : NULL;
    char *part = end ? joined(end, strlen(end), ".part") : NULL;
    bool touches = end_other && (is_same(end, end_other) || (part && is_same(part, end_other)));
    free(end);
    free(end_other);
    free(part);
    return touches;
}

// ---- opening --------------------------------------------------------------------------------------------------

static bool refuse(bi_report *report, const char *path, const char *why)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "", "cannot be written: %s", why);
    return false;
}

static void note_failure(bi_outfile *o, int error)
{
    if (o->error == 0) {
        o->error = error ? error : EIO;
    }
}

// Devices and pipes take the bytes themselves.
static bool open_stream(bi_outfile *o, const char *end, bi_report *report)
{
    struct stat about = { 0 };
    int own = own_descriptor(end);
    if (own < 0 && stat(end, &about) == 0 && (S_ISBLK(about.st_mode) || S_ISSOCK(about.st_mode))) {
        return refuse(report, o->path, S_ISBLK(about.st_mode) ? "it is a disk" : "it is a socket");
    }
    // as any program, it waits until somebody reads the pipe
    int fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open(end, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    o->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!o->file) {
        refuse(report, o->path, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
    }
    return o->file != NULL;
}

// Nobody else writes it. Systems without locks of open files, or disks without locks, give none.
static bool lock_whole(int fd)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
#ifdef F_OFD_SETLK
    return fcntl(fd, F_OFD_SETLK, &all) == 0 || (errno != EAGAIN && errno != EACCES);
#else
    return fcntl(fd, F_SETLK, &all) == 0 || (errno != EAGAIN && errno != EACCES);
#endif
}

// `part`, locked. Between opening and locking its owner may have given it its final name: then it is not ours to touch,
// and we try again. -1: errno, EAGAIN when another process writes it.
static int open_locked(const char *part, mode_t mode)
{
    for (int k = 0; k < MOST_RACES; k++) {
        struct stat ours, there;
        int fd = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, mode);
        if (fd < 0) {
            return -1;
        }
        bool is_plain = fstat(fd, &ours) == 0 && S_ISREG(ours.st_mode);
        bool is_locked = is_plain && lock_whole(fd);
        if (is_locked && stat(part, &there) == 0 && there.st_ino == ours.st_ino &&
            there.st_dev == ours.st_dev) {
            return fd;
        }
        close(fd);
        if (!is_locked) {
            errno = is_plain ? EAGAIN : EEXIST;
            return -1;
        }
    }
    errno = EAGAIN;
    return -1;
}

static bool refuse_part(const bi_outfile *o, bi_report *report)
{
    char why[64];
    if (errno == EAGAIN || errno == EACCES || errno == EEXIST || errno == ELOOP) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ o->path, 0, 0 }, "",
                      errno == EAGAIN ? "cannot be written: another process is writing it now (%s is locked)"
                      : errno == EACCES ? "cannot be written: %s cannot be made beside it"
                                        : "cannot be written: %s is in the way and is no plain file",
                      o->part);
        return false;
    }
    snprintf(why, sizeof why, "%s", strerror(errno));
    return refuse(report, o->path, why);
}

// FILE.part with the permissions of FILE. What cannot be kept, such as the owner, is not worth a failure.
static bool open_part(bi_outfile *o, part_state state, bi_report *report)
{
    struct stat about;
    bool replaces = stat(o->target, &about) == 0;
    if (replaces && access(o->target, W_OK) != 0) {
        return refuse(report, o->path, errno == EACCES ? "it is protected against writing" : strerror(errno));
    }
    o->lock = open_locked(o->part, replaces ? 0600 : 0666);
    if (o->lock < 0) {
        return refuse_part(o, report);
    }
    o->is_made = state == PART_NEW;
    if (replaces) {
        (void)!fchown(o->lock, about.st_uid, about.st_gid);
        (void)!fchmod(o->lock, about.st_mode & 0777);
    }
    // the lock stays when the stream is closed, until the file has its name
    int fd = state == PART_FOUND || ftruncate(o->lock, 0) == 0 ? fcntl(o->lock, F_DUPFD_CLOEXEC, 0) : -1;
    o->file = fd >= 0 ? fdopen(fd, "r+b") : NULL;
    if (!o->file) {
        refuse(report, o->path, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
    }
    return o->file != NULL;
}

static void outfile_free(bi_outfile *o)
{
    if (o->file) {
        fclose(o->file);
    }
    if (o->lock >= 0) {
        close(o->lock);
    }
    free(o->path);
    free(o->target);
    free(o->part);
    free(o);
}

// Everything but the file. NULL: reported.
static bi_outfile *outfile_make(const char *path, char *end, bi_report *report)
{
    struct stat about;
    int error = errno;
    bi_outfile *o = calloc(1, sizeof *o);
    bool is_stream = end && bi_outfile_is_stream(end);
    bool is_folder = end && stat(end, &about) == 0 && S_ISDIR(about.st_mode);
    if (o) {
        o->lock = -1;
        o->path = joined(path, strlen(path), "");
        o->target = end && !is_stream ? joined(end, strlen(end), "") : NULL;
        o->part = o->target ? joined(end, strlen(end), ".part") : NULL;
    }
    bool is_good = false;
    if (!end || !path[0] || is_folder) {
        refuse(report, path,
               is_folder ? "it is a folder; name a file in it"
               : !end    ? strerror(error)
                         : "its name is empty");
    } else if (!o || !o->path || (!is_stream && !o->part)) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
    } else {
        is_good = true;
    }
    if (o && !is_good) {
        outfile_free(o);
    }
    return is_good ? o : NULL;
}

bi_outfile *bi_outfile_open(const char *path, bi_report *report)
{
    if (!path) {
        (void)refuse(report, path, "there is no name");
        return NULL;
    }
    char *end = follow(path);
    bi_outfile *o = outfile_make(path, end, report);
    if (o && !(o->target ? open_part(o, PART_NEW, report) : open_stream(o, end, report))) {
        bi_outfile_discard(o);
        o = NULL;
    }
    free(end);
    return o;
}

// ---- continuing -----------------------------------------------------------------------------------------------

static bool refuse_continuing(bi_report *report, const char *path, const char *why)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                  "cannot be continued: %s; the file that the run began is needed", why);
    return false;
}

// FILE itself stays until the new one is whole.
static bool copy_target(bi_outfile *o)
{
    enum { BLOCK = 1 << 16 };
    FILE *from = fopen(o->target, "rb");
    char *block = malloc(BLOCK);
    bool is_good = from && block;
    for (size_t n = 1; is_good && n > 0;) {
        n = fread(block, 1, BLOCK, from);
        is_good = fwrite(block, 1, n, o->file) == n && !ferror(from);
    }
    is_good = is_good && fflush(o->file) == 0 && fseek(o->file, 0, SEEK_SET) == 0;
    int error = errno;
    free(block);
    if (from) {
        fclose(from);
    }
    errno = error;
    return is_good;
}

bi_outfile *bi_outfile_continue(const char *path, bi_report *report)
{
    if (!path) {
        (void)refuse(report, path, "there is no name");
        return NULL;
    }
    char *end = follow(path);
    bi_outfile *o = outfile_make(path, end, report);
    free(end);
    bool is_good = o != NULL;
    if (o && !o->target) {
        is_good = refuse_continuing(report, path, "it is a device or a pipe");
    } else if (o) {
        part_state state = access(o->part, F_OK) == 0 ? PART_FOUND : PART_NEW;
        is_good = state == PART_FOUND || access(o->target, R_OK) == 0 ||
                  refuse_continuing(report, path, strerror(errno));
        is_good = is_good && open_part(o, state, report);
        if (is_good && state == PART_NEW && !copy_target(o)) {
            is_good = refuse_continuing(report, path, strerror(errno));
        }
    }
    if (o && !is_good) {
        bi_outfile_discard(o);
    }
    return is_good ? o : NULL;
}

// ---- writing, and the end ---------------------------------------------------------------------------------------

FILE *bi_outfile_file(bi_outfile *o) { return o ? o->file : NULL; }

const char *bi_outfile_name(const bi_outfile *o) { return !o ? NULL : o->part ? o->part : o->path; }

const char *bi_outfile_failure(bi_outfile *o)
{
    if (!o) {
        return "there is no file";
    }
    if (o->file && o->error == 0) {
        errno = 0;
        bool is_refused = fflush(o->file) != 0;
        // nobody kept the reason when an earlier byte was refused: one more byte is refused for the same one
        if (!is_refused && ferror(o->file)) {
            is_refused = true;
            (void)!write(fileno(o->file), "\n", 1);
        }
        if (is_refused) {
            note_failure(o, errno);
        }
    }
    return o->error ? strerror(o->error) : NULL;
}

static void close_stream(bi_outfile *o)
{
    (void)bi_outfile_failure(o);
    if (o->file && fclose(o->file) != 0) {
        note_failure(o, errno);
    }
    o->file = NULL;
}

bi_status bi_outfile_close(bi_outfile *o)
{
    if (!o) {
        return BI_BAD_FILE;
    }
    close_stream(o);
    if (o->lock >= 0) {
        close(o->lock);
    }
    o->lock = -1;
    return o->error ? BI_BAD_FILE : BI_OK;
}

bi_status bi_outfile_commit(bi_outfile *o, bi_report *report)
{
    if (!o) {
        return BI_BAD_FILE;
    }
    close_stream(o);
    // the lock is held until here: nobody can put another FILE.part in its place
    if (o->part && o->error == 0 && rename(o->part, o->target) != 0) {
        note_failure(o, errno);
    }
    if (o->error) {
        refuse(report, o->path, strerror(o->error));
        bi_outfile_discard(o);
        return BI_BAD_FILE;
    }
    outfile_free(o);
    return BI_OK;
}

void bi_outfile_discard(bi_outfile *o)
{
    if (o && o->is_made) {
        // a library may still hold it open: its room on the disk is given back now
        if (o->lock >= 0) {
            (void)!ftruncate(o->lock, 0);
        }
        (void)remove(o->part);
    }
    bi_outfile_leave(o);
}

void bi_outfile_leave(bi_outfile *o)
{
    if (o) {
        outfile_free(o);
    }
}
