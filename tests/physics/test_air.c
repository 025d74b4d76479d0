// SPDX-License-Identifier: MIT
// Air on a vehicle (laws.17): forces and moments by hand, and motions with a closed form, in both formulations.
#include "support/text_model.h"

static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };
enum { N_BOTH = 2 };

// 30 m/s ahead and 10 m/s of wind from the left, as felt by a vehicle that heads for y: all eight numbers.
static void test_air_tells_what_coefficients_speed_and_angle_give(void **state)
{
    (void)state;
    double w2 = 1000.0, w = sqrt(w2), q = 0.5 * 1.2 * 2.0;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run =
            text_run(&(text_case){ "gravity: [0, 0, 0]\n"
                                   "bodies: {car: {mass: 1e9, inertia: [1e9, 1e9, 1e9], velocity: [0, 30, "
                                   "0], turn: [{z: 90 deg}]}}\n"
                                   "forces: {law: {type: air, point: {body: car}, area: 2, length: 2.5, "
                                   "density: 1.2, wind_x: 10 m/s, wind_z: 7 m/s,\n"
                                   "  drag: 0.3, side: 1.1, lift: 0.2, roll: 0.4, pitch: 0.1, yaw: -0.05}}\n"
                                   "outputs: {a: {air: law}, b: {effort: law}}\n",
                                   both[c], BI_ALI3P, 1e-3 });
        const struct {
            const char *name;
            double value;
        } wanted[] = { { "a.speed", w },
                       { "a.angle", atan2(10.0, 30.0) },
                       { "a.drag", -q * 0.3 * w * 30.0 },
                       { "a.side", -q * 1.1 * w * 10.0 },
                       { "a.lift", q * 0.2 * w2 },
                       { "a.roll", q * 2.5 * 0.4 * w * 10.0 },
                       { "a.pitch", q * 2.5 * 0.1 * w * 30.0 },
                       { "a.yaw", q * 2.5 * -0.05 * w * 10.0 },
                       { "b", q * w * hypot(hypot(0.3 * 30.0, 1.1 * 10.0), 0.2 * w) } };
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            run_expect(wanted[k].name, fabs(run_read(&run, wanted[k].name) / wanted[k].value - 1.0), 1e-12);
        }
        run_close(&run);
    }
}

// Across to a wind w only the side force is left: m u' = -k u |u| with u = w - y', so that u = w/(1 + k w t/m).
static double swept_away(bi_coordinates set, double dt)
{
    run_model run =
        text_run(&(text_case){ "gravity: [0, 0, 0]\n"
                               "bodies: {car: {mass: 800, inertia: [1e3, 1e3, 1e3]}}\n"
                               "joints: {way: {type: prismatic, bodies: [ground, car], axis: [0, 1, 0]}}\n"
                               "tables: {c: {points: [[-180 deg, 0], [-90 deg, -1.5], [0, 0], [90 deg, 1.5], "
                               "[180 deg, 0]], interpolation: monotone}}\n"
                               "forces: {law: {type: air, point: {body: car}, area: 4, density: 1.25, "
                               "wind_y: 20 m/s, drag: 0.3, side_table: c, lift: 0.2, yaw: 1}}\n"
                               "outputs: {y: {joint: way}}\n",
                               set, BI_ALI3P, dt });
    run_to(&run, 10.0);
    double k = 0.5 * 1.25 * 4.0 * 1.5;
    double error = fabs(run_read(&run, "y.rate") - (20.0 - 20.0 / (1.0 + k * 20.0 * 10.0 / 800.0)));
    run_close(&run);
    return error;
}

static void test_car_on_ice_is_swept_away_as_the_closed_form(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        double coarse = swept_away(both[c], 0.2), fine = swept_away(both[c], 0.1);
        run_expect("swept away", fine, 1e-3);
        run_expect_order_two("swept away", coarse, fine);
    }
}

// A vane of small angle a in the wind: the flow comes under b = pi + ..., I a'' = -q A l c a, its own motion left out by
// turning about the point where the air is counted.
static void test_weather_vane_swings_with_the_frequency_of_its_yaw_coefficient(void **state)
{
    (void)state;
    double I = 0.5, rate = sqrt(0.5 * 1.25 * 0.3 * 0.4 * 0.2 * 15.0 * 15.0 / I),
           quarter = 0.5 * run_pi / rate;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(&(text_case){
            "gravity: [0, 0, 0]\n"
            "bodies: {vane: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\n"
            "joints: {post: {type: revolute, bodies: [ground, vane], axis: [0, 0, 1], value: 1e-3}}\n"
            "forces: {law: {type: air, point: {body: vane}, area: 0.3, length: 0.4, density: 1.25, wind_x: "
            "-15 m/s, side: 1, yaw: 0.2}}\n"
            "outputs: {a: {joint: post}}\n",
            both[c], BI_ALI3P, 1e-3 });
        // angles of 1e-3 rad change the frequency by 1e-7; steps of 1 ms by (rate h)^2/12 = 1e-6
        run_to(&run, quarter);
        run_expect("vane, quarter", fabs(run_read(&run, "a.angle")), 1e-3 * 5e-6);
        run_to(&run, 2.0 * quarter);
        run_expect("vane, half", fabs(run_read(&run, "a.angle") + 1e-3), 1e-3 * 5e-6);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_air_tells_what_coefficients_speed_and_angle_give),
        cmocka_unit_test(test_car_on_ice_is_swept_away_as_the_closed_form),
        cmocka_unit_test(test_weather_vane_swings_with_the_frequency_of_its_yaw_coefficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
