// SPDX-License-Identifier: MIT
// The Magic Formula against tables that an independent program made of the published equations: three sets of
// coefficients, versions 5.2, 6.1 and 6.2, all slips at once, camber, pressure, turn slip, backwards, mirrored, clamped.
// And its derivatives against differences.
#include "laws/magic_tables.h"

#include "laws/tyre/magic.h"
#include <biela/biela.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KAPPA,
    ALPHA,
    GAMMA,
    FZ,
    P,
    VCX,
    PHI_T,
    TURN,
    LIM,
    MIR,
    OMEGA,
    RE,
    FX,
    FY,
    MX,
    MY,
    MZ,
    N_COLUMNS = 28
};
enum { MU_X = 19, MU_Y = 20, K_X = 26, K_Y = 27 };

static magic_formula formula_for(const bi_tyre_magic_def *def, const double *row)
{
    bi_magic_formula set = def->formula;
    set.INFLPRES = row[P];
    set.USE_MODE = row[TURN] > 0.0 ? 15.0 : 14.0;
    return magic_make(&set, row[LIM] > 0.0);
}

static magic_state state_of(const double *row)
{
    // the formula takes a tangent: an angle of more than a quarter turn is one at the end of the range
    double alpha = row[LIM] > 0.0 ? fmax(fmin(row[ALPHA], 1.5707), -1.5707) : row[ALPHA];
    double side = row[MIR] > 0.0 ? -1.0 : 1.0, tangent = math_tan(alpha), sine, cosine;
    math_sincos(row[GAMMA], &sine, &cosine);
    double speed = fabs(row[VCX]) * sqrt(1.0 + tangent * tangent);
    return (magic_state){ .kappa = dual_variable(row[KAPPA], PATCH_SLIP_X),
                          .tan_alpha = dual_variable(side * tangent, PATCH_SLIP_Y),
                          .sin_gamma = dual_variable(side * sine, PATCH_CAMBER),
                          .load = dual_variable(row[FZ], PATCH_DEPTH),
                          .speed = dual_variable(row[VCX], PATCH_ROLL),
                          .rolls = dual_of(row[VCX] < 0.0 ? -1.0 : 1.0),
                          .turn_slip = dual_variable(side * row[PHI_T], PATCH_TURN),
                          .camber_spin = dual_variable(side * row[OMEGA] * sine / speed, PATCH_TRAVEL),
                          .friction = 1.0 };
}

static int read_row(FILE *file, double *row)
{
    char line[1024];
    if (!fgets(line, sizeof line, file)) {
        return 0;
    }
    char *at = line;
    for (int k = 0; k < N_COLUMNS; k++) {
        row[k] = strtod(at, &at);
        at += *at == ',';
    }
    return 1;
}

// (of the load, or of a tenth of the radius times the load) with all guarding numbers at zero
static const double agreement = 1e-10;

static double worst_of(const char *name, bool is_shown)
{
    bi_tyre_magic_def def = read_set(name);
    FILE *file = open_data(name, ".csv");
    char head[1024];
    assert_non_null(fgets(head, sizeof head, file));
    double row[N_COLUMNS], worst = 0.0;
    int rows = 0;
    while (read_row(file, row)) {
        magic_formula f = formula_for(&def, row);
        magic_state s = state_of(row);
        magic_force out;
        magic_eval(&f, &s, &out);
        double side = row[MIR] > 0.0 ? -1.0 : 1.0, lever = 0.1 * def.formula.UNLOADED_RADIUS;
        const double got[] = { out.fx.v, side * out.fy.v, side * out.mx.v / lever, out.my.v / lever,
                               side * out.mz.v / lever };
        const double want[] = { row[FX], row[FY], row[MX] / lever, row[MY] / lever, row[MZ] / lever };
        rows++;
        for (int k = 0; k < 5; k++) {
            double off = fabs(got[k] - want[k]) / row[FZ];
            if (off > agreement && is_shown) {
                print_message(
                    "%s row %d column %d: %.12g instead of %.12g, off %.2g (turn %g lim %g mir %g)\n", name,
                    rows, k, got[k], want[k], off, row[TURN], row[LIM], row[MIR]);
            }
            worst = fmax(worst, off);
        }
        assert_true(fabs(out.mu_x.v - row[MU_X]) <= 1e-9 && fabs(out.mu_y.v - row[MU_Y]) <= 1e-9);
        assert_true(fabs(out.slope_x.v - row[K_X]) <= 1e-9 * fabs(row[K_X]));
        assert_true(fabs(out.slope_y.v - row[K_Y]) <= 1e-9 * fabs(row[K_Y]));
    }
    fclose(file);
    assert_true(rows > 200);
    print_message("%s: %d rows, worst %.2g\n", name, rows, worst);
    return worst;
}

static void test_version_5_2_is_as_in_its_table(void **state)
{
    (void)state;
    assert_true(worst_of("car_mf52", true) <= agreement);
}

static void test_version_6_1_is_as_in_its_table(void **state)
{
    (void)state;
    assert_true(worst_of("car_mf61", true) <= agreement);
}

static void test_version_6_2_of_a_motorcycle_is_as_in_its_table(void **state)
{
    (void)state;
    assert_true(worst_of("moto_mf62", true) <= agreement);
}

// Load over depth, spin, pressure and forces; the rolling radius at that load (tyre.59). Camber of version 6.2 is left out.
static void compare_vertical(const char *name, bool is_62)
{
    bi_tyre_magic_def def = read_set(name);
    char head[512], file_name[64];
    snprintf(file_name, sizeof file_name, "%s_vertical", name);
    FILE *file = open_data(file_name, ".csv");
    assert_non_null(fgets(head, sizeof head, file));
    double c[9], worst = 0.0, worst_radius = 0.0;
    int rows = 0;
    while (read_numbers(file, c, 9)) {
        double depth = c[0], gamma = c[1], spin = c[2], load = c[6];
        if (!(load > 0.0) || (is_62 && gamma != 0.0)) {
            continue;
        }
        def.formula.INFLPRES = c[3];
        magic_formula f = magic_make(&def.formula, false);
        tyre_spring spring = { 0 };
        tyre_shape shape = { .ring = def.formula.UNLOADED_RADIUS * f.set.Q_RE0 };
        magic_wheel(&f, def.wheel.stiffness, &spring, &shape.law);
        double still = depth * (spring.stiffness + spring.stiffness_2 * depth);
        double softer = magic_softer(&f, dual_of(depth), dual_of(c[4]), dual_of(c[5])).v;
        worst = fmax(worst, fabs(still * (1.0 + spring.by_spin * fabs(spin) - softer) / load - 1.0));
        // the depth at which the spring alone has this load
        double low = 0.0, high = 1.0, wanted = load / (1.0 + spring.by_spin * fabs(spin));
        for (int k = 0; k < 200; k++) {
            double middle = 0.5 * (low + high);
            *(middle * (spring.stiffness + spring.stiffness_2 * middle) < wanted ? &low : &high) = middle;
        }
        worst_radius = fmax(worst_radius, fabs(patch_rolling(&shape, low, spin).r / c[7] - 1.0));
        rows++;
    }
    fclose(file);
    print_message("%s vertical: %d rows, load %.2g, radius %.2g\n", name, rows, worst, worst_radius);
    // eleven digits are printed
    assert_true(rows >= 10 && worst <= 1e-10 && worst_radius <= 1e-10);
}

static void test_loads_and_rolling_radii_are_as_in_their_tables(void **state)
{
    (void)state;
    compare_vertical("car_mf52", false);
    compare_vertical("car_mf61", false);
    compare_vertical("moto_mf62", true);
}

// The tyre of the engine on its rig, with each way of relaxing, which in steady motion has no effect: rows in which the
// wheel rolls forwards and does not steer.
static void worst_on_rig(const char *name, int relaxation)
{
    bi_tyre_magic_def def = read_set(name);
    FILE *file = open_data(name, ".csv");
    char head[1024];
    assert_non_null(fgets(head, sizeof head, file));
    double row[N_COLUMNS], worst = 0.0, worst_radius = 0.0;
    int rows = 0;
    while (read_row(file, row) && rows < 60) {
        if (row[VCX] < 1.0 || (row[TURN] > 0.0 && row[PHI_T] != 0.0) || fabs(row[ALPHA]) > 1.2) {
            continue;
        }
        bi_tyre_magic_def own = def;
        own.formula.INFLPRES = row[P];
        own.formula.USE_MODE = row[TURN] > 0.0 ? 5.0 : 4.0;
        own.relaxation = relaxation;
        own.unclamped = !(row[LIM] > 0.0);
        own.tyre_side = 2;
        own.side = row[MIR] > 0.0 ? 3 : 2;
        bi_element tyre;
        bi_system *system = rig_of(&own, &tyre);
        bi_tyre_state state = {
            .load = row[FZ], .slip = row[KAPPA], .angle = -row[ALPHA], .camber = row[GAMMA], .speed = row[VCX]
        };
        bi_tyre_force out;
        assert_true(bi_tyre_test(system, tyre, &state, &out));
        bi_system_destroy(system);
        double lever = 0.1 * def.formula.UNLOADED_RADIUS;
        const double got[] = { out.fx, out.fy, out.mx / lever, out.my / lever, out.mz / lever };
        const double want[] = { row[FX], row[FY], row[MX] / lever, row[MY] / lever, row[MZ] / lever };
        for (int k = 0; k < 5; k++) {
            double off = fabs(got[k] - want[k]) / row[FZ];
            if (off > 1e-8) {
                print_message("%s rig row %d column %d: %.12g instead of %.12g (lim %g mir %g turn %g)\n",
                              name, rows, k, got[k], want[k], row[LIM], row[MIR], row[TURN]);
            }
            worst = fmax(worst, off);
        }
        worst_radius = fmax(worst_radius, fabs(out.rolling_radius / row[RE] - 1.0));
        rows++;
    }
    fclose(file);
    print_message("%s on the rig: %d rows, worst %.2g, rolling radius %.2g\n", name, rows, worst,
                  worst_radius);
    assert_true(rows == 60 && worst <= 1e-8);
    // of the load that makes the rolling radius the part that forces along the ground take away is left out (tyre.59)
    assert_true(worst_radius <= 5e-3);
}

static void test_rig_measures_the_tables(void **state)
{
    (void)state;
    static const char *const name[] = { "car_mf52", "car_mf61", "moto_mf62" };
    for (int n = 0; n < 3; n++) {
        for (int relaxation = 1; relaxation <= 2; relaxation++) {
            worst_on_rig(name[n], relaxation);
        }
    }
}

// Forces and moments by each input: slopes against differences of both neighbours, where no bend lies between them.
static void test_derivatives_are_the_differences(void **state)
{
    (void)state;
    static const char *const name[] = { "car_mf52", "car_mf61", "moto_mf62" };
    static const int which[] = { PATCH_SLIP_X, PATCH_SLIP_Y, PATCH_CAMBER,
                                 PATCH_DEPTH,  PATCH_TURN,   PATCH_TRAVEL };
    int compared = 0;
    for (int n = 0; n < 3; n++) {
        bi_tyre_magic_def def = read_set(name[n]);
        FILE *file = open_data(name[n], ".csv");
        char head[1024];
        assert_non_null(fgets(head, sizeof head, file));
        double row[N_COLUMNS];
        for (int r = 0; r < 200 && read_row(file, row); r++) {
            magic_formula f = formula_for(&def, row);
            magic_state s = state_of(row);
            magic_force at;
            magic_eval(&f, &s, &at);
            for (int k = 0; k < 6; k++) {
                dual *const input[] = { &s.kappa, &s.tan_alpha, &s.sin_gamma,
                                        &s.load,  &s.turn_slip, &s.camber_spin };
                double h = k == 3 ? 1e-3 * row[FZ] : 1e-5, was = input[k]->v;
                // sizes of camber and spin have a corner at nothing
                if (fabs(was) < 4.0 * h) {
                    continue;
                }
                magic_force side[4];
                static const double by[] = { -2.0, -1.0, 1.0, 2.0 };
                for (int i = 0; i < 4; i++) {
                    input[k]->v = was + by[i] * h;
                    magic_eval(&f, &s, &side[i]);
                }
                input[k]->v = was;
#define VALUES(m)                                                                                            \
    {                                                                                                        \
        m.fx.v, m.fy.v, m.mx.v, m.my.v, m.mz.v                                                               \
    }
                const double low[] = VALUES(side[1]), high[] = VALUES(side[2]), lower[] = VALUES(side[0]),
                             higher[] = VALUES(side[3]);
                const dual *const out[] = { &at.fx, &at.fy, &at.mx, &at.my, &at.mz };
                for (int c = 0; c < 5; c++) {
                    double near = (high[c] - low[c]) / (2.0 * h), far = (higher[c] - lower[c]) / (4.0 * h);
                    double best = near + (near - far) / 3.0, size = row[FZ] / (k == 3 ? row[FZ] : 1.0);
                    // where near and far differ there is a bend, or noise
                    if (fabs(near - far) > 1e-4 * (fabs(best) + size)) {
                        continue;
                    }
                    if (!(fabs(out[c]->d[which[k]] - best) <= 1e-4 * (fabs(best) + size))) {
                        fail_msg("%s row %d input %d output %d: %.9g, differences %.9g", name[n], r, k, c,
                                 out[c]->d[which[k]], best);
                    }
                    compared++;
                }
            }
        }
        fclose(file);
    }
    assert_true(compared > 12000);
}

// At no slip and no camber a tyre whose shifts are switched off pushes nowhere.
static void test_without_shifts_nothing_pushes(void **state)
{
    (void)state;
    bi_tyre_magic_def def = read_set("car_mf61");
    bi_magic_formula *s = &def.formula;
    s->LHX = s->LVX = s->LHY = s->LVY = s->LVMX = s->LRES = 0.0;
    s->QHZ1 = s->QHZ2 = s->RVY1 = s->RVY2 = s->RHX1 = s->RHY1 = s->SSZ1 = 0.0;
    magic_formula f = magic_make(s, false);
    magic_state at = {
        .load = dual_of(4000.0), .speed = dual_of(20.0), .rolls = dual_of(1.0), .friction = 1.0
    };
    magic_force out;
    magic_eval(&f, &at, &out);
    assert_true(out.fx.v == 0.0 && out.fy.v == 0.0 && out.mz.v == 0.0 && out.mx.v == 0.0);
    assert_true(out.my.v < 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_5_2_is_as_in_its_table),
        cmocka_unit_test(test_version_6_1_is_as_in_its_table),
        cmocka_unit_test(test_version_6_2_of_a_motorcycle_is_as_in_its_table),
        cmocka_unit_test(test_rig_measures_the_tables),
        cmocka_unit_test(test_loads_and_rolling_radii_are_as_in_their_tables),
        cmocka_unit_test(test_derivatives_are_the_differences),
        cmocka_unit_test(test_without_shifts_nothing_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
