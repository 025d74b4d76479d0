// SPDX-License-Identifier: MIT
#include "io/model/keys.h"
#include <string.h>

void keys_write_quoted(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        fputc(*c == '\'' ? '"' : *c, out);
    }
}

void keys_write_choices(FILE *out, const char *words)
{
    const char *between = "";
    fputs("\"enum\": [", out);
    while (words && *words) {
        size_t length = strcspn(words, ",");
        fprintf(out, "%s\"%.*s\"", between, (int)length, words);
        words += length + (words[length] == ',');
        between = ", ";
    }
    fputc(']', out);
}

static const char *schema_of(key_shape shape)
{
    switch (shape) {
    case KEY_NAME: return "'type': 'string'";
    case KEY_LABEL: return "'type': ['string', 'number']";
    case KEY_NUMBER: return "'$ref': '#/definitions/number'";
    case KEY_EXPRESSION: return "'$ref': '#/definitions/expression'";
    case KEY_POINT: return "'$ref': '#/definitions/point'";
    case KEY_VECTOR: return "'$ref': '#/definitions/vector'";
    case KEY_FLAG: return "'type': 'boolean'";
    case KEY_REPEAT: return "'$ref': '#/definitions/for'";
    case KEY_CHOICE:
    case KEY_OTHER: break;
    }
    return "";
}

void key_write_schema(FILE *out, const key_def *key)
{
    fprintf(out, "\"%s\": {", key->key);
    if (key->shape == KEY_CHOICE) {
        keys_write_choices(out, key->more);
    } else {
        keys_write_quoted(out, key->shape == KEY_OTHER ? key->more : schema_of(key->shape));
    }
    if (key->help) {
        fprintf(out, ", \"description\": \"%s\"", key->help);
    }
    fputc('}', out);
}
