// SPDX-License-Identifier: MIT
// Four numbers in lanes, one of each of four things: loops over many of them do four at a time where the processor has
// AVX2, two elsewhere. Both do the same operations in the same order, hence the same bits.
#pragma once

#include "math/wide3.h"
#include <math.h>

typedef double four __attribute__((vector_size(32), aligned(8)));
typedef long long four_mask __attribute__((vector_size(32), aligned(8))); // of a comparison: all bits or none

// Three components of four vectors.
typedef struct {
    four x, y, z;
} four3;

WIDE four four_of(double a) { return (four){ a, a, a, a }; }
WIDE four four_select(four_mask mask, four yes, four no)
{
    return (four)((mask & (four_mask)yes) | (~mask & (four_mask)no));
}
WIDE four four_where(four_mask mask, four yes) { return (four)(mask & (four_mask)yes); } // else zero
WIDE four four_min(four a, four b) { return four_select(a < b, a, b); }
WIDE four four_sqrt(four a) { return (four){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) }; }

WIDE four3 four3_of(wide3 a) { return (four3){ four_of(a[0]), four_of(a[1]), four_of(a[2]) }; }
WIDE four3 four3_add(four3 a, four3 b) { return (four3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
WIDE four3 four3_sub(four3 a, four3 b) { return (four3){ a.x - b.x, a.y - b.y, a.z - b.z }; }
WIDE four3 four3_scale(four s, four3 a) { return (four3){ s * a.x, s * a.y, s * a.z }; }
WIDE four3 four3_add_scaled(four3 a, four s, four3 b)
{
    return (four3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
WIDE four four3_dot(four3 a, four3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WIDE four3 four3_cross(four3 a, four3 b)
{
    return (four3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// Of three numbers each, from places of which a fourth may be read.
WIDE four3 four3_gather(const double *const from[4])
{
    four a, b, c, d;
    __builtin_memcpy(&a, from[0], sizeof a);
    __builtin_memcpy(&b, from[1], sizeof b);
    __builtin_memcpy(&c, from[2], sizeof c);
    __builtin_memcpy(&d, from[3], sizeof d);
    four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
         y_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7), y_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return (four3){ __builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                    __builtin_shufflevector(y_ab, y_cd, 0, 1, 4, 5),
                    __builtin_shufflevector(ab, cd, 2, 3, 6, 7) };
}

WIDE void four3_put(four3 *to, int lane, vec3 a)
{
    to->x[lane] = a.x;
    to->y[lane] = a.y;
    to->z[lane] = a.z;
}

WIDE vec3 four3_get(const four3 *from, int lane)
{
    return (vec3){ from->x[lane], from->y[lane], from->z[lane] };
}

// The sum of the four vectors: of the first two and the last two.
WIDE wide3 four3_sum(four3 a)
{
    four zero = four_of(0.0);
    four xy = __builtin_shufflevector(a.x, a.y, 0, 4, 2, 6) + __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7);
    four z = __builtin_shufflevector(a.z, zero, 0, 4, 2, 6) + __builtin_shufflevector(a.z, zero, 1, 5, 3, 7);
    return __builtin_shufflevector(xy, z, 0, 1, 4, 5) + __builtin_shufflevector(xy, z, 2, 3, 6, 7);
}
