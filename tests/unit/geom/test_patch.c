// SPDX-License-Identifier: MIT
// Four points in place of a region: the forces of a linear spring at them have the sum and the moments that an integral
// of the depth over the patch has.
#include "geom_test.h"
#include "support/geom_room.h"

enum { GRID = 400 };

typedef struct {
    double sum, x, y; // of the depth over the patch: m3, m4
} moments;

static const vec3 upper_half = { 0.3, 0.2, 0.15 }, lower_half = { 0.25, 0.5, 0.1 };

// The lower box lies under z = 0; the upper one is tilted a little over it.
static geom_pose lower_pose(void) { return pose_at(0.0, 0.0, -lower_half.z); }

static geom_pose upper_pose(vec3 tilt, double sink)
{
    return (geom_pose){ quat_to_mat3(quat_exp(tilt)), { 0.05, -0.02, upper_half.z - sink } };
}

// By samples: the bottom of the upper box below z = 0, over the top of the lower one.
static moments sampled(const geom_pose *upper)
{
    moments m = { 0 };
    double dx = 2.0 * lower_half.x / GRID, dy = 2.0 * lower_half.y / GRID;
    for (int i = 0; i < GRID * GRID; i++) {
        vec3 at = { -lower_half.x + (i % GRID + 0.5) * dx, -lower_half.y + ((int)(i / GRID) + 0.5) * dy,
                    0.0 };
        // the plane of the bottom face: local z = -half
        vec3 n = upper->rot.col[2];
        double z =
            upper->pos.z + (-upper_half.z - n.x * (at.x - upper->pos.x) - n.y * (at.y - upper->pos.y)) / n.z;
        vec3 local = geom_inside(upper, (vec3){ at.x, at.y, z });
        if (z < 0.0 && fabs(local.x) < upper_half.x && fabs(local.y) < upper_half.y) {
            m.sum -= z * dx * dy;
            m.x -= z * at.x * dx * dy;
            m.y -= z * at.y * dx * dy;
        }
    }
    return m;
}

static moments of_points(const geom_contacts *list)
{
    moments m = { 0 };
    for (int k = 0; k < list->count; k++) {
        const geom_contact *c = &list->item[k];
        m.sum += c->area * c->depth;
        m.x += c->area * c->depth * c->point.x;
        m.y += c->area * c->depth * c->point.y;
    }
    return m;
}

// flat; tilted so that all corners are in; tilted so that half of the face is out
static const vec3 tilts[3] = { { 0.0, 0.0, 0.1 }, { 0.002, -0.003, 0.3 }, { 0.02, 0.03, -0.2 } };

static void compare(const geom_shape *a, const geom_shape *b, geom_work *work, double tolerance)
{
    for (int k = 0; k < 3; k++) {
        geom_pose pa = upper_pose(tilts[k], 2e-3), pb = lower_pose();
        geom_contact item[32];
        geom_contacts list = { .item = item, .capacity = 32, .room = test_room() };
        geom_collide(a, &pa, b, &pb, work, &list);
        geom_spread_regions(a, &pa, b, &pb, 0, &list);
        assert_int_equal(list.count, 4);
        moments wanted = sampled(&pa), found = of_points(&list);
        double arm = 0.2;
        assert_near(found.sum, wanted.sum, tolerance * wanted.sum);
        assert_near(found.x, wanted.x, tolerance * wanted.sum * arm);
        assert_near(found.y, wanted.y, tolerance * wanted.sum * arm);
    }
}

// samples are good to 1/GRID of the rim; the normal of the patch leans with the tilt, which costs its square
static void test_boxes_press_like_their_patch(void **state)
{
    (void)state;
    geom_shape a = { .kind = GEOM_BOX, .half = upper_half }, b = { .kind = GEOM_BOX, .half = lower_half };
    compare(&a, &b, NULL, 4e-3);
}

static void test_meshes_of_boxes_press_like_their_patch(void **state)
{
    (void)state;
    geom_shape a = { .kind = GEOM_BOX, .half = upper_half }, b = { .kind = GEOM_BOX, .half = lower_half };
    geom_mesh *mesh_a = mesh_of(&a, 8), *mesh_b = mesh_of(&b, 8);
    a = (geom_shape){ .kind = GEOM_MESH, .mesh = mesh_a };
    b = (geom_shape){ .kind = GEOM_MESH, .mesh = mesh_b };
    workspace space = workspace_for(mesh_a, mesh_b, 1000);
    compare(&a, &b, &space.work, 4e-3);
    // the other way round the points stay and push the other way
    geom_pose pa = upper_pose(tilts[1], 2e-3), pb = lower_pose();
    geom_contact item[32];
    geom_contacts list = { .item = item, .capacity = 32, .room = test_room() };
    geom_collide(&b, &pb, &a, &pa, &space.work, &list);
    geom_spread_regions(&b, &pb, &a, &pa, 0, &list);
    assert_int_equal(list.count, 4);
    assert_true(list.item[0].normal.z < -0.99);
    assert_near(of_points(&list).sum, sampled(&pa).sum, 4e-3 * sampled(&pa).sum);
    free(space.block);
    geom_mesh_destroy(mesh_a);
    geom_mesh_destroy(mesh_b);
}

// On a plane, whose depth needs no ray.
static void test_mesh_on_a_plane_presses_like_its_patch(void **state)
{
    (void)state;
    geom_shape box = { .kind = GEOM_BOX, .half = upper_half }, plane = { .kind = GEOM_PLANE };
    geom_mesh *mesh = mesh_of(&box, 8);
    geom_shape a = { .kind = GEOM_MESH, .mesh = mesh };
    workspace space = workspace_for(mesh, NULL, 1000);
    geom_pose pa = upper_pose((vec3){ 0.002, -0.003, 0.3 }, 2e-3), ground = geom_pose_identity();
    geom_contact item[32];
    geom_contacts list = { .item = item, .capacity = 32, .room = test_room() };
    geom_collide(&a, &pa, &plane, &ground, &space.work, &list);
    geom_spread_regions(&a, &pa, &plane, &ground, 0, &list);
    assert_int_equal(list.count, 4);
    // the whole face is in: the depth in its middle times its area
    vec3 middle = geom_outside(&pa, (vec3){ 0.0, 0.0, -upper_half.z });
    double volume = -middle.z * 4.0 * upper_half.x * upper_half.y;
    assert_near(of_points(&list).sum, volume, 1e-3 * volume);
    free(space.block);
    geom_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_press_like_their_patch),
        cmocka_unit_test(test_meshes_of_boxes_press_like_their_patch),
        cmocka_unit_test(test_mesh_on_a_plane_presses_like_its_patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
