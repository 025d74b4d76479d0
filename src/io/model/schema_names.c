// SPDX-License-Identifier: MIT
// Schemes, coordinates and kinds of joints in the JSON Schema: the words that may stand there, and what they mean. Neither holds a quote.
#include "io/model/schema.h"
#include <biela/names.h>

// One word of a list, quoted.
static void write_word(FILE *out, const char *before, const char *word)
{
    fprintf(out, "%s\"%s\"", before, word);
}

// A word and what it means.
static void write_meaning(FILE *out, const char *before, const char *word, const char *help)
{
    fprintf(out, "%s%s: %s", before, word, help);
}

void schemes_write_schema(FILE *out)
{
    fputs("\"enum\": [", out);
    for (int k = 0; k < bi_scheme_count(); k++) {
        const char *also = bi_scheme_also((bi_scheme)k);
        write_word(out, k ? ", " : "", bi_scheme_name((bi_scheme)k));
        if (also) {
            write_word(out, ", ", also);
        }
    }
    fputs("],\n                   \"description\": \"", out);
    for (int k = 0; k < bi_scheme_count(); k++) {
        write_meaning(out, k ? "; " : "", bi_scheme_name((bi_scheme)k), bi_scheme_help((bi_scheme)k));
    }
    fprintf(out, ". Explicit ones are for what is not stiff; default %s\"", bi_scheme_name((bi_scheme)0));
}

void formulations_write_schema(FILE *out)
{
    fputs("\"enum\": [", out);
    for (int k = 0; k < bi_coordinates_count(); k++) {
        write_word(out, k ? ", " : "", bi_coordinates_name((bi_coordinates)k));
    }
    fprintf(out, "], \"description\": \"coordinates; default %s\"", bi_coordinates_name((bi_coordinates)0));
}

void joint_kinds_write_schema(FILE *out)
{
    fputs("\"enum\": [", out);
    for (int k = 1; k <= bi_joint_kind_count(); k++) {
        write_word(out, k > 1 ? ", " : "", bi_joint_kind_name((bi_joint_kind)k));
    }
    fputs("],\n                 \"description\": \"what it leaves free: ", out);
    for (int k = 1; k <= bi_joint_kind_count(); k++) {
        write_meaning(out, k > 1 ? "; " : "", bi_joint_kind_name((bi_joint_kind)k),
                      bi_joint_kind_help((bi_joint_kind)k));
    }
    fputc('"', out);
}
