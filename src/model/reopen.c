// SPDX-License-Identifier: MIT
// A part of a model described again in its place: the numbers of all else stay, and so does all that names them.
#include "model/model.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The items that stood in the part, and how long the lists were.
typedef struct model_again {
    model_lengths from, whole;
#define AGAIN_LIST(list) model_##list *list;
    MODEL_REOPENED(AGAIN_LIST)
#undef AGAIN_LIST
    bool is_larger; // something had no place in the part
} model_again;

#define COUNT_ONE(list) +1
_Static_assert((0 MODEL_REOPENED(COUNT_ONE) MODEL_GROWING(COUNT_ONE)) == BI_MARK_LISTS,
               "a mark has all lists");
_Static_assert(sizeof(model_lengths) == sizeof(bi_mark), "a mark is the lengths of all lists");

static model_lengths lengths_of(const bi_model *m)
{
    model_lengths all;
#define TAKE_LENGTH(list) all.list = m->n_##list;
    MODEL_REOPENED(TAKE_LENGTH)
    MODEL_GROWING(TAKE_LENGTH)
    return all;
}

bi_mark bi_model_mark(const bi_model *m)
{
    bi_mark mark = { { 0 } };
    if (m) {
        model_lengths all = lengths_of(m);
        memcpy(&mark, &all, sizeof mark);
    }
    return mark;
}

bool bi_mark_is_whole(const bi_mark *from, const bi_mark *to)
{
    model_lengths a, b;
    if (!from || !to) {
        return false;
    }
    memcpy(&a, from, sizeof a);
    memcpy(&b, to, sizeof b);
    bool is_good = true;
#define RISES(list) is_good = is_good && a.list >= 0 && a.list <= b.list;
#define STAYS(list) is_good = is_good && a.list >= 0 && a.list == b.list;
    MODEL_REOPENED(RISES)
    MODEL_GROWING(STAYS)
    return is_good;
}

static void free_again(model_again *a)
{
#define FREE_COPY(list) free(a->list);
    MODEL_REOPENED(FREE_COPY)
    free(a);
}

bool bi_model_reopen(bi_model *m, const bi_mark *from, const bi_mark *to)
{
    if (!m || m->again || m->holders > 0 || !bi_mark_is_whole(from, to)) {
        return false;
    }
    model_lengths end;
    memcpy(&end, to, sizeof end);
    bool is_inside = true;
#define IS_INSIDE(list) is_inside = is_inside && end.list <= m->n_##list;
    MODEL_REOPENED(IS_INSIDE)
    MODEL_GROWING(IS_INSIDE)
    model_again *a = is_inside ? calloc(1, sizeof *a) : NULL;
    if (!a) {
        return false;
    }
    memcpy(&a->from, from, sizeof a->from);
    a->whole = lengths_of(m);
    bool is_good = true;
#define PUT_ASIDE(list)                                                                                      \
    size_t size_##list = (size_t)(end.list - a->from.list) * sizeof *a->list;                                \
    a->list = size_##list > 0 ? malloc(size_##list) : NULL;                                                  \
    is_good = is_good && (a->list || size_##list == 0);                                                      \
    if (a->list) {                                                                                           \
        memcpy(a->list, &m->list[a->from.list], size_##list);                                                \
    }
    MODEL_REOPENED(PUT_ASIDE)
    if (!is_good) {
        free_again(a);
        return false;
    }
    // whoever adds sees the model as it was then
#define SHORTEN(list) m->n_##list = a->from.list;
    MODEL_REOPENED(SHORTEN)
    MODEL_GROWING(SHORTEN)
    m->end = end;
    // other names of tables come and go while a part is described
    m->end.callee = a->whole.callee == a->from.callee ? INT_MAX : end.callee;
    m->again = a;
    return true;
}

bool model_outgrows(bi_model *m)
{
    m->again->is_larger = true;
    return false;
}

// Samples were given after the description, and stay. False: the new description has some of its own.
static bool keep_samples(bi_model *m, model_again *a)
{
    bool is_good = true;
    for (int k = a->from.input; k < m->n_input; k++) {
        model_line *old = &a->input[k - a->from.input].line, *new = &m->input[k].line;
        is_good = is_good && !(old->count > 0 && new->count > 0);
    }
    for (int k = a->from.element; k < m->n_element; k++) {
        model_samples *old = &a->element[k - a->from.element].samples, *new = &m->element[k].samples;
        is_good = is_good && !(old->count > 0 && new->count > 0);
    }
    for (int k = a->from.input; is_good && k < m->n_input; k++) {
        model_line *old = &a->input[k - a->from.input].line, *new = &m->input[k].line;
        if (old->count > 0) {
            *new = *old;
            *old = (model_line){ 0 };
        }
    }
    for (int k = a->from.element; is_good && k < m->n_element; k++) {
        model_samples *old = &a->element[k - a->from.element].samples, *new = &m->element[k].samples;
        if (old->count > 0) {
            *new = *old;
            *old = (model_samples){ 0 };
        }
    }
    return is_good;
}

static bool is_same_count(const bi_model *m)
{
    bool is_same = !m->again->is_larger;
#define SAME_COUNT(list) is_same = is_same && m->n_##list == m->end.list;
    MODEL_REOPENED(SAME_COUNT)
    return is_same;
}

bool bi_model_shut(bi_model *m)
{
    model_again *a = m ? m->again : NULL;
    if (!a) {
        return false;
    }
    bool is_good = is_same_count(m) && keep_samples(m, a);
    // the old items go, or come back
#define SETTLE(list)                                                                                         \
    for (int k = a->from.list; k < m->n_##list; k++) {                                                       \
        model_##list##_release(is_good ? &a->list[k - a->from.list] : &m->list[k]);                          \
    }                                                                                                        \
    if (!is_good && a->list) {                                                                               \
        memcpy(&m->list[a->from.list], a->list, (size_t)(m->end.list - a->from.list) * sizeof *a->list);     \
    }                                                                                                        \
    m->n_##list = a->whole.list;
    MODEL_REOPENED(SETTLE)
#define LENGTHEN(list) m->n_##list = a->whole.list;
    MODEL_GROWING(LENGTHEN)
    m->again = NULL;
    free_again(a);
    return is_good;
}

void bi_model_listen(bi_model *m, void (*reads)(void *context, const char *parameter), void *context)
{
    if (m) {
        m->reads = reads;
        m->reads_context = context;
    }
}
