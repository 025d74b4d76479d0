// SPDX-License-Identifier: MIT
// The file that is edited: found once, read, and replaced as a whole. No name that comes from a page ever reaches the disk.
#include "cli/files.h"
#include "cli/words.h"
#include "editing/edit.h"
#include <biela/io.h>
#include <biela/outfile.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_file(void *context, const char *path)
{
    edit_file *f = context;
    size_t n = strlen(f->folder);
    bool is_inside = strncmp(path, f->folder, n) == 0 && path[n] != '/' && !strstr(path + n, "..");
    if (strcmp(path, f->path) != 0 && is_inside) {
        char **more = words_alloc((size_t)(f->n_other + 1) * sizeof *more);
        for (int k = 0; k < f->n_other; k++) {
            more[k] = f->other[k];
        }
        more[f->n_other++] = words_format("%s", path + n);
        free(f->other);
        f->other = more;
    }
}

// Files are those of the text as it stands; one with mistakes names fewer.
static void find_others(edit_file *f)
{
    bi_report unused = { 0 };
    bi_run run = { 0 };
    bi_read_watch watch = { .context = f, .reads = note_file };
    bi_model_destroy(bi_read_model_watched(f->path, NULL, 0, NULL, &watch, &run, &unused));
    bi_report_clear(&unused);
}

static const char *reason_not_to_save(const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return "it is a link or no plain file";
    }
    if (!file_has_ending(path, ".yaml") && !file_has_ending(path, ".yml")) {
        return "it is not a .yaml file";
    }
    return access(path, W_OK) == 0 ? NULL : "it may not be written";
}

bool edit_file_open(edit_file *f, const char *model)
{
    *f = (edit_file){ 0 };
    bi_report report = { 0 };
    char *installed = file_models_folder();
    f->path = bi_find_model(model, installed, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    free(installed);
    if (!f->path) {
        return false;
    }
    const char *slash = strrchr(f->path, '/');
    f->folder = words_copy(f->path, slash ? (size_t)(slash + 1 - f->path) : 0);
    f->why = reason_not_to_save(f->path);
    find_others(f);
    return true;
}

void edit_file_close(edit_file *f)
{
    for (int k = 0; k < f->n_other; k++) {
        free(f->other[k]);
    }
    free(f->other);
    free(f->folder);
    free(f->path);
    *f = (edit_file){ 0 };
}

char *edit_file_text(const char *path, size_t *length)
{
    const char *why;
    struct stat about;
    FILE *file = bi_open_plain(path, &why);
    bool is_good = file && fstat(fileno(file), &about) == 0;
    char *text = is_good ? malloc((size_t)about.st_size + 1) : NULL;
    if (text) {
        *length = fread(text, 1, (size_t)about.st_size, file);
        text[*length] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

edit_hash edit_hash_of(const char *text, size_t length)
{
    // FNV-1a
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    edit_hash hash;
    for (size_t k = 0; k < length; k++) {
        sum = (sum ^ (unsigned char)text[k]) * UINT64_C(0x100000001b3);
    }
    for (int k = 0; k < 16; k++) {
        hash.digits[k] = "0123456789abcdef"[(sum >> (60 - 4 * k)) & 15];
    }
    hash.digits[16] = '\0';
    return hash;
}

static bool is_unchanged(const edit_file *f, const char *was)
{
    size_t length = 0;
    char *now = edit_file_text(f->path, &length);
    bool is_same = now && strcmp(edit_hash_of(now, length).digits, was) == 0;
    free(now);
    return is_same;
}

const char *edit_file_save(const edit_file *f, const char *text, size_t length, const char *was, char *why,
                           size_t size)
{
    const char *refusal = reason_not_to_save(f->path); // it may have become a link since
    if (refusal || !is_unchanged(f, was)) {
        snprintf(why, size, "%s", refusal ? refusal : "changed");
        return why;
    }
    bi_report report = { 0 };
    bi_outfile *out = bi_outfile_open(f->path, &report);
    if (out) {
        fwrite(text, 1, length, bi_outfile_file(out)); // commit tells whether all of it was taken
    }
    bool is_done = out && bi_outfile_commit(out, &report) == BI_OK;
    snprintf(why, size, "%s", report.count > 0 ? report.issue[0].what : "no memory");
    bi_report_clear(&report);
    return is_done ? NULL : why;
}
