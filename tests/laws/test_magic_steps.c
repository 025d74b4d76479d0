// SPDX-License-Identifier: MIT
// The Magic Formula after a step of slip: against tables of the closed form of its lag.
#include "laws/magic_tables.h"
#include "laws/tyre_bench.h"

// A step of one slip at 10 m/s and the nominal load: forces along the closed form of the lag.
static void follow_step(const char *name, int across)
{
    static const double h = 1e-5, speed = 10.0, side_slip = 0.06, slip = 0.05;
    bi_tyre_magic_def def = read_set(name);
    def.relaxation = 2;
    def.unclamped = true;
    def.formula.USE_MODE = 14.0;
    def.formula.Q_FCX = def.formula.Q_FCY = 0.0;
    def.formula.INFLPRES = def.formula.NOMPRES;
    bi_element tyre;
    bi_system *system = rig_of(&def, &tyre);
    bi_tyre_state at = { .load = def.formula.FNOMIN, .speed = speed, .slip = across ? 0.0 : slip };
    bi_tyre_force rest;
    assert_true(bi_tyre_test(system, tyre, &at, &rest));
    bi_system_destroy(system);

    bi_model *model = bi_model_create("step");
    assert_non_null(model);
    bi_model_gravity(model, (vec3){ 0, 0, 0 });
    def.wheel.body = bi_add_body(model, &(bi_body_def){ .name = "wheel" });
    bi_add_tyre_magic(model, &def);
    bench b = bench_open(model, NULL, 0);
    double radius = def.formula.UNLOADED_RADIUS, spin = speed * (1.0 + at.slip) / rest.rolling_radius;
    double grown =
        def.formula.Q_V1 * radius * radius * spin * spin / (def.formula.LONGVL * def.formula.LONGVL);
    double unloaded = radius * ((def.formula.Q_RE0 > 0.0 ? def.formula.Q_RE0 : 1.0) +
                                (def.formula.FITTYP < 60 ? 0.0 : grown));
    b.u.h = h;
    b.at.axes[0] = bench_home.turn;
    tray_put(&b.at.value[0], (vec3){ 0.0, 0.0, unloaded - rest.depth });
    tray_put(&b.at.rate[0], (vec3){ speed, across ? speed * tan(side_slip) : 0.0, 0.0 });
    tray_put(&b.at.rate[3], (vec3){ 0.0, spin, 0.0 });
    b.dz_old[0] = across ? 0.0 : speed * slip;
    b.dz_old[1] = across ? -speed * tan(side_slip) : 0.0;

    char head[512], file_name[64];
    snprintf(file_name, sizeof file_name, "%s_transient", name);
    FILE *file = open_data(file_name, ".csv");
    assert_non_null(fgets(head, sizeof head, file));
    double c[6], worst = 0.0, now = 0.0;
    int rows = 0;
    while (read_numbers(file, c, 6)) {
        for (; now < c[0] - 0.5 * h; now += h) {
            bench_eval(&b, 0);
            memcpy(b.z_old, b.z, 2 * sizeof *b.z);
            memcpy(b.dz_old, b.dz, 2 * sizeof *b.dz);
        }
        if (rows > 0) {
            double load = reading(&b, "fz"), lever = 0.1 * radius;
            assert_true(fabs(load / at.load - 1.0) <= 1e-10);
            worst = across ? fmax(worst, fabs(reading(&b, "fy") - c[2]) / load)
                           : fmax(worst, fabs(reading(&b, "fx") - c[5]) / load);
            worst = across ? fmax(worst, fabs(reading(&b, "mz") - c[3]) / lever / load) : worst;
        }
        rows++;
    }
    fclose(file);
    bench_close(&b);
    print_message("%s, step %s: %d rows, worst %.2g\n", name, across ? "across" : "along", rows, worst);
    // the trapezoidal rule: (V h/sigma)^2/12 of the step, with sigma 0.1 m or more, is 8e-8; its share decays
    assert_true(rows > 50 && worst <= 1e-7);
}

static void test_steps_of_slip_relax_as_in_their_tables(void **state)
{
    (void)state;
    static const char *const name[] = { "car_mf52", "car_mf61", "moto_mf62" };
    for (int n = 0; n < 3; n++) {
        follow_step(name[n], 0);
        follow_step(name[n], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_slip_relax_as_in_their_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
