// SPDX-License-Identifier: MIT
// Which of many boxes meet, against looking at all pairs.
#include "geom/broad.h"
#include "unit/geom/geom_test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200, MOST = 40 * N };

typedef struct {
    geom_box box[N];
    double margin[N];
    broad_pair found[MOST];
} scene;

static uint64_t seed = 1;
static double number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void move(scene *s, double by)
{
    for (int k = 0; k < N; k++) {
        double x = by * (number() - 0.5), y = by * (number() - 0.5), z = by * (number() - 0.5);
        s->box[k].low = vec3_add(s->box[k].low, (vec3){ x, y, z });
        s->box[k].high = vec3_add(s->box[k].high, (vec3){ x, y, z });
    }
}

static void fill(scene *s)
{
    memset(s, 0, sizeof *s);
    for (int k = 0; k < N; k++) {
        vec3 at = { 10.0 * number(), 10.0 * number(), 10.0 * number() },
             half = { number(), number(), number() };
        s->box[k] = (geom_box){ vec3_sub(at, half), vec3_add(at, half) };
        s->margin[k] = 0.2;
    }
}

// those of one parity do not meet each other
static bool may_meet(int a, int b, const void *from)
{
    (void)from;
    return a % 2 != b % 2 || a % 3 == b % 3;
}

static void check(const scene *s, int n)
{
    int at = 0;
    for (int a = 0; a < N; a++) {
        for (int b = a + 1; b < N; b++) {
            if (may_meet(a, b, NULL) && broad_overlap(&s->box[a], &s->box[b])) {
                assert_true(at < n);
                assert_int_equal(s->found[at].a, a);
                assert_int_equal(s->found[at].b, b);
                at++;
            }
        }
    }
    assert_int_equal(at, n);
}

static void test_broad_finds_what_all_pairs_say(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    void *memory = calloc(1, broad_size(N, MOST));
    fill(s);
    for (int step = 0; step < 400; step++) {
        broad *t = broad_in(memory, N, MOST);
        int n = broad_find(t, s->box, s->margin, may_meet, NULL, s->found);
        check(s, n);
        move(s, step % 50 == 49 ? 5.0 : 0.1);
    }
    free(memory);
    free(s);
}

static void test_broad_says_when_there_is_no_room(void **state)
{
    (void)state;
    enum { FEW = 10 };
    scene *s = malloc(sizeof *s);
    void *memory = calloc(1, broad_size(N, FEW));
    fill(s);
    broad *t = broad_in(memory, N, FEW);
    assert_int_equal(broad_find(t, s->box, s->margin, may_meet, NULL, s->found), -1);
    // and finds them again when they have parted
    for (int k = 0; k < N; k++) {
        s->box[k] = (geom_box){ { 10.0 * k, 0.0, 0.0 }, { 10.0 * k + 1.0, 1.0, 1.0 } };
    }
    assert_int_equal(broad_find(t, s->box, s->margin, may_meet, NULL, s->found), 0);
    s->box[7].high.x += 10.0;
    assert_int_equal(broad_find(t, s->box, s->margin, may_meet, NULL, s->found), 1);
    assert_int_equal(s->found[0].a, 7);
    free(memory);
    free(s);
}

static void test_broad_boxes_that_are_none_meet_nothing(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    void *memory = calloc(1, broad_size(N, MOST));
    fill(s);
    for (int k = 0; k < N; k++) {
        s->box[k].low.x = NAN;
    }
    broad *t = broad_in(memory, N, MOST);
    assert_int_equal(broad_find(t, s->box, s->margin, may_meet, NULL, s->found), 0);
    fill(s);
    check(s, broad_find(t, s->box, s->margin, may_meet, NULL, s->found));
    free(memory);
    free(s);
}

static void test_broad_around_a_box_are_those_that_overlap_it(void **state)
{
    (void)state;
    scene *s = malloc(sizeof *s);
    broad_node node[2 * N];
    int work[2 * N];
    assert_non_null(s);
    fill(s);
    broad_build(s->box, N, node, work);
    for (int k = 0; k < N; k++) {
        bool is_found[N] = { false };
        broad_walk walk = broad_around(node, N, &s->box[k]);
        for (int i; (i = broad_next(&walk)) >= 0;) {
            assert_false(is_found[i]);
            is_found[i] = true;
        }
        for (int i = 0; i < N; i++) {
            assert_int_equal(is_found[i], broad_overlap(&s->box[i], &s->box[k]));
        }
    }
    broad_build(s->box, 0, node, work);
    broad_walk none = broad_around(node, 0, &s->box[0]);
    assert_int_equal(broad_next(&none), -1);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broad_finds_what_all_pairs_say),
        cmocka_unit_test(test_broad_says_when_there_is_no_room),
        cmocka_unit_test(test_broad_boxes_that_are_none_meet_nothing),
        cmocka_unit_test(test_broad_around_a_box_are_those_that_overlap_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
