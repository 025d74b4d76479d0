// SPDX-License-Identifier: MIT
#include "realtime/history.h"
#include <stdlib.h>
#include <string.h>

enum { FEWEST_KEYS = 4, MOST_KEYS = 1024, CHANGES = 1 << 19 };

static size_t keys_within(size_t budget, size_t snapshot)
{
    size_t n = budget / (snapshot > 0 ? snapshot : 1);
    return n < FEWEST_KEYS ? FEWEST_KEYS : n > MOST_KEYS ? MOST_KEYS : n;
}

// What touches makes snapshots larger and smaller.
static size_t with_reserve(size_t snapshot) { return snapshot + snapshot / 8; }

bool history_create(history *h, size_t snapshot, int n_input, size_t budget, int64_t spacing)
{
    snapshot = with_reserve(snapshot);
    size_t n = keys_within(budget, snapshot);
    *h = (history){ .capacity = (int)n,
                    .size = snapshot,
                    .budget = budget,
                    .n_input = n_input,
                    .spacing = spacing > 0 ? spacing : 1 };
    h->key = calloc(n, sizeof *h->key);
    h->changes = (change_list){ .item = malloc(CHANGES * sizeof(input_change)), .capacity = CHANGES };
    bool is_good = h->key && h->changes.item;
    for (size_t k = 0; is_good && k < n; k++) {
        h->key[k].bytes = malloc(snapshot);
        h->key[k].input = calloc((size_t)n_input + 1, sizeof(double));
        h->key[k].room = snapshot;
        is_good = h->key[k].bytes && h->key[k].input;
        if (is_good) {
            memset(h->key[k].bytes, 0xff, snapshot); // pages come now, not in the middle of a drive
        }
    }
    if (is_good) {
        memset(h->changes.item, 0xff, CHANGES * sizeof(input_change));
    }
    if (!is_good) {
        history_clear(h);
    }
    return is_good;
}

void history_clear(history *h)
{
    for (int k = 0; h->key && k < h->capacity; k++) {
        free(h->key[k].bytes);
        free(h->key[k].input);
    }
    free(h->key);
    free(h->changes.item);
    *h = (history){ 0 };
}

// Keyframes at or before the step go; their memory stays at the end of the list.
static void drop_keys_to(history *h, int64_t step)
{
    int gone = 0;
    while (gone < h->n_key && h->key[gone].step <= step) {
        gone++;
    }
    for (int k = gone; gone > 0 && k < h->n_key; k++) {
        keyframe empty = h->key[k - gone];
        h->key[k - gone] = h->key[k];
        h->key[k] = empty;
    }
    h->n_key -= gone;
}

// Every second one goes, the first stays.
static void thin(history *h)
{
    int kept = 0;
    for (int k = 0; k < h->n_key; k += 2) {
        keyframe empty = h->key[kept];
        h->key[kept++] = h->key[k];
        h->key[k] = empty;
    }
    h->n_key = kept;
    h->spacing *= 2;
}

void history_change(history *h, input_change c)
{
    change_list *list = &h->changes;
    if (list->end - list->first == list->capacity) {
        // a quarter at once, so that it is rare
        list->first += list->capacity / 4;
        drop_keys_to(h, history_at(list, list->first - 1)->step);
    }
    list->item[list->end++ % list->capacity] = c;
}

// Snapshots have grown with what touches: fewer of them within the budget.
static void divide_anew(history *h, size_t snapshot)
{
    h->size = with_reserve(snapshot);
    int capacity = (int)keys_within(h->budget, h->size);
    while (h->n_key > capacity) {
        thin(h);
    }
    for (int k = capacity; k < h->capacity; k++) {
        free(h->key[k].bytes);
        free(h->key[k].input);
        h->key[k] = (keyframe){ 0 };
    }
    h->capacity = capacity < h->capacity ? capacity : h->capacity;
}

// Room for a snapshot of now; false: there is no memory.
static bool make_room(history *h, keyframe *key)
{
    if (key->size <= key->room) {
        return true;
    }
    char *larger = realloc(key->bytes, h->size);
    key->bytes = larger ? larger : key->bytes;
    key->room = larger ? h->size : key->room;
    return larger != NULL;
}

void history_reached(history *h, const bi_sim *sim, const double *input, int64_t step)
{
    if (h->n_key > 0 && step - h->key[h->n_key - 1].step < h->spacing) {
        return;
    }
    size_t size = bi_sim_save(sim, NULL, 0);
    if (size > h->size) {
        divide_anew(h, size);
    }
    if (h->n_key == h->capacity) {
        thin(h);
    }
    keyframe *key = &h->key[h->n_key];
    key->size = size;
    if (!make_room(h, key)) {
        return; // the way back goes from the one before
    }
    h->n_key++;
    key->step = step;
    bi_sim_save(sim, key->bytes, key->room);
    memcpy(key->input, input, (size_t)h->n_input * sizeof *input);
}

int64_t history_begin(const history *h) { return h->n_key > 0 ? h->key[0].step : 0; }

const keyframe *history_before(const history *h, int64_t step)
{
    int low = 0, high = h->n_key;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (h->key[middle].step <= step) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return h->n_key > 0 ? &h->key[low] : NULL;
}

int64_t history_changes_from(const change_list *list, int64_t step)
{
    int64_t low = list->first, high = list->end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (history_at(list, middle)->step < step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void history_cut(history *h, int64_t step, change_list *future)
{
    int64_t from = history_changes_from(&h->changes, step);
    future->first = future->end = 0;
    for (int64_t k = from; k < h->changes.end && future->end < future->capacity; k++) {
        future->item[future->end++] = *history_at(&h->changes, k);
    }
    h->changes.end = from;
    while (h->n_key > 0 && h->key[h->n_key - 1].step > step) {
        h->n_key--;
    }
}
