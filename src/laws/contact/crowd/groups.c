// SPDX-License-Identifier: MIT
// Who touches whom: sites that move each other are settled together, others apart (contact.20).
#include "laws/contact/crowd/settle.h"

static int root(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

static void join(int *up, int a, int b)
{
    a = root(up, a);
    b = root(up, b);
    up[a > b ? a : b] = a > b ? b : a;
}

static void join_all(const place_list *list, const places_problem *p, int *up)
{
    for (int k = 0; k < p->n_active; k++) {
        up[p->active[k]] = p->active[k];
    }
    for (int k = 0; k < p->n_active; k++) {
        int s = p->active[k], first = p->site[p->part[p->part_of[s]].first];
        join(up, s, first); // of a part all are active, or none
    }
    for (int k = 0; k < list->n_pair; k++) {
        const int *site = list->pair[k].site;
        if (site[0] >= 0 && site[1] >= 0) {
            join(up, site[0], site[1]);
        }
    }
}

static int group_of_pair(const place_pair *q, const place_groups *g)
{
    return g->group_of[q->site[q->site[0] >= 0 ? 0 : 1]];
}

void groups_find(const place_list *list, const places_problem *p, place_groups *out)
{
    join_all(list, p, out->up);
    out->count = 0;
    for (int k = 0; k < p->n_active; k++) {
        int s = p->active[k], top = root(out->up, s);
        if (top == s) {
            out->group_of[s] = out->count;
            out->item[out->count++] = (place_group){ 0 };
        }
        out->group_of[s] = out->group_of[top]; // the smallest of them comes first
        out->item[out->group_of[s]].n_site++;
    }
    for (int k = 0; k < list->n_pair; k++) {
        out->item[group_of_pair(&list->pair[k], out)].n_pair++;
    }
    for (int k = 0, sites = 0, pairs = 0; k < out->count; k++) {
        place_group *g = &out->item[k];
        g->site = sites;
        g->pair = pairs;
        sites += g->n_site;
        pairs += g->n_pair;
        g->n_site = g->n_pair = 0;
    }
    for (int k = 0; k < p->n_active; k++) {
        place_group *g = &out->item[out->group_of[p->active[k]]];
        out->members[g->site + g->n_site++] = p->active[k];
    }
    for (int k = 0; k < list->n_pair; k++) {
        place_group *g = &out->item[group_of_pair(&list->pair[k], out)];
        out->order[g->pair + g->n_pair++] = k;
    }
}
