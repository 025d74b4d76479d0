// SPDX-License-Identifier: MIT
// The journal: a line per finished case, with exact numbers; whoever comes back after a kill begins where it ends.
#define _POSIX_C_SOURCE 200809L
#include "sweep/sweep_cases.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct survey_journal {
    FILE *file;
    char *path;
};

static const char title[] = "biela sweep journal 3";

// For reading and writing, made if it is not there, and ours alone: two sweeps into one file would spoil it.
static FILE *open_alone(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct stat about;
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        fprintf(stderr, "biela: error: %s is in the way and is no plain file\n", path);
        close(file);
        return NULL;
    }
    if (file >= 0 && fcntl(file, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        fprintf(stderr, "biela: error: another sweep is writing %s now\n", path);
        close(file);
        return NULL;
    }
    FILE *stream = file >= 0 ? fdopen(file, "r+b") : NULL;
    if (!stream) {
        fprintf(stderr, "biela: error: cannot write %s: %s\n", path, strerror(errno));
    }
    return stream;
}

// "number a b c": into the results. False: not such a line.
static bool take_line(const char *line, survey_results *r)
{
    int size = survey_answer_size(r->plan);
    char *end;
    long long number = strtoll(line, &end, 10);
    if (end == line || number < 0 || number >= r->n_case) {
        return false;
    }
    double *answer = words_alloc((size_t)size * sizeof *answer);
    bool is_good = true;
    for (int k = 0; k < size && is_good; k++) {
        char *next;
        answer[k] = strtod(end, &next);
        is_good = next != end;
        end = next;
    }
    is_good = is_good && *end == '\0';
    if (is_good && !r->is_done[number]) {
        memcpy(&r->answer[number * size], answer, (size_t)size * sizeof *answer);
        r->is_done[number] = 1;
        r->n_done++;
    }
    free(answer);
    return is_good;
}

// Takes all whole lines; gives the length of the text up to the last of them, -1: another command's.
static long take_text(char *text, const char *path, const char *signature, survey_results *r)
{
    char *at = text;
    for (int line = 0;; line++) {
        char *end = strchr(at, '\n');
        if (!end) {
            return (long)(at - text); // a line that was cut by the kill is done again
        }
        *end = '\0';
        const char *wanted = line == 0 ? title : line == 1 ? signature : NULL;
        if (wanted && strcmp(at, wanted) != 0) {
            fprintf(
                stderr,
                "biela: error: %s belongs to another sweep, which is not finished:\n  it was  %s\n  "
                "this is "
                "%s\nRun that command again to go on, choose another --out, or begin anew with --fresh.\n",
                path, at, wanted);
            return -1;
        }
        if (!wanted && !take_line(at, r)) {
            fprintf(stderr, "biela: error: %s:%d is damaged; begin anew with --fresh\n", path, line + 1);
            return -1;
        }
        at = end + 1;
    }
}

survey_journal *survey_journal_open(const char *path, const char *signature, survey_results *r,
                                    exit_code *code)
{
    *code = CLI_MACHINE;
    FILE *file = open_alone(path);
    if (!file) {
        return NULL;
    }
    char *text = words_of_file(file);
    bool is_new = strlen(text) < sizeof title;
    long length = is_new ? 0 : take_text(text, path, signature, r);
    free(text);
    bool is_good = length >= 0;
    *code = is_good ? CLI_MACHINE : CLI_BAD;
    if (is_good && (ftruncate(fileno(file), length) != 0 || fseek(file, length, SEEK_SET) != 0 ||
                    (is_new && (fprintf(file, "%s\n%s\n", title, signature) < 0 || fflush(file) != 0)))) {
        fprintf(stderr, "biela: error: cannot write %s: %s\n", path, strerror(errno));
        is_good = false;
    }
    if (!is_good) {
        fclose(file);
        return NULL;
    }
    *code = CLI_OK;
    survey_journal *journal = words_alloc(sizeof *journal);
    *journal = (survey_journal){ file, words_format("%s", path) };
    return journal;
}

bool survey_journal_add(survey_journal *journal, const survey_results *r, int64_t number)
{
    fprintf(journal->file, "%" PRId64, number);
    for (int k = 0; k < survey_answer_size(r->plan); k++) {
        fprintf(journal->file, " %a", survey_answer(r, number, k));
    }
    fputc('\n', journal->file);
    if (fflush(journal->file) != 0 || ferror(journal->file)) {
        fprintf(stderr, "biela: error: cannot write %s: %s\n", journal->path, strerror(errno));
        return false;
    }
    return true;
}

void survey_journal_close(survey_journal *journal)
{
    if (journal) {
        fclose(journal->file);
        free(journal->path);
        free(journal);
    }
}
