// SPDX-License-Identifier: MIT
// The forklift against its data sheet, an independent static calculation of its stability and an independent simulation of its
// roll-over (models/forklift/README.md says where they come from).
#include "support/run_model.h"
#include <stdlib.h>

enum { MOST_SETTINGS = 12 };

// Values of parameters; copies are their own.
typedef struct {
    const char *name[MOST_SETTINGS];
    double value[MOST_SETTINGS];
    int count;
} settings;

static void set(settings *s, const char *name, double value)
{
    assert_true(s->count < MOST_SETTINGS);
    s->name[s->count] = name;
    s->value[s->count++] = value;
}

// `prepare` may add to the model before it is compiled; NULL: nothing.
static run_model opened_with(const settings *s, bi_coordinates coordinates, double dt,
                             void (*prepare)(bi_model *))
{
    bi_setting item[MOST_SETTINGS];
    char text[MOST_SETTINGS][32];
    for (int k = 0; k < s->count; k++) {
        snprintf(text[k], sizeof text[k], "%.17g", s->value[k]);
        item[k] = (bi_setting){ s->name[k], text[k] };
    }
    run_model run = { .coordinates = coordinates, .dt = dt };
    bi_run file = { 0 };
    run.model =
        bi_read_model(BI_SOURCE_DIR "/models/forklift/model.yaml", item, s->count, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    if (prepare) {
        prepare(run.model);
    }
    // the ripple of stiff tyres dies out in a step
    bi_options options = {
        .scheme = prepare ? BI_ALI3P_ALPHA : BI_ALI3P, .damping = 1.0, .dt = dt, .coordinates = coordinates
    };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    assert_non_null(run.sim);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static run_model opened(const settings *s, bi_coordinates coordinates, double dt)
{
    return opened_with(s, coordinates, dt, NULL);
}

// The truck alone as the data sheet has it.
static settings data_sheet(void)
{
    settings s = { 0 };
    set(&s, "loads", 0.0);
    set(&s, "driver", 0.0);
    set(&s, "fuel", 0.0);
    return s;
}

static run_model at_rest(const settings *s, bi_coordinates coordinates)
{
    run_model run = opened(s, coordinates, 5e-3);
    run_require(bi_equilibrium(run.sim, NULL, &run.report) == BI_OK, &run.report, "the truck does not stand");
    return run;
}

// ---- axle loads -----------------------------------------------------------------------------------------------------

// Kilograms, rounded to tens by the data sheet. Laden on stiff tyres: on its own the truck leans forwards by half a degree, and the
// rated load with it, which the sheet leaves out.
static void expect_axles(double load, double front, double rear)
{
    for (int k = 0; k < 2; k++) {
        settings s = data_sheet();
        set(&s, "load", load);
        set(&s, "rigid", load > 0.0 ? 1000.0 : 1.0);
        run_model run = at_rest(&s, k == 0 ? BI_NATURAL : BI_JOINT);
        run_expect("front axle", fabs(run_read(&run, "axle.front") / 9.81 - front), 5.0);
        run_expect("rear axle", fabs(run_read(&run, "axle.rear") / 9.81 - rear), 5.0);
        run_close(&run);
    }
}

static void test_axle_loads_are_those_of_the_data_sheet(void **state)
{
    (void)state;
    expect_axles(0.0, 2050.0, 2630.0);
    expect_axles(3500.0, 7240.0, 940.0);
}

// ---- tilt table -----------------------------------------------------------------------------------------------------

typedef struct {
    double load, lift, tilt, stage_1, stage_1_tyre, stage_2;
    double front, rear, x, z; // axle loads, kg; centre of mass of all but axle and rear wheels, m
} stability;

// Rows of an independent static calculation without driver and fuel: slope at which a front wheel lifts, with rigid tyres and with
// those of the model, and at which the truck tips on its stop; load kg, lift m, tilt deg backwards.
static const stability table[] = {
    { 0, 0.25, 0, 0.414251231233, 0.400950635995, 0.58386187932, 2050, 2630, 0.890461074588, 0.770075165901 },
    { 0, 3, 8, 0.188849734942, 0.176945362409, 0.318712258137, 1834.80237214, 2845.19762786, 0.79698541071,
      1.3201991506 },
    { 3500, 0.25, 0, 0.611293680142, 0.564306168025, 0.564145174295, 7242.11195929, 937.888040712,
      1.7735718078, 0.783128479844 },
    { 3500, 3, -5, 0.220323335412, 0.169276248712, 0.160701312116, 7867.80785825, 312.192141749,
      1.92680288361, 2.25085553901 },
};

static settings tilted(const stability *row, double rigid, double slope)
{
    settings s = data_sheet();
    set(&s, "load", row->load);
    set(&s, "lift0", row->lift);
    set(&s, "tilt0", row->tilt);
    set(&s, "rigid", rigid);
    set(&s, "side", slope);
    return s;
}

// Honey instead of air, N s/m: the truck leans as slowly as on a table that is tilted by hand.
static void pour(bi_model *m, double honey)
{
    static const char *const name[] = { "honey1", "honey2", "honey3", "honey4" };
    for (int k = 0; k < 4; k++) {
        bi_vec3 at = { k < 2 ? 0.0 : 2.0, k % 2 ? 0.5 : -0.5, 2.2 };
        bi_add_drag(m, &(bi_drag_def){
                           .name = name[k], .point = { bi_model_body(m, "chassis"), at }, .linear = honey });
    }
}

static void pour_little(bi_model *m) { pour(m, 6e3); }

static void pour_much(bi_model *m) { pour(m, 1e4); }

// Where the load of the uphill front wheel, which falls along a nearly straight line, would end.
static double first_limit(const stability *row, double rigid, double stands)
{
    double slope[2], load[2], near = fmin(row->stage_1_tyre, row->stage_2);
    for (int k = 0; k < 2; k++) {
        slope[k] = (k == 0 ? 0.5 : 0.75) * near;
        settings s = tilted(row, rigid, slope[k]);
        set(&s, "stands", stands);
        // short steps: friction that follows the load of a stiff tyre must stay small against the masses
        run_model run = opened_with(&s, BI_JOINT, rigid > 1.0 ? 1e-3 : 4e-3, pour_little);
        run_to(&run, row->load > 0.0 ? 8.0 : 2.0);
        // as of the weight across the slope
        load[k] = run_read(&run, "wheel.fl") * sqrt(1.0 + slope[k] * slope[k]);
        run_close(&run);
    }
    assert_true(load[1] > 0.0 && load[0] > load[1]);
    return slope[1] + load[1] * (slope[1] - slope[0]) / (load[0] - load[1]);
}

static void test_a_front_wheel_lifts_at_the_slope_of_the_static_calculation(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const stability *row = &table[k];
        run_expect("rigid", fabs(first_limit(row, 1000.0, 0.0) / row->stage_1 - 1.0), 0.01);
        // the calculation adds the roll of the front tyres to the heights of the drawing: the truck must stand at them
        run_expect("on its tyres", fabs(first_limit(row, 1.0, 1.0) / row->stage_1_tyre - 1.0), 0.01);
    }
}

// The simulation of the J-turn starts from rest on the tyres of the data sheet, wheels of the free radius: what the table leaves out.
// Its first row: height of the centre of all but axle and rear wheels, pitch, load of a front and of a rear wheel.
static void test_the_truck_sinks_into_its_tyres_as_in_the_simulation_of_another_program(void **state)
{
    (void)state;
    const double height = 0.768047242, pitch = -0.00259500523, front = 10353.9427, rear = 13201.8713;
    const double x = 0.893941849503, z = 0.777730743271; // of that centre in the drawing, m
    for (int k = 0; k < 2; k++) {
        settings s = { 0 };
        set(&s, "loads", 0.0);
        set(&s, "lift0", 0.25);
        run_model run = at_rest(&s, k == 0 ? BI_NATURAL : BI_JOINT);
        double lean = run_read(&run, "attitude.pitch");
        double now = run_read(&run, "truck.z") + z * cos(lean) - x * sin(lean);
        printf("measured sunk by %.2f mm, pitch %.6f rad\n", 1e3 * (z - now), lean);
        run_expect("height, m", fabs(now - height), 1e-6);
        run_expect("pitch, rad", fabs(lean - pitch), 1e-6);
        run_expect("front wheel", fabs(run_read(&run, "wheel.fl") / front - 1.0), 1e-4);
        run_expect("rear wheel", fabs(run_read(&run, "wheel.rl") / rear - 1.0), 1e-4);
        run_close(&run);
    }
}

// The same calculation of moments about the line from the outer front contact to the axle's pivot, with centre and pivot lowered by
// `sunk` and leaning forwards by as much as the tyres give way, less the roll of the front tyres under the load across the slope.
static double limit_by_hand(const stability *row, double sunk, double across)
{
    const double L = 1.965, track = 1.008, pivot = 0.400, kf = 1.5e6, kr = 1.1e6;
    double front = sunk * 0.5 * 9.81 * row->front / kf, rear = sunk * 0.5 * 9.81 * row->rear / kr;
    double lean = (front - rear) / L, z = row->z - rear - lean * row->x, x = row->x + lean * row->z;
    double rigid = 0.5 * track * x / (L * z - (pivot - rear) * (L - x));
    return rigid - across * 9.81 * row->front / (kf * track);
}

// On the tyres of the data sheet a laden truck sinks by 2 cm and leans forwards: a row of the table differs by up to 5 %, the same
// calculation with the truck where it stands does not. Of the 4.6 % (3500 kg, 0.25 m) the sinking has 3.2 %, the leaning 0.25 %; the
// rest is the weight across the slope, which the table takes as on level ground in a turn.
static void test_a_laden_truck_sinks_into_its_tyres_and_lifts_a_wheel_later(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        // by hand as the table, to its digits
        assert_true(fabs(limit_by_hand(&table[k], 0.0, 0.0) - table[k].stage_1) < 1e-9);
        assert_true(fabs(limit_by_hand(&table[k], 0.0, 1.0) - table[k].stage_1_tyre) < 1e-9);
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const stability *row = &table[k];
        double limit = first_limit(row, 1.0, 0.0),
               wanted = limit_by_hand(row, 1.0, 1.0 / sqrt(1.0 + limit * limit));
        printf("measured limit %.4f, by hand %.4f, in the table %.4f\n", limit, wanted, row->stage_1_tyre);
        run_expect("sunk into its tyres", fabs(limit / wanted - 1.0), 0.01);
    }
}

// Unladen the stop catches the chassis, and the truck stands on three wheels until the axle lifts as well.
static void test_the_stop_catches_the_empty_truck_until_the_slope_of_the_static_calculation(void **state)
{
    (void)state;
    const stability *row = &table[0];
    double slope[2], load[2];
    for (int k = 0; k < 2; k++) {
        slope[k] = (k == 0 ? 0.84 : 0.88) * row->stage_2;
        settings s = tilted(row, 1000.0, slope[k]);
        run_model run = opened_with(&s, BI_JOINT, 1e-3, pour_much);
        run_to(&run, 9.0);
        load[k] = run_read(&run, "wheel.rl") * sqrt(1.0 + slope[k] * slope[k]);
        assert_true(run_read(&run, "wheel.fl") == 0.0);
        run_expect("at the stop", fabs(fabs(run_read(&run, "phi8")) - 3.68 * run_pi / 180.0), 1e-3);
        run_close(&run);
    }
    double limit = slope[1] + load[1] * (slope[1] - slope[0]) / (load[0] - load[1]);
    run_expect("on the stop", fabs(limit / row->stage_2 - 1.0), 0.01);
}

// ---- forwards -------------------------------------------------------------------------------------------------------

// Load of the rear axle of a truck at rest, N of the weight across the slope.
static double rear_load(double load, double lift, double tilt, double slope)
{
    settings s = data_sheet();
    set(&s, "load", load);
    set(&s, "lift0", lift);
    set(&s, "tilt0", tilt);
    set(&s, "rigid", 1000.0);
    set(&s, "ahead", slope);
    run_model run = at_rest(&s, BI_JOINT);
    double rear = run_read(&run, "axle.rear") * sqrt(1.0 + slope * slope);
    run_close(&run);
    return rear;
}

// Slope ahead (or braking over g) at which the rear axle lifts, of the same static calculation: the load falls along a straight line.
static void test_rear_axle_of_the_laden_truck_lifts_at_the_slope_of_the_static_calculation(void **state)
{
    (void)state;
    const double row[][2] = { { 0.25, 0.291178344649 }, { 3.0, 0.100045966501 } };
    for (int k = 0; k < 2; k++) {
        double a = rear_load(3500.0, row[k][0], 0.0, 0.0),
               b = rear_load(3500.0, row[k][0], 0.0, 0.5 * row[k][1]);
        double limit = 0.5 * row[k][1] * a / (a - b);
        printf("measured slope ahead %.4f, in the table %.4f\n", limit, row[k][1]);
        run_expect("forwards", fabs(limit / row[k][1] - 1.0), 0.01);
    }
}

// Load with its centre 0.5 m ahead of the fork face that lifts the rear axle: mast upright, and 5 deg forwards with the forks at 3 m.
static void test_overload_that_lifts_the_rear_axle_is_that_of_the_static_calculation(void **state)
{
    (void)state;
    const double row[][3] = { { 0.25, 0.0, 5439.9 }, { 3.0, -5.0, 4000.1 } };
    for (int k = 0; k < 2; k++) {
        double a = rear_load(3000.0, row[k][0], row[k][1], 0.0),
               b = rear_load(3500.0, row[k][0], row[k][1], 0.0);
        double limit = 3000.0 + 500.0 * a / (a - b);
        printf("measured overload %.1f kg, in the table %.1f kg\n", limit, row[k][2]);
        run_expect("overload", fabs(limit / row[k][2] - 1.0), 0.01);
    }
}

// ---- steering, lifting ----------------------------------------------------------------------------------------------

// Radius of the front axle's middle, angles of the middle, the inner and the outer wheel, deg: axes that meet on the front axle's line.
static const double ackermann[][4] = {
    { 0.58, 73.5552234268, 83.3240009438, 64.6726280546 }, { 1, 63.0281904876, 71.6963628941, 55.5100433693 },
    { 2, 44.4942496344, 49.9799995963, 39.9013633199 },    { 5, 21.4548267307, 22.9079784394, 20.1677647432 },
    { 20, 5.61130116733, 5.7105931375, 5.51539254136 },
};

static void test_rear_wheels_steer_about_one_point_of_the_front_axle(void **state)
{
    (void)state;
    settings s = data_sheet();
    run_model run = opened(&s, BI_JOINT, 5e-3);
    bi_input steer = bi_find_input(run.system, "steer");
    for (size_t k = 0; k < sizeof ackermann / sizeof *ackermann; k++) {
        double side = k % 2 == 0 ? 1.0 : -1.0;
        bi_sim_input(run.sim, steer, side * ackermann[k][1] / ackermann[0][1]);
        run_to(&run, run_now(&run) + 3.0);
        const char *inner = side > 0.0 ? "steering.left" : "steering.right";
        const char *outer = side > 0.0 ? "steering.right" : "steering.left";
        double degree = run_pi / 180.0;
        run_expect("inner wheel", fabs(run_read(&run, inner) - side * ackermann[k][2] * degree), 1e-6);
        run_expect("outer wheel", fabs(run_read(&run, outer) - side * ackermann[k][3] * degree), 1e-6);
    }
    run_close(&run);
}

// 0.53 m/s laden, 1 m/s2, 3 m: 0.53 s, 5.130377 s and 0.53 s; the force on d1 carries forks, load and half of mast 2.
static void test_rated_load_is_lifted_in_the_time_of_its_trapezoid(void **state)
{
    (void)state;
    settings s = data_sheet();
    set(&s, "load", 3500.0);
    set(&s, "lift0", 0.0);
    run_model run = opened(&s, BI_JOINT, 5e-3);
    bi_sim_input(run.sim, bi_find_input(run.system, "lift"), 1.0);
    run_to(&run, 0.5);
    run_expect("speeding up", fabs(run_read(&run, "lifted") - 0.125), 1e-9);
    run_to(&run, 3.0);
    run_expect("even", fabs(run_read(&run, "lifted") - 0.53 * (3.0 - 0.265)), 1e-9);
    run_expect("half as far", fabs(run_read(&run, "d2") - 0.5 * run_read(&run, "d1")), 1e-9);
    // the truck still swings on its tyres: 3 % of the force
    run_expect("static force", fabs(run_read(&run, "force.lift") / 43134.0 - 1.0), 0.03);
    run_to(&run, 6.3);
    run_expect("up", fabs(run_read(&run, "lifted") - 3.0), 1e-5);
    run_close(&run);
}

// Beyond the pressure of the cylinders the lever asks for nothing: 4500 kg, 52.9 kN, on 42.4 kN of 150 bar.
static void test_overload_is_not_lifted(void **state)
{
    (void)state;
    for (int hydraulic = 0; hydraulic < 2; hydraulic++) {
        settings s = data_sheet();
        set(&s, "load", 4500.0);
        set(&s, "pressure", 150.0);
        set(&s, "lift0", 0.3);
        set(&s, "hydraulic", hydraulic);
        run_model run = opened(&s, BI_JOINT, 5e-3);
        run_to(&run, 1.0);
        double before = run_read(&run, "lifted");
        bi_sim_input(run.sim, bi_find_input(run.system, "lift"), 1.0);
        run_to(&run, 2.5);
        assert_true(run_read(&run, "lifted") < before + 0.02);
        run_close(&run);
    }
}

// ---- roll-over ------------------------------------------------------------------------------------------------------

typedef struct {
    double roll, least; // largest roll, rad; least load of the inner front wheel, N
} outcome;

static outcome turn_left(double speed, bi_coordinates coordinates)
{
    settings s = { 0 };
    set(&s, "loads", 0.0);
    set(&s, "lift0", 0.25);
    set(&s, "speed", speed);
    set(&s, "turn", 5.0);
    run_model run = opened(&s, coordinates, 5e-3);
    assert_int_equal(bi_settle(run.sim, NULL, NULL), BI_OK);
    outcome out = { 0.0, 1e9 };
    while (run_now(&run) < 6.0 && out.roll < 0.7) {
        run_step(&run);
        out.roll = fmax(out.roll, fabs(run_read(&run, "attitude.roll")));
        out.least = fmin(out.least, run_read(&run, "wheel.fl"));
    }
    run_close(&run);
    return out;
}

// Left turn of 5 m, steered in 0.5 s, unladen, forks at 0.25 m: another program lifts the inner front wheel at 4.472 m/s, rolls over at
// 5.269 m/s, and at 5.004 m/s the stop of the axle catches it at 6.205 degrees. It bisected to 7e-3 and 3.4e-3 m/s.
static const double lifts = 4.4719, rolls_over = 5.2693, caught_at = 5.004, caught_roll = 6.205;

// The lift within 2 %: here it is 4.40 m/s, 0.4 % of it because the turn begins before the truck has settled on its tyres (4.42 m/s when
// steered after 4 s), the rest in the first swing, where the two models of the wheels differ. The roll-over, which is the balance of
// the whole truck, within 1 %: here it is 5.266 m/s. The roll on the stop within 10 %, what their stiffness leaves open.
static void expect_turn(bi_coordinates coordinates)
{
    assert_true(turn_left(0.98 * lifts, coordinates).least > 0.0);
    assert_true(turn_left(1.02 * lifts, coordinates).least == 0.0);
    outcome caught = turn_left(caught_at, coordinates);
    assert_true(caught.least == 0.0);
    run_expect("roll on the stop", fabs(caught.roll * 180.0 / run_pi / caught_roll - 1.0), 0.1);
    assert_true(turn_left(0.99 * rolls_over, coordinates).roll < 0.3);
    assert_true(turn_left(1.01 * rolls_over, coordinates).roll > 40.0 * run_pi / 180.0);
}

static void test_unladen_truck_lifts_a_wheel_and_rolls_over_at_the_speeds_of_another_program(void **state)
{
    (void)state;
    expect_turn(BI_JOINT);
    expect_turn(BI_NATURAL);
}

// With the rated load low a turn of 5 m at the top speed of 6.1 m/s asks for 0.76 g, and 0.56 g is where a wheel lifts and, the stop
// being as near, the truck rolls over. It does not: the inner wheel that lifts takes the drive of both with it (the differential is
// free), the truck loses a tenth of its speed and runs wide, and goes on turning at what it can just bear.
static void test_laden_truck_in_a_fast_turn_slows_down_at_its_limit(void **state)
{
    (void)state;
    settings s = { 0 };
    set(&s, "loads", 0.0);
    set(&s, "load", 3500.0);
    set(&s, "lift0", 0.25);
    set(&s, "speed", 6.1);
    set(&s, "turn", 5.0);
    run_model run = opened(&s, BI_JOINT, 5e-3);
    double least = 1e9, roll = 0.0;
    while (run_now(&run) < 6.0) {
        run_step(&run);
        least = fmin(least, run_read(&run, "wheel.fl"));
        roll = fmax(roll, fabs(run_read(&run, "attitude.roll")));
    }
    double v = hypot(run_read(&run, "truck.vx"), run_read(&run, "truck.vy")),
           spin = run_read(&run, "truck.wz");
    assert_true(least == 0.0 && roll < 4.0 * run_pi / 180.0);
    assert_true(v < 0.95 * 6.1 && v / spin > 1.1 * 5.0);
    // with driver and fuel: within 3 % of the table's 0.558
    run_expect("side acceleration at the limit", fabs(v * spin / 9.81 / 0.558477695788 - 1.0), 0.03);
    run_close(&run);
}

// ---- how the document counts ----------------------------------------------------------------------------------------

static void test_info_counts_as_the_document_and_without_its_mistake(void **state)
{
    (void)state;
    settings s = { 0 };
    run_model run = opened(&s, BI_NATURAL, 5e-3);
    bi_info info;
    assert_int_equal(bi_sim_info(run.sim, &info, &run.report), BI_OK);
    // 10 of the truck, 6 of each load
    assert_int_equal(info.degrees_of_freedom, 28);
    bool is_161 = false, is_158 = false;
    for (int k = 0; k < run.report.count; k++) {
        is_161 |= strstr(run.report.issue[k].what, ": 161 variables") != NULL;
        is_158 |= strstr(run.report.issue[k].what, "158 without") != NULL;
    }
    assert_true(is_161 && is_158);
    run_close(&run);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

typedef struct {
    double t, drive, steer, lift, tilt;
} lever;

// Forwards into the pallet, up, backwards round a corner, down.
static const lever pallet[] = {
    { 0.4, 0, 0, 0, 0 },      { 0.5, 0.5, 0, 0, 0 },    { 2.85, 0.5, 0, 0, 0 }, { 2.9, 0, 0, 0, 0 },
    { 4.2, 0, 0, 0, 0 },      { 4.3, 0, 0, 0.5, 0 },    { 5.3, 0, 0, 0.5, 0 },  { 5.4, 0, 0, 0, 0 },
    { 5.6, -0.4, 0.4, 0, 0 }, { 7.6, -0.4, 0.4, 0, 0 }, { 7.7, 0, 0.4, 0, 0 },  { 9.0, 0, 0, 0, 0 },
    { 9.1, 0, 0, -0.3, 0 },   { 13.0, 0, 0, -0.3, 0 },
};

static double between(const lever *a, const lever *b, double t, size_t member)
{
    double from, to;
    memcpy(&from, (const char *)a + member, sizeof from);
    memcpy(&to, (const char *)b + member, sizeof to);
    return from + (to - from) * (t - a->t) / (b->t - a->t);
}

static void pull_levers(run_model *run)
{
    static const struct {
        const char *name;
        size_t member;
    } input[] = { { "drive", offsetof(lever, drive) },
                  { "steer", offsetof(lever, steer) },
                  { "lift", offsetof(lever, lift) },
                  { "tilt", offsetof(lever, tilt) } };
    double t = run_now(run);
    for (size_t k = 0; k + 1 < sizeof pallet / sizeof *pallet; k++) {
        for (int i = 0; i < 4 && t >= pallet[k].t && t < pallet[k + 1].t; i++) {
            bi_sim_input(run->sim, bi_find_input(run->system, input[i].name),
                         between(&pallet[k], &pallet[k + 1], t, input[i].member));
        }
    }
}

static void drive_to(run_model *run, double end)
{
    while (run_now(run) < end - 1e-9) {
        pull_levers(run);
        run_step(run);
    }
}

// In the air it lies still on both forks, no deeper in them than its weight presses it: 0.25 mm on eight points of 133887 N/m, and
// twice that when the truck swings. Put down elsewhere it stands on its feet.
static void expect_pallet_carried(bi_coordinates coordinates, double dt)
{
    settings s = { 0 };
    run_model run = opened(&s, coordinates, dt);
    drive_to(&run, 5.5);
    assert_true(run_read(&run, "contact.pallet.regions") >= 2.0);
    run_expect("depth in the forks", run_read(&run, "contact.pallet.depth"), 5e-4);
    run_expect("weight on the forks", fabs(run_read(&run, "contact.pallet.normal") / (27.296 * 9.81) - 1.0),
               0.2);
    assert_true(run_read(&run, "pallet.z") > 0.15);
    double before = run_read(&run, "pallet.x") - run_read(&run, "tip.x");
    drive_to(&run, 9.0);
    // it neither slips nor jumps: the distance to the tips, along the truck
    double yaw = run_read(&run, "attitude.yaw");
    double ahead = (run_read(&run, "pallet.x") - run_read(&run, "tip.x")) * cos(yaw) +
                   (run_read(&run, "pallet.y") - run_read(&run, "tip.y")) * sin(yaw);
    run_expect("slip on the forks", fabs(ahead - before), 5e-3);
    assert_true(fabs(yaw) > 0.2);
    drive_to(&run, 13.0);
    assert_true(run_read(&run, "contact.pallet.normal") == 0.0);
    // 27.296 kg on four feet: 0.5 mm
    run_expect("on the ground", fabs(run_read(&run, "pallet.z") + 0.0005), 1e-6);
    run_expect("at rest", fabs(run_read(&run, "pallet.vx")) + fabs(run_read(&run, "pallet.vy")), 1e-6);
    run_close(&run);
}

static void test_pallet_is_picked_up_carried_round_a_corner_and_put_down(void **state)
{
    (void)state;
    // with other steps and in natural coordinates: test_forklift_carry_slow.c
    expect_pallet_carried(BI_JOINT, 5e-3);
}

// In the middle of the lift, with contacts that stick: saved, run on, put back, run on again.
static void test_snapshot_in_the_middle_of_a_lift_goes_on_bit_by_bit(void **state)
{
    (void)state;
    settings s = { 0 };
    run_model run = opened(&s, BI_JOINT, 5e-3);
    drive_to(&run, 4.8);
    assert_true(run_read(&run, "contact.pallet.normal") > 0.0);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    void *buffer = malloc(size);
    assert_non_null(buffer);
    bi_sim_save(run.sim, buffer, size);
    drive_to(&run, 5.6);
    uint64_t wanted = bi_sim_hash(run.sim);
    assert_int_equal(bi_sim_load(run.sim, buffer, size), BI_OK);
    drive_to(&run, 5.6);
    assert_true(bi_sim_hash(run.sim) == wanted);
    free(buffer);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axle_loads_are_those_of_the_data_sheet),
        cmocka_unit_test(test_a_front_wheel_lifts_at_the_slope_of_the_static_calculation),
        cmocka_unit_test(test_the_truck_sinks_into_its_tyres_as_in_the_simulation_of_another_program),
        cmocka_unit_test(test_a_laden_truck_sinks_into_its_tyres_and_lifts_a_wheel_later),
        cmocka_unit_test(test_the_stop_catches_the_empty_truck_until_the_slope_of_the_static_calculation),
        cmocka_unit_test(test_rear_axle_of_the_laden_truck_lifts_at_the_slope_of_the_static_calculation),
        cmocka_unit_test(test_overload_that_lifts_the_rear_axle_is_that_of_the_static_calculation),
        cmocka_unit_test(test_rear_wheels_steer_about_one_point_of_the_front_axle),
        cmocka_unit_test(test_rated_load_is_lifted_in_the_time_of_its_trapezoid),
        cmocka_unit_test(test_overload_is_not_lifted),
        cmocka_unit_test(test_unladen_truck_lifts_a_wheel_and_rolls_over_at_the_speeds_of_another_program),
        cmocka_unit_test(test_laden_truck_in_a_fast_turn_slows_down_at_its_limit),
        cmocka_unit_test(test_pallet_is_picked_up_carried_round_a_corner_and_put_down),
        cmocka_unit_test(test_snapshot_in_the_middle_of_a_lift_goes_on_bit_by_bit),
        cmocka_unit_test(test_info_counts_as_the_document_and_without_its_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
