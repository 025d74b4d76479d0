// SPDX-License-Identifier: MIT
#include "io/keys/json_out.h"

void json_write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7F) {
            fprintf(out, "\\u%04x", *c);
        } else if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) {
            fprintf(out, "\\u%04x", *++c); // controls of the second set, which a terminal obeys
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void new_line(json_out *j) { fprintf(j->out, "\n%*s", 2 * j->depth, ""); }

// Comma, line and key of a member.
static void begin_member(json_out *j, const char *key)
{
    if (j->depth > 0) {
        int top = j->depth - 1;
        fputs(j->is_filled[top] ? "," : "", j->out);
        if (j->layout[top] == JSON_LINES) {
            new_line(j);
        } else if (j->is_filled[top]) {
            fputc(' ', j->out);
        }
        j->is_filled[top] = true;
    }
    if (key) {
        json_write_text(j->out, key);
        fputs(": ", j->out);
    }
}

static void open_as(json_out *j, const char *key, json_layout layout, const char *brackets)
{
    begin_member(j, key);
    fputc(brackets[0], j->out);
    // deeper values do not occur; they would be told by the test that reads the schema
    if (j->depth < JSON_OUT_DEPTH) {
        j->closing[j->depth] = brackets[1];
        j->layout[j->depth] = layout;
        j->is_filled[j->depth++] = false;
    }
}

void json_open(json_out *j, const char *key, json_layout layout) { open_as(j, key, layout, "{}"); }

void json_open_list(json_out *j, const char *key, json_layout layout) { open_as(j, key, layout, "[]"); }

void json_close(json_out *j)
{
    int top = --j->depth;
    if (j->layout[top] == JSON_LINES && j->is_filled[top]) {
        new_line(j);
    }
    fputc(j->closing[top], j->out);
    if (top == 0) {
        fputc('\n', j->out);
    }
}

void json_put_text(json_out *j, const char *key, const char *text)
{
    begin_member(j, key);
    json_write_text(j->out, text);
}

void json_put_number(json_out *j, const char *key, int number)
{
    begin_member(j, key);
    fprintf(j->out, "%d", number);
}

void json_put_false(json_out *j, const char *key)
{
    begin_member(j, key);
    fputs("false", j->out);
}
