// SPDX-License-Identifier: MIT
// libFuzzer: whatever the points are, they have a hull that holds them all or a reason why not; it then meets a box
// and an ellipsoid.
#include "geom/convex/convex.h"
#include "geom/convex/hull.h"
#include "support/geom_room.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 200 };

// The first byte chooses: small integers, which lie in many common planes, or any numbers.
static int points_of(const uint8_t *data, size_t size, vec3 point[MOST])
{
    bool is_small = size > 0 && data[0] & 1;
    size_t width = is_small ? 1 : sizeof(double);
    int n = 0;
    for (size_t at = 1; at + 3 * width <= size && n < MOST; at += 3 * width) {
        double x[3];
        for (size_t k = 0; k < 3; k++) {
            if (is_small) {
                x[k] = (int8_t)data[at + k] / 16;
            } else {
                memcpy(&x[k], &data[at + k * width], width);
            }
        }
        point[n++] = (vec3){ x[0], x[1], x[2] };
    }
    return n;
}

// A box, or a flat ellipsoid, of the size of the hull.
static void meet(const geom_hull *h, geom_kind kind)
{
    vec3 span = vec3_sub(h->bounds.high, h->bounds.low);
    double length = vec3_norm(span);
    if (!(length > 1e-6 && length < 1e6)) {
        return;
    }
    geom_shape hull = { .kind = GEOM_HULL, .hull = h },
               other = { .kind = kind, .half = { 0.5 * length, 0.5 * length, 0.5 * length } };
    if (kind == GEOM_ELLIPSOID) {
        other.half.z = 0.45 * length;
        other.half.y = 0.1 * length;
    }
    geom_pose at = { mat3_identity(), vec3_neg(h->bounds.low) }, home = geom_pose_identity();
    at.pos.z += 0.4 * length;
    geom_contact item[32];
    geom_contacts list = { .item = item, .capacity = 32, .room = test_room() };
    geom_collide(&hull, &at, &other, &home, NULL, &list);
    geom_spread_regions(&hull, &at, &other, &home, 0, &list);
    for (int k = 0; k < list.count; k++) {
        if (!isfinite(item[k].depth) || !vec3_is_finite(item[k].point) || !vec3_is_finite(item[k].normal)) {
            abort();
        }
    }
    if (!isfinite(geom_distance(&hull, &at, &other, &home).distance)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vec3 point[MOST];
    int n = points_of(data, size, point);
    const char *why = NULL;
    geom_hull *h = geom_hull_create(point, n, &why);
    if (!h == !why) {
        abort();
    }
    if (h) {
        double thick = 1e-6 * vec3_norm(vec3_sub(h->bounds.high, h->bounds.low));
        for (int k = 0; k < n; k++) {
            for (int f = 0; f < h->n_face; f++) {
                if (!(vec3_dot(h->normal[f], point[k]) - h->offset[f] <= thick)) {
                    abort();
                }
            }
        }
        meet(h, GEOM_BOX);
        meet(h, GEOM_ELLIPSOID);
    }
    geom_hull_destroy(h);
    return 0;
}
