// SPDX-License-Identifier: MIT
// Places in lanes: force and stiffness are those of the law at one place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/contact/crowd/fours.h"
#include "laws/contact/touch.h"
#include <stdlib.h>

static unsigned long long seed;

// Between 0 and 1.
static double any(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double within(double low, double high) { return low + (high - low) * any(); }
static bool often(double share) { return any() < share; }

static vec3 any_vec3(double size)
{
    return (vec3){ within(-size, size), within(-size, size), within(-size, size) };
}

static void any_place(touch_values *v, touch_motion *t)
{
    *v = (touch_values){ .law = TOUCH_KELVIN_VOIGT, .hysteresis = within(0.2, 1.0), .limit = INFINITY };
    v->stiffness = within(1e3, 1e5);
    v->damping = within(0.0, 500.0);
    v->give = often(0.5) ? 1.0 : any();
    v->held = v->kept = 1.0;
    v->friction = within(0.0, 1.0);
    v->sliding = 0.8 * v->friction;
    v->stick_stiffness = within(1e3, 1e5);
    v->stick_damping = within(10.0, 100.0);
    v->stick_speed = INFINITY;
    *t = (touch_motion){ .depth = within(-1e-3, 3e-3), .normal = vec3_normalized(any_vec3(1.0)) };
    t->velocity = any_vec3(often(0.5) ? 1e-3 : 1.0);
    t->is_held = often(0.7);
    t->is_new = !t->is_held;
    t->is_sliding = t->is_held && often(0.3);
    t->stretch = t->is_held ? any_vec3(2e-3) : (vec3){ 0.0, 0.0, 0.0 };
    t->step = 1e-3;
    t->is_spent = often(0.5);
}

static void put(place_four *f, int i, const touch_values *v, const touch_motion *t, vec3 off)
{
    four3_put(&f->normal, i, t->normal);
    four3_put(&f->off, i, off);
    four3_put(&f->velocity, i, t->velocity);
    four3_put(&f->stretch, i, t->stretch);
    f->depth[i] = t->depth;
    f->stiffness[i] = v->stiffness;
    f->damping[i] = v->damping;
    f->back[i] = v->hysteresis * v->damping;
    f->step[i] = t->step;
    f->is_new[i] = t->is_new;
    f->is_spent[i] = t->is_spent;
    f->lost[i] = 1.0 - v->give;
    f->stick[i] = v->stick_stiffness;
    f->held[i] = t->is_held ? v->stick_stiffness : 0.0;
    f->stick_damping[i] = v->stick_damping;
    f->friction[i] = touch_limit(v, t);
    f->beyond[i] = t->is_held && !t->is_sliding ? touch_beyond : 0.0;
}

// The motion of a place after the first has moved.
static touch_motion moved(const touch_motion *t, vec3 e, double rate)
{
    touch_motion m = *t;
    m.depth -= vec3_dot(t->normal, e);
    m.velocity = vec3_add_scaled(t->velocity, rate, e);
    m.stretch = vec3_add(t->stretch, e);
    m.stretch = t->is_held ? m.stretch : (vec3){ 0.0, 0.0, 0.0 };
    return m;
}

static void assert_close(double is, double should, double size)
{
    assert_true(fabs(is - should) <= 1e-11 * size);
}

static void test_force_is_that_of_the_law(void **state)
{
    (void)state;
    seed = 7;
    for (int k = 0; k < 5000; k++) {
        touch_values v[4];
        touch_motion t[4];
        vec3 off[4], shift = any_vec3(1e-3), turn = any_vec3(1e-3);
        place_four f = { 0 };
        for (int i = 0; i < 4; i++) {
            any_place(&v[i], &t[i]);
            off[i] = any_vec3(1.0);
            put(&f, i, &v[i], &t[i], off[i]);
        }
        four_meet(&f, wide3_of(shift), wide3_of(turn), 2000.0);
        for (int i = 0; i < 4; i++) {
            vec3 e = vec3_add(shift, vec3_cross(turn, off[i])), is = four3_get(&f.force, i);
            touch_motion m = moved(&t[i], e, 2000.0);
            touch_force should = { 0 };
            if (m.depth > 0.0) {
                should = touch_eval(&v[i], &m, TOUCH_FORCE);
            }
            double size = 1.0 + vec3_norm(should.force);
            assert_close(is.x, should.force.x, size);
            assert_close(is.y, should.force.y, size);
            assert_close(is.z, should.force.z, size);
            assert_close(f.push[i], should.push, size);
            assert_close(f.elastic[i], should.elastic, size);
            assert_int_equal(f.is_slipping[i] > 0.0, should.is_slipping);
        }
    }
}

// The stiffness is minus the change of the forces, where friction sticks, or with its limit as it is; here along
// the normal, and along a tangent while it sticks.
static void test_stiffness_is_the_change_of_the_force(void **state)
{
    (void)state;
    seed = 11;
    int n_compared = 0;
    for (int k = 0; k < 2000; k++) {
        touch_values v;
        touch_motion t;
        place_four f = { 0 };
        f.depth = four_of(-1.0);
        f.step = four_of(1.0);
        any_place(&v, &t);
        v.friction *= 50.0;
        v.sliding *= 50.0;
        put(&f, 0, &v, &t, (vec3){ 0.0, 0.0, 0.0 });
        four_meet(&f, wide3_zero(), wide3_zero(), 100.0);
        if (!(f.push[0] > 1.0) || f.is_slipping[0] > 0.0) {
            continue;
        }
        wide_mat3 S = wide_mat3_zero(), mixed = S, turn = S;
        four_stiffen(&f, &S, &mixed, &turn);
        vec3 way = vec3_scale(1e-9, vec3_normalized(any_vec3(1.0)));
        place_four ahead = f, back = f;
        four_meet(&ahead, wide3_of(way), wide3_zero(), 100.0);
        four_meet(&back, wide3_of(vec3_neg(way)), wide3_zero(), 100.0);
        vec3 change = vec3_scale(-0.5, vec3_sub(four3_get(&ahead.force, 0), four3_get(&back.force, 0)));
        vec3 told = mat3_apply(wide_mat3_narrow(&S), way);
        double size = vec3_norm(told) + 1e-4;
        assert_true(vec3_norm(vec3_sub(change, told)) < 1e-3 * size);
        n_compared++;
    }
    assert_true(n_compared > 200);
}

// Turns about the first place: moments and forces by the arms.
static void test_stiffness_of_turns(void **state)
{
    (void)state;
    seed = 3;
    place_four f = { 0 };
    for (int i = 0; i < 4; i++) {
        touch_values v;
        touch_motion t;
        any_place(&v, &t);
        t.depth = 1e-3;
        put(&f, i, &v, &t, any_vec3(1.0));
    }
    four_meet(&f, wide3_zero(), wide3_zero(), 100.0);
    wide_mat3 S = wide_mat3_zero(), mixed = S, turn = S;
    four_stiffen(&f, &S, &mixed, &turn);
    vec3 by = any_vec3(1.0), force = { 0.0, 0.0, 0.0 }, moment = force;
    for (int i = 0; i < 4; i++) {
        vec3 off = four3_get(&f.off, i), e = vec3_cross(by, off), n = four3_get(&f.normal, i),
             s = four3_get(&f.slid, i);
        vec3 one = vec3_scale(f.across[i], e);
        one = vec3_add_scaled(one, (f.along[i] - f.across[i]) * vec3_dot(n, e), n);
        one = vec3_add_scaled(one, -f.across[i] * vec3_dot(s, e), s);
        force = vec3_add(force, one);
        moment = vec3_add(moment, vec3_cross(off, one));
    }
    vec3 is = mat3_apply(wide_mat3_narrow(&mixed), by), turned = mat3_apply(wide_mat3_narrow(&turn), by);
    assert_close(vec3_norm(vec3_sub(is, force)), 0.0, vec3_norm(force));
    assert_close(vec3_norm(vec3_sub(turned, moment)), 0.0, vec3_norm(moment));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_is_that_of_the_law),
        cmocka_unit_test(test_stiffness_is_the_change_of_the_force),
        cmocka_unit_test(test_stiffness_of_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
