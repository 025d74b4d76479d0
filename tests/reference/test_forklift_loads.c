// SPDX-License-Identifier: MIT
// The forklift and its loads: picked up, carried round a corner, put down; held; run into.
#include "support/run_model.h"
#include <biela/io.h>

// What the contact gives way under the weight, on eight points: 0.25 mm.
static const double compliance = 0.25e-3;

// sleep: s; negative: as the model says
static run_model opened_sleeping(const bi_setting *set, int count, bi_coordinates coordinates, double dt,
                                 const char *manoeuvre, double sleep)
{
    run_model run = { .coordinates = coordinates, .dt = dt };
    bi_run file = { 0 };
    run.model =
        bi_read_model(BI_SOURCE_DIR "/models/forklift/model.yaml", set, count, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    if (manoeuvre) {
        run_require(bi_read_manoeuvre(manoeuvre, run.model, &run.report), &run.report,
                    "the manoeuvre has mistakes");
    }
    bi_options options = { .dt = dt, .coordinates = coordinates, .sleep = sleep < 0.0 ? file.sleep : sleep };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    assert_non_null(run.sim);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static run_model opened(const bi_setting *set, int count, bi_coordinates coordinates, double dt,
                        const char *manoeuvre)
{
    return opened_sleeping(set, count, coordinates, dt, manoeuvre, -1.0);
}

typedef struct {
    const char *name, *aside;
    double weight; // N
} cargo;

static const cargo virola = { "virola", "-3 m", 239.4 * 9.81 }, loaded = { "loaded", "3 m", 1527.296 * 9.81 };

static run_model sent(const cargo *c, bi_coordinates coordinates, double dt, const char *manoeuvre)
{
    const bi_setting set = { "aside", c->aside };
    char path[512];
    snprintf(path, sizeof path, "%s/models/forklift/manoeuvres/%s", BI_SOURCE_DIR, manoeuvre);
    return opened(&set, 1, coordinates, dt, path);
}

static double channel(run_model *run, const cargo *c, const char *form)
{
    char name[64];
    snprintf(name, sizeof name, form, c->name);
    return run_read(run, name);
}

// Place of the load ahead of the tips of the forks, along the truck.
static double ahead(run_model *run, const cargo *c)
{
    double yaw = run_read(run, "attitude.yaw");
    return (channel(run, c, "%s.x") - run_read(run, "tip.x")) * cos(yaw) +
           (channel(run, c, "%s.y") - run_read(run, "tip.y")) * sin(yaw);
}

// The manoeuvre of the model (all steps and formulations: test_forklift_carry_slow.c). Up at 8 s, backwards, round the corner until 17 s, down at 21 s.
static void expect_carried(const cargo *c, bi_coordinates coordinates, double dt)
{
    run_model run = sent(c, coordinates, dt, "loaded-pallet.csv");
    run_to(&run, 8.4);
    assert_true(channel(&run, c, "%s.z") > 0.3 && channel(&run, c, "contact.%s.regions") >= 2.0);
    double from = ahead(&run, c), deepest = 0.0, unsteady = 0.0;
    while (run_now(&run) < 17.0) {
        run_step(&run);
        deepest = fmax(deepest, channel(&run, c, "contact.%s.depth"));
        bool is_even = run_now(&run) > 9.6 && run_now(&run) < 10.4;
        double load = channel(&run, c, "contact.%s.fz") / c->weight;
        unsteady = is_even ? fmax(unsteady, fabs(load - 1.0)) : unsteady;
    }
    // twice the compliance: the truck swings, and leans
    run_expect("depth in the forks, m", deepest, 2.0 * compliance);
    // at even speed a load that jumps or buzzes would lose its weight
    run_expect("unsteady load on the forks", unsteady, 0.05);
    assert_true(fabs(run_read(&run, "attitude.yaw")) > 0.2);
    run_expect("slip on the forks, m", fabs(ahead(&run, c) - from), 1e-2);
    run_to(&run, 22.5);
    assert_true(channel(&run, c, "contact.%s.normal") == 0.0);
    run_expect("on the ground, m", fabs(channel(&run, c, "%s.z") + 0.0005), 1e-6);
    run_expect("at rest, m/s", fabs(channel(&run, c, "%s.vx")) + fabs(channel(&run, c, "%s.vy")), 1e-6);
    assert_true(bi_sim_statistics(run.sim).unconverged == 0);
    run_close(&run);
}

static void test_virola_is_picked_up_carried_round_a_corner_and_put_down(void **state)
{
    (void)state;
    expect_carried(&virola, BI_JOINT, 5e-3);
}

static void test_loaded_pallet_is_picked_up_carried_round_a_corner_and_put_down(void **state)
{
    (void)state;
    expect_carried(&loaded, BI_NATURAL, 5e-3);
}

static bool sleeps(const run_model *run, const char *body)
{
    return bi_sim_is_asleep(run->sim, bi_model_body(run->model, body));
}

// Asleep until the forks come, lifted at 8 s, carried to 10 s: within what the contact gives way of the run in which all are awake.
static void test_load_that_slept_is_picked_up_as_one_that_did_not(void **state)
{
    (void)state;
    static const char *const parts[] = { "virola.x", "virola.y", "virola.z" };
    char path[512];
    snprintf(path, sizeof path, "%s/models/forklift/manoeuvres/loaded-pallet.csv", BI_SOURCE_DIR);
    const bi_setting set = { "aside", virola.aside };
    run_model with = opened_sleeping(&set, 1, BI_JOINT, 5e-3, path, 0.5),
              without = opened_sleeping(&set, 1, BI_JOINT, 5e-3, path, 0.0);
    run_to(&with, 1.0);
    assert_true(sleeps(&with, "virola") && sleeps(&with, "pallet") && sleeps(&with, "loaded"));
    run_to(&with, 10.0);
    run_to(&without, 10.0);
    assert_false(sleeps(&with, "virola"));
    assert_true(sleeps(&with, "pallet") && sleeps(&with, "loaded"));
    assert_true(run_read(&with, "virola.z") > 0.3);
    double apart = 0.0;
    for (int k = 0; k < 3; k++) {
        apart = fmax(apart, fabs(run_read(&with, parts[k]) - run_read(&without, parts[k])));
    }
    run_expect("apart from the run without sleep, m", apart, compliance);
    run_close(&with);
    run_close(&without);
}

// Levers let go at 8.1 s with the load in the air, the mast stops tilting at 8.5 s: nothing puts energy in any more.
static void test_truck_that_holds_a_load_never_gains_energy(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        run_model run = sent(f ? &virola : &loaded, f ? BI_JOINT : BI_NATURAL, 5e-3, "hold.csv");
        run_to(&run, 8.6);
        double first = run_read(&run, "energy.total"), lowest = first, growth = 0.0;
        while (run_now(&run) < 11.0) {
            run_step(&run);
            double now = run_read(&run, "energy.total");
            growth = fmax(growth, now - lowest);
            lowest = fmin(lowest, now);
        }
        printf("measured energy of the truck that holds a load: %.3g J lost\n", first - lowest);
        // stick springs and treads give back what they took of a swing of some joules
        assert_true(first - lowest > 0.1);
        run_expect("energy gained, J", growth, 1e-2);
        run_close(&run);
    }
}

// Forks that go up beside the load say so; those that carry one do not.
static void test_load_out_of_reach_is_told(void **state)
{
    (void)state;
    run_model run = opened(NULL, 0, BI_JOINT, 5e-3, NULL);
    bi_sim_input(run.sim, bi_find_input(run.system, "lift"), 1.0);
    run_to(&run, 1.0);
    bi_event e;
    assert_int_equal(bi_sim_event_count(run.sim), 1);
    assert_true(bi_sim_event(run.sim, 0, &e));
    assert_string_equal(e.name, "lifts-nothing");
    run_close(&run);
    run = sent(&loaded, BI_JOINT, 5e-3, "hold.csv");
    run_to(&run, 8.5);
    assert_true(channel(&run, &loaded, "%s.z") > 0.3);
    assert_int_equal(bi_sim_event_count(run.sim), 0);
    run_close(&run);
}

// The pallet goes onto the crate of the loaded pallet (run stack): its feet stand on it, each pallet's weight where it belongs.
static void test_pallet_is_stacked_on_another_load(void **state)
{
    (void)state;
    static const double pallet = 27.296 * 9.81, crate = 1.105; // N, m
    for (int f = 0; f < 2; f++) {
        const bi_setting set = { "behind", "2.95 m" };
        run_model run = opened(&set, 1, f ? BI_JOINT : BI_NATURAL, f ? 2.5e-3 : 10e-3,
                               BI_SOURCE_DIR "/models/forklift/manoeuvres/stack.csv");
        run_to(&run, 18.0);
        assert_true(run_read(&run, "contact.pallet.normal") == 0.0 && run_read(&run, "truck.x") < 4.0);
        run_expect("weight on the crate", fabs(run_read(&run, "met.pallet.normal") / pallet - 1.0), 1e-3);
        run_expect("height, m", fabs(run_read(&run, "pallet.z") - crate), 2e-3);
        double from = run_read(&run, "pallet.x");
        run_to(&run, 20.0);
        run_expect("creep, m", fabs(run_read(&run, "pallet.x") - from), 1e-6);
        run_close(&run);
    }
}

// Runs that once failed in a step: the tips hit the pallet, the loaded pallet and the virola at up to 5 m/s.
static void test_truck_that_runs_into_its_loads_goes_on(void **state)
{
    (void)state;
    static const struct {
        const char *lift, *aside, *speed;
        bi_coordinates coordinates;
    } hit[] = { { "0.09", "0", "2", BI_JOINT },
                { "0.14", "0.17", "5", BI_NATURAL },
                { "0.05", "3", "5", BI_NATURAL },
                { "0.3", "-3", "5", BI_JOINT },
                { "0.14", "-3", "5", BI_NATURAL } };
    for (size_t k = 0; k < sizeof hit / sizeof *hit; k++) {
        const bi_setting set[] = { { "lift0", hit[k].lift },
                                   { "aside", hit[k].aside },
                                   { "speed", hit[k].speed } };
        run_model run = opened(set, 3, hit[k].coordinates, 5e-3, NULL);
        bi_sim_input(run.sim, bi_find_input(run.system, "drive"), 1.0);
        double most = 0.0;
        while (run_now(&run) < 1.5) {
            run_step(&run);
            most =
                fmax(most, run_read(&run, "contact.pallet.normal") + run_read(&run, "contact.virola.normal") +
                               run_read(&run, "contact.loaded.normal"));
        }
        assert_true(most > 100.0 && isfinite(most));
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_that_slept_is_picked_up_as_one_that_did_not),
        cmocka_unit_test(test_virola_is_picked_up_carried_round_a_corner_and_put_down),
        cmocka_unit_test(test_loaded_pallet_is_picked_up_carried_round_a_corner_and_put_down),
        cmocka_unit_test(test_truck_that_holds_a_load_never_gains_energy),
        cmocka_unit_test(test_pallet_is_stacked_on_another_load),
        cmocka_unit_test(test_load_out_of_reach_is_told),
        cmocka_unit_test(test_truck_that_runs_into_its_loads_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
