// SPDX-License-Identifier: MIT
/* Many boxes by rule: where they start, and of what they are made. The shifts and turns of a pile are the uniform
 * numbers of MT19937 with the key 1 (Matsumoto and Nishimura, ACM TOMACS 8, 1998), as Python's
 * random.Random(1).uniform gives them: piles of 10 and 30 are those of the published scenes to all their digits,
 * larger ones continue them. */
#include "measure/contact_boxes.h"
#include <math.h>
#include <stdint.h>

enum { TWISTER_SIZE = 624, TWISTER_SHIFT = 397, GRID_WIDTH = 10, CORNERS = 4 };

typedef struct {
    uint32_t word[TWISTER_SIZE];
    int used; // words already given
} twister;

// The state for a key of one word: a linear filling, then two rounds that mix the key into every word.
static twister twister_start(uint32_t key)
{
    twister t = { .used = TWISTER_SIZE };
    uint32_t *w = t.word;
    w[0] = 19650218u;
    for (uint32_t k = 1; k < TWISTER_SIZE; k++) {
        w[k] = 1812433253u * (w[k - 1] ^ (w[k - 1] >> 30)) + k;
    }
    int at = 1;
    for (int round = 0; round < 2 * TWISTER_SIZE - 1; round++) {
        uint32_t before = w[at - 1] ^ (w[at - 1] >> 30);
        bool is_first = round < TWISTER_SIZE;
        w[at] =
            is_first ? (w[at] ^ (before * 1664525u)) + key : (w[at] ^ (before * 1566083941u)) - (uint32_t)at;
        at++;
        if (at == TWISTER_SIZE) {
            w[0] = w[TWISTER_SIZE - 1];
            at = 1;
        }
    }
    w[0] = 0x80000000u;
    return t;
}

static void twister_refill(twister *t)
{
    for (int k = 0; k < TWISTER_SIZE; k++) {
        uint32_t joined = (t->word[k] & 0x80000000u) | (t->word[(k + 1) % TWISTER_SIZE] & 0x7fffffffu);
        uint32_t odd = (joined & 1u) ? 0x9908b0dfu : 0u;
        t->word[k] = t->word[(k + TWISTER_SHIFT) % TWISTER_SIZE] ^ (joined >> 1) ^ odd;
    }
    t->used = 0;
}

static uint32_t twister_word(twister *t)
{
    if (t->used == TWISTER_SIZE) {
        twister_refill(t);
    }
    uint32_t y = t->word[t->used++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

// Uniform between -most and most, with 53 bits.
static double twister_between(twister *t, double most)
{
    double high = twister_word(t) >> 5, low = twister_word(t) >> 6;
    return -most + 2.0 * most * (high * 67108864.0 + low) / 9007199254740992.0;
}

// Boxes along one edge of a pile's layer: as many as layers, nearly.
static int pile_side(int n)
{
    int side = (int)lround(cbrt((double)n));
    return side < 1 ? 1 : side;
}

boxes_rule boxes_of(boxes_kind kind, int n)
{
    if (kind == BOXES_APART) {
        return (boxes_rule){ .mass = 10.0,
                             .size = { 0.3, 0.25, 0.2 },
                             .stiffness = 2e5,
                             .damping = 600.0,
                             .friction = 0.5,
                             .friction_on_floor = 0.05,
                             .gravity = 9.80665,
                             .has_floor = true,
                             .layers = 1 };
    }
    int side = pile_side(n);
    return (boxes_rule){ .mass = 10.0,
                         .size = { 0.4, 0.4, 0.2 },
                         .stiffness = 1e5,
                         .damping = 500.0,
                         .friction = 0.5,
                         .friction_on_floor = 0.5,
                         .gravity = 9.81,
                         .has_floor = kind != BOXES_FREE_FALL,
                         .layers = kind == BOXES_PILE ? (n + side * side - 1) / (side * side) : 1 };
}

double boxes_static_depth(const boxes_rule *rule)
{
    return rule->layers * rule->mass * rule->gravity / (CORNERS * rule->stiffness);
}

// Layers 0.23 m apart, boxes 0.56 m; every second layer stands 0.2 m beside the one below.
static void place_pile(int n, box_start *out)
{
    int side = pile_side(n);
    twister t = twister_start(1);
    for (int k = 0; k < n; k++) {
        int layer = k / (side * side), row = k / side % side, column = k % side;
        double beside = layer % 2 ? 0.2 : 0.0, middle = 0.5 * (side - 1);
        double x = 0.56 * (column - middle) + beside + twister_between(&t, 0.03);
        double y = 0.56 * (row - middle) + beside + twister_between(&t, 0.03);
        out[k] = (box_start){ .at = { x, y, 0.12 + 0.23 * layer }, .turn = twister_between(&t, 0.2) };
    }
}

static void place_grid(boxes_kind kind, int n, box_start *out)
{
    boxes_rule rule = boxes_of(kind, n);
    double z = kind == BOXES_AT_REST ? 0.5 * rule.size.z - boxes_static_depth(&rule)
               : kind == BOXES_APART ? 0.1001
                                     : 0.12;
    for (int k = 0; k < n; k++) {
        out[k] = (box_start){ .at = { k % GRID_WIDTH, k / GRID_WIDTH, z },
                              .speed = kind == BOXES_APART ? 0.3 : 0.0 };
    }
}

void boxes_place(boxes_kind kind, int n, box_start *out)
{
    if (kind == BOXES_PILE) {
        place_pile(n, out);
    } else {
        place_grid(kind, n, out);
    }
}
