// SPDX-License-Identifier: MIT
#include "cli/json.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>

json json_start(FILE *file) { return (json){ .file = file }; }

// Bytes of the valid UTF-8 character at `c`; 0: it is not one (overlong, surrogate, cut short).
static int utf8_length(const unsigned char *c)
{
    int n = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    for (int k = 1; k < n; k++) {
        if ((c[k] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool is_bad = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
                  (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F);
    return is_bad ? 0 : n;
}

static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int n = utf8_length(c);
        if (n == 0) {
            fputs("\\ufffd", file);
            n = 1;
        } else if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c);
        } else if (*c == '\n') {
            fputs("\\n", file);
        } else if (*c == '\t') {
            fputs("\\t", file);
        } else if (*c < 0x20 || *c == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0)) {
            // controls of the second set, too: a terminal obeys them
            fprintf(file, "\\u%04x", n == 2 ? c[1] : *c);
        } else {
            fwrite(c, 1, (size_t)n, file);
        }
        c += n;
    }
    fputc('"', file);
}

static void write_indent(json *j) { fprintf(j->file, "\n%*s", 2 * j->depth, ""); }

// What stands before a value: comma, new line, key.
static void begin_value(json *j, const char *key)
{
    if (j->depth > 0) {
        fputs(j->is_filled[j->depth - 1] ? "," : "", j->file);
        j->is_filled[j->depth - 1] = true;
        write_indent(j);
    }
    if (key) {
        write_text(j->file, key);
        fputs(": ", j->file);
    }
}

static void open_list(json *j, const char *key, char opening, char closing)
{
    begin_value(j, key);
    fputc(opening, j->file);
    assert(j->depth < JSON_DEPTH);
    j->closing[j->depth] = closing;
    j->is_filled[j->depth] = false;
    j->depth++;
}

void json_object(json *j, const char *key) { open_list(j, key, '{', '}'); }

void json_array(json *j, const char *key) { open_list(j, key, '[', ']'); }

void json_end(json *j)
{
    assert(j->depth > 0);
    j->depth--;
    if (j->is_filled[j->depth]) {
        write_indent(j);
    }
    fputc(j->closing[j->depth], j->file);
    if (j->depth == 0) {
        fputc('\n', j->file);
    }
}

void json_text(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    if (value) {
        write_text(j->file, value);
    } else {
        fputs("null", j->file);
    }
}

void json_count(json *j, const char *key, int count)
{
    json_number(j, key, count < 0 ? (double)NAN : (double)count);
}

void json_number(json *j, const char *key, double value)
{
    begin_value(j, key);
    if (isfinite(value)) {
        fprintf(j->file, "%.17g", value);
    } else {
        fputs("null", j->file);
    }
}

void json_integer(json *j, const char *key, int64_t value)
{
    begin_value(j, key);
    fprintf(j->file, "%" PRId64, value);
}

void json_true_or_false(json *j, const char *key, bool value)
{
    begin_value(j, key);
    fputs(value ? "true" : "false", j->file);
}

FILE *json_raw(json *j, const char *key)
{
    begin_value(j, key);
    return j->file;
}
