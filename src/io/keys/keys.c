// SPDX-License-Identifier: MIT
#include "io/keys/keys.h"
#include <biela/flex.h>
#include <biela/names.h>
#include <biela/shapes.h>
#include <stdio.h>
#include <string.h>

const key_def *key_at(const key_map *map, int k)
{
    int before = map->base ? map->base->count : 0;
    if (k < before) {
        return key_at(map->base, k);
    }
    return k < before + map->count ? (const void *)((const char *)map->row + (size_t)(k - before) * map->size)
                                   : NULL;
}

const key_def *key_find(const key_map *map, const char *key)
{
    const key_def *def;
    for (int k = 0; (def = key_at(map, k)); k++) {
        if (strcmp(def->key, key) == 0) {
            return def;
        }
    }
    return NULL;
}

bool key_is_of(const key_def *def, unsigned kind) { return def->of == 0 || (def->of & kind) != 0; }

// ---- words ----------------------------------------------------------------------------------------------------------

// All names of schemes, each followed by its second one if it has one.
static const char *scheme_word(int k, const char **meaning)
{
    for (int s = 0; s < bi_scheme_count(); s++) {
        const char *names[2] = { bi_scheme_name((bi_scheme)s), bi_scheme_also((bi_scheme)s) };
        for (int n = 0; n < 2 && names[n]; n++) {
            if (k-- == 0) {
                *meaning = n == 0 ? bi_scheme_help((bi_scheme)s) : NULL;
                return names[n];
            }
        }
    }
    return NULL;
}

static const char *joint_word(int k, const char **meaning)
{
    *meaning = k < bi_joint_kind_count() ? bi_joint_kind_help((bi_joint_kind)(k + 1)) : NULL;
    return k < bi_joint_kind_count() ? bi_joint_kind_name((bi_joint_kind)(k + 1)) : NULL;
}

static const char *formulation_word(int k, const char **meaning)
{
    *meaning = NULL;
    return bi_coordinates_name((bi_coordinates)k);
}

static const char *shape_word(int k, const char **meaning)
{
    *meaning = NULL;
    return bi_shape_type_name((bi_shape_type)(k + 1));
}

static const char *finish_word(int k, const char **meaning)
{
    *meaning = NULL;
    return bi_finish_name((bi_finish)(k + 1));
}

// Lists without meanings, in the order of their enums, if they have one.
#define ELEMENT_WORD(code, text) [code] = (text),
static const char *const elements[] = { BI_FE_KIND_LIST(ELEMENT_WORD) };
static const char *const solvers[] = {
    [BI_SOLVER_OWN] = "own", [BI_SOLVER_KLU] = "klu", [BI_SOLVER_DENSE] = "dense"
};
static const char *const starts[] = { "described", "equilibrium", "settled" };
static const char *const stabilisations[] = { "projection", "baumgarte" };
#define LENGTH(list) (int)(sizeof(list) / sizeof *(list))

static const struct {
    const char *name;
    const char *(*word)(int k, const char **meaning); // NULL: `list`
    const char *const *list;
    int count;
} engine_lists[] = {
    { "@schemes", scheme_word, NULL, 0 },
    { "@joints", joint_word, NULL, 0 },
    { "@shapes", shape_word, NULL, 0 },
    { "@finishes", finish_word, NULL, 0 },
    { "@flex_kinds", NULL, elements, LENGTH(elements) },
    { "@solvers", NULL, solvers, LENGTH(solvers) },
    { "@formulations", formulation_word, NULL, 0 },
    { "@starts", NULL, starts, LENGTH(starts) },
    { "@stabilisations", NULL, stabilisations, LENGTH(stabilisations) },
};

static const char *engine_word(const char *type, int k, const char **meaning)
{
    *meaning = NULL;
    for (int j = 0; j < LENGTH(engine_lists); j++) {
        if (strcmp(engine_lists[j].name, type) == 0) {
            return engine_lists[j].word        ? engine_lists[j].word(k, meaning)
                   : k < engine_lists[j].count ? engine_lists[j].list[k]
                                               : NULL;
        }
    }
    return NULL;
}

const char *key_meaning(const char *type, int k)
{
    const char *meaning = NULL;
    return engine_word(type, k, &meaning) ? meaning : NULL;
}

void key_words_of(const char *type, key_words *words)
{
    const char *meaning, *word;
    *words = (key_words){ 0 };
    while (words->count < MOST_WORDS && (word = engine_word(type, words->count, &meaning))) {
        words->word[words->count++] = word;
    }
    size_t length = strcspn(type, ">");
    if (type[0] != '<' || length >= sizeof words->text) {
        return;
    }
    memcpy(words->text, type + 1, length - 1);
    for (char *c = words->text; *c && words->count < MOST_WORDS;) {
        words->word[words->count] = c;
        words->count += *c != '#'; // numbers are no words
        c += strcspn(c, ",");
        if (*c) {
            *c++ = '\0';
            c += strspn(c, " ");
        }
    }
}

const char *key_words_list(const key_words *words, const char *last, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < words->count && used < size; k++) {
        const char *between = k == 0 ? "" : k + 1 < words->count ? ", " : last;
        used += (size_t)snprintf(text + used, size - used, "%s%s", between, words->word[k]);
    }
    return text;
}
