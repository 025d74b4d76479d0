// SPDX-License-Identifier: MIT
// The way back at constant memory: snapshots now and then, and the changes of inputs between them.
#pragma once
#include <biela/biela.h>

typedef struct {
    int64_t step; // from which on
    int32_t input;
    double value;
} input_change;

// Changes in the order of their steps, the oldest forgotten when there are too many.
typedef struct {
    input_change *item;           // (capacity), circular
    int64_t capacity, first, end; // numbers of the oldest and of the next; number k is in item[k % capacity]
} change_list;

typedef struct {
    int64_t step;
    char *bytes;       // snapshot (size)
    size_t size, room; // bytes of it, and that there is room for
    double *input;     // in use then (n_input)
} keyframe;

typedef struct {
    keyframe *key; // (n_key) by step
    int n_key, capacity, n_input;
    size_t size;     // of the largest snapshot that the budget is divided for
    size_t budget;   // bytes of all of them
    int64_t spacing; // steps between keyframes; doubles when they become too many
    change_list changes;
} history;

// Memory for snapshots of this size within a budget; false: none.
bool history_create(history *h, size_t snapshot, int n_input, size_t budget, int64_t spacing);
void history_clear(history *h);

// The live end grows: inputs of the step to come, then the state reached after it.
void history_change(history *h, input_change c);
void history_reached(history *h, const bi_sim *sim, const double *input, int64_t step);

int64_t history_begin(const history *h); // the earliest step that can be reached
// The last keyframe at or before the step.
const keyframe *history_before(const history *h, int64_t step);
// Number of the first change at or after the step.
int64_t history_changes_from(const change_list *list, int64_t step);
static inline const input_change *history_at(const change_list *list, int64_t k)
{
    return &list->item[k % list->capacity];
}
// Everything after the step is forgotten; changes are kept in `future` as far as it has room.
void history_cut(history *h, int64_t step, change_list *future);
