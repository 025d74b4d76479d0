// SPDX-License-Identifier: MIT
// Mesh against mesh: closed forms, exhaustive pairs, symmetry, motions of the world, garbage.
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

typedef struct {
    geom_contact item[MOST];
    geom_contacts list;
} result;

static void collide(const geom_mesh *a, geom_pose pa, const geom_mesh *b, geom_pose pb, result *out)
{
    geom_shape sa = { .kind = GEOM_MESH, .mesh = a }, sb = { .kind = b ? GEOM_MESH : GEOM_PLANE, .mesh = b };
    workspace w = workspace_for(a, b, 20000);
    out->list = (geom_contacts){ .item = out->item, .capacity = MOST, .room = test_room() };
    geom_collide(&sa, &pa, &sb, &pb, &w.work, &out->list);
    // the marks are left clean
    for (int k = 0; k < w.work.n_vertex; k++) {
        assert_int_equal(w.work.a.piece[k] | w.work.b.piece[k], 0);
    }
    for (int k = 0; k < w.work.n_edge; k++) {
        assert_int_equal(w.work.a.is_cut[k] | w.work.b.is_cut[k], 0);
    }
    assert_false(out->list.is_full);
    free(w.block);
}

// meshes meet as if B were larger by 1e-11 of its size: lengths to 1e-10 for bodies of some metres
static const double TRIFLE = 1e-10;

static geom_mesh *box_mesh(double x, double y, double z)
{
    return mesh_of(&(geom_shape){ .kind = GEOM_BOX, .half = { x, y, z } }, 0);
}

// boxes side by side in one mesh
static geom_mesh *boxes_mesh(const vec3 *middle, const vec3 *half, int n)
{
    bi_mesh all = { 0 };
    all.vertex = malloc((size_t)(8 * n) * sizeof *all.vertex);
    all.triangle = malloc((size_t)(12 * n) * sizeof *all.triangle);
    for (int k = 0; k < n; k++) {
        bi_mesh one;
        assert_true(geom_mesh_of_shape(&(geom_shape){ .kind = GEOM_BOX, .half = half[k] }, 0, &one));
        for (int i = 0; i < 12; i++) {
            for (int c = 0; c < 3; c++) {
                all.triangle[all.n_triangle][c] = one.triangle[i][c] + all.n_vertex;
            }
            all.n_triangle++;
        }
        for (int i = 0; i < 8; i++) {
            all.vertex[all.n_vertex++] = vec3_add(one.vertex[i], middle[k]);
        }
        bi_mesh_clear(&one);
    }
    return mesh_from(&all);
}

static void test_smaller_cube_on_a_larger_one_gives_its_face(void **state)
{
    (void)state;
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(2.0, 2.0, 1.0);
    result r;
    collide(a, pose_at(0.3, -0.2, 1.45), b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    // sides cut the top face in a square of side one
    assert_near(r.item[0].area, 1.0, TRIFLE);
    assert_near(r.item[0].depth, 0.05, TRIFLE);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
    assert_vec3_near(r.item[0].point, (vec3){ 0.3, -0.2, 1.0 }, TRIFLE);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_equal_cubes_with_faces_in_one_plane_meet_in_one_region(void **state)
{
    (void)state;
    // the worst for roundings: all sides lie in common planes, edges on edges
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(0.5, 0.5, 0.5);
    result r;
    collide(a, pose_at(0.0, 0.0, 0.9), b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].area, 1.0, TRIFLE);
    assert_near(r.item[0].depth, 0.1, TRIFLE);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_cube_on_its_corner_gives_the_depth_of_the_corner(void **state)
{
    (void)state;
    // the corner of a cube of side one, standing on it, sinks 0.1: the cut is a triangle of area 3 sqrt(3)/2 d^2
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(3.0, 3.0, 1.0);
    geom_pose pose = pose_at(0.013, 0.029, 0.0);
    pose.rot = mat3_multiply(mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, math_atan(sqrt(2.0))),
                             mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.25 * PI));
    pose.pos.z = 1.0 + 0.5 * sqrt(3.0) - 0.1;
    result r;
    collide(a, pose, b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.1, TRIFLE);
    assert_near(r.item[0].area, 1.5 * sqrt(3.0) * 0.01, TRIFLE);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
    assert_vec3_near(r.item[0].point, (vec3){ 0.013, 0.029, 1.0 }, TRIFLE);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_crossed_edges_of_cubes_give_the_gap_of_the_edges(void **state)
{
    (void)state;
    // A stands on an edge along y, B has an edge up along x; no vertex is inside the other
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(0.5, 0.5, 0.5);
    geom_pose pa = { mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, 0.25 * PI),
                     { 0.02, 0.03, sqrt(2.0) - 0.06 } };
    geom_pose pb = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.25 * PI), { 0.0, 0.0, 0.0 } };
    result r;
    collide(a, pa, b, pb, &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.06, TRIFLE);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
    assert_near(r.item[0].point.x, 0.02, TRIFLE);
    assert_near(r.item[0].point.y, 0.0, 0.031);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_two_forks_in_a_board_give_two_regions(void **state)
{
    (void)state;
    const vec3 at[2] = { { -1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } },
               half[2] = { { 0.1, 1.0, 0.05 }, { 0.1, 1.0, 0.05 } };
    geom_mesh *forks = boxes_mesh(at, half, 2), *board = box_mesh(2.0, 0.5, 0.02);
    result r;
    // the forks lift the board: it sinks 5 mm into them
    collide(board, pose_at(0.0, 0.0, 0.065), forks, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 2);
    for (int k = 0; k < 2; k++) {
        double side = r.item[k].point.x < 0.0 ? -1.0 : 1.0;
        assert_near(r.item[k].area, 0.2 * 1.0, TRIFLE);
        assert_near(r.item[k].depth, 0.005, TRIFLE);
        assert_vec3_near(r.item[k].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
        assert_near(r.item[k].point.x, side, TRIFLE);
        assert_near(r.item[k].point.y, 0.0, TRIFLE);
        assert_int_equal(r.item[k].region, k);
    }
    assert_true(r.item[0].point.x * r.item[1].point.x < 0.0);
    geom_mesh_destroy(forks);
    geom_mesh_destroy(board);
}

static void test_spheres_converge_to_the_lens_with_the_mesh(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int n = 16; n <= 128; n *= 2) {
        geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 1.0 }, n);
        geom_mesh *b = mesh_of(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 0.7 }, n);
        result r;
        geom_pose pa = { mat3_from_axis_angle((vec3){ 1.0, 2.0, 3.0 }, 0.7), { 0.9, 0.6, 1.0 } };
        double d = vec3_norm(pa.pos);
        collide(a, pa, b, pose_at(0.0, 0.0, 0.0), &r);
        assert_int_equal(r.list.count, 1);
        // the circle in which the spheres meet
        double x = 0.5 * (d + (0.49 - 1.0) / d), area = PI * (0.49 - x * x);
        double error = fabs(r.item[0].depth - (1.7 - d)) + fabs(r.item[0].area - area) +
                       vec3_norm(vec3_sub(r.item[0].normal, vec3_scale(1.0 / d, pa.pos)));
        // inscribed polygons: errors fall with the square of n; a third leaves room for how the corners fall
        assert_true(error < before / 2.0);
        before = error;
        geom_mesh_destroy(a);
        geom_mesh_destroy(b);
    }
    assert_true(before < 2e-2);
}

static void test_torus_lying_on_a_plane_is_one_ring(void **state)
{
    (void)state;
    geom_shape torus = { .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.2, .half_width = 0.2 };
    geom_mesh *a = mesh_of(&torus, 96), *table = box_mesh(2.0, 2.0, 0.5);
    for (int k = 0; k < 2; k++) {
        // on a box of triangles, and on the plane itself
        result r;
        double top = k == 0 ? 0.5 : 0.0;
        collide(a, pose_at(0.01, 0.02, top + 0.15), k == 0 ? table : NULL, pose_at(0.0, 0.0, 0.0), &r);
        // outer and inner circle belong to one patch, of width 2 sqrt(r^2 - z^2)
        assert_int_equal(r.list.count, 1);
        double width = 2.0 * sqrt(0.04 - 0.0225);
        assert_near(r.item[0].area, 2.0 * PI * width, 0.02 * 2.0 * PI * width);
        assert_near(r.item[0].depth, 0.05, 1e-3);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
        assert_vec3_near(r.item[0].point, (vec3){ 0.01, 0.02, top }, TRIFLE);
    }
    geom_mesh_destroy(a);
    geom_mesh_destroy(table);
}

static void test_plane_below_two_feet_gives_two_regions(void **state)
{
    (void)state;
    const vec3 at[2] = { { -1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.1 } },
               half[2] = { { 0.1, 0.2, 0.3 }, { 0.1, 0.2, 0.3 } };
    geom_mesh *feet = boxes_mesh(at, half, 2);
    result r;
    collide(feet, pose_at(0.0, 0.0, 0.19), NULL, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 2);
    for (int k = 0; k < 2; k++) {
        bool is_left = r.item[k].point.x < 0.0;
        assert_near(r.item[k].depth, is_left ? 0.11 : 0.01, TRIFLE);
        assert_near(r.item[k].area, 0.08, TRIFLE);
        assert_vec3_near(r.item[k].point, (vec3){ is_left ? -1.0 : 1.0, 0.0, 0.0 }, TRIFLE);
    }
    geom_mesh_destroy(feet);
}

// All pairs, without trees: what crosses, by another way than the code's: where edges go through faces.
static int exhaustive_crossings(const geom_mesh *a, const geom_pose *pa, const geom_mesh *b,
                                const geom_pose *pb)
{
    int count = 0;
    geom_pose rel = geom_relative(pa, pb);
    for (int i = 0; i < a->n_triangle; i++) {
        for (int k = 0; k < b->n_triangle; k++) {
            vec3 t[2][3];
            for (int c = 0; c < 3; c++) {
                t[0][c] = geom_outside(&rel, a->vertex[a->triangle[i][c]]);
                t[1][c] = b->vertex[b->triangle[k][c]];
            }
            bool is_crossed = false;
            for (int s = 0; s < 6; s++) {
                const vec3 *f = t[s / 3], *g = t[1 - s / 3];
                vec3 o = f[s % 3], d = vec3_sub(f[(s + 1) % 3], o);
                // barycentric coordinates from the 3 x 3 system
                mat3 A = { { vec3_neg(d), vec3_sub(g[1], g[0]), vec3_sub(g[2], g[0]) } }, inverse;
                if (mat3_inverse(A, &inverse)) {
                    vec3 x = mat3_apply(inverse, vec3_sub(o, g[0]));
                    is_crossed = is_crossed ||
                                 (x.x >= 0.0 && x.x <= 1.0 && x.y >= 0.0 && x.z >= 0.0 && x.y + x.z <= 1.0);
                }
            }
            count += is_crossed;
        }
    }
    return count;
}

static void test_trees_find_the_same_pieces_as_all_pairs(void **state)
{
    (void)state;
    chance c = { 17 };
    geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 1.0 }, 20);
    geom_mesh *b =
        mesh_of(&(geom_shape){ .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.3, .half_width = 0.5 }, 24);
    workspace w = workspace_for(a, b, 5000);
    int touching = 0;
    for (int k = 0; k < 40; k++) {
        geom_pose pa = chance_pose(&c, 1.3), pb = chance_pose(&c, 0.1);
        geom_contacts out = { 0 };
        geom_meeting meet = { a, b, geom_relative(&pa, &pb) };
        int found = geom_find_pieces(&meet, &w.work, &out);
        assert_int_equal(found, exhaustive_crossings(a, &pa, b, &pb));
        assert_true(out.n_tested < a->n_triangle * b->n_triangle / 20);
        touching += found > 0;
    }
    assert_true(touching > 10);
    free(w.block);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_lines_of_closed_meshes_are_closed(void **state)
{
    (void)state;
    // every end of a piece is the beginning of another one: the sum of the steps vanishes for each region
    chance c = { 5 };
    geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_CYLINDER, .radius = 0.7, .half_length = 1.0 }, 24);
    geom_mesh *b = mesh_of(&(geom_shape){ .kind = GEOM_CAPSULE, .radius = 0.6, .half_length = 0.8 }, 24);
    workspace w = workspace_for(a, b, 5000);
    for (int k = 0; k < 50; k++) {
        geom_pose pa = chance_pose(&c, 0.8), pb = chance_pose(&c, 0.3);
        geom_contacts out = { 0 };
        geom_meeting meet = { a, b, geom_relative(&pa, &pb) };
        int n = geom_find_pieces(&meet, &w.work, &out);
        vec3 sum = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < n; i++) {
            sum = vec3_add(sum, vec3_sub(w.work.piece[i].q, w.work.piece[i].p));
        }
        assert_vec3_near(sum, (vec3){ 0.0, 0.0, 0.0 }, TRIFLE);
    }
    free(w.block);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static int find_like(const result *r, const geom_contact *c, double tolerance)
{
    for (int k = 0; k < r->list.count; k++) {
        if (vec3_norm(vec3_sub(r->item[k].point, c->point)) < tolerance &&
            fabs(r->item[k].area - c->area) < tolerance) {
            return k;
        }
    }
    return -1;
}

static void test_swapping_the_meshes_turns_the_normal(void **state)
{
    (void)state;
    chance c = { 23 };
    geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_CAPSULE, .radius = 0.2, .half_length = 1.5 }, 20);
    geom_mesh *b =
        mesh_of(&(geom_shape){ .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.3, .half_width = 0.5 }, 24);
    int several = 0;
    for (int k = 0; k < 30; k++) {
        geom_pose pa = chance_pose(&c, 0.3), pb = chance_pose(&c, 0.2), by = chance_pose(&c, 3.0);
        result r, s, t;
        collide(a, pa, b, pb, &r);
        collide(b, pb, a, pa, &s);
        collide(a, pose_moved(&by, &pa), b, pose_moved(&by, &pb), &t);
        assert_int_equal(r.list.count, s.list.count);
        assert_int_equal(r.list.count, t.list.count);
        several += r.list.count > 1;
        for (int i = 0; i < r.list.count; i++) {
            // B is larger by 1e-11 of its size, which moves the rim of a shallow patch by more
            const double few = 1e-8;
            int j = find_like(&s, &r.item[i], few);
            assert_true(j >= 0);
            assert_vec3_near(s.item[j].normal, vec3_neg(r.item[i].normal), few);
            assert_near(s.item[j].depth, r.item[i].depth, few);
            geom_contact moved = r.item[i];
            moved.point = geom_outside(&by, moved.point);
            j = find_like(&t, &moved, few);
            assert_true(j >= 0);
            assert_vec3_near(t.item[j].normal, mat3_apply(by.rot, r.item[i].normal), few);
            assert_near(t.item[j].depth, r.item[i].depth, few);
        }
    }
    assert_true(several > 3);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_flush_cubes_stay_one_region_in_every_pose(void **state)
{
    (void)state;
    // common planes that roundings make uneven, at 100 places of the world; some cubes aligned on one side only
    chance c = { 61 };
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(0.5, 0.5, 0.5);
    for (int k = 0; k < 100; k++) {
        double x = k % 3 == 1 ? 0.25 : 0.0, y = k % 3 == 2 ? 0.5 : 0.0;
        geom_pose by = chance_pose(&c, 5.0), pa = pose_at(x, y, 0.9), pb = pose_at(0.0, 0.0, 0.0);
        result r;
        collide(a, pose_moved(&by, &pa), b, pose_moved(&by, &pb), &r);
        assert_int_equal(r.list.count, 1);
        vec3 n = mat3_apply_transposed(by.rot, r.item[0].normal);
        // sides that stand apart belong to the patch, too: they tilt it by their area
        double side_x = k % 3 == 1 ? 0.1 : 0.0, side_y = k % 3 == 2 ? 0.1 : 0.0;
        assert_true(fabs(n.x) <= 1.01 * side_x / 0.75 + TRIFLE && fabs(n.y) <= 1.01 * side_y / 0.5 + TRIFLE);
        assert_near(r.item[0].area * n.z, (1.0 - x) * (1.0 - y), TRIFLE);
        assert_true(r.item[0].depth > 0.1 - TRIFLE && r.item[0].depth < 0.103);
    }
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_leaning_torus_of_triangles_converges_to_the_lowest_point(void **state)
{
    (void)state;
    geom_shape wheel = { .kind = GEOM_TORUS, .ring = 0.5, .radius = 0.2, .half_width = 0.15 };
    geom_pose pose = { mat3_from_axis_angle((vec3){ 1.0, 0.2, 0.0 }, 1.1), { 0.0, 0.0, 0.0 } };
    vec3 far;
    geom_shape_support(&wheel, mat3_apply_transposed(pose.rot, (vec3){ 0.0, 0.0, -1.0 }), &far);
    vec3 low = geom_outside(&pose, far);
    pose.pos.z = -low.z - 0.02;
    for (int n = 32; n <= 256; n *= 2) {
        geom_mesh *m = mesh_of(&wheel, n), *table = box_mesh(2.0, 2.0, 0.5);
        result r;
        collide(m, pose, table, pose_at(0.0, 0.0, -0.5), &r);
        assert_int_equal(r.list.count, 1);
        // the arrows of chords, n around and n/2 around the section, with radii of curvature up to 0.78 and 0.27 m
        double turn = 2.0 * PI / n;
        assert_true(r.item[0].depth <= 0.02 + TRIFLE);
        assert_true(r.item[0].depth >= 0.02 - turn * turn * (0.78 + 4.0 * 0.27) / 8.0);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, TRIFLE);
        // the patch of depth d reaches about sqrt(2 k d) from the lowest point
        assert_vec3_near(r.item[0].point, (vec3){ low.x, low.y, 0.0 }, 0.03);
        geom_mesh_destroy(m);
        geom_mesh_destroy(table);
    }
}

static void test_capsule_as_triangles_lies_on_a_table_of_triangles(void **state)
{
    (void)state;
    geom_shape capsule = { .kind = GEOM_CAPSULE, .radius = 0.2, .half_length = 0.5 };
    geom_mesh *m = mesh_of(&capsule, 64), *table = box_mesh(2.0, 2.0, 0.5);
    capsule.mesh = m;
    geom_shape b = { .kind = GEOM_MESH, .mesh = table };
    workspace w = workspace_for(m, table, 2000);
    geom_contact item[2][4];
    geom_pose pa = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI), { 0.1, 0.2, 0.69 } },
              pb = pose_at(0.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        geom_contacts out = { .item = item[k], .capacity = 4, .room = test_room() };
        if (k == 0) {
            geom_collide(&capsule, &pa, &b, &pb, &w.work, &out);
        } else {
            geom_collide(&b, &pb, &capsule, &pa, &w.work, &out);
        }
        assert_int_equal(out.count, 1);
        assert_near(item[k][0].depth, 0.01, 3e-4);
        assert_near(item[k][0].normal.z, k == 0 ? 1.0 : -1.0, 1e-9);
        assert_near(item[k][0].point.x, 0.1, 1e-6);
        assert_near(item[k][0].point.y, 0.2, 1e-6);
    }
    free(w.block);
    geom_mesh_destroy(m);
    geom_mesh_destroy(table);
}

static void test_mesh_inside_another_is_told(void **state)
{
    (void)state;
    geom_mesh *a = box_mesh(0.5, 0.5, 0.5), *b = box_mesh(2.0, 2.0, 2.0);
    result r;
    collide(a, pose_at(0.1, 0.2, 0.3), b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 0);
    assert_true(r.list.is_contained);
    collide(a, pose_at(5.0, 0.0, 0.0), b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 0);
    assert_false(r.list.is_contained);
    geom_mesh_destroy(a);
    geom_mesh_destroy(b);
}

static void test_full_lists_are_told(void **state)
{
    (void)state;
    geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 1.0 }, 20);
    workspace w = workspace_for(a, a, 5);
    geom_contact item[2];
    geom_contacts out = { .item = item, .capacity = 2, .room = test_room() };
    geom_shape s = { .kind = GEOM_MESH, .mesh = a };
    geom_pose pa = pose_at(0.9, 0.7, 0.1), pb = pose_at(0.0, 0.0, 0.0);
    geom_collide(&s, &pa, &s, &pb, &w.work, &out);
    assert_true(out.is_full);
    free(w.block);
    w = workspace_for(a, a, 500);
    out = (geom_contacts){ .item = item, .capacity = 0, .room = test_room() };
    geom_collide(&s, &pa, &s, &pb, &w.work, &out);
    assert_true(out.is_full);
    assert_int_equal(out.count, 0);
    free(w.block);
    geom_mesh_destroy(a);
}

static void test_garbage_meshes_never_crash_nor_give_nan(void **state)
{
    (void)state;
    chance c = { 99 };
    for (int round = 0; round < 300; round++) {
        geom_mesh *mesh[2];
        for (int k = 0; k < 2; k++) {
            // few places on a grid: open, degenerate, doubled, coplanar
            bi_mesh m = { .n_vertex = 3 + (int)chance_in(&c, 0.0, 12.0),
                          .n_triangle = 1 + (int)chance_in(&c, 0.0, 30.0) };
            m.vertex = malloc((size_t)m.n_vertex * sizeof *m.vertex);
            m.triangle = malloc((size_t)m.n_triangle * sizeof *m.triangle);
            double grid = round % 2 ? 1.0 : 1e-3;
            for (int i = 0; i < m.n_vertex; i++) {
                vec3 p = chance_vec3(&c, 2.0);
                m.vertex[i] =
                    (vec3){ grid * floor(p.x / grid), grid * floor(p.y / grid), grid * floor(p.z / grid) };
            }
            for (int i = 0; i < 3 * m.n_triangle; i++) {
                m.triangle[i / 3][i % 3] = (int32_t)chance_in(&c, 0.0, m.n_vertex);
            }
            mesh[k] = mesh_from(&m);
        }
        geom_pose pa = round % 3 ? chance_pose(&c, 0.5) : pose_at(floor(chance_in(&c, -1.0, 2.0)), 0.0, 0.0);
        geom_pose pb = pose_at(0.0, 0.0, 0.0);
        result r;
        for (int k = 0; k < 2; k++) {
            collide(mesh[0], pa, k ? NULL : mesh[1], pb, &r);
            for (int i = 0; i < r.list.count; i++) {
                const geom_contact *t = &r.item[i];
                assert_true(vec3_is_finite(t->point) && vec3_is_finite(t->normal) && isfinite(t->depth) &&
                            isfinite(t->area) && t->depth >= 0.0);
                assert_near(vec3_norm(t->normal), 1.0, TRIFLE);
            }
        }
        geom_shape ball = { .kind = GEOM_SPHERE, .radius = 0.7 },
                   other = { .kind = GEOM_MESH, .mesh = mesh[0] };
        geom_contact item[MOST];
        geom_contacts out = { .item = item, .capacity = MOST, .room = test_room() };
        geom_collide(&ball, &pa, &other, &pb, NULL, &out);
        for (int i = 0; i < out.count; i++) {
            assert_true(vec3_is_finite(item[i].point) && vec3_is_finite(item[i].normal));
        }
        geom_mesh_destroy(mesh[0]);
        geom_mesh_destroy(mesh[1]);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void time_spheres(int n, double depth)
{
    geom_mesh *a = mesh_of(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 1.0 }, n);
    workspace w = workspace_for(a, a, 20000);
    geom_contact item[MOST];
    geom_contacts out;
    geom_shape s = { .kind = GEOM_MESH, .mesh = a };
    vec3 d = vec3_normalized((vec3){ 0.9, 0.7, 0.3 });
    geom_pose pb = pose_at(0.0, 0.0, 0.0),
              pa = { mat3_from_axis_angle((vec3){ 1.0, 2.0, 3.0 }, 0.7), vec3_scale(2.0 - depth, d) };
    double best = INFINITY;
    for (int k = 0; k < 20; k++) {
        double start = seconds();
        out = (geom_contacts){ .item = item, .capacity = MOST, .room = test_room() };
        geom_collide(&s, &pa, &s, &pb, &w.work, &out);
        best = fmin(best, seconds() - start);
    }
    printf("mesh-mesh %d x %d triangles, depth %g: %d pairs tested, %d regions, %.1f us\n", a->n_triangle,
           a->n_triangle, depth, out.n_tested, out.count, 1e6 * best);
    // a tree that does not prune would look at a hundred million pairs
    assert_true(out.n_tested < 100000);
    free(w.block);
    geom_mesh_destroy(a);
}

static void test_large_meshes_test_few_pairs(void **state)
{
    (void)state;
    time_spheres(102, 0.005);
    time_spheres(102, 0.05);
    time_spheres(318, 1e-4);
    time_spheres(318, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smaller_cube_on_a_larger_one_gives_its_face),
        cmocka_unit_test(test_equal_cubes_with_faces_in_one_plane_meet_in_one_region),
        cmocka_unit_test(test_cube_on_its_corner_gives_the_depth_of_the_corner),
        cmocka_unit_test(test_crossed_edges_of_cubes_give_the_gap_of_the_edges),
        cmocka_unit_test(test_two_forks_in_a_board_give_two_regions),
        cmocka_unit_test(test_spheres_converge_to_the_lens_with_the_mesh),
        cmocka_unit_test(test_torus_lying_on_a_plane_is_one_ring),
        cmocka_unit_test(test_plane_below_two_feet_gives_two_regions),
        cmocka_unit_test(test_trees_find_the_same_pieces_as_all_pairs),
        cmocka_unit_test(test_lines_of_closed_meshes_are_closed),
        cmocka_unit_test(test_swapping_the_meshes_turns_the_normal),
        cmocka_unit_test(test_flush_cubes_stay_one_region_in_every_pose),
        cmocka_unit_test(test_leaning_torus_of_triangles_converges_to_the_lowest_point),
        cmocka_unit_test(test_capsule_as_triangles_lies_on_a_table_of_triangles),
        cmocka_unit_test(test_mesh_inside_another_is_told),
        cmocka_unit_test(test_full_lists_are_told),
        cmocka_unit_test(test_garbage_meshes_never_crash_nor_give_nan),
        cmocka_unit_test(test_large_meshes_test_few_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
