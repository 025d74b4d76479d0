// SPDX-License-Identifier: MIT
// The public interface as a program uses it: reports, channels, inputs, hashes, threads.
#include "api/arm.h"
#include <pthread.h>
#include <stdlib.h>

static bool report_has(const bi_report *report, const char *where, const char *what)
{
    for (int k = 0; k < report->count; k++) {
        if (strstr(report->issue[k].where, where) && strstr(report->issue[k].what, what)) {
            return true;
        }
    }
    return false;
}

// ---- compile ------------------------------------------------------------------------------------------------------

static void test_compile_of_several_mistakes_reports_all_of_them(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("wrong");
    bi_body heavy = bi_add_body(m, &(bi_body_def){ .name = "heavy", .mass = -1.0 });
    bi_add_joint(m, &(bi_joint_def){ .name = "loop", .kind = BI_REVOLUTE, .a = heavy, .b = heavy });
    bi_add_joint(m, &(bi_joint_def){ .name = "lost", .kind = BI_SPHERICAL, .a = heavy, .b = { 99 } });
    bi_joint ball =
        bi_add_joint(m, &(bi_joint_def){ .name = "weld", .kind = BI_FIXED, .a = BI_GROUND, .b = heavy });
    bi_add_torque(m, &(bi_torque_def){
                         .name = "twist", .joint = ball, .torque = bi_expression(m, "1 + nobody", NULL) });
    bi_report report = { 0 };
    assert_null(bi_compile(m, NULL, &report));
    assert_true(report_has(&report, "bodies.heavy", "negative"));
    assert_true(report_has(&report, "joints.loop", "itself"));
    assert_true(report_has(&report, "joints.lost", "two bodies"));
    assert_true(report_has(&report, "expression", "nobody"));
    assert_true(report_has(&report, "forces.twist.joint", "coordinate"));
    assert_int_equal(report.errors, 5);
    for (int k = 0; k < report.count; k++) {
        assert_int_equal(report.issue[k].code, BI_BAD_MODEL);
    }
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_compile_with_no_report_still_refuses(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("wrong");
    bi_add_body(m, &(bi_body_def){ .name = "heavy", .mass = -1.0 });
    assert_null(bi_compile(m, NULL, NULL));
    bi_model_destroy(m);
}

static void test_mistake_keeps_the_place_it_was_added_at(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("wrong");
    bi_model_place(m, (bi_place){ "robot.yaml", 7, 3 });
    bi_add_body(m, &(bi_body_def){ .name = "heavy", .mass = -1.0 });
    bi_report report = { 0 };
    assert_null(bi_compile(m, NULL, &report));
    bi_model_destroy(m);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.issue[0].place.file, "robot.yaml");
    assert_int_equal(report.issue[0].place.line, 7);
    assert_int_equal(report.issue[0].place.column, 3);
    bi_report_clear(&report);
}

static void test_system_outlives_its_model(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    set_push(&run, 1.0);
    step_times(run.sim, 50);
    uint64_t wanted = bi_sim_hash(run.sim);
    run_close(&run);

    bi_model *model = arm(arm_mass);
    bi_system *system = bi_compile(model, &(bi_options){ .dt = arm_dt }, NULL);
    bi_model_destroy(model);
    assert_non_null(system);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    bi_sim_input(sim, bi_find_input(system, "push"), 1.0);
    step_times(sim, 50);
    assert_true(bi_sim_hash(sim) == wanted);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
}

// ---- channels and inputs --------------------------------------------------------------------------------------------

static void test_channels_are_found_by_their_names(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    static const char *const names[] = {
        "tip.x",   "tip.vz", "shoulder.angle", "shoulder.rate",    "force.mz",     "hand.qw",
        "hand.wz", "push",   "energy.kinetic", "energy.potential", "energy.total", "energy.balance"
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        bi_channel c = run_channel(&run, names[k]);
        assert_string_equal(bi_channel_name(run.system, c), names[k]);
    }
    // 6 of the point, 2 of the joint, 6 of the reaction, 13 of the body, 1 expression, 4 energies
    assert_int_equal(bi_channel_count(run.system), 32);
    for (int k = 0; k < 32; k++) {
        bi_channel c = bi_channel_at(run.system, k);
        assert_int_equal(bi_find_channel(run.system, bi_channel_name(run.system, c)).i, c.i);
    }
    assert_string_equal(bi_channel_unit(run.system, run_channel(&run, "tip.vx")), "m/s");
    assert_string_equal(bi_channel_unit(run.system, run_channel(&run, "shoulder.angle")), "rad");
    run_close(&run);
}

static void test_unknown_channel_is_unset(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    assert_int_equal(bi_find_channel(run.system, "tip").i, 0);
    assert_int_equal(bi_find_channel(run.system, "").i, 0);
    assert_int_equal(bi_channel_at(run.system, -1).i, 0);
    assert_int_equal(bi_channel_at(run.system, 32).i, 0);
    assert_null(bi_channel_name(run.system, (bi_channel){ 0 }));
    assert_null(bi_channel_unit(run.system, (bi_channel){ 33 }));
    assert_true(isnan(bi_sim_read(run.sim, (bi_channel){ 0 })));
    assert_int_equal(bi_find_input(run.system, "pull").i, 0);
    assert_int_equal(bi_input_count(run.system), 1);
    assert_string_equal(bi_input_name(run.system, 0), "push");
    assert_null(bi_input_name(run.system, 1));
    run_close(&run);
}

// At rest in zero gravity, the torque 3 push cos(t) gives the upper arm angular acceleration torque / I at t = 0.
static void test_input_changes_the_torque_that_reads_it(void **state)
{
    (void)state;
    for (double push = -1.0; push <= 2.0; push += 1.0) {
        bi_model *m = bi_model_create("wheel");
        bi_model_gravity(m, (bi_vec3){ 0, 0, 0 });
        bi_body wheel =
            bi_add_body(m, &(bi_body_def){ .name = "wheel", .mass = 1.0, .inertia = { 1.0, 1.0, 2.0 } });
        bi_joint axle = bi_add_joint(
            m, &(bi_joint_def){ .name = "axle", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = wheel });
        bi_input input = bi_add_input(m, "push", 1.0);
        bi_add_torque(m, &(bi_torque_def){
                             .name = "drive", .joint = axle, .torque = bi_expression(m, "3*push", NULL) });
        bi_add_output(m, &(bi_output_def){ .name = "axle", .kind = BI_OUT_JOINT, .joint = axle });
        run_model run = run_start(m, BI_ALI3P, 1e-3, 1.0);
        step_times(run.sim, 1); // the initial value 1 acts: rate 1.5 t
        double before = run_read(&run, "axle.rate");
        bi_sim_input(run.sim, input, push);
        step_times(run.sim, 100);
        double gained = run_read(&run, "axle.rate") - before;
        // trapezoidal rule: exact for constant torques but for the first step, which averages old and new, and for
        // the curvature of the path: relative error below (rate h)^2
        double wanted = 1.5 * (0.1 * push + 0.5e-3 * (1.0 - push)), turned = 1e-3 * (1.5e-3 + fabs(wanted));
        assert_true(fabs(before - 1.5e-3) <= 1e-12);
        if (!(fabs(gained - wanted) <= 1e-12 + turned * turned * fabs(wanted))) {
            fail_msg("push %g: gained %.15g instead of %.15g", push, gained, wanted);
        }
        run_close(&run);
    }
}

static void test_input_shows_in_an_expression_channel_at_once(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    step_times(run.sim, 1);
    set_push(&run, 0.75);
    step_times(run.sim, 1);
    assert_true(run_read(&run, "push") == 1.5);
    run_close(&run);
}

// ---- step -------------------------------------------------------------------------------------------------------------

static void test_step_before_start_is_refused(void **state)
{
    (void)state;
    bi_model *m = arm(arm_mass);
    bi_system *system = bi_compile(m, NULL, NULL);
    bi_sim *sim = bi_sim_create(system);
    assert_true(bi_sim_step(sim) != BI_OK);
    assert_non_null(strstr(bi_sim_failure(sim), "started"));
    assert_true(bi_sim_step_to(sim, 1e-3) != BI_OK);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    assert_int_equal(bi_sim_step(sim), BI_OK);
    assert_string_equal(bi_sim_failure(sim), "");
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
}

static void test_start_twice_gives_the_same_hash(void **state)
{
    (void)state;
    for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
        run_model run = arm_run((bi_scheme)scheme);
        uint64_t first = bi_sim_hash(run.sim);
        step_times(run.sim, 200);
        uint64_t end = bi_sim_hash(run.sim);
        assert_true(first != end);
        assert_int_equal(bi_sim_start(run.sim, NULL), BI_OK);
        assert_true(bi_sim_hash(run.sim) == first);
        step_times(run.sim, 200);
        assert_true(bi_sim_hash(run.sim) == end);
        run_close(&run);
    }
}

static void test_hash_tells_an_input_a_step_and_a_step_length(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P), other = run_start(arm(arm_mass), BI_ALI3P, 2.0 * arm_dt, 1.0);
    uint64_t start = bi_sim_hash(run.sim);
    assert_true(start != bi_sim_hash(other.sim));
    set_push(&run, 1e-9);
    assert_true(bi_sim_hash(run.sim) != start);
    set_push(&run, 0.0);
    assert_true(bi_sim_hash(run.sim) == start);
    step_times(run.sim, 1);
    assert_true(bi_sim_hash(run.sim) != start);
    run_close(&run);
    run_close(&other);
}

static void test_steps_do_not_pile_up_rounding_of_time(void **state)
{
    (void)state;
    run_model run = run_start(arm(arm_mass), BI_ALI3P, 1e-3, 1.0);
    step_times(run.sim, 1000);
    // a thousand times the double nearest to 1e-3, rounded once
    assert_true(run_now(&run) == 1000.0 * 1e-3);
    assert_int_equal(bi_sim_view(run.sim).step, 1000);
    assert_int_equal(bi_sim_step_to(run.sim, 1.0007), BI_OK);
    assert_true(run_now(&run) == 1.0007);
    run_close(&run);
}

// ---- reading ----------------------------------------------------------------------------------------------------------

static void test_reading_everything_does_not_change_the_run(void **state)
{
    (void)state;
    for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
        run_model silent = arm_run((bi_scheme)scheme), read = arm_run((bi_scheme)scheme);
        double value[64], sum = 0.0;
        for (int k = 0; k < 300; k++) {
            set_push(&silent, sin(0.1 * k));
            set_push(&read, sin(0.1 * k));
            step_times(silent.sim, 1);
            step_times(read.sim, 1);
            bi_sim_read_all(read.sim, value);
            sum += value[0] + bi_sim_view(read.sim).q[0] + bi_sim_statistics(read.sim).violation;
        }
        assert_true(isfinite(sum));
        assert_true(bi_sim_hash(silent.sim) == bi_sim_hash(read.sim));
        run_close(&silent);
        run_close(&read);
    }
}

static void test_info_does_not_change_the_run(void **state)
{
    (void)state;
    run_model silent = arm_run(BI_ALI3P), asked = arm_run(BI_ALI3P);
    for (int k = 0; k < 20; k++) {
        bi_info info;
        step_times(silent.sim, 10);
        step_times(asked.sim, 10);
        assert_int_equal(bi_sim_info(asked.sim, &info, &asked.report), BI_OK);
    }
    assert_true(bi_sim_hash(silent.sim) == bi_sim_hash(asked.sim));
    run_close(&silent);
    run_close(&asked);
}

static void test_read_one_by_one_equals_read_all(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    step_times(run.sim, 20);
    double value[64];
    bi_sim_read_all(run.sim, value);
    step_times(run.sim, 1);
    bi_sim_read_all(run.sim, value);
    bi_sim_start(run.sim, NULL);
    step_times(run.sim, 21);
    // backwards, so that nothing is prepared in the order of the list
    for (int k = bi_channel_count(run.system) - 1; k >= 0; k--) {
        double one = bi_sim_read(run.sim, bi_channel_at(run.system, k));
        if (one != value[k]) {
            fail_msg("%s: %.17g and %.17g", bi_channel_name(run.system, bi_channel_at(run.system, k)), one,
                     value[k]);
        }
    }
    run_close(&run);
}

// ---- threads ------------------------------------------------------------------------------------------------------------

typedef struct {
    const bi_system *system;
    bi_status status;
    uint64_t hash;
} worker;

static void *run_worker(void *data)
{
    worker *w = data;
    double value[64];
    bi_sim *sim = bi_sim_create(w->system);
    w->status = sim ? bi_sim_start(sim, NULL) : BI_NO_MEMORY;
    for (int k = 0; k < 500 && w->status == BI_OK; k++) {
        w->status = bi_sim_step(sim);
        bi_sim_read_all(sim, value);
    }
    w->hash = sim ? bi_sim_hash(sim) : 0;
    bi_sim_destroy(sim);
    return NULL;
}

static void test_two_threads_share_a_system_and_agree(void **state)
{
    (void)state;
    bi_model *m = arm(arm_mass);
    bi_system *system = bi_compile(m, &(bi_options){ .dt = arm_dt }, NULL);
    assert_non_null(system);
    worker alone = { .system = system }, pair[2] = { { .system = system }, { .system = system } };
    run_worker(&alone);
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, run_worker, &pair[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        assert_int_equal(pair[k].status, BI_OK);
        assert_true(pair[k].hash == alone.hash);
    }
    bi_system_destroy(system);
    bi_model_destroy(m);
}

// ---- memory ---------------------------------------------------------------------------------------------------------------

static int taken, given;
static void *take(size_t size)
{
    taken++;
    return malloc(size);
}
static void give(void *memory)
{
    given++;
    free(memory);
}
static void *take_nothing(size_t size)
{
    (void)size;
    return NULL;
}

static void test_sim_is_one_block_of_the_given_allocator(void **state)
{
    (void)state;
    bi_model *m = arm(arm_mass);
    bi_system *system = bi_compile(m, &(bi_options){ .alloc = take, .release = give }, NULL);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    step_times(sim, 10);
    assert_int_equal(taken, 1);
    assert_int_equal(given, 0);
    bi_sim_destroy(sim);
    assert_int_equal(given, 1);
    bi_system_destroy(system);
    system = bi_compile(m, &(bi_options){ .alloc = take_nothing }, NULL);
    assert_null(bi_sim_create(system));
    bi_system_destroy(system);
    bi_model_destroy(m);
    bi_sim_destroy(NULL);
    bi_system_destroy(NULL);
    bi_model_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compile_of_several_mistakes_reports_all_of_them),
        cmocka_unit_test(test_compile_with_no_report_still_refuses),
        cmocka_unit_test(test_mistake_keeps_the_place_it_was_added_at),
        cmocka_unit_test(test_system_outlives_its_model),
        cmocka_unit_test(test_channels_are_found_by_their_names),
        cmocka_unit_test(test_unknown_channel_is_unset),
        cmocka_unit_test(test_input_changes_the_torque_that_reads_it),
        cmocka_unit_test(test_input_shows_in_an_expression_channel_at_once),
        cmocka_unit_test(test_step_before_start_is_refused),
        cmocka_unit_test(test_start_twice_gives_the_same_hash),
        cmocka_unit_test(test_hash_tells_an_input_a_step_and_a_step_length),
        cmocka_unit_test(test_steps_do_not_pile_up_rounding_of_time),
        cmocka_unit_test(test_reading_everything_does_not_change_the_run),
        cmocka_unit_test(test_info_does_not_change_the_run),
        cmocka_unit_test(test_read_one_by_one_equals_read_all),
        cmocka_unit_test(test_two_threads_share_a_system_and_agree),
        cmocka_unit_test(test_sim_is_one_block_of_the_given_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
