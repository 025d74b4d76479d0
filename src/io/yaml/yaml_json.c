// SPDX-License-Identifier: MIT
// A YAML file as JSON, for validators that read JSON: aliases and merge keys are resolved, plain numbers are numbers.
#include "io/keys/json_out.h"
#include "io/model/reader.h"
#include <stdlib.h>
#include <string.h>

// A plain scalar that JSON writes the same way: -12, 0.5, 1e-3.
static bool is_json_number(const char *text)
{
    const char *c = text + (*text == '-');
    size_t whole = strspn(c, "0123456789");
    if (whole == 0 || (whole > 1 && *c == '0')) {
        return false;
    }
    c += whole;
    if (*c == '.') {
        size_t digits = strspn(++c, "0123456789");
        if (digits == 0) {
            return false;
        }
        c += digits;
    }
    if (*c == 'e' || *c == 'E') {
        c++;
        c += *c == '-' || *c == '+';
        size_t digits = strspn(c, "0123456789");
        if (digits == 0) {
            return false;
        }
        c += digits;
    }
    return *c == '\0';
}

static void write_scalar(FILE *out, const yaml_node *node)
{
    if (node->is_plain && (is_json_number(node->text) || strcmp(node->text, "true") == 0 ||
                           strcmp(node->text, "false") == 0 || strcmp(node->text, "null") == 0)) {
        fputs(node->text, out);
    } else if (!node->text[0] && node->text_column == 0) {
        fputs("null", out);
    } else {
        json_write_text(out, node->text);
    }
}

// The depth is that of the file, which the parser limits.
void yaml_write_json(FILE *out, const yaml_node *node)
{
    if (node->kind == YAML_SCALAR) {
        write_scalar(out, node);
        return;
    }
    if (node->kind == YAML_BROKEN) {
        fputs("null", out);
        return;
    }
    fputc(node->kind == YAML_MAP ? '{' : '[', out);
    for (int k = 0; k < node->count; k++) {
        fputs(k ? ", " : "", out);
        if (node->kind == YAML_MAP) {
            json_write_text(out, node->key[k]->text);
            fputs(": ", out);
        }
        yaml_write_json(out, node->item[k]);
    }
    fputc(node->kind == YAML_MAP ? '}' : ']', out);
}

bool bi_write_as_json(const char *path, FILE *out, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    if (!path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs a file to read and one to write");
        bi_report_clear(&own);
        return false;
    }
    size_t length = 0;
    int errors = report->errors;
    char *text = reader_whole_file(path, (bi_place){ path, 0, 0 }, "", &length, report);
    yaml_file *file = text ? yaml_parse(text, length, path, report) : NULL;
    free(text);
    if (file && report->errors == errors && yaml_root(file)) {
        yaml_write_json(out, yaml_root(file));
        fputc('\n', out);
    }
    yaml_destroy(file);
    bool is_good = file && report->errors == errors;
    bi_report_clear(&own);
    return is_good;
}
