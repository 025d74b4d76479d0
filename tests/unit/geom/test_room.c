// SPDX-License-Identifier: MIT
// Room of queries: what geom_room says is enough for any pose of any two shapes.
#include "base/spare.h"
#include "geom/convex/hull.h"
#include "geom/field.h"
#include "unit/geom/geom_test.h"
#include <string.h>

enum { N = 21, MOST = 64, ROOM = 1 << 18, TURNS = 40 };

static double height[N * N];
static geom_field field;
static geom_hull *hull;
static _Alignas(SPARE_LINE) unsigned char memory[ROOM];

static void lay_field(void)
{
    for (int k = 0; k < N * N; k++) {
        height[k] = 0.1 * math_sin(0.6 * (k % N)) * math_cos(0.4 * (k / N));
    }
    field = (geom_field){
        .n_x = N, .n_y = N, .d_x = 0.1, .d_y = 0.15, .x_0 = -1.0, .y_0 = -1.5, .height = height
    };
    assert_null(geom_field_measure(&field));
}

static void make_hull(void)
{
    vec3 point[24];
    const char *why = NULL;
    for (int k = 0; k < 24; k++) {
        double z = k < 12 ? -0.3 : 0.4, r = k < 12 ? 0.5 : 0.2;
        point[k] = (vec3){ r * math_cos(0.5236 * k), r * math_sin(0.5236 * k), z };
    }
    hull = geom_hull_create(point, 24, &why);
    assert_non_null(hull);
}

static size_t used_of(const geom_shape *a, const geom_pose *pa, const geom_shape *b, const geom_pose *pb)
{
    geom_contact item[MOST];
    spare room = { (char *)memory, 0, ROOM };
    geom_contacts list = { .item = item, .capacity = MOST, .room = &room };
    memset(memory, 0xA5, ROOM);
    geom_collide(a, pa, b, pb, NULL, &list);
    geom_spread_regions(a, pa, b, pb, 0, &list);
    assert_int_equal(room.used, 0);
    size_t used = ROOM;
    while (used > 0 && memory[used - 1] == 0xA5) {
        used--;
    }
    return used;
}

static void test_queries_stay_within_the_room_they_asked_for(void **state)
{
    (void)state;
    lay_field();
    make_hull();
    const geom_shape shape[] = {
        { .kind = GEOM_SPHERE, .radius = 0.3 },
        { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.2 } },
        { .kind = GEOM_CAPSULE, .radius = 0.2, .half_length = 0.4 },
        { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
        { .kind = GEOM_CONE, .radius = 0.4, .half_length = 0.3 },
        { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.2, 0.5 } },
        { .kind = GEOM_HULL, .hull = hull },
        { .kind = GEOM_PLANE },
        { .kind = GEOM_FIELD, .field = &field },
    };
    enum { SHAPES = sizeof shape / sizeof *shape };
    size_t most = 0;
    for (int i = 0; i < SHAPES; i++) {
        for (int j = 0; j < SHAPES; j++) {
            bool are_endless = i >= SHAPES - 2 && j >= SHAPES - 2;
            for (int k = 0; k < TURNS && !are_endless; k++) {
                geom_pose pa = { quat_to_mat3(quat_exp((vec3){ 0.31 * k, 0.1, 0.7 * k })),
                                 { 0.01 * k, -0.02 * k, 0.25 - 0.012 * k } };
                geom_pose pb = geom_pose_identity();
                size_t used =
                    used_of(&shape[i], i >= SHAPES - 2 ? &pb : &pa, &shape[j], i >= SHAPES - 2 ? &pa : &pb);
                assert_in_range(used, 0, geom_room(&shape[i], &shape[j]));
                assert_true(geom_room(&shape[i], &shape[j]) <=
                            geom_room_among((const geom_shape *[]){ &shape[i], &shape[j], &shape[1] }, 3));
                most = used > most ? used : most;
            }
        }
    }
    assert_true(most > 4096); // some of them do need it
    geom_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_queries_stay_within_the_room_they_asked_for) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
