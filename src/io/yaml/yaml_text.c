// SPDX-License-Identifier: MIT
// Two looks at a file before libfyaml sees it, each for something it does not survive well.
#include "io/yaml/yaml_text.h"
#include "io/yaml/yaml.h"
#include <string.h>

// Length of the UTF-8 letter at `text`, of which `left` bytes exist; 0: not UTF-8, or a control character.
static size_t letter_length(const unsigned char *text, size_t left)
{
    unsigned char c = text[0];
    if (c < 0x80) {
        return (c >= 0x20 && c != 0x7f) || c == '\t' || c == '\n' || c == '\r' ? 1 : 0;
    }
    size_t n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (n == 0 || n > left) {
        return 0;
    }
    for (size_t k = 1; k < n; k++) {
        if ((text[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // overlong forms, surrogates, beyond the last letter
    bool is_bad = (c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] >= 0xa0) ||
                  (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] >= 0x90);
    return is_bad ? 0 : n;
}

// libfyaml reads brackets ahead without limit: gigabytes for a file of nothing else. Counts those open, roughly: quotes
// count as such only where a value may begin, and texts in blocks are not known. False, with a mistake: too many.
static bool has_few_brackets(const char *text, size_t length, const char *path, bi_report *report)
{
    enum { MOST_OPEN = 1000 }; // far beyond YAML_MAX_DEPTH, far below what hurts
    bi_place place = { path, 1, 1 };
    int open = 0;
    char last = ','; // the last character that is not a blank
    for (size_t k = 0; k < length; k++, place.column++) {
        char c = text[k];
        bool is_comment = c == '#' && (k == 0 || strchr(" \t\n", text[k - 1]));
        bool is_quote = (c == '"' || c == '\'') && strchr("[{,:", last);
        while (is_comment && k + 1 < length && text[k + 1] != '\n') {
            k++;
        }
        for (size_t end = k + 1; is_quote && end < length && text[end] != '\n'; end++) {
            if (text[end] == c && text[end - 1] != '\\') {
                place.column += (int)(end - k);
                k = end;
                is_quote = false;
            }
        }
        open += c == '[' || c == '{' ? 1 : (c == ']' || c == '}') && open > 0 ? -1 : 0;
        if (open > MOST_OPEN) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "",
                          "lists and mappings are nested more than %d deep", YAML_MAX_DEPTH);
            return false;
        }
        last = c == ' ' || c == '\t' || c == '\n' || is_comment ? last : c;
        if (c == '\n') {
            place.line++;
            place.column = 0;
        }
    }
    return true;
}

// libfyaml takes a byte that is not UTF-8 for the end of the file, silently: look first.
static bool is_text(const char *text, size_t length, const char *path, bi_report *report)
{
    bi_place place = { path, 1, 1 };
    size_t k = 0;
    while (k < length) {
        size_t n = letter_length((const unsigned char *)text + k, length - k);
        if (n == 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "",
                          "byte 0x%02x is not UTF-8 text; save the file as UTF-8", (unsigned char)text[k]);
            return false;
        }
        place.column++;
        if (text[k] == '\n') {
            place.line++;
            place.column = 1;
        }
        k += n;
    }
    return true;
}

bool yaml_text_is_sane(const char *text, size_t length, const char *path, bi_report *report)
{
    return is_text(text, length, path, report) && has_few_brackets(text, length, path, report);
}
