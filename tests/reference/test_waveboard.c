// SPDX-License-Identifier: MIT
// The waveboard of seed 001 against every number it prints and against independent solutions of its equations
// (models/waveboard/README.md says where the references come from and how accurate they are).
#include "reference/waveboard.h"
#include <stdlib.h>

static void expect_printed(run_model *run, const char *channel, double printed, double last_digit)
{
    double value = run_read(run, channel);
    if (!(fabs(value - printed) <= 0.5 * last_digit * (1.0 + 1e-9))) {
        fail_msg("%s is %.8f, printed is %.8g", channel, value, printed);
    }
}

// ---- printed numbers ----------------------------------------------------------------------------------------------

static void test_inverse_cases_start_where_the_document_says(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        double z21, beta, xi1, xi2;
    } printed[] = { { "inverse1", 0.0789, 0.0109, 0.5127, 0.5119 },
                    { "inverse4", 0.0683, 0.0094, 0.3397, 0.3389 },
                    { "inverse5", 0.0898, 0.0124, 0.6858, 0.6848 } };
    for (int k = 0; k < 3; k++) {
        run_model run = wave_open(&(wave_case){ .name = printed[k].run });
        expect_printed(&run, "z21", printed[k].z21, 1e-4);
        expect_printed(&run, "beta", printed[k].beta, 1e-4);
        expect_printed(&run, "xi1", printed[k].xi1, 1e-4);
        expect_printed(&run, "xi2", printed[k].xi2, 1e-4);
        run_close(&run);
    }
}

static void test_direct_cases_start_with_the_printed_state(void **state)
{
    (void)state;
    static const char *const rest[] = { "d_y21",   "d_z21",  "d_alpha", "d_beta",
                                        "d_gamma", "d_th52", "d_th32",  "d_th65" };
    run_model run = wave_open(&(wave_case){ .name = "direct1" });
    expect_printed(&run, "z21", 0.0804, 1e-4);
    expect_printed(&run, "beta", 0.0, 1e-4);
    expect_printed(&run, "xi1", 0.5236, 1e-4);
    expect_printed(&run, "xi2", 0.5236, 1e-4);
    expect_printed(&run, "d_x21", 5.0, 1e-9);
    expect_printed(&run, "d_th43", 125.0, 1e-9);
    expect_printed(&run, "d_th76", 125.0, 1e-9);
    expect_printed(&run, "d_xi1", -125.0, 1e-9);
    expect_printed(&run, "d_xi2", -125.0, 1e-9);
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        expect_printed(&run, rest[k], 0.0, 1e-9);
    }
    run_close(&run);

    run = wave_open(&(wave_case){ .name = "direct2" });
    expect_printed(&run, "z21", 0.0804, 1e-4);
    expect_printed(&run, "beta", 0.0, 1e-4);
    expect_printed(&run, "xi1", 0.5236, 1e-4);
    expect_printed(&run, "xi2", 0.5236, 1e-4);
    expect_printed(&run, "d_x21", 5.0001, 1e-4);
    expect_printed(&run, "d_z21", -0.0002, 1e-4);
    expect_printed(&run, "d_beta", 0.0, 1e-4);
    expect_printed(&run, "d_th32", -4.6650, 1e-4);
    expect_printed(&run, "d_th65", 4.6650, 1e-4);
    expect_printed(&run, "d_th76", 125.0, 1e-4);
    expect_printed(&run, "d_xi1", -125.0202, 1e-4);
    expect_printed(&run, "d_xi2", -125.0202, 1e-4);
    run_close(&run);
}

// Printed are -12.1100 and -17.1746; the first carries 2e-3 of the document's own integration.
static void test_multipliers_at_seven_and_a_quarter_seconds(void **state)
{
    (void)state;
    run_model run = wave_open(&(wave_case){ .name = "inverse1" });
    wave_inverse(&run, 7.25);
    run_expect("waveboard lam1 converged", fabs(run_read(&run, "lam1") + 12.111964), 1e-6);
    run_expect("waveboard lam2 converged", fabs(run_read(&run, "lam2") + 17.174582), 1e-6);
    expect_printed(&run, "lam2", -17.1746, 1e-4);
    expect_printed(&run, "lam1", -12.1100, 4e-3);
    run_close(&run);
}

// ---- the balance that holds --------------------------------------------------------------------------------------------

static const struct {
    const char *body;
    double mass;
} weights[] = { { "board2", 1.143 }, { "caster3", 0.252 }, { "wheel4", 0.105 },
                { "board5", 1.143 }, { "caster6", 0.252 }, { "wheel7", 0.105 } };

static void add_accelerometers(bi_model *m)
{
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        char name[64];
        snprintf(name, sizeof name, "felt.%s", weights[k].body);
        bi_add_output(m, &(bi_output_def){ .name = name,
                                           .kind = BI_OUT_ACCELEROMETER,
                                           .body = bi_model_body(m, weights[k].body) });
    }
}

static double part(run_model *run, const char *body, const char *component)
{
    char name[64];
    snprintf(name, sizeof name, "felt.%s.%s", body, component);
    return run_read(run, name);
}

// -(lam1 + lam2) = sum m (a_z + g) - F2x A2zx - F2y A2zy - F5y A5zy, at any instant; the document says that it is the
// weight, 29.43 N.
static void test_vertical_forces_balance_at_any_instant(void **state)
{
    (void)state;
    run_model run = wave_open(&(wave_case){ .name = "inverse1", .dt = 1e-3, .prepare = add_accelerometers });
    double worst = 0.0, from_weight = 0.0;
    for (int i = 0; i <= 30; i++) {
        wave_inverse(&run, 0.05 * i);
        bi_view view = bi_sim_view(run.sim);
        double supply = 0.0;
        for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
            bi_vec3 felt = { part(&run, weights[k].body, "x"), part(&run, weights[k].body, "y"),
                             part(&run, weights[k].body, "z") };
            supply += weights[k].mass * run_turn(view.pose[run_body(&run, weights[k].body)].rot, felt).z;
        }
        bi_quat two = view.pose[run_body(&run, "board2")].rot, five = view.pose[run_body(&run, "board5")].rot;
        supply -= run_read(&run, "F2x") * run_turn(two, (bi_vec3){ 1, 0, 0 }).z;
        supply -= run_read(&run, "F2y") * run_turn(two, (bi_vec3){ 0, 1, 0 }).z;
        supply -= run_read(&run, "F5y") * run_turn(five, (bi_vec3){ 0, 1, 0 }).z;
        double sum = run_read(&run, "lam1") + run_read(&run, "lam2");
        worst = fmax(worst, fabs(sum + supply));
        from_weight = fmax(from_weight, i >= 20 ? fabs(sum + 29.43) : 0.0);
    }
    // forces reach 200 N in the first instants, accelerations 1e4 rad/s2: 1e-9 of them
    run_expect("waveboard vertical balance", worst, 2e-7);
    // the periodic motion goes down to -36.37 N
    assert_true(from_weight > 5.0);
    run_close(&run);
}

// ---- what the parameters do ---------------------------------------------------------------------------------------------

typedef struct {
    double M2x, M5x, th32, z21; // amplitudes; mean
    double low, high;           // of lam1 + lam2
} gait;

// One period of the periodic motion, a hundred samples.
static gait measure_gait(const char *name, const bi_setting *setting)
{
    run_model run = wave_open(
        &(wave_case){ .name = name, .dt = 1e-3, .settings = setting, .n_settings = setting != NULL });
    gait g = { .low = INFINITY, .high = -INFINITY };
    wave_follow(&run, 1.0);
    for (int k = 0; k < 100; k++) {
        wave_inverse(&run, 1.0 + 0.01 * k);
        g.M2x = fmax(g.M2x, fabs(run_read(&run, "M2x")));
        g.M5x = fmax(g.M5x, fabs(run_read(&run, "M5x")));
        g.th32 = fmax(g.th32, fabs(run_read(&run, "th32")));
        g.z21 += 0.01 * run_read(&run, "z21");
        double sum = run_read(&run, "lam1") + run_read(&run, "lam2");
        g.low = fmin(g.low, sum);
        g.high = fmax(g.high, sum);
    }
    run_close(&run);
    return g;
}

static void test_moments_grow_with_the_stiffness_as_tabulated(void **state)
{
    (void)state;
    static const char *const run[] = { "inverse1", "inverse2", "inverse3" };
    static const double M2x[] = { 39.9367430, 79.9212023, 159.8901209 };
    static const double M5x[] = { 38.4510895, 78.4266541, 158.3777833 };
    for (int k = 0; k < 3; k++) {
        gait g = measure_gait(run[k], NULL);
        run_expect("waveboard M2x amplitude", fabs(g.M2x - M2x[k]), 1e-5);
        run_expect("waveboard M5x amplitude", fabs(g.M5x - M5x[k]), 1e-5);
        // forces and multipliers do not depend on it
        run_expect("waveboard least lam1 + lam2", fabs(g.low + 36.3692746), 1e-5);
        run_expect("waveboard most lam1 + lam2", fabs(g.high + 26.1014577), 1e-5);
    }
}

static void test_inclination_moves_height_and_caster_angle_as_the_document_says(void **state)
{
    (void)state;
    gait thirty = measure_gait("inverse1", NULL), twenty = measure_gait("inverse4", NULL),
         forty = measure_gait("inverse5", NULL);
    run_expect("waveboard height 30", fabs(thirty.z21 - 0.078588), 5e-6);
    run_expect("waveboard height 20", fabs(twenty.z21 - 0.068086), 5e-6);
    run_expect("waveboard height 40", fabs(forty.z21 - 0.089300), 5e-6);
    run_expect("waveboard caster 30", fabs(thirty.th32 - 0.45644), 1e-5);
    run_expect("waveboard caster 20", fabs(twenty.th32 - 0.64335), 1e-5);
    run_expect("waveboard caster 40", fabs(forty.th32 - 0.37199), 1e-5);
}

// ---- curves -----------------------------------------------------------------------------------------------------------

typedef enum { COORDINATE, RATE, SECOND, FORCE, N_CLASS } column_class;

static column_class class_of(const char *name)
{
    if (strncmp(name, "dd_", 3) == 0) {
        return SECOND;
    }
    if (strncmp(name, "d_", 2) == 0) {
        return RATE;
    }
    return strncmp(name, "lam", 3) == 0 || name[0] == 'F' || name[0] == 'M' ? FORCE : COORDINATE;
}

typedef struct {
    double worst[N_CLASS];
} curve_errors;

// Every column that is a channel, at the present instant, against row k.
static void compare_row(run_model *run, const bi_table *table, int k, curve_errors *e)
{
    for (int c = 1; c < table->columns; c++) {
        bi_channel channel = bi_find_channel(run->system, table->name[c]);
        if (channel.i == 0) {
            assert_string_equal(table->name[c], "M5x_codesign");
            continue;
        }
        double error = fabs(bi_sim_read(run->sim, channel) - table->value[c][k]);
        double *worst = &e->worst[class_of(table->name[c])];
        *worst = error <= *worst ? *worst : error;
    }
}

static void expect_curves(const char *name, const curve_errors *e, const double limit[N_CLASS])
{
    static const char *const of[N_CLASS] = { "coordinates", "rates", "accelerations", "forces" };
    for (int k = 0; k < N_CLASS; k++) {
        char text[80];
        snprintf(text, sizeof text, "waveboard %s %s", name, of[k]);
        run_expect(text, e->worst[k], limit[k]);
    }
}

// The references are good to 2e-8 in coordinates, 1.3e-4 in forces, 1e-3 in accelerations.
static void test_inverse_curves_agree_with_the_reference(void **state)
{
    (void)state;
    static const double limit[N_CLASS] = { 2e-8, 2e-6, 1e-3, 1.3e-4 };
    for (int c = 1; c <= 5; c++) {
        char name[32], file[48];
        snprintf(name, sizeof name, "inverse%d", c);
        snprintf(file, sizeof file, "reference-inverse%d.csv", c);
        bi_table table = run_reference("waveboard", file);
        run_model run = wave_open(&(wave_case){ .name = name });
        curve_errors e = { 0 };
        for (int k = 0; k < table.rows; k++) {
            wave_inverse(&run, table.value[0][k]);
            compare_row(&run, &table, k, &e);
        }
        run_close(&run);
        bi_table_clear(&table);
        expect_curves(name, &e, limit);
    }
}

static curve_errors direct_errors(const wave_case *what, const char *file)
{
    bi_table table = run_reference("waveboard", file);
    run_model run = wave_open(what);
    curve_errors e = { 0 };
    for (int k = 0; k < table.rows; k++) {
        assert_true(run_to(&run, table.value[0][k]));
        compare_row(&run, &table, k, &e);
    }
    run_close(&run);
    bi_table_clear(&table);
    return e;
}

// 1.4e-6 on spin angles of 1250 rad; multipliers 6e-5.
static void test_direct_curves_agree_with_the_reference(void **state)
{
    (void)state;
    static const double first[N_CLASS] = { 1.4e-6, 1e-6, 0.0, 6e-5 },
                        second[N_CLASS] = { 1e-7, 1e-5, 0.0, 6e-5 };
    curve_errors e = direct_errors(&(wave_case){ .name = "direct1" }, "reference-direct1.csv");
    expect_curves("direct1", &e, first);
    e = direct_errors(&(wave_case){ .name = "direct2" }, "reference-direct2.csv");
    expect_curves("direct2", &e, second);
}

// The annex puts +k th52 on board 5 as well: an external couple.
static void test_sign_of_the_annex_agrees_with_its_reference(void **state)
{
    (void)state;
    static const double limit[N_CLASS] = { 1e-8, 1e-6, 0.0, 6e-5 };
    curve_errors e = direct_errors(&(wave_case){ .name = "direct2-annex" }, "reference-direct2-annex.csv");
    expect_curves("direct2 annex", &e, limit);

    static const char *const run[] = { "inverse1", "inverse2", "inverse3" };
    static const double M5x[] = { 41.5605721, 81.5450314, 161.5139499 };
    for (int k = 0; k < 3; k++) {
        gait g = measure_gait(run[k], &(bi_setting){ "annex", "1" });
        run_expect("waveboard M5x amplitude annex", fabs(g.M5x - M5x[k]), 1e-5);
    }
}

// Straight ahead the board has the mass 3 kg and that of its wheels, 2 I / R^2 = 0.1 kg.
static void test_air_and_rolling_resistance_slow_the_board_down(void **state)
{
    (void)state;
    const double mass = 3.1, v = 5.0, t = 2.0;
    run_model run = wave_open(
        &(wave_case){ .name = "direct1", .settings = &(bi_setting){ "drag", "0.3" }, .n_settings = 1 });
    run_to(&run, t);
    run_expect("waveboard air", fabs(run_read(&run, "d_x21") - v / (1.0 + 2.0 * 0.3 * v * t / mass)), 1e-8);
    run_close(&run);
    run = wave_open(
        &(wave_case){ .name = "direct1", .settings = &(bi_setting){ "rolling", "0.01" }, .n_settings = 1 });
    run_to(&run, t);
    run_expect("waveboard rolling", fabs(run_read(&run, "d_x21") - (v - 0.01 * 29.43 / mass * t)), 1e-8);
    run_close(&run);
}

static void test_first_direct_case_rolls_straight_for_ten_seconds(void **state)
{
    (void)state;
    run_model run = wave_open(&(wave_case){ .name = "direct1" });
    run_to(&run, 10.0);
    run_expect("waveboard x21 after 10 s", fabs(run_read(&run, "x21") - 50.0), 1e-6);
    run_expect("waveboard z21 after 10 s", fabs(run_read(&run, "z21") - 0.0803589838486), 1e-9);
    run_expect("waveboard lam1 rolling", fabs(run_read(&run, "lam1") + 12.12951), 1e-5);
    run_expect("waveboard lam2 rolling", fabs(run_read(&run, "lam2") + 17.30049), 1e-5);
    run_close(&run);
}

static void test_second_direct_case_falls(void **state)
{
    (void)state;
    run_model run = wave_open(&(wave_case){ .name = "direct2" });
    run_to(&run, 0.3);
    expect_printed(&run, "alpha", 1.245, 1e-3);
    run_to(&run, 0.45);
    expect_printed(&run, "z21", -0.0686, 1e-4);
    run_close(&run);
}

// Natural coordinates see the wheels turn 125 rad/s in points and vectors: order four in the step.
static void test_both_formulations_agree_on_the_direct_cases(void **state)
{
    (void)state;
    static const double first[N_CLASS] = { 1e-4, 1e-4, 0.0, 6e-5 },
                        second[N_CLASS] = { 2e-6, 3e-5, 0.0, 1e-4 };
    curve_errors e = direct_errors(&(wave_case){ .name = "direct1", .is_natural = true, .dt = 2.5e-4 },
                                   "reference-direct1.csv");
    expect_curves("direct1 natural", &e, first);
    e = direct_errors(&(wave_case){ .name = "direct2", .is_natural = true }, "reference-direct2.csv");
    expect_curves("direct2 natural", &e, second);
}

static void test_inverse_dynamics_are_the_same_in_natural_coordinates(void **state)
{
    (void)state;
    static const char *const channel[] = { "F2x",  "F2y",  "M2x",  "F5y",  "M5x",
                                           "lam1", "lam2", "lam8", "th32", "z21" };
    run_model joint = wave_open(&(wave_case){ .name = "inverse1" });
    run_model natural = wave_open(&(wave_case){ .name = "inverse1", .is_natural = true });
    wave_inverse(&joint, 0.5);
    wave_inverse(&natural, 0.5);
    for (size_t k = 0; k < sizeof channel / sizeof *channel; k++) {
        run_expect(channel[k], fabs(run_read(&joint, channel[k]) - run_read(&natural, channel[k])), 1e-4);
    }
    run_close(&joint);
    run_close(&natural);
}

// ---- actions fed back ----------------------------------------------------------------------------------------------------

enum { SAMPLES = 1201 };

// Actions of the gait from 0.9 s on, every millisecond; with them, and alpha a thousandth off, the board falls as the
// reference that knew them exactly: errors grow e-fold in 0.1 s, so 1e-7 at the start may be 1e-4 after 0.7 s.
static void test_open_loop_falls_like_the_reference(void **state)
{
    (void)state;
    static double t[SAMPLES], tau[5][SAMPLES];
    run_model run = wave_open(&(wave_case){ .name = "inverse1" });
    wave_follow(&run, 0.9);
    for (int k = 0; k < SAMPLES; k++) {
        double row[5];
        t[k] = 0.9 + 0.001 * k;
        wave_follow(&run, t[k]);
        assert_int_equal(bi_inverse(run.sim, row, &run.report), BI_OK);
        for (int i = 0; i < 5; i++) {
            tau[i][k] = row[i];
        }
    }
    run_close(&run);

    bi_report report = { 0 };
    bi_run file;
    run = (run_model){ .dt = 2.5e-4, .coordinates = BI_JOINT };
    run.model =
        bi_read_model(BI_SOURCE_DIR "/models/waveboard/model.yaml", NULL, 0, "inverse1", &file, &report);
    run_require(run.model && report.errors == 0, &report, "the model file has mistakes");
    for (int i = 0; i < 5; i++) {
        assert_true(bi_action_samples(run.model, bi_action_at(run.model, i), SAMPLES, t, tau[i], &report));
    }
    run_compile(&run, BI_INDEX1_RK4);
    wave_follow(&run, 1.0);
    bi_offset offset = { "base.angle1", 1e-3 };
    run_require(bi_imposed_offset(run.sim, &offset, 1, &report) == BI_OK, &report, "no offset");

    bi_table table = run_reference("waveboard", "reference-openloop.csv");
    curve_errors early = { 0 }, late = { 0 };
    for (int k = 0; k < table.rows; k++) {
        assert_true(run_to(&run, table.value[0][k]));
        compare_row(&run, &table, k, table.value[0][k] <= 1.5 ? &early : &late);
    }
    static const double at_first[N_CLASS] = { 1e-6, 1e-5, 0.0, 1e-5 },
                        in_the_end[N_CLASS] = { 1e-4, 1e-3, 0.0, 1e-5 };
    expect_curves("open loop to 0.5 s", &early, at_first);
    expect_curves("open loop to 1 s", &late, in_the_end);
    bi_table_clear(&table);
    bi_report_clear(&report);
    run_close(&run);
}

static void test_computed_torque_returns_to_the_gait(void **state)
{
    (void)state;
    static const double limit[N_CLASS] = { 1e-6, 1e-5, 0.0, 1.3e-4 };
    run_model run = wave_open(&(wave_case){ .name = "inverse1", .dt = 1e-3 });
    wave_follow(&run, 1.0);
    const bi_offset offset[] = { { "base.angle1", 0.03 }, { "th52.angle", -0.05 }, { "th32.angle", 0.1 } };
    run_require(bi_imposed_offset(run.sim, offset, 3, &run.report) == BI_OK, &run.report, "no offset");
    bi_table table = run_reference("waveboard", "reference-closedloop.csv");
    curve_errors e = { 0 };
    for (int k = 0; k < table.rows; k++) {
        for (double left = table.value[0][k] - run_now(&run); left > 1e-9 || k == 0;
             left = table.value[0][k] - run_now(&run)) {
            double to = left > 1.5e-3 ? run_now(&run) + 1e-3 : table.value[0][k];
            if (bi_feedback_step_to(run.sim, to, 100.0, 20.0) != BI_OK) {
                fail_msg("feedback: %s", bi_sim_failure(run.sim));
            }
            if (k == 0) {
                break;
            }
        }
        compare_row(&run, &table, k, &e);
    }
    // the reference starts from th32 of its own integration, 1e-7 beside ours (th65 and th76 carry it)
    expect_curves("closed loop", &e, limit);
    double gait_alpha = 0.3 * sin(2.0 * run_pi * run_now(&run));
    run_expect("waveboard alpha back on the gait", fabs(run_read(&run, "alpha") - gait_alpha), 1e-9);
    bi_table_clear(&table);
    run_close(&run);
}

// ---- wheels that pull ------------------------------------------------------------------------------------------------------

static void test_pulling_wheels_are_told_by_their_force(void **state)
{
    (void)state;
    run_model run = wave_open(&(wave_case){ .name = "inverse1" });
    assert_int_equal(bi_touch_count(run.system), 2);
    assert_string_equal(bi_touch_name(run.system, 1), "wheel7");
    wave_inverse(&run, 0.01);
    // sum of the multipliers is +164.67 N here (reference)
    double pull = bi_sim_touch(run.sim, 0) + bi_sim_touch(run.sim, 1);
    run_expect("waveboard pull at 0.01 s", fabs(pull + 164.6709910882), 1e-4);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_cases_start_where_the_document_says),
        cmocka_unit_test(test_direct_cases_start_with_the_printed_state),
        cmocka_unit_test(test_multipliers_at_seven_and_a_quarter_seconds),
        cmocka_unit_test(test_vertical_forces_balance_at_any_instant),
        cmocka_unit_test(test_moments_grow_with_the_stiffness_as_tabulated),
        cmocka_unit_test(test_inclination_moves_height_and_caster_angle_as_the_document_says),
        cmocka_unit_test(test_inverse_curves_agree_with_the_reference),
        cmocka_unit_test(test_direct_curves_agree_with_the_reference),
        cmocka_unit_test(test_first_direct_case_rolls_straight_for_ten_seconds),
        cmocka_unit_test(test_second_direct_case_falls),
        cmocka_unit_test(test_sign_of_the_annex_agrees_with_its_reference),
        cmocka_unit_test(test_air_and_rolling_resistance_slow_the_board_down),
        cmocka_unit_test(test_both_formulations_agree_on_the_direct_cases),
        cmocka_unit_test(test_inverse_dynamics_are_the_same_in_natural_coordinates),
        cmocka_unit_test(test_open_loop_falls_like_the_reference),
        cmocka_unit_test(test_computed_torque_returns_to_the_gait),
        cmocka_unit_test(test_pulling_wheels_are_told_by_their_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
