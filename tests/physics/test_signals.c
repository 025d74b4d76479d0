// SPDX-License-Identifier: MIT
// Signals at work against closed forms, with implicit and explicit steps.
#include "support/text_model.h"

#define BLOCK                                                                                                \
    "gravity: [0, 0, 0]\n"                                                                                   \
    "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"                                                 \
    "joints: {rail: {type: prismatic, bodies: [ground, block], axis: [1, 0, 0]}}\n"

// ---- filters ------------------------------------------------------------------------------------------------------

// First order of sin t from rest: (sin t - T cos t + T exp(-t/T)) / (1 + T^2); second order of t: t - 2 T + (t + 2 T) exp(-t/T).
static double filter_error(bi_scheme scheme, double dt)
{
    run_model run = text_run(&(text_case){ BLOCK "signals:\n"
                                                 "  slow: {type: filter, input: wave, time: 0.3}\n"
                                                 "  wave: sin(t)\n"
                                                 "  slower: {type: filter, input: t, time: 0.2, order: 2}\n"
                                                 "outputs: {slow: slow, slower: slower, twice: 2*slow + t}\n",
                                           BI_NATURAL, scheme, dt });
    run_to(&run, 0.5);
    double first = (sin(0.5) - 0.3 * cos(0.5) + 0.3 * exp(-0.5 / 0.3)) / 1.09;
    double second = 0.5 - 0.4 + (0.5 + 0.4) * exp(-2.5);
    double error = fmax(fabs(run_read(&run, "slow") - first), fabs(run_read(&run, "slower") - second));
    error = fmax(error, fabs(run_read(&run, "twice") - 2.0 * first - 0.5));
    run_close(&run);
    return error;
}

static void test_filters_follow_their_closed_forms(void **state)
{
    (void)state;
    double coarse = filter_error(BI_ALI3P, 2e-2), fine = filter_error(BI_ALI3P, 1e-2);
    run_expect("filters, implicit", fine, 1e-4);
    run_expect_order_two("filters, implicit", coarse, fine);
    // the fourth order rule: (h/T)^4 / 120 with h/T = 0.05
    run_expect("filters, explicit", filter_error(BI_INDEX1_RK4, 1e-2), 1e-6);
}

// A time constant far below the step: the trapezoidal rule neither blows up nor needs a smaller step.
static void test_filter_faster_than_the_step_stays_bounded(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ BLOCK "signals: {fast: {type: filter, input: sin(t), time: 1e-6}}\n"
                                     "outputs: {fast: fast}\n",
                               BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 1.0);
    // follows with the error of the ramp in a step: h^2 / 8 of the curvature, and its own sign-changing start, of order h
    run_expect("fast filter", fabs(run_read(&run, "fast") - sin(1.0)), 1e-2);
    run_close(&run);
}

// ---- guides ---------------------------------------------------------------------------------------------------------

// A driver's step on a smoothed guide: 1 - (1 + t/T) exp(-t/T), its rate, and the force of its acceleration. The input is
// known at the end of a step and ramps up in it: the answer of a step half of dt later, to second order.
static void test_guide_smooths_a_step_of_its_input(void **state)
{
    (void)state;
    const double T = 0.1, dt = 1e-3;
    run_model run = text_run(
        &(text_case){ BLOCK "inputs: {wheel: 0}\n"
                            "constraints: {drive: {type: guide, joint: rail, value: wheel, smooth: 0.1 s}}\n"
                            "outputs: {x: {joint: rail}, f: {effort: drive}, w: wheel}\n",
                      BI_NATURAL, BI_ALI3P, dt });
    bi_sim_input(run.sim, bi_find_input(run.system, "wheel"), 1.0);
    run_to(&run, 0.25);
    double s = (0.25 - 0.5 * dt) / T, decay = exp(-s);
    assert_true(run_read(&run, "w") == 1.0);
    run_expect("smoothed guide", fabs(run_read(&run, "x.position") - (1.0 - (1.0 + s) * decay)), 2e-5);
    run_expect("smoothed guide rate", fabs(run_read(&run, "x.rate") - s * decay / T), 2e-4);
    run_expect("smoothed guide force", fabs(run_read(&run, "f") - 2.0 * (1.0 - s) * decay / (T * T)), 2e-2);
    run_close(&run);
}

// The same by kinematics alone: the filter goes on from instant to instant.
static void test_kinematics_follows_a_smoothed_guide(void **state)
{
    (void)state;
    const double T = 0.1, dt = 1e-3;
    for (int c = 0; c < 2; c++) {
        run_model run = text_run(
            &(text_case){ BLOCK "inputs: {wheel: 0}\n"
                                "signals: {calm: {type: filter, input: wheel, time: 0.1, order: 2}}\n"
                                "constraints: {drive: {type: guide, joint: rail, value: calm}}\n"
                                "outputs: {x: {joint: rail}}\n",
                          c == 0 ? BI_NATURAL : BI_JOINT, BI_ALI3P, dt });
        bi_sim_input(run.sim, bi_find_input(run.system, "wheel"), 1.0);
        for (int k = 1; k <= 250; k++) {
            assert_int_equal(bi_kinematics_step_to(run.sim, k * dt), BI_OK);
        }
        double s = (0.25 - 0.5 * dt) / T, decay = exp(-s);
        run_expect("kinematics, filtered guide",
                   fabs(run_read(&run, "x.position") - (1.0 - (1.0 + s) * decay)), 2e-5);
        run_expect("kinematics, filtered guide rate", fabs(run_read(&run, "x.rate") - s * decay / T), 2e-4);
        run_close(&run);
    }
}

// Points of sin t over a period: no curvature at its ends, as the spline has it.
static void test_guide_follows_a_table_with_rate_and_acceleration(void **state)
{
    (void)state;
    char text[4096];
    int used = snprintf(text, sizeof text, "%s", BLOCK "tables: {path: {points: [");
    for (int k = 0; k <= 64; k++) {
        double t = 2.0 * run_pi * k / 64.0;
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s[%.15g, %.15g]", k ? ", " : "", t, sin(t));
    }
    snprintf(text + used, sizeof text - (size_t)used,
             "]}}\nsignals: {along: {type: table, table: path}}\n"
             "constraints: {drive: {type: guide, joint: rail, value: 0.5*along}}\n"
             "outputs: {x: {joint: rail}, f: {effort: drive}}\n");
    for (int c = 0; c < 2; c++) {
        run_model run = text_run(&(text_case){ text, c == 0 ? BI_NATURAL : BI_JOINT, BI_ALI3P, 1e-3 });
        run_to(&run, 2.0);
        // spline of spacing h = 0.098: 5/384 h^4, h^3/24, h^2/8 of the amplitude for value, rate, acceleration
        run_expect("table guide", fabs(run_read(&run, "x.position") - 0.5 * sin(2.0)), 1e-6);
        run_expect("table guide rate", fabs(run_read(&run, "x.rate") - 0.5 * cos(2.0)), 2e-5);
        run_expect("table guide force", fabs(run_read(&run, "f") + sin(2.0)), 1.5e-3);
        run_close(&run);
    }
}

// ---- rate limit, switch, expressions of signals -----------------------------------------------------------------------

static void test_rate_limit_ramps_and_then_follows(void **state)
{
    (void)state;
    run_model run = text_run(
        &(text_case){ BLOCK "inputs: {lever: 0}\n"
                            "signals: {slow: {type: rate-limit, input: lever, rising: 2, falling: 5}}\n"
                            "outputs: {slow: slow}\n",
                      BI_NATURAL, BI_ALI3P, 1e-3 });
    bi_input lever = bi_find_input(run.system, "lever");
    run_to(&run, 0.1);
    bi_sim_input(run.sim, lever, 1.0);
    run_to(&run, 0.4);
    run_expect("rising", fabs(run_read(&run, "slow") - 0.6), 1e-12);
    run_to(&run, 0.7);
    assert_true(run_read(&run, "slow") == 1.0);
    bi_sim_input(run.sim, lever, -1.0);
    run_to(&run, 0.8);
    run_expect("falling", fabs(run_read(&run, "slow") - 0.5), 1e-12);
    run_close(&run);
}

// Straight between records 2 ms apart, 0.5 s / 252, or steps of 1 ms: (2e-3 s)^2 / 8 of the curvature 9 of sin 3t.
static void test_delay_gives_the_input_of_some_time_ago(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){ BLOCK "signals:\n"
                                                 "  late: {type: delay, input: sin(3*t), time: 0.5}\n"
                                                 "  soon: {type: delay, input: sin(3*t), time: 0.0004}\n"
                                                 "outputs: {late: late, soon: soon}\n",
                                           BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 0.3);
    run_expect("delay before the start", fabs(run_read(&run, "late")), 1e-15);
    run_to(&run, 4.1);
    run_expect("delay", fabs(run_read(&run, "late") - sin(3.0 * 3.6)), 1e-5);
    run_expect("delay within a step", fabs(run_read(&run, "soon") - sin(3.0 * 4.0996)), 2e-6);
    run_close(&run);
}

// sin t passes 0.5 at pi/6 and falls below -0.5 at 7 pi/6.
static void test_switch_has_hysteresis(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK "signals: {mode: {type: switch, input: sin(t), on: 0.5, off: -0.5, low: 3, high: 7}}\n"
              "outputs: {mode: mode}\n",
        BI_NATURAL, BI_ALI3P, 1e-2 });
    double changed[2] = { 0.0, 0.0 };
    int n = 0;
    double last = run_read(&run, "mode");
    assert_true(last == 3.0);
    while (run_now(&run) < 6.0) {
        run_step(&run);
        double now = run_read(&run, "mode");
        if (now != last) {
            assert_true(n < 2);
            changed[n++] = run_now(&run);
        }
        last = now;
    }
    assert_int_equal(n, 2);
    // seen at the end of the step in which it happens
    assert_true(changed[0] >= run_pi / 6.0 && changed[0] <= run_pi / 6.0 + 0.0201);
    assert_true(changed[1] >= 7.0 * run_pi / 6.0 && changed[1] <= 7.0 * run_pi / 6.0 + 0.0201);
    run_close(&run);
}

// ---- PID ------------------------------------------------------------------------------------------------------------------

enum { N = 5 };

// exp(A t) by its series on a scaled matrix, squared back.
static void exponential(const double A[N][N], double t, double E[N][N])
{
    enum { HALVINGS = 16, TERMS = 12 };
    double scale = t / (double)(1 << HALVINGS), term[N][N] = { { 0 } }, next[N][N];
    memset(E, 0, N * N * sizeof(double));
    for (int i = 0; i < N; i++) {
        E[i][i] = term[i][i] = 1.0;
    }
    for (int k = 1; k <= TERMS + HALVINGS; k++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0.0;
                for (int l = 0; l < N; l++) {
                    sum += k <= TERMS ? term[i][l] * A[l][j] * scale / k : E[i][l] * E[l][j];
                }
                next[i][j] = sum;
            }
        }
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                term[i][j] = k <= TERMS ? next[i][j] : 0.0;
                E[i][j] = k <= TERMS ? E[i][j] + next[i][j] : next[i][j];
            }
        }
    }
}

// 2 kg held by a PID on its place, setpoint 1 from t = 0 on: states x, v, filtered error, integral, and 1.
static double pid_error(bi_scheme scheme, double dt)
{
    const double kp = 80.0, ki = 60.0, kd = 20.0, T = 0.02, m = 2.0;
    run_model run =
        text_run(&(text_case){ BLOCK "signals:\n"
                                     "  control: {type: pid, setpoint: 1, measured: rail.position, "
                                     "proportional: 80, integral: 60, derivative: 20, "
                                     "filter: 0.02}\n"
                                     "forces: {push: {type: torque, joint: rail, torque: control}}\n"
                                     "outputs: {x: {joint: rail}}\n",
                               BI_NATURAL, scheme, dt });
    // e = 1 - x, z' = (e - z)/T, I' = ki e, m v' = kp e + I + kd (e - z)/T
    const double A[N][N] = { { 0, 1, 0, 0, 0 },
                             { -(kp + kd / T) / m, 0, -kd / T / m, 1.0 / m, (kp + kd / T) / m },
                             { -1.0 / T, 0, -1.0 / T, 0, 1.0 / T },
                             { -ki, 0, 0, 0, ki },
                             { 0, 0, 0, 0, 0 } };
    const double start[N] = { 0, 0, 1, 0, 1 }; // the filtered error begins at the error: no kick
    double worst = 0.0;
    for (int k = 1; k <= 10; k++) {
        double E[N][N], x = 0.0, v = 0.0;
        run_to(&run, 0.1 * k);
        exponential(A, 0.1 * k, E);
        for (int j = 0; j < N; j++) {
            x += E[0][j] * start[j];
            v += E[1][j] * start[j];
        }
        worst = fmax(worst, fabs(run_read(&run, "x.position") - x));
        worst = fmax(worst, 0.1 * fabs(run_read(&run, "x.rate") - v));
    }
    run_close(&run);
    return worst;
}

static void test_pid_loop_follows_the_matrix_exponential(void **state)
{
    (void)state;
    double coarse = pid_error(BI_ALI3P, 2e-3), fine = pid_error(BI_ALI3P, 1e-3);
    run_expect("pid, implicit", fine, 2e-3);
    run_expect_order_two("pid, implicit", coarse, fine);
    // (h/T)^4 / 120
    run_expect("pid, explicit", pid_error(BI_INDEX1_RK4, 1e-3), 1e-6);
}

// A far setpoint: the output stays in its limits, and the integral that follows them lets go in time.
static double overshoot(const char *tracking, double *left)
{
    char text[1024];
    snprintf(text, sizeof text,
             BLOCK "signals:\n"
                   "  control: {type: pid, setpoint: 10, measured: rail.position, proportional: 20, "
                   "integral: 8, derivative: 20, lower: -5, upper: 5, "
                   "tracking: %s}\n"
                   "forces: {push: {type: torque, joint: rail, torque: control}}\n"
                   "outputs: {x: {joint: rail}, u: control}\n",
             tracking);
    run_model run = text_run(&(text_case){ text, BI_NATURAL, BI_ALI3P, 5e-3 });
    double most = 0.0;
    for (int k = 0; k < 8000; k++) {
        run_step(&run);
        assert_true(fabs(run_read(&run, "u")) <= 5.0);
        most = fmax(most, run_read(&run, "x.position"));
    }
    *left = fabs(run_read(&run, "x.position") - 10.0);
    run_close(&run);
    return most - 10.0;
}

static void test_limited_pid_does_not_wind_up(void **state)
{
    (void)state;
    double left, windup;
    double with = overshoot("0.2", &left), without = overshoot("1e6", &windup);
    run_expect("limited pid arrives", left, 1e-6);
    printf("measured overshoot with tracking %.3f, without %.3f\n", with, without);
    // the same gains without tracking wind up and swing: the test can fail
    assert_true(with < 0.1 * without && windup > 1.0);
}

// ---- mistakes ------------------------------------------------------------------------------------------------------------

static void test_mistakes_of_signals_and_tables_are_told(void **state)
{
    (void)state;
    text_expect_mistake(BLOCK "signals: {a: b + 1, b: {type: filter, input: c, time: 1}, c: 2*a}\n",
                        "a -> b -> c -> a");
    text_expect_mistake(BLOCK "signals: {a: 2*a}\n", "a -> a");
    text_expect_mistake(BLOCK "signals: {a: {type: effort, of: pump}}\n",
                        "the name of a force or constraint");
    text_expect_mistake(BLOCK "tables: {k: {points: [[0, 0], [0, 1]]}}\n", "each x larger");
    text_expect_mistake(BLOCK "tables: {k: {points: [[0, 0], [1, 1]], outside: periodic}}\n", "periodic");
    text_expect_mistake(BLOCK "tables: {k: {file: nowhere.csv}}\n", "nowhere.csv");
    text_expect_mistake(BLOCK "tables: {k: {points: [[0, 0], [1, 1]], interpolation: cubik}}\n",
                        "did you mean 'cubic'");
    text_expect_mistake(BLOCK "signals: {s: {type: table, table: kk}}\n", "no table called 'kk'");
    text_expect_mistake(BLOCK "inputs: {u: 0}\nsignals: {u: 2*t}\n", "already a parameter or an input");
    text_expect_mistake(
        BLOCK "signals: {s: rail.position}\nconstraints: {g: {type: guide, joint: rail, value: s}}\n",
        "no joint");
    text_expect_mistake(
        BLOCK "forces: {b: {type: bushing, a: {body: block}, b: {body: ground}, stiffness: [1, 2, 3]}}\n",
        "6|21|36");
    text_expect_mistake(BLOCK
                        "forces: {b: {type: spring, a: {body: block}, b: {body: ground}, only: pull}}\n",
                        "both,tension,compression");
}

static void test_table_read_outside_with_error_refuses_the_step_by_name(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK "signals: {s: {type: table, table: {points: [[0, 0], [0.1, 1]], outside: error}}}\n"
              "forces: {push: {type: torque, joint: rail, torque: s}}\n",
        BI_NATURAL, BI_ALI3P, 1e-2 });
    bi_status status = BI_OK;
    for (int k = 0; k < 20 && status == BI_OK; k++) {
        status = bi_sim_step(run.sim);
    }
    assert_int_equal(status, BI_NOT_FINITE);
    assert_true(run_now(&run) > 0.08 && run_now(&run) < 0.12);
    assert_non_null(strstr(bi_sim_failure(run.sim), "signal s"));
    run_close(&run);
}

// cam.csv lies beside the model: lift in mm against angle in degrees, 10 (k)^2 at 90 k.
static void test_table_from_a_file_has_its_columns_and_units(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK
        "tables: {cam: {file: cam.csv, columns: [angle, lift], units: [deg, mm], interpolation: linear}}\n"
        "signals: {lift: {type: table, table: cam, input: pi/4*t}}\n"
        "outputs: {lift: lift}\n",
        BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 3.0);
    // 135 degrees: half way between 10 and 40 mm
    run_expect("table of a file", fabs(run_read(&run, "lift") - 0.025), 1e-15);
    run_close(&run);
    text_expect_mistake(BLOCK "tables: {cam: {file: cam.csv, columns: [angle, lifd]}}\n",
                        "did you mean 'lift'");
    text_expect_mistake(BLOCK "tables: {cam: {file: cam.csv, units: [deg, mmm]}}\n", "mmm");
}

// A constraint written as an expression follows a signal with rate and acceleration: 2 kg on 0.3 t^2 need 1.2 N. A signal that
// reads a joint would be part of the constraint: refused.
static void test_written_constraint_follows_a_signal(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ BLOCK "signals: {path: 0.3*t^2}\n"
                                     "constraints: {c: {type: expression, zero: rail.position - path}}\n"
                                     "outputs: {x: rail.position, v: rail.rate, f: {effort: c}}\n",
                               BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 0.5);
    run_expect("position", fabs(run_read(&run, "x") - 0.075), 1e-12);
    run_expect("rate", fabs(run_read(&run, "v") - 0.3), 1e-9);
    run_expect("effort", fabs(run_read(&run, "f") - 1.2), 1e-6);
    run_close(&run);
}

// ---- actuators and efforts ------------------------------------------------------------------------------------------

#define LIFT                                                                                                 \
    BLOCK "inputs: {lever: 0}\n"                                                                             \
          "constraints: {drive: {type: guide, joint: rail, value: lift}}\n"                                  \
          "outputs: {x: rail.position, v: rail.rate, pull: pull, drive: {effort: drive}}\n"

// The trapezoid of 3 m at 0.53 m/s and 1 m/s2: 0.53 s up, 3/0.53 - 0.53 s even, 0.53 s down; exact at instants of steps.
static void test_actuator_follows_its_trapezoid_to_the_end_of_the_stroke(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ LIFT "signals:\n"
                                    "  lift: {type: actuator, input: lever, speed: 0.53, speed_back: 0.5, "
                                    "acceleration: 1, lower: 0.2, upper: 3.2, start: 0.2}\n"
                                    "  pull: {type: effort, of: drive}\n",
                               BI_NATURAL, BI_ALI3P, 5e-3 });
    bi_input lever = bi_find_input(run.system, "lever");
    bi_sim_input(run.sim, lever, 1.0);
    run_to(&run, 0.3);
    run_expect("speeding up", fabs(run_read(&run, "x") - 0.2 - 0.045), 1e-9);
    // the effort of a block, as the multipliers of the step have it of 2 kg at 1 m/s2
    run_expect("effort told to signals", fabs(run_read(&run, "pull") - 2.0), 1e-2);
    run_to(&run, 3.0);
    run_expect("even", fabs(run_read(&run, "x") - 0.2 - 0.53 * (3.0 - 0.265)), 1e-9);
    run_to(&run, 6.0);
    // one step may pass before it sees that it must brake: 5 ms of 0.53 m/s at most
    double left = 3.0 / 0.53 + 0.53 - 6.0;
    run_expect("slowing down", fabs(3.2 - 0.5 * left * left - run_read(&run, "x")), 3e-3);
    run_to(&run, 6.5);
    run_expect("at the end", fabs(run_read(&run, "x") - 3.2), 1e-6);
    bi_sim_input(run.sim, lever, -0.5);
    run_to(&run, 7.5);
    // half the acceleration to half the speed
    run_expect("back", fabs(run_read(&run, "v") + 0.25), 1e-9);
    bi_sim_input(run.sim, lever, 0.0);
    run_to(&run, 7.8);
    run_expect("released", fabs(run_read(&run, "v")), 1e-9);
    run_close(&run);
}

// Friction of 4 N s/m and a gauge: the speed grows until the force is at its limit of 3 N, and no further: 0.75 m/s less the 0.1 m/s
// that the 0.4 N of the acceleration are worth, or somewhat more by the delay of the gauge.
static void test_actuator_beyond_its_load_accelerates_no_more(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ LIFT "signals:\n"
                                    "  lift: {type: actuator, input: lever, speed: 5, "
                                    "acceleration: 0.2, load: pull, load_lower: -9, load_upper: 3}\n"
                                    "  pull: {type: effort, of: drive, time: 0.1}\n"
                                    "forces: {rub: {type: torsion-spring, joint: rail, damping: 4}}\n",
                               BI_JOINT, BI_ALI3P, 1e-2 });
    bi_sim_input(run.sim, bi_find_input(run.system, "lever"), 1.0);
    run_to(&run, 10.0);
    double v = run_read(&run, "v");
    assert_true(v > 0.60 && v < 0.80);
    run_expect("limit of the load", fabs(run_read(&run, "pull") - 3.0), 0.2);
    run_close(&run);
}

static void test_servo_goes_to_its_input_and_stays(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ LIFT "signals:\n"
                                    "  lift: {type: actuator, servo: true, input: lever, speed: 1, "
                                    "acceleration: 4}\n"
                                    "  pull: {type: effort, of: drive}\n",
                               BI_JOINT, BI_ALI3P, 5e-3 });
    bi_sim_input(run.sim, bi_find_input(run.system, "lever"), -0.7);
    run_to(&run, 0.5);
    // 0.25 s to full speed, then even: -(0.125 + 0.25)
    run_expect("on the way", fabs(run_read(&run, "x") + 0.375), 1e-9);
    run_to(&run, 1.5);
    run_expect("there", fabs(run_read(&run, "x") + 0.7), 1e-6);
    run_close(&run);
}

// A snapshot in the middle, with filters, integrals, rate limits and switches, goes on bit by bit.
static void test_snapshot_keeps_the_states_of_signals(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK
        "inputs: {u: 0.5}\n"
        "signals:\n"
        "  f: {type: filter, input: sin(5*t), time: 0.1, order: 2}\n"
        "  l: {type: rate-limit, input: step(t - 0.2), rising: 1}\n"
        "  w: {type: switch, input: f, on: 0.1, off: -0.1}\n"
        "  a: {type: actuator, input: sin(9*t), speed: 1, acceleration: 3, load: e, load_lower: 0, "
        "load_upper: 0.8}\n"
        "  e: {type: effort, of: push}\n"
        "  c: {type: pid, setpoint: f + l + w*u + a, measured: rail.position, proportional: 30, integral: "
        "9}\n"
        "forces: {push: {type: motor, joint: rail, command: c, time: 0.05}, rub: {type: joint-friction, "
        "joint: rail, "
        "coulomb: 1, inertia: 2}}\n",
        BI_NATURAL, BI_ALI3P, 1e-3 });
    static char buffer[65536];
    run_to(&run, 0.7);
    size_t size = bi_sim_save(run.sim, buffer, sizeof buffer);
    assert_true(size <= sizeof buffer);
    run_to(&run, 1.2);
    uint64_t wanted = bi_sim_hash(run.sim);
    assert_int_equal(bi_sim_load(run.sim, buffer, size), BI_OK);
    run_to(&run, 1.2);
    assert_true(bi_sim_hash(run.sim) == wanted);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_follow_their_closed_forms),
        cmocka_unit_test(test_filter_faster_than_the_step_stays_bounded),
        cmocka_unit_test(test_guide_smooths_a_step_of_its_input),
        cmocka_unit_test(test_kinematics_follows_a_smoothed_guide),
        cmocka_unit_test(test_guide_follows_a_table_with_rate_and_acceleration),
        cmocka_unit_test(test_rate_limit_ramps_and_then_follows),
        cmocka_unit_test(test_delay_gives_the_input_of_some_time_ago),
        cmocka_unit_test(test_switch_has_hysteresis),
        cmocka_unit_test(test_pid_loop_follows_the_matrix_exponential),
        cmocka_unit_test(test_limited_pid_does_not_wind_up),
        cmocka_unit_test(test_written_constraint_follows_a_signal),
        cmocka_unit_test(test_actuator_follows_its_trapezoid_to_the_end_of_the_stroke),
        cmocka_unit_test(test_actuator_beyond_its_load_accelerates_no_more),
        cmocka_unit_test(test_servo_goes_to_its_input_and_stays),
        cmocka_unit_test(test_mistakes_of_signals_and_tables_are_told),
        cmocka_unit_test(test_table_read_outside_with_error_refuses_the_step_by_name),
        cmocka_unit_test(test_table_from_a_file_has_its_columns_and_units),
        cmocka_unit_test(test_snapshot_keeps_the_states_of_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
