// SPDX-License-Identifier: MIT
#include "dynamics/rooms.h"
#include "laws/contact/contact.h"
#include <string.h>

// ---- sizes -----------------------------------------------------------------------------------------------------

// Half as much again, and a little.
static int more_than(int size) { return size + size / 2 + 8; }

void rooms_begin(const dynamics *d, trays *t)
{
    enum { FEW = 16 };
    for (int k = 0; k < d->plan.n_pools; k++) {
        t->room[k] = (pool_room){ .size = d->plan.pool[k].numbers, .pairs = d->plan.pool[k].pairs };
    }
    int few = d->plan.n_pools > 0 ? FEW : 0;
    t->places.most = t->places.most_fours = t->places.most_pairs = few;
}

void rooms_enlarge(const dynamics *d, const coords *at, trays *t)
{
    for (int k = 0; k < d->plan.n_pools; k++) {
        int lacks = (int)at->pool[t->room[k].at + POOL_FULL];
        t->room[k].pairs = lacks & POOL_LACKS_PAIRS ? more_than(t->room[k].pairs) : t->room[k].pairs;
        t->room[k].size = lacks & POOL_LACKS_NUMBERS ? more_than(t->room[k].size) : t->room[k].size;
    }
    place_list *l = &t->places;
    l->most = l->lacks & PLACES_LACK_ITEMS ? more_than(l->most) : l->most;
    l->most_fours = l->lacks & PLACES_LACK_FOURS ? more_than(l->most_fours) : l->most_fours;
    l->most_pairs = l->lacks & PLACES_LACK_PAIRS ? more_than(l->most_pairs) : l->most_pairs;
    l->lacks = 0;
}

void rooms_need(trays *t, int k, int numbers, int pairs)
{
    t->room[k].size = numbers > t->room[k].size ? numbers : t->room[k].size;
    t->room[k].pairs = pairs > t->room[k].pairs ? pairs : t->room[k].pairs;
}

// ---- memory ----------------------------------------------------------------------------------------------------

void rooms_cut(const dynamics *d, trays *t, arena *a)
{
    const size_t alignment = 64;
    const plan *p = &d->plan;
    size_t size = (p->n_scratch + alignment - 1) / alignment * alignment;
    int at = 0;
    for (int k = 0; k < p->n_pools; k++) {
        pool_room *room = &t->room[k];
        const plan_pool_part *part = &p->pool[k];
        room->at = at;
        room->work = size;
        at += room->size;
        size += part->fixed + (size_t)room->pairs * part->of_pair + (size_t)room->size * part->of_number;
        size = (size + alignment - 1) / alignment * alignment;
    }
    t->scratch = arena_take(a, 1, size);
    t->places.item = ARENA_NEW(a, place, t->places.most);
    t->places.pair = ARENA_NEW(a, place_pair, t->places.most_pairs);
    t->places.four = ARENA_NEW(a, place_four, t->places.most_fours);
    t->places.order_room = ARENA_NEW(a, int, t->places.most_pairs);
}

double *rooms_cut_pool(const dynamics *d, const trays *t, arena *a)
{
    int last = d->plan.n_pools - 1;
    return ARENA_NEW(a, double, last >= 0 ? t->room[last].at + t->room[last].size : 0);
}

void rooms_move_pool(const dynamics *d, const trays *t, const double *from, double *to)
{
    for (int k = 0; k < d->plan.n_pools; k++) {
        const double *part = &from[t->room_before[k].at];
        memcpy(&to[t->room[k].at], part, (size_t)pool_used(part) * sizeof *to);
    }
}

void rooms_move(const dynamics *d, const trays *from, trays *to)
{
    memcpy(to->scratch, from->scratch, d->plan.n_scratch);
    const law_table *table = &d->laws.table[d->contacts];
    contact_move(table->item, table->count, from->scratch, to->room_before, to->scratch, to->room);
    const place_list *a = &from->places;
    place_list *b = &to->places;
    memcpy(b->item, a->item, (size_t)a->n_item * sizeof *b->item);
    memcpy(b->four, a->four, (size_t)a->n_four * sizeof *b->four);
    memcpy(b->pair, a->pair, (size_t)a->n_pair * sizeof *b->pair);
    for (int k = 0; k < a->n_pair; k++) {
        b->pair[k].kept = NULL; // what acted has been left there
        b->pair[k].of = NULL;
    }
}

// ---- pools -----------------------------------------------------------------------------------------------------

void pool_clear(const plan *p, coords *at)
{
    for (int k = 0; k < p->n_pools; k++) {
        double *part = &at->pool[at->room[k].at];
        memset(part, 0, (size_t)pool_used(part) * sizeof *part);
    }
}

// Only what is used of each part.
void pool_copy(const plan *p, const coords *from, coords *to)
{
    for (int k = 0; k < p->n_pools; k++) {
        const double *part = &from->pool[from->room[k].at];
        memcpy(&to->pool[to->room[k].at], part, (size_t)pool_used(part) * sizeof *part);
    }
}
