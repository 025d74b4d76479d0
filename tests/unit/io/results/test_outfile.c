// SPDX-License-Identifier: MIT
// Result files: whole or not there, nothing else touched. Nodes are made in a folder of the test, never used under /dev.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include <biela/outfile.h>

typedef struct {
    char folder[64], path[96], part[112];
    bi_report report;
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/biela-outfile-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->path, sizeof p->path, "%s/a.txt", p->folder);
    snprintf(p->part, sizeof p->part, "%s.part", p->path);
    *state = p;
    return 0;
}

static int clear_place(void **state)
{
    place *p = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->folder);
    bi_report_clear(&p->report);
    int code = system(command);
    free(p);
    return code;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *text_of(const char *path)
{
    static char text[64];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file) {
        fclose(file);
    }
    return file ? text : "(none)";
}

static bool is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static mode_t kind_of(const char *path)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return about.st_mode & S_IFMT;
}

static bi_status write_text(place *p, const char *path, const char *text)
{
    bi_outfile *o = bi_outfile_open(path, &p->report);
    if (!o) {
        return BI_BAD_FILE;
    }
    fputs(text, bi_outfile_file(o));
    return bi_outfile_commit(o, &p->report);
}

// ---- plain files ------------------------------------------------------------------------------------------------

static void test_outfile_before_commit_leaves_the_old_file(void **state)
{
    place *p = *state;
    put(p->path, "old");
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    fputs("new", bi_outfile_file(o));
    fflush(bi_outfile_file(o));
    assert_string_equal(text_of(p->path), "old");
    assert_string_equal(text_of(p->part), "new");
    assert_string_equal(bi_outfile_name(o), p->part);
    assert_int_equal(bi_outfile_commit(o, &p->report), BI_OK);
    assert_string_equal(text_of(p->path), "new");
    assert_false(is_there(p->part));
}

static void test_outfile_discarded_leaves_the_old_file_and_no_other(void **state)
{
    place *p = *state;
    put(p->path, "old");
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    fputs("new", bi_outfile_file(o));
    bi_outfile_discard(o);
    assert_string_equal(text_of(p->path), "old");
    assert_false(is_there(p->part));
}

static void test_outfile_left_stays_beside(void **state)
{
    place *p = *state;
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    fputs("some", bi_outfile_file(o));
    bi_outfile_leave(o);
    assert_false(is_there(p->path));
    assert_string_equal(text_of(p->part), "some");
    // the next one writes over it
    assert_int_equal(write_text(p, p->path, "a"), BI_OK);
    assert_string_equal(text_of(p->path), "a");
}

static void test_outfile_keeps_permissions(void **state)
{
    place *p = *state;
    struct stat about;
    put(p->path, "old");
    assert_int_equal(chmod(p->path, 0640), 0);
    assert_int_equal(write_text(p, p->path, "new"), BI_OK);
    assert_int_equal(stat(p->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

static void test_outfile_closed_before_commit_holds_no_descriptor(void **state)
{
    place *p = *state;
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    fputs("new", bi_outfile_file(o));
    int used = fileno(bi_outfile_file(o));
    assert_int_equal(bi_outfile_close(o), BI_OK);
    assert_int_equal(fcntl(used, F_GETFD), -1);
    assert_false(is_there(p->path));
    assert_int_equal(bi_outfile_commit(o, &p->report), BI_OK);
    assert_string_equal(text_of(p->path), "new");
}

static void test_outfile_of_two_writers_refuses_the_second(void **state)
{
    place *p = *state;
    bi_outfile *first = bi_outfile_open(p->path, &p->report);
    fputs("first", bi_outfile_file(first));
    assert_null(bi_outfile_open(p->path, &p->report));
    assert_non_null(strstr(p->report.issue[0].what, "another process is writing it"));
    assert_int_equal(bi_outfile_commit(first, &p->report), BI_OK);
    assert_string_equal(text_of(p->path), "first");
    assert_int_equal(write_text(p, p->path, "second"), BI_OK);
    assert_string_equal(text_of(p->path), "second");
}

// ---- what is refused ----------------------------------------------------------------------------------------------

static void refuses(place *p, const char *path, const char *why)
{
    bi_report_clear(&p->report);
    assert_null(bi_outfile_open(path, &p->report));
    assert_int_equal(p->report.errors, 1);
    assert_string_equal(p->report.issue[0].place.file, path);
    if (!strstr(p->report.issue[0].what, why)) {
        fail_msg("'%s' does not say '%s'", p->report.issue[0].what, why);
    }
}

static void test_outfile_that_cannot_be_says_why(void **state)
{
    place *p = *state;
    char path[512];
    refuses(p, p->folder, "it is a folder");
    refuses(p, "", "its name is empty");
    snprintf(path, sizeof path, "%s/none/a.txt", p->folder);
    refuses(p, path, strerror(ENOENT));
    snprintf(path, sizeof path, "%s/%0300d", p->folder, 0);
    refuses(p, path, strerror(ENAMETOOLONG));
    put(p->path, "old");
    snprintf(path, sizeof path, "%s/b", p->path);
    refuses(p, path, strerror(ENOTDIR));
    snprintf(path, sizeof path, "%s/loop", p->folder);
    assert_int_equal(symlink("loop", path), 0);
    refuses(p, path, strerror(ELOOP));
    assert_string_equal(text_of(p->path), "old");
}

static void test_outfile_with_a_link_as_part_refuses_to_follow_it(void **state)
{
    place *p = *state;
    char victim[128];
    snprintf(victim, sizeof victim, "%s/victim", p->folder);
    put(victim, "precious");
    assert_int_equal(symlink("victim", p->part), 0);
    refuses(p, p->path, "is in the way");
    assert_string_equal(text_of(victim), "precious");
    assert_int_equal(kind_of(p->part), S_IFLNK);
}

static void test_outfile_beyond_the_limit_of_the_disk_keeps_the_old_file(void **state)
{
    place *p = *state;
    struct rlimit before, little;
    put(p->path, "old");
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 10000;
    setrlimit(RLIMIT_FSIZE, &little);
    for (int k = 0; k < 20000; k++) {
        fputc('x', bi_outfile_file(o));
    }
    assert_string_equal(bi_outfile_failure(o), strerror(EFBIG));
    bi_status status = bi_outfile_commit(o, &p->report);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    assert_int_equal(status, BI_BAD_FILE);
    assert_non_null(strstr(p->report.issue[0].what, strerror(EFBIG)));
    assert_string_equal(text_of(p->path), "old");
    assert_false(is_there(p->part));
}

// ---- links --------------------------------------------------------------------------------------------------------

static void test_outfile_through_links_replaces_what_is_behind(void **state)
{
    place *p = *state;
    char folder[96], target[128], link[112], far[112];
    snprintf(folder, sizeof folder, "%s/inner", p->folder);
    snprintf(target, sizeof target, "%s/inner/t.txt", p->folder);
    snprintf(link, sizeof link, "%s/inner/l.txt", p->folder);
    snprintf(far, sizeof far, "%s/far.txt", p->folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    // far.txt -> inner/l.txt -> t.txt, which is not there at first
    assert_int_equal(symlink("t.txt", link), 0);
    assert_int_equal(symlink("inner/l.txt", far), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(write_text(p, far, k ? "again" : "first"), BI_OK);
        assert_int_equal(kind_of(far), S_IFLNK);
        assert_int_equal(kind_of(link), S_IFLNK);
        assert_int_equal(kind_of(target), S_IFREG);
        assert_string_equal(text_of(target), k ? "again" : "first");
    }
}

static void test_outfile_through_a_link_to_a_folder_is_refused(void **state)
{
    place *p = *state;
    assert_int_equal(symlink(p->folder, p->path), 0);
    refuses(p, p->path, "it is a folder");
    assert_int_equal(kind_of(p->path), S_IFLNK);
}

// ---- devices and pipes ----------------------------------------------------------------------------------------------

static void make_node(place *p, unsigned minor_number)
{
    // as the null device is 3 and the full one 7 of major 1; not every user may make nodes, nor every disk hold them
    if (mknod(p->path, S_IFCHR | 0666, makedev(1, minor_number)) != 0 || access(p->path, W_OK) != 0) {
        skip();
    }
    int fd = open(p->path, O_WRONLY);
    if (fd < 0) {
        skip();
    }
    close(fd);
}

static void test_outfile_to_a_device_is_written_to_it(void **state)
{
    place *p = *state;
    make_node(p, 3);
    assert_true(bi_outfile_is_stream(p->path));
    assert_int_equal(write_text(p, p->path, "gone"), BI_OK);
    assert_int_equal(kind_of(p->path), S_IFCHR);
    assert_false(is_there(p->part));
}

static void test_outfile_to_a_device_that_is_full_says_so(void **state)
{
    place *p = *state;
    make_node(p, 7);
    assert_int_equal(write_text(p, p->path, "gone"), BI_BAD_FILE);
    assert_non_null(strstr(p->report.issue[0].what, strerror(ENOSPC)));
    assert_int_equal(kind_of(p->path), S_IFCHR);
}

static void test_outfile_to_a_device_through_a_link_keeps_both(void **state)
{
    place *p = *state;
    char link[96];
    make_node(p, 3);
    snprintf(link, sizeof link, "%s/link", p->folder);
    assert_int_equal(symlink("a.txt", link), 0);
    assert_int_equal(write_text(p, link, "gone"), BI_OK);
    assert_int_equal(kind_of(link), S_IFLNK);
    assert_int_equal(kind_of(p->path), S_IFCHR);
}

static void test_outfile_to_a_pipe_arrives(void **state)
{
    place *p = *state;
    char got[8] = "";
    assert_int_equal(mkfifo(p->path, 0666), 0);
    int reader = open(p->path, O_RDONLY | O_NONBLOCK);
    assert_int_equal(write_text(p, p->path, "through"), BI_OK);
    assert_int_equal(read(reader, got, 7), 7);
    assert_string_equal(got, "through");
    close(reader);
    assert_int_equal(kind_of(p->path), S_IFIFO);
}

static void test_outfile_to_a_pipe_that_nobody_reads_any_more_says_so(void **state)
{
    place *p = *state;
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(mkfifo(p->path, 0666), 0);
    int reader = open(p->path, O_RDONLY | O_NONBLOCK);
    bi_outfile *o = bi_outfile_open(p->path, &p->report);
    close(reader);
    fputs("lost", bi_outfile_file(o));
    assert_int_equal(bi_outfile_commit(o, &p->report), BI_BAD_FILE);
    signal(SIGPIPE, old);
    assert_non_null(strstr(p->report.issue[0].what, strerror(EPIPE)));
    assert_int_equal(kind_of(p->path), S_IFIFO);
}

static void test_outfile_to_an_open_descriptor_goes_on_where_it_stands(void **state)
{
    place *p = *state;
    char name[32];
    int fd = open(p->path, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(fd, "before ", 7), 7);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    assert_true(bi_outfile_is_stream(name));
    assert_int_equal(write_text(p, name, "after"), BI_OK);
    close(fd);
    assert_string_equal(text_of(p->path), "before after");
}

static void test_outfile_touches_the_same_file_under_any_name(void **state)
{
    place *p = *state;
    char link_name[600], hard_name[600], other[600];
    snprintf(link_name, sizeof link_name, "%s.link", p->path);
    snprintf(hard_name, sizeof hard_name, "%s.hard", p->path);
    snprintf(other, sizeof other, "%s.other", p->path);
    // not there yet: by folder and name
    assert_true(bi_outfile_touches(p->path, p->path));
    assert_true(bi_outfile_touches("none/./a.csv", "none//a.csv"));
    assert_false(bi_outfile_touches("none/a.csv", "other/a.csv"));
    put(p->path, "text");
    put(other, "text");
    assert_int_equal(symlink(p->path, link_name), 0);
    assert_int_equal(link(p->path, hard_name), 0);
    assert_true(bi_outfile_touches(link_name, p->path));
    assert_true(bi_outfile_touches(p->path, link_name));
    assert_true(bi_outfile_touches(hard_name, p->path));
    assert_true(bi_outfile_touches(p->path, p->part));
    assert_false(bi_outfile_touches(p->path, other));
    assert_false(bi_outfile_touches("/dev/null", "/dev/null"));
    remove(link_name);
    remove(hard_name);
    remove(other);
}

static void test_outfile_of_nothing_is_no_crash(void **state)
{
    place *p = *state;
    assert_null(bi_outfile_open(NULL, &p->report));
    assert_null(bi_outfile_continue(NULL, NULL));
    assert_null(bi_outfile_file(NULL));
    assert_null(bi_outfile_name(NULL));
    assert_non_null(bi_outfile_failure(NULL));
    assert_int_equal(bi_outfile_close(NULL), BI_BAD_FILE);
    assert_int_equal(bi_outfile_commit(NULL, NULL), BI_BAD_FILE);
    assert_false(bi_outfile_is_stream(NULL));
    bi_outfile_discard(NULL);
    bi_outfile_leave(NULL);
}

// ---- continuing -----------------------------------------------------------------------------------------------------

static void test_outfile_continued_takes_the_part_that_is_there(void **state)
{
    place *p = *state;
    put(p->path, "old");
    put(p->part, "some");
    bi_outfile *o = bi_outfile_continue(p->path, &p->report);
    assert_non_null(o);
    bi_outfile_discard(o);
    assert_string_equal(text_of(p->part), "some");
    o = bi_outfile_continue(p->path, &p->report);
    fseek(bi_outfile_file(o), 0, SEEK_END);
    fputs(" more", bi_outfile_file(o));
    assert_int_equal(bi_outfile_commit(o, &p->report), BI_OK);
    assert_string_equal(text_of(p->path), "some more");
}

static void test_outfile_continued_without_part_copies_the_file(void **state)
{
    place *p = *state;
    put(p->path, "old");
    bi_outfile *o = bi_outfile_continue(p->path, &p->report);
    assert_string_equal(text_of(p->part), "old");
    assert_string_equal(text_of(p->path), "old");
    bi_outfile_discard(o);
    assert_false(is_there(p->part));
    assert_string_equal(text_of(p->path), "old");
}

static void test_outfile_continued_from_nothing_is_refused(void **state)
{
    place *p = *state;
    assert_null(bi_outfile_continue(p->path, &p->report));
    assert_non_null(strstr(p->report.issue[0].what, "cannot be continued"));
    assert_false(is_there(p->part));
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_place, clear_place)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(test_outfile_before_commit_leaves_the_old_file),
        IN_A_FOLDER(test_outfile_discarded_leaves_the_old_file_and_no_other),
        IN_A_FOLDER(test_outfile_left_stays_beside),
        IN_A_FOLDER(test_outfile_keeps_permissions),
        IN_A_FOLDER(test_outfile_closed_before_commit_holds_no_descriptor),
        IN_A_FOLDER(test_outfile_of_two_writers_refuses_the_second),
        IN_A_FOLDER(test_outfile_that_cannot_be_says_why),
        IN_A_FOLDER(test_outfile_with_a_link_as_part_refuses_to_follow_it),
        IN_A_FOLDER(test_outfile_beyond_the_limit_of_the_disk_keeps_the_old_file),
        IN_A_FOLDER(test_outfile_through_links_replaces_what_is_behind),
        IN_A_FOLDER(test_outfile_through_a_link_to_a_folder_is_refused),
        IN_A_FOLDER(test_outfile_to_a_device_is_written_to_it),
        IN_A_FOLDER(test_outfile_to_a_device_that_is_full_says_so),
        IN_A_FOLDER(test_outfile_to_a_device_through_a_link_keeps_both),
        IN_A_FOLDER(test_outfile_to_a_pipe_arrives),
        IN_A_FOLDER(test_outfile_to_a_pipe_that_nobody_reads_any_more_says_so),
        IN_A_FOLDER(test_outfile_to_an_open_descriptor_goes_on_where_it_stands),
        IN_A_FOLDER(test_outfile_touches_the_same_file_under_any_name),
        IN_A_FOLDER(test_outfile_of_nothing_is_no_crash),
        IN_A_FOLDER(test_outfile_continued_takes_the_part_that_is_there),
        IN_A_FOLDER(test_outfile_continued_without_part_copies_the_file),
        IN_A_FOLDER(test_outfile_continued_from_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
