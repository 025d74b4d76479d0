// SPDX-License-Identifier: MIT
// Hits of one ball on a wall against closed forms and an independent integration of the same laws: what comes back,
// how long it takes, how deep and how hard; drops that bounce several times.
//
// tests/reference/data/impact_laws.csv, impact_history.csv, impact_drops.csv: 1 kg, k = 1e8 N/m^1.5, made by integration
// with located events to 1e-11 or better. Column law: the place in `names`, -1 Kelvin-Voigt with k = 1e5 N/m, -2 Hertz
// with a dissipation of 0.3 s/m.
#include "support/text_model.h"

static const char *const names[] = {
    "exact",    "hunt-crossley", "lankarani-nikravesh", "flores", "herbert-mcwhannell", "lee-wang",
    "gonthier", "hu-guo"
};

typedef struct {
    double gravity, gap, speed; // m/s2, m, m/s downwards
    char law[160];
    double dt;
    bi_coordinates coordinates;
} throw;

static run_model start(const throw *t)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, %.17g]\n"
        "bodies: {ball: {mass: 1, inertia: {sphere: 0.05}, at: [0, 0, %.17g], velocity: [0, 0, %.17g]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.05}}\n"
        "forces: {hit: {type: contact, a: ball, b: floor, %s}}\n"
        "outputs: {P: {point: {body: ball}}, hit: {contact: hit}}\n"
        "events: {lands: {type: touch, contact: hit}, leaves: {type: release, contact: hit}}\n",
        -t->gravity, 0.05 + t->gap, -t->speed, t->law);
    return text_run(&(text_case){ text, t->coordinates, BI_ALI3P, t->dt });
}

static void hertz_by_name(int law, double restitution, throw *out)
{
    snprintf(out->law, sizeof out->law, "law: hertz, stiffness: 1e8, restitution: %.17g, restitution_law: %s",
             restitution, names[law]);
}

// ---- one hit without weight ------------------------------------------------------------------------------------

typedef struct {
    double back, force, depth; // m/s, N, m
} outcome;

static outcome until_apart(run_model *run, double time)
{
    outcome o = { 0 };
    while (run_now(run) < time) {
        run_step(run);
        o.force = fmax(o.force, run_read(run, "hit.normal"));
        o.depth = fmax(o.depth, run_read(run, "hit.depth"));
    }
    o.back = run_read(run, "P.vz");
    return o;
}

// 200 to 400 steps a hit: the trapezoidal rule leaves (pi/200)^2/12 = 2e-5, the step of the first touch, where the
// speed of the impact is that at its end, 1/200 of a force that is still small.
static void test_restitution_laws_give_back_what_their_factors_say(void **state)
{
    (void)state;
    bi_table data = run_data("impact_laws.csv");
    const double *law = run_reference_column(&data, "law"), *asked = run_reference_column(&data, "e_nominal"),
                 *v0 = run_reference_column(&data, "v0"), *e = run_reference_column(&data, "e_effective"),
                 *time = run_reference_column(&data, "contact_time"),
                 *force = run_reference_column(&data, "peak_force"),
                 *depth = run_reference_column(&data, "max_depth");
    double worst_e = 0.0, worst_time = 0.0, worst_force = 0.0, worst_depth = 0.0;
    assert_int_equal(data.rows, 40);
    for (int k = 0; k < data.rows; k++) {
        throw t = {
            .gap = 1e-6, .speed = v0[k], .dt = time[k] / 400.0, .coordinates = k % 2 ? BI_JOINT : BI_NATURAL
        };
        hertz_by_name((int)law[k], asked[k], &t);
        run_model run = start(&t);
        outcome o = until_apart(&run, 1.2 * time[k] + 2e-6 / v0[k]);
        bi_event touch, release;
        assert_true(bi_sim_event(run.sim, 0, &touch) && bi_sim_event(run.sim, 1, &release));
        worst_e = fmax(worst_e, fabs(o.back / v0[k] - e[k]) / e[k]);
        worst_time = fmax(worst_time, fabs((release.t - touch.t) / time[k] - 1.0));
        worst_force = fmax(worst_force, fabs(o.force / force[k] - 1.0));
        worst_depth = fmax(worst_depth, fabs(o.depth / depth[k] - 1.0));
        run_close(&run);
    }
    run_expect("named laws: restitution, relative", worst_e, 3e-4);
    run_expect("named laws: time of contact, relative", worst_time, 3e-4);
    run_expect("named laws: largest force, relative", worst_force, 3e-4);
    run_expect("named laws: largest depth, relative", worst_depth, 3e-4);
    bi_table_clear(&data);
}

// Released at zero force: exp(-(pi - 2 phi) tan phi), zeta = sin phi; on four corners as on one point.
static void test_kelvin_voigt_gives_the_restitution_it_was_asked_for(void **state)
{
    (void)state;
    static const double asked[] = { 0.1354, 0.2, 0.5, 0.8, 0.9, 1.0 };
    for (int k = 0; k < 12; k++) {
        throw t = { .gap = 1e-4, .speed = 1.0, .dt = 2e-5, .coordinates = k % 2 ? BI_JOINT : BI_NATURAL };
        snprintf(t.law, sizeof t.law, "stiffness: 1e5, restitution: %.17g", asked[k / 2]);
        run_model run = start(&t);
        run_to(&run, 0.03);
        run_expect("Kelvin-Voigt: restitution asked for", fabs(run_read(&run, "P.vz") / asked[k / 2] - 1.0),
                   1e-3);
        run_close(&run);
    }
    run_model run = text_run(&(text_case){
        "gravity: [0, 0, 0]\n"
        "bodies: {block: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 0.15001], velocity: [0, 0, -1]}}\n"
        "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [1, 0.8, 0.3]}}\n"
        "forces: {feet: {type: contact, a: block, b: floor, stiffness: 1e5, restitution: 0.5}}\n"
        "outputs: {P: {point: {body: block}}}\n",
        BI_NATURAL, BI_ALI3P, 2e-5 });
    run_to(&run, 0.03);
    run_expect("Kelvin-Voigt: restitution of a box", fabs(run_read(&run, "P.vz") / 0.5 - 1.0), 3e-4);
    run_close(&run);
}

// One hit by a row of a table with the columns e, contact_time, peak_force and max_depth; keeps the largest relative differences.
static void compare_hit(const bi_table *data, int k, throw *t, double worst[4])
{
    double v0 = run_reference_column(data, "v0")[k], time = run_reference_column(data, "contact_time")[k];
    t->gap = 1e-6;
    t->speed = v0;
    t->dt = time / 400.0;
    t->coordinates = k % 2 ? BI_JOINT : BI_NATURAL;
    run_model run = start(t);
    outcome o = until_apart(&run, 1.2 * time + 2e-6 / v0);
    bi_event touch, release = { 0 };
    assert_true(bi_sim_event(run.sim, 0, &touch));
    bi_sim_event(run.sim, 1, &release);
    const double found[4] = { o.back / v0, release.t - touch.t, o.force, o.depth };
    static const char *const column[4] = { "e", "contact_time", "peak_force", "max_depth" };
    for (int i = 0; i < 4; i++) {
        worst[i] = fmax(worst[i], fabs(found[i] / run_reference_column(data, column[i])[k] - 1.0));
    }
    run_close(&run);
}

// A constant dissipation gives back less the faster the hit is: 0.05, 0.3 and 1 s/m, 0.01 to 10 m/s.
static void test_constant_dissipation_follows_the_speed(void **state)
{
    (void)state;
    bi_table data = run_data("impact_constant.csv");
    double worst[4] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        throw t = { 0 };
        snprintf(t.law, sizeof t.law, "law: hertz, stiffness: 1e8, dissipation: %.17g", data.value[0][k]);
        compare_hit(&data, k, &t, worst);
    }
    run_expect("constant dissipation: restitution, relative", worst[0], 3e-4);
    run_expect("constant dissipation: time of contact, relative", worst[1], 3e-4);
    run_expect("constant dissipation: largest force, relative", worst[2], 3e-4);
    run_expect("constant dissipation: largest depth, relative", worst[3], 3e-4);
    bi_table_clear(&data);
}

// zeta from 0.01 to 0.95. Events tell when the gap opens, which is later than the release at zero force.
static void test_kelvin_voigt_gives_back_what_its_damping_says(void **state)
{
    (void)state;
    bi_table data = run_data("impact_kelvin.csv");
    double worst[4] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        throw t = { 0 };
        snprintf(t.law, sizeof t.law, "stiffness: 1e5, damping: %.17g", 2.0 * data.value[0][k] * sqrt(1e5));
        compare_hit(&data, k, &t, worst);
    }
    run_expect("Kelvin-Voigt by damping: restitution, relative", worst[0], 3e-4);
    // from zeta = 0.5 on it is that of the touch, c v: the first step has some of it behind
    run_expect("Kelvin-Voigt by damping: largest force, relative", worst[2], 6e-3);
    run_expect("Kelvin-Voigt by damping: largest depth, relative", worst[3], 3e-4);
    bi_table_clear(&data);
}

// zeta, hysteresis and what comes back: the second half of the same closed form with another damping.
static void test_kelvin_voigt_with_hysteresis_gives_back_the_closed_form(void **state)
{
    (void)state;
    static const double row[][3] = { { 0.1, 0.5, 0.79936487986245 },  { 0.1, 1.0, 0.74407939772178 },
                                     { 0.1, 2.0, 0.652242267396643 }, { 0.4, 0.5, 0.455897858520939 },
                                     { 0.4, 1.0, 0.36352686076918 },  { 0.4, 2.0, 0.255648321435389 } };
    for (int k = 0; k < 6; k++) {
        throw t = { .gap = 1e-4, .speed = 1.0, .dt = 2e-5 };
        snprintf(t.law, sizeof t.law, "stiffness: 1e5, damping: %.17g, hysteresis: %g",
                 2.0 * row[k][0] * sqrt(1e5), row[k][1]);
        run_model run = start(&t);
        run_to(&run, 0.03);
        run_expect("Kelvin-Voigt: hysteresis", fabs(run_read(&run, "P.vz") / row[k][2] - 1.0), 3e-4);
        run_close(&run);
    }
}

static void law_of(int law, double restitution, throw *out)
{
    if (law >= 0) {
        hertz_by_name(law, restitution, out);
    } else if (law == -1) {
        snprintf(out->law, sizeof out->law, "stiffness: 1e5, restitution: %.17g", restitution);
    } else {
        snprintf(out->law, sizeof out->law, "law: hertz, stiffness: 1e8, dissipation: 0.3");
    }
}

// Depth over time, of the largest.
static void test_depth_follows_the_reference_during_a_hit(void **state)
{
    (void)state;
    bi_table data = run_data("impact_history.csv");
    const double *law = run_reference_column(&data, "law"), *time = run_reference_column(&data, "t"),
                 *depth = run_reference_column(&data, "depth"),
                 *rate = run_reference_column(&data, "depth_rate");
    run_model run = { 0 };
    double worst = 0.0, worst_rate = 0.0;
    for (int k = 0; k < data.rows; k++) {
        if (k == 0 || law[k] != law[k - 1]) {
            if (k > 0) {
                run_close(&run);
            }
            throw t = { .gap = 1e-9, .speed = 1.0, .dt = 2e-6 };
            law_of((int)law[k], 0.5, &t);
            run = start(&t);
        }
        run_to(&run, time[k]);
        worst = fmax(worst, fabs(0.05 - run_read(&run, "P.z") - depth[k]) / run_range(depth, data.rows));
        worst_rate = fmax(worst_rate, fabs(-run_read(&run, "P.vz") - rate[k]));
    }
    run_close(&run);
    run_expect("hit: depth, of the largest", worst, 3e-4);
    run_expect("hit: speed, of that of the touch", worst_rate, 1e-4);
    bi_table_clear(&data);
}

// ---- drops -----------------------------------------------------------------------------------------------------

// The next highest point after now: its height above rest and its time.
static double next_apex(run_model *run, double until, double *t)
{
    double before = run_read(run, "P.vz");
    while (run_now(run) < until) {
        run_step(run);
        double now = run_read(run, "P.vz");
        if (before > 0.0 && now <= 0.0) {
            *t = run_now(run) + now / 9.81;
            return run_read(run, "P.z") - 0.05 + 0.5 * now * now / 9.81;
        }
        before = now;
    }
    return NAN;
}

// From 0.5 m, with the weight at work during the hit as well; the laws by name take the speed of each touch.
static void test_bouncing_drops_follow_the_reference(void **state)
{
    (void)state;
    bi_table data = run_data("impact_drops.csv");
    const double *law = run_reference_column(&data, "law"), *time = run_reference_column(&data, "t_apex"),
                 *height = run_reference_column(&data, "apex_height"),
                 *bounce = run_reference_column(&data, "bounce");
    run_model run = { 0 };
    double worst = 0.0, worst_time = 0.0;
    for (int k = 0; k < data.rows; k++) {
        if (bounce[k] == 1.0) {
            if (k > 0) {
                run_close(&run);
            }
            throw t = {
                .gravity = 9.81, .gap = 0.5, .dt = 1e-5, .coordinates = k > 8 ? BI_JOINT : BI_NATURAL
            };
            law_of((int)law[k], 0.5, &t);
            run = start(&t);
        }
        double at, found = next_apex(&run, time[k] + 0.05, &at);
        worst = fmax(worst, fabs(found - height[k]));
        worst_time = fmax(worst_time, fabs(at - time[k]));
        assert_true(isfinite(found));
    }
    run_close(&run);
    run_expect("drops: heights, m", worst, 1e-4);
    run_expect("drops: times of the heights, s", worst_time, 2e-4);
    bi_table_clear(&data);
}

// Rigid: each height is e^2 of the one before; 1 m, three bounces. The law is eased so that the weight during the hit
// takes nothing of it (touch.2), as long as the weight counts for less than the hit: 1 % of the speed.
static void test_exact_law_keeps_the_restitution_under_weight(void **state)
{
    (void)state;
    static const double asked[] = { 0.2, 0.5, 0.8 };
    for (int k = 0; k < 6; k++) {
        double e = asked[k / 2], drop = 1.0, at;
        throw t = { .gravity = 9.81, .gap = 1.0, .dt = 2e-5, .coordinates = k % 2 ? BI_JOINT : BI_NATURAL };
        snprintf(t.law, sizeof t.law, "law: hertz, stiffness: 1e7, restitution: %g", e);
        run_model run = start(&t);
        for (int bounce = 0; bounce < (e > 0.3 ? 3 : 2); bounce++) {
            double height = next_apex(&run, 5.0, &at);
            run_expect("exact: restitution under weight", fabs(sqrt(height / drop) / e - 1.0), 0.01);
            drop = height;
        }
        run_close(&run);
    }
}

// ---- refusals --------------------------------------------------------------------------------------------------

static void expect_refusal(const char *law, const char *words)
{
    char text[800];
    snprintf(text, sizeof text,
             "bodies: {ball: {mass: 1, inertia: {sphere: 0.05}, at: [0, 0, 0.1]}}\n"
             "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.05}}\n"
             "forces: {hit: {type: contact, a: ball, b: floor, stiffness: 1e5, %s}}\n",
             law);
    bi_report report = { 0 };
    bi_model *model = text_read(text, &report);
    assert_non_null(model);
    assert_null(bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report));
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, words) != NULL;
    }
    assert_true(is_told);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static void test_restitution_that_no_law_can_give_is_refused(void **state)
{
    (void)state;
    expect_refusal("restitution: 0.1", "must be at least 0.1353");
    expect_refusal("restitution: 1.2", "above 1");
    expect_refusal("restitution: 0.5, damping: 3", "give one of the two");
    expect_refusal("restitution: 0.5, hysteresis: 0.5", "without hysteresis");
    expect_refusal("law: hertz, restitution: 0.5, dissipation: 3", "give one of the two");
    expect_refusal("restitution: 0.5, restitution_law: flores", "is for law: hertz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution_laws_give_back_what_their_factors_say),
        cmocka_unit_test(test_kelvin_voigt_gives_the_restitution_it_was_asked_for),
        cmocka_unit_test(test_constant_dissipation_follows_the_speed),
        cmocka_unit_test(test_kelvin_voigt_gives_back_what_its_damping_says),
        cmocka_unit_test(test_kelvin_voigt_with_hysteresis_gives_back_the_closed_form),
        cmocka_unit_test(test_depth_follows_the_reference_during_a_hit),
        cmocka_unit_test(test_bouncing_drops_follow_the_reference),
        cmocka_unit_test(test_exact_law_keeps_the_restitution_under_weight),
        cmocka_unit_test(test_restitution_that_no_law_can_give_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
