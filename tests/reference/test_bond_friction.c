// SPDX-License-Identifier: MIT
// Clutches, brakes and synchronisers that lock: when, what they lose, when they let go; closed forms (bond.13, bond.14).
#include "support/text_model.h"
#include <stdlib.h>

#define LIBRARY "../../models/library/driveline.yaml"

// Engine, clutch, and two masses on a shaft: the clutch closes from 0.5 s to 1 s.
static const char *const three_masses =
    "graphs:\n"
    "  g:\n"
    "    parts:\n"
    "      clutch: {file: " LIBRARY ", graph: clutch, bind: {capacity: capacity}}\n"
    "    nodes:\n"
    "      T: {type: Se, value: 50}\n"
    "      e: {type: 1}\n"
    "      Je: {type: I, value: 0.1, initial: 0.1*200}\n"
    "      out: {type: 1}\n"
    "      J2: {type: I, value: 0.05}\n"
    "      z: {type: 0}\n"
    "      sh: {type: C, value: 1/2000}\n"
    "      w: {type: 1}\n"
    "      J3: {type: I, value: 2}\n"
    "      b: {type: R, value: 0.2}\n"
    "    bonds: [T -> e, e -> Je, e -> clutch.in, clutch.in -> out, out -> J2, out -> z, z -> sh, z -> w, w "
    "-> J3, "
    "w -> b]\n"
    "signals: {capacity: \"if(t < 0.5, 0, 100*clamp((t - 0.5)/0.5, 0, 1))\"}\n"
    "outputs: {g: {graph: g}}\n";

static double locked_at(run_model *run, const char *channel, double wanted, double until)
{
    while (run_now(run) < until && run_read(run, channel) != wanted) {
        run_step(run);
    }
    return run_now(run);
}

static void lock_and_lose(bi_scheme scheme, double dt, double lost)
{
    run_model run = text_run(&(text_case){ .text = three_masses, .scheme = scheme, .dt = dt });
    // exact: found with the equations of both phases, and the crossing by bisection
    run_expect("clutch, locked at, s", fabs(locked_at(&run, "g.clutch.plates.locked", 1.0, 3.0) - 1.8026),
               1e-3);
    double before = run_read(&run, "g.clutch.in->clutch.plates.energy");
    run_to(&run, 10.0);
    assert_true(run_read(&run, "g.clutch.plates.locked") == 1.0);
    run_expect("clutch, lost when locked, J",
               fabs(run_read(&run, "g.clutch.in->clutch.plates.energy") - before), lost);
    run_expect("clutch, speed across, rad/s", fabs(run_read(&run, "g.clutch.in->clutch.plates.f")), 1e-9);
    run_close(&run);
}

static void a_clutch_locks_when_its_sides_meet_and_loses_nothing_then(void **state)
{
    (void)state;
    // what is left of the slip of one step, 5 rad/s^2 h, is a share of 2e-4 of it and fades in 2 ms with some 50 N m
    lock_and_lose(BI_ALI3P, 1e-3, 1e-5);
    lock_and_lose(BI_ALI3P, 1e-4, 1e-6);
    // explicit steps see the crossing at the end of a step: 0.5 rad/s fade in 2 ms with 50 N m
    lock_and_lose(BI_INDEX1_RK4, 1e-3, 0.05);
}

static void a_snapshot_knows_what_is_locked(void **state)
{
    (void)state;
    static const double at[] = { 1.0, 1.803, 2.5 };
    for (int k = 0; k < 3; k++) {
        run_model run = text_run(&(text_case){ .text = three_masses, .dt = 1e-3 });
        run_to(&run, at[k]);
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *kept = malloc(size);
        assert_non_null(kept);
        assert_int_equal(bi_sim_save(run.sim, kept, size), size);
        run_to(&run, 4.0);
        uint64_t hash = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_load(run.sim, kept, size), BI_OK);
        run_to(&run, 4.0);
        assert_true(hash == bi_sim_hash(run.sim));
        free(kept);
        run_close(&run);
    }
}

static void a_clutch_lets_go_above_its_breakaway(void **state)
{
    (void)state;
    // 1 and 3 kg m2 turn together with T = 40 t; the second is carried with 30 t N m, which the plates bear up to 1.5*20
    // at 1 s; then they slip with 20: the first gains 40 t - 20, the second 20
    static const char *const text =
        "graphs:\n"
        "  g:\n"
        "    parts:\n"
        "      c: {file: " LIBRARY ", graph: clutch, set: {breakaway: 1.5}, bind: {capacity: cap}}\n"
        "    nodes:\n"
        "      T: {type: Se, value: 40*t}\n"
        "      a: {type: 1}\n"
        "      Ja: {type: I, value: 1}\n"
        "      Jb: {type: I, value: 3}\n"
        "    bonds: [T -> a, a -> Ja, a -> c.in, c.in -> Jb]\n"
        "inputs: {cap: {initial: 20}}\n"
        "outputs: {g: {graph: g}}\n";
    run_model run = text_run(&(text_case){ .text = text, .dt = 1e-3 });
    run_to(&run, 0.9);
    run_expect("locked, what the plates carry", fabs(run_read(&run, "g.c.in->c.plates.e") - 27.0), 1e-9);
    run_expect("lets go at, s", fabs(locked_at(&run, "g.c.plates.locked", 0.0, 2.0) - 1.0), 1.001e-3);
    run_to(&run, 2.0);
    // 5 rad/s at 1 s, and 20*(4 - 1) - 20 and 20/3 more: a step late in the letting go are 10 N m ms
    run_expect("slips, first side", fabs(run_read(&run, "g.a->Ja.f") - 45.0), 2e-2);
    run_expect("slips, second side", fabs(run_read(&run, "g.c.in->Jb.f") - (5.0 + 20.0 / 3.0)), 1e-2);
    run_close(&run);
}

static void a_synchroniser_takes_the_time_of_its_cone(void **state)
{
    (void)state;
    // 0.02 kg m2 from 100 rad/s to the 50 of a large one by 40 N m: 24.94 ms; the dogs then carry 300 N m
    static const char *const text = "graphs:\n"
                                    "  g:\n"
                                    "    parts:\n"
                                    "      s: {file: " LIBRARY ", graph: synchroniser, bind: {push: push}}\n"
                                    "    nodes:\n"
                                    "      T: {type: Se, value: \"if(t < 0.05, 0, 300)\"}\n"
                                    "      gear: {type: 1}\n"
                                    "      Jg: {type: I, value: 0.02, initial: 2}\n"
                                    "      Js: {type: I, value: 10, initial: 500}\n"
                                    "    bonds: [T -> gear, gear -> Jg, gear -> s.in, s.in -> Js]\n"
                                    "inputs: {push: {initial: 1}}\n"
                                    "outputs: {g: {graph: g}}\n";
    run_model run = text_run(&(text_case){ .text = text, .dt = 1e-4 });
    double exact = 50.0 / (40.0 / 0.02 + 40.0 / 10.0);
    run_expect("synchronised at, s", fabs(locked_at(&run, "g.s.ring.locked", 1.0, 1.0) - exact), 1.001e-4);
    run_to(&run, 0.1);
    assert_true(run_read(&run, "g.s.ring.locked") == 1.0);
    double carried = 300.0 * 10.0 / 10.02;
    run_expect("dogs carry", fabs(run_read(&run, "g.s.in->s.ring.e") / carried - 1.0), 1e-9);
    run_close(&run);
}

// A disc on a joint of the model, braked by the graph: its inertia is not of the graph.
static void a_brake_on_a_body_stops_and_holds_it(void **state)
{
    (void)state;
    static const char *const text =
        "gravity: [0, 0, -10]\n"
        "bodies: {disc: {mass: 2, com: [0.1, 0, 0], inertia: [0.05, 0.05, 0.05], spin: [0, 10, 0]}}\n"
        "joints: {axle: {type: revolute, bodies: [ground, disc], axis: [0, 1, 0]}}\n"
        "graphs:\n"
        "  g:\n"
        "    parts:\n"
        "      b: {file: " LIBRARY
        ", graph: brake, set: {torque: 5, inertia: 0.07}, bind: {command: pedal}}\n"
        "    nodes: {wheel: {type: port, joint: axle}}\n"
        "    bonds: [b.shaft -> wheel]\n"
        "inputs: {pedal: {initial: 1}}\n"
        "outputs: {g: {graph: g}, disc: {joint: axle}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run =
            text_run(&(text_case){ .text = text, .coordinates = k ? BI_JOINT : BI_NATURAL, .dt = 1e-3 });
        double at = locked_at(&run, "g.b.disc.locked", 1.0, 2.0), angle;
        // 3.5 J are lost to 5 N m and the weight of 2 N m on the way
        angle = run_read(&run, "disc.angle");
        double left = 0.5 * 0.07 * 100.0 - 5.0 * angle - 2.0 * sin(-angle);
        printf("measured stops at %g s, %g rad\n", at, angle);
        run_expect("brake: energy at the stop, J", fabs(left), 5e-3);
        run_to(&run, at + 0.2);
        double settled = run_read(&run, "disc.angle");
        run_to(&run, at + 5.0);
        run_expect("brake: creep in 5 s, rad", fabs(run_read(&run, "disc.angle") - settled), 1e-9);
        run_expect("brake: carries the weight, N m",
                   fabs(fabs(run_read(&run, "g.b.shaft->b.disc.e")) - 2.0 * cos(settled)), 1e-6);
        run_close(&run);
    }
}

static void what_cannot_be_locked_is_named_with_its_remedy(void **state)
{
    (void)state;
    char text[2048];
    static const char *const form =
        "bodies: {disc: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {axle: {type: revolute, bodies: [ground, disc], axis: [0, 0, 1]}}\n"
        "graphs: {g: {nodes: {%s}, bonds: [%s]}}\n";
    snprintf(text, sizeof text, form,
             "a: {type: 1}, J: {type: I, value: 1}, b: {type: 1}, K: {type: I, value: 1}, y: {type: 0}, z: "
             "{type: 0}, "
             "p: {type: R, holds: 1}, q: {type: R, holds: 2}",
             "a -> J, a -> y -> b, a -> z -> b, b -> K, y -> p, z -> q");
    bi_report report = { 0 };
    bi_model *model = text_read(text, &report);
    assert_non_null(model);
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    bi_report_print(&report, stdout);
    assert_null(system);
    assert_non_null(strstr(report.issue[report.count - 1].what, "in a loop"));
    bi_report_clear(&report);
    bi_model_destroy(model);
    snprintf(text, sizeof text, form, "w: {type: port, joint: axle}, s: {type: 1}, p: {type: R, holds: 1}",
             "s -> w, s -> p");
    report = (bi_report){ 0 };
    model = text_read(text, &report);
    system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    bi_report_print(&report, stdout);
    assert_null(system);
    assert_non_null(strstr(report.issue[report.count - 1].what, "give it 'inertia'"));
    bi_report_clear(&report);
    bi_model_destroy(model);
    text_expect_mistake(
        "graphs: {g: {nodes: {J: {type: I, holds: 1}, T: {type: Se, value: 1}}, bonds: [T -> J]}}\n",
        "or 'holds'");
    text_expect_mistake(
        "graphs: {g: {nodes: {J: {type: I, value: 1}, T: {type: Se, value: 1, settle: 1}}, bonds: [T -> "
        "J]}}\n",
        "is for an R that has 'holds'");
    text_expect_mistake(
        "graphs: {g: {nodes: {J: {type: R, holds: 1, breakaway: 0.5}, T: {type: Sf, value: 1}}, bonds: "
        "[T -> J]}}\n",
        "must be at least 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clutch_locks_when_its_sides_meet_and_loses_nothing_then),
        cmocka_unit_test(a_snapshot_knows_what_is_locked),
        cmocka_unit_test(a_clutch_lets_go_above_its_breakaway),
        cmocka_unit_test(a_synchroniser_takes_the_time_of_its_cone),
        cmocka_unit_test(a_brake_on_a_body_stops_and_holds_it),
        cmocka_unit_test(what_cannot_be_locked_is_named_with_its_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
