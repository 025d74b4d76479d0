// SPDX-License-Identifier: MIT
// The forklift takes a pallet out of a rack: it is lifted and carried away, and all others stand still.
#include "support/run_model.h"

enum { PALLETS = 6, TAKEN = 5 };
// when the crates have come to rest on their pallets, when the truck is back from the rack, s
static const double rested = 1.0, away = 13.2;

typedef struct {
    bi_vec3 pallet[PALLETS], crate[PALLETS];
    bi_vec3 load; // of the pallet that is taken, in its axes
} places;

static run_model open_rack(bi_scheme scheme, bi_coordinates coordinates)
{
    run_model run =
        run_open(&(run_case){ .model = "rack", .scheme = scheme, .dt = 5e-3, .coordinates = coordinates });
    bi_sim_destroy(run.sim);
    bi_system_destroy(run.system);
    run_require(bi_read_manoeuvre(BI_SOURCE_DIR "/models/rack/take.csv", run.model, &run.report), &run.report,
                "the manoeuvre has mistakes");
    run_compile(&run, scheme);
    return run;
}

static places places_of(run_model *run)
{
    places at;
    bi_view view = bi_sim_view(run->sim);
    for (int n = 0; n < PALLETS; n++) {
        char name[32];
        snprintf(name, sizeof name, "pallet%d", n + 1);
        at.pallet[n] = view.pose[run_body(run, name)].pos;
        snprintf(name, sizeof name, "crate%d", n + 1);
        at.crate[n] = view.pose[run_body(run, name)].pos;
    }
    bi_quat q = view.pose[run_body(run, "pallet5")].rot;
    bi_vec3 arm = run_sub(at.crate[TAKEN - 1], at.pallet[TAKEN - 1]);
    at.load = run_turn((bi_quat){ q.w, -q.x, -q.y, -q.z }, arm);
    return at;
}

static void take_one(bi_scheme scheme, bi_coordinates coordinates)
{
    run_model run = open_rack(scheme, coordinates);
    run_to(&run, rested);
    places before = places_of(&run);
    run_to(&run, away);
    const int taken = TAKEN - 1;
    places now = places_of(&run);
    // off the beams by what the forks were lifted, less the play below the deck; out by the way of the truck
    assert_true(now.pallet[taken].z - before.pallet[taken].z > 0.1);
    assert_true(before.pallet[taken].x - now.pallet[taken].x > 1.5);
    run_to(&run, run.time);
    now = places_of(&run);
    assert_true(before.pallet[taken].z - now.pallet[taken].z > 1.0);
    // it shifts a little when the forks take it and when the truck brakes; friction holds it
    run_expect("rack: crate on the pallet that is carried, m", run_norm(run_sub(now.load, before.load)),
               3e-3);
    double creep = 0.0;
    for (int n = 0; n < PALLETS; n++) {
        if (n != taken) {
            creep = fmax(creep, run_norm(run_sub(now.pallet[n], before.pallet[n])));
            creep = fmax(creep, run_norm(run_sub(now.crate[n], before.crate[n])));
        }
    }
    run_expect("rack: creep of the others, m", creep, 1e-5);
    // what weighs on the forks: pallet and crate, while the truck swings on its tyres
    run_expect("rack: load on the forks", fabs(run_read(&run, "forks.normal") / (427.3 * 9.81) - 1.0), 0.05);
    bi_verdict verdict = bi_sim_verdict(run.sim);
    if (verdict.outcome != BI_GOOD) {
        fail_msg("%s", verdict.line);
    }
    run_close(&run);
}

static void test_truck_takes_a_pallet_and_the_others_stand_still(void **state)
{
    (void)state;
    take_one(BI_ALI3P, BI_JOINT);
}

static void test_truck_takes_a_pallet_by_piles(void **state)
{
    (void)state;
    take_one(BI_PILES, BI_JOINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truck_takes_a_pallet_and_the_others_stand_still),
        cmocka_unit_test(test_truck_takes_a_pallet_by_piles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
