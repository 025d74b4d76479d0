// SPDX-License-Identifier: MIT
// Steady turns found as equilibria: they stay for a minute, they are those of closed forms, small motions about straight ones
// are those of bi_linearize, and what has none is refused.
#include "support/run_model.h"
#include <biela/loop.h>
#include <biela/turn.h>
#include <stdlib.h>

typedef struct {
    const char *model, *run, *body;
    bi_setting setting[6];
    int n_setting;
    const char *input[2];
    int n_input;
    double speed, lateral, dt;
} turn_case;

typedef struct {
    run_model run;
    bi_input input[2];
    bi_turn_def def;
    bi_turn turn;
    bi_status status;
} turned;

static turned turn_of(const turn_case *c)
{
    turned t = { .run = run_open(&(run_case){ .model = c->model,
                                              .run = c->run,
                                              .settings = c->setting,
                                              .n_settings = c->n_setting,
                                              .coordinates = BI_JOINT,
                                              .dt = c->dt }) };
    for (int k = 0; k < c->n_input; k++) {
        t.input[k] = bi_find_input(t.run.system, c->input[k]);
        assert_true(t.input[k].i > 0);
    }
    t.def = (bi_turn_def){ .speed = c->speed,
                           .lateral = c->lateral,
                           .body = bi_model_body(t.run.model, c->body),
                           .n_input = c->n_input };
    t.def.input = t.input;
    t.status = bi_steady_turn(t.run.sim, &t.def, &t.turn, &t.run.report);
    return t;
}

static const turn_case car = { .model = "car",
                               .body = "chassis",
                               .setting = { { "hand", "1" }, { "course", "0" }, { "steer", "0" } },
                               .n_setting = 3,
                               .input = { "angle", "pedal" },
                               .n_input = 2,
                               .speed = 20.0,
                               .lateral = 4.0,
                               .dt = 1e-3 };
static const turn_case clio = { .model = "clio",
                                .run = "ramp",
                                .body = "body",
                                .setting = { { "steer_rate", "0" } },
                                .n_setting = 1,
                                .input = { "wheel", "throttle" },
                                .n_input = 2,
                                .speed = 18.0,
                                .lateral = 3.0 };
static const turn_case bicycle = { .model = "bicycle",
                                   .body = "frame0",
                                   .input = { "steer", "pedal" },
                                   .n_input = 2,
                                   .speed = 4.5,
                                   .lateral = 1.0 };

// ---- a minute ------------------------------------------------------------------------------------------------------

// The steps know nothing of the search. What they may change: their own error, and what is left of the search (1e-9 m/s2),
// over the slowest mode, 1/0.04 s: 1e-7 of the yaw rate is twenty times that.
static void stays(const turn_case *c, const char *yaw_rate)
{
    turned t = turn_of(c);
    run_require(t.status == BI_OK, &t.run.report, "there is a steady turn");
    double wanted = c->lateral / c->speed, worst = 0.0, speed = 0.0;
    bi_body body = t.def.body;
    for (int k = 0; k <= 60; k++) {
        run_to(&t.run, k);
        bi_twist w = bi_sim_view(t.run.sim).twist[body.i - 1];
        worst = fmax(worst, fabs(run_read(&t.run, yaw_rate) / wanted - 1.0));
        speed = fmax(speed, fabs(hypot(w.lin.x, w.lin.y) / c->speed - 1.0));
    }
    char name[96];
    snprintf(name, sizeof name, "%s, yaw rate of a steady turn over a minute", c->model);
    run_expect(name, worst, 1e-7);
    snprintf(name, sizeof name, "%s, its speed", c->model);
    run_expect(name, speed, 1e-7);
    run_close(&t.run);
}

static void the_car_turns_for_a_minute(void **state)
{
    (void)state;
    stays(&car, "chassis.wz");
}

static void the_clio_turns_for_a_minute(void **state)
{
    (void)state;
    stays(&clio, "body.wz");
}

static void the_bicycle_turns_for_a_minute(void **state)
{
    (void)state;
    stays(&bicycle, "d_psi");
}

// ---- closed forms ------------------------------------------------------------------------------------------------------

// A disc that rolls round a circle leans so that g tan(lean) = 1.5 a + r/4 (a/v)^2 sin(lean): weight and force of the ground
// turn its angular momentum.
static void a_disc_leans_as_it_must(void **state)
{
    (void)state;
    turned t = turn_of(&(turn_case){ .model = "rolling-disc", .body = "disc", .speed = 3.0, .lateral = 2.0 });
    run_require(t.status == BI_OK, &t.run.report, "there is a steady turn");
    bi_quat q = bi_sim_view(t.run.sim).pose[t.def.body.i - 1].rot;
    double sine = fabs(2.0 * (q.y * q.z + q.w * q.x)), lean = asin(sine);
    double gap = 9.81 * tan(lean) - 1.5 * 2.0 - 0.125 * (2.0 / 3.0) * (2.0 / 3.0) * sine;
    // rounding of second rates, 1e-9 of the speed at most
    run_expect("rolling disc, balance of a steady turn", fabs(gap), 1e-8);
    run_close(&t.run);
}

// Side forces of the tyres are mass times lateral acceleration, their loads the weight.
static void the_forces_of_the_car_balance(void **state)
{
    (void)state;
    turned t = turn_of(&car);
    run_require(t.status == BI_OK, &t.run.report, "there is a steady turn");
    double angle = bi_sim_input_values(t.run.sim)[t.input[0].i - 1], along = 0.0, across = 0.0, up = 0.0;
    for (int k = 0; k < 4; k++) {
        static const char *const tyre[] = { "tyre00", "tyre01", "tyre10", "tyre11" };
        double f[3], turn = k < 2 ? 0.0 : angle;
        for (int i = 0; i < 3; i++) {
            char name[32];
            snprintf(name, sizeof name, "%s.f%c", tyre[k], "xyz"[i]);
            f[i] = run_read(&t.run, name);
        }
        along += cos(turn) * f[0] - sin(turn) * f[1];
        across += sin(turn) * f[0] + cos(turn) * f[1];
        up += f[2];
    }
    // towards the centre: the velocity is off the car's axis by the sideslip; masses stand at slightly other radii, by the
    // roll of 0.08 rad and heights of 0.25 m: 0.02 m of 100, and wheels by their own acceleration
    double inward = across * cos(t.turn.sideslip) - along * sin(t.turn.sideslip);
    run_expect("car, weight", fabs(up / (1280.0 * 9.81) - 1.0), 1e-9);
    run_expect("car, force towards the centre", fabs(inward / (1280.0 * 4.0) - 1.0), 1e-3);
    run_close(&t.run);
}

// ---- small motions ----------------------------------------------------------------------------------------------------

// Every eigenvalue of bi_linearize of the same straight motion is one of the turn's with a lateral acceleration of zero.
static void agree(const turn_case *c)
{
    turn_case straight = *c;
    straight.lateral = 0.0;
    turned t = turn_of(&straight);
    run_require(t.status == BI_OK, &t.run.report, "straight on is steady");
    t.def.input = t.input;
    bi_turn_modes m = { 0 };
    bi_linear l = { 0 };
    run_require(bi_turn_linearize(t.run.sim, &t.def, &m, &t.run.report) == BI_OK, &t.run.report, "linear");
    run_require(bi_linearize(t.run.sim, &l, &t.run.report) == BI_OK, &t.run.report, "modes");
    double worst = 0.0;
    int compared = 0;
    for (int k = 0; k < l.n_value; k++) {
        double size = hypot(l.re[k], l.im[k]), best = INFINITY;
        for (int i = 0; i < m.n; i++) {
            best = fmin(best, hypot(m.re[i] - l.re[k], m.im[i] - l.im[k]));
        }
        if (size > 0.02) { // below are coordinates that nothing depends on
            worst = fmax(worst, best / size);
            compared++;
        }
    }
    char name[96];
    snprintf(name, sizeof name, "%s, eigenvalues of straight motion", c->model);
    assert_true(compared > 2);
    // differences of order four with steps of 1e-4, where the other has order eight: 1e-8 of stiff tyres' second rates
    run_expect(name, worst, 1e-5);
    bi_turn_modes_clear(&m);
    bi_linear_clear(&l);
    run_close(&t.run);
}

static void straight_on_the_modes_are_those_of_bi_linearize(void **state)
{
    (void)state;
    agree(&clio);
    agree(&bicycle);
}

// x = -A^-1 b: where a held input brings it (n). By elimination with the largest pivots.
static void rest_of(int n, const double *A, const double *b, double *x)
{
    double *M = malloc((size_t)(n * (n + 1)) * sizeof *M);
    assert_non_null(M);
    for (int i = 0; i < n; i++) {
        memcpy(&M[i * (n + 1)], &A[i * n], (size_t)n * sizeof *M);
        M[i * (n + 1) + n] = -b[i];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(M[i * (n + 1) + k]) > fabs(M[best * (n + 1) + k]) ? i : best;
        }
        for (int j = k; j <= n; j++) {
            double held = M[k * (n + 1) + j];
            M[k * (n + 1) + j] = M[best * (n + 1) + j];
            M[best * (n + 1) + j] = held;
        }
        for (int i = k + 1; i < n; i++) {
            double share = M[i * (n + 1) + k] / M[k * (n + 1) + k];
            for (int j = k; j <= n; j++) {
                M[i * (n + 1) + j] -= share * M[k * (n + 1) + j];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = M[i * (n + 1) + n];
        for (int j = i + 1; j < n; j++) {
            x[i] -= M[i * (n + 1) + j] * x[j];
        }
        x[i] /= M[i * (n + 1) + i];
    }
    free(M);
}

// Of the coordinates of the chassis (positions, or their rates) the one nearest to a value.
static double nearest(const bi_turn_modes *m, const double *x, bool is_rate, double value)
{
    double best = INFINITY;
    for (int i = is_rate ? m->n_position : 0;
         i < (is_rate ? 2 * m->n_position + 3 : m->n_position) && i < m->n; i++) {
        bool is_chassis = strncmp(m->name[i], "chassis", 7) == 0;
        best = is_chassis && fabs(x[i] - value) < fabs(best - value) ? x[i] : best;
    }
    return best;
}

// Steered a little, the car goes where its linear equations rest: yaw rate and roll per steering of a gentle turn, and the
// yaw gain V/L of a bicycle model with equal axles.
static void the_linear_car_rests_in_its_gentle_turns(void **state)
{
    (void)state;
    turn_case straight = car, gentle = car;
    straight.lateral = 0.0;
    gentle.lateral = 0.05;
    turned t = turn_of(&straight), g = turn_of(&gentle);
    run_require(t.status == BI_OK && g.status == BI_OK, &t.run.report, "both are steady");
    t.def.input = t.input;
    bi_turn_modes m = { 0 };
    run_require(bi_turn_linearize(t.run.sim, &t.def, &m, &t.run.report) == BI_OK, &t.run.report, "linear");
    double *b = malloc((size_t)m.n * sizeof *b), *x = malloc((size_t)m.n * sizeof *x);
    assert_true(b && x);
    for (int i = 0; i < m.n; i++) {
        b[i] = m.B[i * m.n_input];
    }
    rest_of(m.n, m.A, b, x);
    double steer = bi_sim_input_values(g.run.sim)[g.input[0].i - 1];
    double yaw = gentle.lateral / gentle.speed / steer, roll = run_read(&g.run, "attitude.roll") / steer;
    // TMeasy's stiffness along depends on the direction of the slip (tyre.30): at no slip at all it has no tangent, and rear
    // wheels that turn at unequal speeds have slips in both directions
    run_expect("car, yaw gain of its linear equations", fabs(nearest(&m, x, true, yaw) / yaw - 1.0), 1e-2);
    double leans = nearest(&m, x, false, roll), other = nearest(&m, x, false, -roll);
    run_expect("car, roll of its linear equations", fmin(fabs(leans / roll - 1.0), fabs(-other / roll - 1.0)),
               1e-2);
    run_expect("car, yaw gain of a bicycle model with equal axles", fabs(yaw / (20.0 / 2.6) - 1.0), 1e-2);
    free(b);
    free(x);
    bi_turn_modes_clear(&m);
    run_close(&t.run);
    run_close(&g.run);
}

// ---- refusals ---------------------------------------------------------------------------------------------------------

static bool says(const bi_report *report, const char *words)
{
    for (int k = 0; k < report->count; k++) {
        if (strstr(report->issue[k].what, words)) {
            return true;
        }
    }
    return false;
}

static void beyond_its_tyres_there_is_none_and_the_sim_stays(void **state)
{
    (void)state;
    turn_case fast = car;
    fast.lateral = 0.0;
    turned t = turn_of(&fast);
    uint64_t before = bi_sim_hash(t.run.sim);
    t.def.input = t.input;
    t.def.lateral = 12.0;
    assert_int_equal(bi_steady_turn(t.run.sim, &t.def, &t.turn, &t.run.report), BI_NOT_STEADY);
    assert_true(says(&t.run.report, "no steady turn") && says(&t.run.report, "the last one found"));
    assert_true(t.turn.lateral > 8.0 && t.turn.lateral < 10.0);
    assert_true(bi_sim_hash(t.run.sim) == before);
    run_close(&t.run);
}

static void without_a_throttle_the_speed_is_told(void **state)
{
    (void)state;
    turn_case none = clio;
    none.n_input = 1;
    none.speed = 20.0;
    turned t = turn_of(&none);
    assert_int_equal(t.status, BI_NOT_STEADY);
    run_close(&t.run);
}

static void a_model_that_stands_and_natural_coordinates_are_refused(void **state)
{
    (void)state;
    turn_case still = car;
    still.setting[3] = (bi_setting){ "v", "0" };
    still.n_setting = 4;
    turned t = turn_of(&still);
    assert_int_equal(t.status, BI_NOT_STEADY);
    assert_true(says(&t.run.report, "the model stands"));
    run_close(&t.run);
    run_model natural = run_open(&(run_case){ .model = "rolling-disc", .coordinates = BI_NATURAL });
    assert_int_equal(bi_steady_turn(natural.sim, &(bi_turn_def){ .speed = 2.0 }, NULL, &natural.report),
                     BI_BAD_MODEL);
    assert_true(says(&natural.report, "joint coordinates"));
    run_close(&natural);
}

static void a_snapshot_holds_the_turn(void **state)
{
    (void)state;
    turned t = turn_of(&clio);
    size_t size = bi_sim_save(t.run.sim, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    bi_sim_save(t.run.sim, bytes, size);
    run_to(&t.run, 1.0);
    uint64_t once = bi_sim_hash(t.run.sim);
    assert_int_equal(bi_sim_load(t.run.sim, bytes, size), BI_OK);
    run_to(&t.run, 1.0);
    assert_true(bi_sim_hash(t.run.sim) == once);
    free(bytes);
    run_close(&t.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_car_turns_for_a_minute),
        cmocka_unit_test(the_clio_turns_for_a_minute),
        cmocka_unit_test(the_bicycle_turns_for_a_minute),
        cmocka_unit_test(a_disc_leans_as_it_must),
        cmocka_unit_test(the_forces_of_the_car_balance),
        cmocka_unit_test(straight_on_the_modes_are_those_of_bi_linearize),
        cmocka_unit_test(the_linear_car_rests_in_its_gentle_turns),
        cmocka_unit_test(beyond_its_tyres_there_is_none_and_the_sim_stays),
        cmocka_unit_test(without_a_throttle_the_speed_is_told),
        cmocka_unit_test(a_model_that_stands_and_natural_coordinates_are_refused),
        cmocka_unit_test(a_snapshot_holds_the_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
