// SPDX-License-Identifier: MIT
// Bodies of exact beams (flex: {model: exact}) against closed forms and solutions computed elsewhere: elliptic integrals and
// shooting of Runge and Kutta's methods of order eight for large deflections, spectral elements for a falling beam. Their
// numbers are quoted to nine digits; the accuracy of each is far below the limits here.
#include "support/text_model.h"
#include <stdlib.h>

static const bi_coordinates both[] = { BI_JOINT, BI_NATURAL };

static const char *name_of(bi_coordinates coordinates)
{
    return coordinates == BI_JOINT ? "joint" : "natural";
}

static run_model rest(const char *text, bi_coordinates coordinates)
{
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
    run_require(bi_equilibrium(run.sim, NULL, &run.report) == BI_OK, &run.report, "there is no equilibrium");
    return run;
}

#define STRIP(sections, elements)                                                                            \
    "gravity: [0, 0, 0]\n"                                                                                   \
    "bodies:\n"                                                                                              \
    "  strip:\n"                                                                                             \
    "    flex:\n"                                                                                            \
    "      model: exact\n"                                                                                   \
    "      kind: timoshenko\n" sections "      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n"                   \
    "      lines: {l: {from: root, to: tip, elements: " elements "}}\n"                                      \
    "      frame: root\n"                                                                                    \
    "joints: {clamp: {type: fixed, bodies: [ground, strip]}}\n"                                              \
    "outputs:\n"                                                                                             \
    "  tip: {point: {body: strip, node: tip}}\n"                                                             \
    "  root: {section: strip, element: l, at: start}\n"                                                      \
    "  mid: {section: strip, element: l, at: mid}\n"                                                         \
    "  held: {reaction: clamp}\n"

#define SQUARE                                                                                               \
    "      materials: {m: {young: 7e10, poisson: 0.3, density: 2700}}\n"                                     \
    "      sections: {s: {rectangle: [0.02, 0.02]}}\n"

// ---- a moment rolls a cantilever up ---------------------------------------------------------------------------------

// x = sin(k s)/k, y = (1 - cos(k s))/k with k = M/EI: of one element and of many, to rounding of the equilibrium.
static void test_moment_rolls_a_cantilever_up_exactly(void **state)
{
    (void)state;
    static const char *const elements[] = { "2", "9" };
    static const double turns[] = { 0.25, 0.5, 1.0 };
    for (int e = 0; e < 4; e++) {
        for (int t = 0; t < 3 - (e % 2 == 0); t++) {
            char text[2048];
            snprintf(text, sizeof text,
                     STRIP(SQUARE, "%s") "forces: {M: {type: torque-on-body, body: strip.tip, mz: %.17g}}\n",
                     elements[e % 2], 2.0 * run_pi * turns[t] * 2800.0 / 3.0);
            double k = 2.0 * run_pi * turns[t];
            run_model run = rest(text, both[e / 2]);
            run_expect("rolled cantilever, x", fabs(run_read(&run, "tip.x") - sin(k) / k), 1e-9);
            run_expect("rolled cantilever, y", fabs(run_read(&run, "tip.y") - (1.0 - cos(k)) / k), 1e-9);
            run_expect("rolled cantilever, moment",
                       fabs(run_read(&run, "root.Mz") / (k * 2800.0 / 3.0) - 1.0), 1e-9);
            run_close(&run);
        }
    }
}

// ---- a dead load at the tip ------------------------------------------------------------------------------------------

// EI = 933.333, EA = 2.8e7, GA = 8.97436e6; shooting with 120 steps of order eight.
typedef struct {
    double load, x, y, moment;
} bent;
static const bent dead[] = {
    { 233.333333333, 0.995880741916, 0.0827716273353, 232.372173114 },
    { 3733.33333333, 0.671000041176, 0.670192865966, 2505.06682039 },
    { 9333.33333333, 0.444922091434, 0.811084295254, 4152.60618672 },
};

static void test_dead_load_bends_a_cantilever_as_reissner_says(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        for (size_t k = 0; k < sizeof dead / sizeof *dead; k++) {
            double error[2][3];
            for (int fine = 0; fine < 2; fine++) {
                char text[2048];
                snprintf(text, sizeof text,
                         STRIP(SQUARE, "%s") "forces: {P: {type: force, point: {body: strip, node: tip}, fy: "
                                             "%.12g}}\n",
                         fine ? "16" : "8", dead[k].load);
                run_model run = rest(text, both[c]);
                error[fine][0] = fabs(run_read(&run, "tip.x") - dead[k].x);
                error[fine][1] = fabs(run_read(&run, "tip.y") - dead[k].y);
                error[fine][2] = fabs(run_read(&run, "root.Mz") / dead[k].moment - 1.0);
                if (fine) {
                    // what holds it is what the section says
                    run_expect("clamp against section",
                               fabs(run_read(&run, "held.mz") + run_read(&run, "root.Mz")),
                               1e-6 * dead[k].moment);
                }
                run_close(&run);
            }
            static const char *const what[] = { "x", "y", "moment" };
            for (int i = 0; i < 3; i++) {
                char label[96];
                snprintf(label, sizeof label, "dead load %.0f N, %s, %s", dead[k].load, what[i],
                         name_of(both[c]));
                // the fourth power of 1/16, with P L^2/EI up to 10; asked is 1e-6 to a load of 4
                run_expect(label, error[1][i], dead[k].load < 4000.0 ? 1e-6 : 5e-6);
                // twice as fine is 16 times as near, where rounding and the digits quoted leave it to see
                assert_true(error[0][i] < 1e-8 || error[1][i] < error[0][i] / 8.0);
            }
        }
    }
}

// ---- a load that follows the tip --------------------------------------------------------------------------------------

// P L^2/EI = 2, 6, 8, always across the tip: the inextensible strip from the tip as an initial value problem. Here EA is 3e6
// EI/L^2, which leaves up to 3e-6 besides the fourth power of 1/16.
static void test_load_that_follows_the_tip_bends_it_back(void **state)
{
    (void)state;
    static const bent follower[] = {
        { 2.0, 0.767362191535, 0.573839062561, 1.81536644281 },
        { 6.0, 0.0495022280682, 0.740274363612, 2.8992336705 },
        { 8.0, -0.0738629807089, 0.633592113577, 2.45143186981 },
    };
    for (int c = 0; c < 2; c++) {
        for (size_t k = 0; k < sizeof follower / sizeof *follower; k++) {
            char text[2048], label[96];
            snprintf(
                text, sizeof text,
                STRIP(
                    "      materials: {m: {young: 7e10, poisson: 0.3, density: 27}}\n"
                    "      sections: {s: {area: 4e-2, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8, "
                    "top: 0.01, side: 0.01, shear_y: 1, shear_z: 1}}\n",
                    "16") "forces: {P: {type: force, point: {body: strip, node: tip}, fy: %.17g, axes: "
                          "body}}\n",
                follower[k].load * 2800.0 / 3.0);
            run_model run = rest(text, both[c]);
            snprintf(label, sizeof label, "follower load %g, %s", follower[k].load, name_of(both[c]));
            run_expect(
                label,
                hypot(run_read(&run, "tip.x") - follower[k].x, run_read(&run, "tip.y") - follower[k].y),
                1e-5);
            run_expect(label, fabs(run_read(&run, "root.Mz") / (2800.0 / 3.0) - follower[k].moment), 1e-5);
            run_close(&run);
        }
    }
}

// A ten-millionth of that: P L^3/3 EI and P L/k GA, though rounding of the stiff directions is large against the load.
static void test_tiny_load_has_an_equilibrium(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run =
            rest(STRIP(SQUARE, "8") "forces: {P: {type: force, point: {body: strip, node: tip}, fy: "
                                    "1e-4}}\n",
                 both[c]);
        double wanted = 1e-4 * (1.0 / 2800.0 + 1.0 / 8.97436e6);
        // what rounding of EA = 2.8e7 N leaves of a load of 1e-4 N
        run_expect("tiny load", fabs(run_read(&run, "tip.y") / wanted - 1.0), 1e-4);
        run_close(&run);
    }
}

// ---- loads beyond a limit ----------------------------------------------------------------------------------------------

// The load at which beams stop to follow, of the one that is there: from the warning.
static double limit_told(const char *text, bi_coordinates coordinates)
{
    double share = 0.0;
    run_model run = rest(text, coordinates);
    for (int k = 0; k < run.report.count; k++) {
        const char *at = strstr(run.report.issue[k].what, "snap through at ");
        share = at ? strtod(at + strlen("snap through at "), NULL) : share;
    }
    run_close(&run);
    return share;
}

// Williams's toggle, clamped at both feet: P = 33.906432 by shooting and pseudo arc length. What lies beyond is told as such.
static void test_limit_load_of_a_toggle_is_told(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  toggle:\n"
        "    flex:\n"
        "      model: exact\n"
        "      materials: {m: {young: 1e7, poisson: 0.3, density: 1000}}\n"
        "      sections: {s: {area: 0.1885, iy: 9.27e-3, iz: 9.27e-4, top: 0.1, side: 0.1}}\n"
        "      nodes: {left: [0, 0, 0], apex: [12.937242925370132, 0.386, 0], right: [25.874485850740264, 0, "
        "0]}\n"
        "      lines: {a: {from: left, to: apex, elements: 8}, b: {from: apex, to: right, elements: 8}}\n"
        "      frame: left\n"
        "joints:\n"
        "  l: {type: fixed, bodies: [ground, toggle]}\n"
        "  r: {type: fixed, bodies: [ground, toggle], at: [25.874485850740264, 0, 0]}\n"
        "forces: {P: {type: force, point: {body: toggle, node: apex}, fy: -40}}\n";
    for (int c = 0; c < 2; c++) {
        double share = limit_told(text, both[c]);
        // steps of the load end at 1/8192 of it; asked is 0.1 %
        run_expect("limit of a toggle", fabs(40.0 * share / 33.906432 - 1.0), 5e-4);
    }
}

// Lee's frame, hinged at both feet: P = 1.8544527, the same way.
static void test_limit_load_of_lees_frame_is_told(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  frame:\n"
        "    flex:\n"
        "      model: exact\n"
        "      kind: timoshenko\n"
        "      materials: {m: {young: 720, poisson: 0.3, density: 1}}\n"
        "      sections: {s: {area: 6, iy: 20, iz: 2, shear_y: 0.83333333333333333, shear_z: 0.8, top: 1, "
        "side: 1}}\n"
        "      nodes: {foot: [0, 0, 0], corner: [0, 120, 0], load: [24, 120, 0], end: [120, 120, 0]}\n"
        "      lines:\n"
        "        column: {from: foot, to: corner, elements: 8}\n"
        "        near: {from: corner, to: load, elements: 2}\n"
        "        far: {from: load, to: end, elements: 6}\n"
        "      frame: foot\n"
        "joints:\n"
        "  a: {type: revolute, bodies: [ground, frame]}\n"
        "  b: {type: revolute, bodies: [ground, frame], at: [120, 120, 0]}\n"
        "forces: {P: {type: force, point: {body: frame, node: load}, fy: -2.5}}\n";
    for (int c = 0; c < 2; c++) {
        double share = limit_told(text, both[c]);
        run_expect("limit of Lee's frame", fabs(2.5 * share / 1.8544527 - 1.0), 5e-4);
    }
}

// ---- out of the plane ------------------------------------------------------------------------------------------------

// A beam of 12.3777 mm x 3.2024 mm, 0.508 m, loaded with 8.896 N at angles to its edge: Princeton's experiment, by
// shooting of the rod in space.
typedef struct {
    double load, angle, along, across, twist; // N, deg, m, m, deg
} skew;
static const skew princeton[] = {
    { 8.896, 0, 0.0107135971173, 0, 0 },
    { 8.896, 30, 0.0485121424549, 0.0637344082566, -1.51125947774 },
    { 8.896, 60, 0.115838120123, 0.0591966152165, -1.3806927591 },
    { 8.896, 90, 0.146253039625, 8.10111567425e-18, -1.87563242636e-16 },
    { 13.345, 45, 0.121565970084, 0.0998721503529, -3.48429413642 },
};

static void test_beam_loaded_askew_bends_and_twists_as_the_princeton_beam(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        for (size_t k = 0; k < sizeof princeton / sizeof *princeton; k++) {
            const skew *p = &princeton[k];
            char text[2048];
            // y is the chord, z the thickness; the load turns from y to z
            double a = p->angle * run_pi / 180.0;
            snprintf(text, sizeof text,
                     "gravity: [0, 0, 0]\n"
                     "bodies:\n"
                     "  beam:\n"
                     "    flex:\n"
                     "      model: exact\n"
                     "      kind: timoshenko\n"
                     "      materials: {m: {young: 71.7e9, poisson: 0.31, density: 2800}}\n"
                     "      sections: {s: {rectangle: [12.3777 mm, 3.2024 mm]}}\n"
                     "      nodes: {root: [0, 0, 0], tip: [0.508, 0, 0]}\n"
                     "      lines: {l: {from: root, to: tip, elements: 16}}\n"
                     "      frame: root\n"
                     "joints: {clamp: {type: fixed, bodies: [ground, beam]}}\n"
                     "forces: {P: {type: force, point: {body: beam, node: tip}, fy: %.17g, fz: %.17g}}\n"
                     "outputs:\n"
                     "  tip: {point: {body: beam, node: tip}}\n"
                     "  axes: {rotation: {body: beam, node: tip}}\n",
                     p->load * cos(a), p->load * sin(a));
            run_model run = rest(text, both[c]);
            double y = run_read(&run, "tip.y"), z = run_read(&run, "tip.z"), size = 0.508;
            double along = y * cos(a) + z * sin(a), across = z * cos(a) - y * sin(a);
            double twist = atan2(run_read(&run, "axes.zy"), run_read(&run, "axes.yy")) * 180.0 / run_pi;
            char label[96];
            snprintf(label, sizeof label, "princeton %.0f deg, %s", p->angle, name_of(both[c]));
            // asked is 2 %; of the length. Bending about both axes and twist together converge with the second power
            run_expect(label, hypot(along - p->along, fabs(across) - fabs(p->across)) / size, 2e-5);
            run_expect(label, fabs(fabs(twist) - fabs(p->twist)) / 10.0, 2e-3);
            run_close(&run);
        }
    }
}

// The bend of Bathe and Bolourchi: an eighth of a circle of radius 100, loaded across its plane, by shooting of the rod in
// space with Runge and Kutta's method of order eight.
static void test_curved_cantilever_bends_out_of_its_plane(void **state)
{
    (void)state;
    static const char *const elements[] = { "4", "8" };
    double error[2];
    for (int c = 0; c < 2; c++) {
        for (int fine = 0; fine < (c ? 1 : 2); fine++) {
            char text[2048];
            snprintf(text, sizeof text,
                     "gravity: [0, 0, 0]\n"
                     "bodies:\n"
                     "  bend:\n"
                     "    flex:\n"
                     "      model: exact\n"
                     "      kind: timoshenko\n"
                     "      materials: {m: {young: 1e7, poisson: 0, density: 1}}\n"
                     "      sections: {s: {area: 1, iy: 1/12, iz: 1/12, torsion: 1/6, shear_y: 1, shear_z: "
                     "1, top: "
                     "0.5, side: 0.5}}\n"
                     "      nodes: {root: [0, 0, 0], tip: [100*sqrt(0.5), 100*(1 - sqrt(0.5)), 0]}\n"
                     "      lines: {l: {from: root, via: [100*sin(pi/8), 100*(1 - cos(pi/8)), 0], to: tip, "
                     "elements: "
                     "%s}}\n"
                     "      frame: root\n"
                     "joints: {clamp: {type: fixed, bodies: [ground, bend]}}\n"
                     "forces: {P: {type: force, point: {body: bend, node: tip}, fz: 600}}\n"
                     "outputs: {tip: {point: {body: bend, node: tip}}}\n",
                     elements[fine]);
            run_model run = rest(text, both[c]);
            double dx = run_read(&run, "tip.x") - 47.1504385736, dy = run_read(&run, "tip.y") - 15.684800534,
                   dz = run_read(&run, "tip.z") - 53.4748587918;
            error[fine] = sqrt(dx * dx + dy * dy + dz * dz) / 100.0;
            run_close(&run);
        }
        // of its radius; sixteen beams: 2.2e-7
        run_expect(name_of(both[c]), error[c ? 0 : 1], c ? 1e-4 : 6e-6);
    }
    assert_true(error[1] < error[0] / 12.0);
}

// A cantilever whose height falls to half at its tip: P L^3/(E I_0) times the closed form of the integral of
// x^2/(1 - x/2)^3 from the root. 8 (ln 2 - 5/8): by substitution.
static void test_tapered_cantilever_bends_as_its_integral_says(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  strip:\n"
        "    flex:\n"
        "      model: exact\n"
        "      materials: {m: {young: 7e10, poisson: 0.3, density: 2700}}\n"
        "      sections: {thick: {rectangle: [0.02, 0.02]}, thin: {rectangle: [0.01, 0.02]}}\n"
        "      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n"
        "      lines: {l: {from: root, to: tip, elements: 16, section: thick, to_section: thin}}\n"
        "      frame: root\n"
        "joints: {clamp: {type: fixed, bodies: [ground, strip]}}\n"
        "forces: {P: {type: force, point: {body: strip, node: tip}, fy: 1}}\n"
        "outputs: {tip: {point: {body: strip, node: tip}}}\n";
    run_model run = rest(text, BI_JOINT);
    // integral of (1 - x)^2/(1 - x/2)^3 over the length
    double wanted = 8.0 * (log(2.0) - 0.625) / (7e10 * 0.02 * 8e-6 / 12.0);
    // sections constant over each beam: a fraction of the square of 1/16
    run_expect("tapered cantilever", fabs(run_read(&run, "tip.y") / wanted - 1.0), 2.5e-3);
    run_close(&run);
}

// A string is as stiff across as its pull makes it: 4 T/L for a force in its middle.
static void test_prestressed_line_is_a_string(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  string:\n"
        "    flex:\n"
        "      model: exact\n"
        "      materials: {m: {young: 2e11, poisson: 0.3, density: 7850}}\n"
        "      sections: {s: {rectangle: [0.2 mm, 0.2 mm]}}\n"
        "      nodes: {a: [0, 0, 0], mid: [0.5, 0, 0], b: [1, 0, 0]}\n"
        "      lines: {l: {from: a, to: mid, elements: 3, prestress: 50}, r: {from: mid, to: b, "
        "elements: 3, prestress: 50}}\n"
        "      frame: a\n"
        "joints:\n"
        "  a: {type: spherical, bodies: [ground, string]}\n"
        "  b: {type: spherical, bodies: [ground, string], at: [1, 0, 0]}\n"
        "forces: {P: {type: force, point: {body: string, node: mid}, fy: -0.1}}\n"
        "outputs:\n"
        "  mid: {point: {body: string, node: mid}}\n"
        "  pull: {section: string, element: l, at: start}\n";
    run_model run = rest(text, BI_JOINT);
    run_expect("middle of a string", fabs(run_read(&run, "mid.y") / (-0.1 / 200.0) - 1.0), 2e-2);
    run_expect("its pull", fabs(run_read(&run, "pull.N") / 50.0 - 1.0), 1e-3);
    run_close(&run);
}

// ---- motion -----------------------------------------------------------------------------------------------------------

#define FALLING(elements, pivot)                                                                             \
    "gravity: [0, -9.81, 0]\n"                                                                               \
    "bodies:\n"                                                                                              \
    "  rod:\n"                                                                                               \
    "    flex:\n"                                                                                            \
    "      model: exact\n"                                                                                   \
    "      kind: timoshenko\n"                                                                               \
    "      materials: {m: {young: 5e6, poisson: 0.49, density: 1000}}\n"                                     \
    "      sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8, shear_y: "       \
    "0.82777777777777778, shear_z: 0.82777777777777778, top: 0.01, side: 0.01}}\n"                           \
    "      nodes: {root: [0, 0, 0], mid: [0.5, 0, 0], tip: [1, 0, 0]}\n"                                     \
    "      lines: {l1: {from: root, to: mid, elements: " elements                                            \
    "}, l2: {from: mid, to: tip, elements: " elements "}}\n"                                                 \
    "      frame: root\n"                                                                                    \
    "      damping: {beta: 0.01}\n"                                                                          \
    "joints: {pivot: {type: " pivot ", bodies: [ground, rod]}}\n"                                            \
    "outputs: {tip: {point: {body: rod, node: tip}}}\n"

typedef struct {
    double t, x, y;
} fallen;
static const fallen pinned[] = {
    { 0.2, 0.95085263557, -0.1854732544 },    { 0.4, 0.43151557269, -0.90423906205 },
    { 0.6, -0.60049345615, -0.7985666041 },   { 0.8, -0.96627570427, -0.25376535842 },
    { 1, -0.87236601922, 0.13767041525 },     { 1.2, -0.75211315961, -0.1595893492 },
    { 1.4, -0.060303027239, -0.93222008296 }, { 1.6, 0.66663826487, -0.75046413092 },
    { 1.8, 0.81764175721, -0.41083795376 },   { 2, 0.91845461762, -0.13950403071 },
    { 2.2, 0.6187633514, -0.52270355808 },    { 2.4, -0.39995077932, -0.76149182233 },
    { 2.6, -0.84852773121, -0.53445776899 },  { 2.8, -0.75353116214, -0.46274384498 },
    { 3, -0.81589334001, -0.5444938284 },
};
static const fallen clamped[] = {
    { 0.2, 0.96088553206, -0.19234470591 },  { 0.4, 0.44090228193, -0.8610230491 },
    { 0.6, -0.39298936829, -0.82907882919 }, { 0.8, -0.65376623352, -0.35261447464 },
    { 1, -0.40775098069, -0.31155162794 },   { 1.2, 0.26961634877, -0.94198873432 },
    { 1.4, 0.75467292063, -0.55378618187 },  { 1.6, 0.73955842621, -0.5453993679 },
    { 1.8, 0.77454574606, -0.61560438137 },  { 2, 0.32000682406, -0.91834351008 },
    { 2.2, -0.32981865862, -0.75054829073 }, { 2.4, -0.48794132873, -0.71582446161 },
    { 2.6, -0.26527738593, -0.80727727148 }, { 2.8, 0.44440559448, -0.87087005935 },
    { 3, 0.77343947555, -0.61409261884 },
};

static double fall(const char *text, bi_coordinates coordinates, double dt, const fallen *path, size_t count)
{
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, dt });
    double worst = 0.0;
    for (size_t k = 0; k < count; k++) {
        assert_true(run_to(&run, path[k].t));
        worst = fmax(worst, hypot(run_read(&run, "tip.x") - path[k].x, run_read(&run, "tip.y") - path[k].y));
    }
    run_close(&run);
    return worst;
}

// Rubber, 1 m long, released level, with damping by the rate of strain: spectral elements with two meshes and two rules.
static void test_soft_beam_falls_as_spectral_elements_do(void **state)
{
    (void)state;
    size_t n = sizeof pinned / sizeof *pinned;
    // 32 elements and 1 ms: 2e-4 m of a fall of 1 m; the modal body is out of its range by far
    run_expect("falling pendulum, joint", fall(FALLING("16", "revolute"), BI_JOINT, 1e-3, pinned, n), 3e-4);
    run_expect("falling cantilever, joint", fall(FALLING("16", "fixed"), BI_JOINT, 1e-3, clamped, n), 3e-4);
    double coarse = fall(FALLING("4", "revolute"), BI_JOINT, 1e-3, pinned, n),
           fine = fall(FALLING("8", "revolute"), BI_JOINT, 1e-3, pinned, n),
           natural = fall(FALLING("8", "revolute"), BI_NATURAL, 1e-3, pinned, n);
    run_expect("falling pendulum of 16, joint", fine, 1e-3);
    run_expect("falling pendulum of 16, natural", natural, 1e-3);
    assert_true(fine < coarse / 3.5);
}

// The model, which has sixteen beams: places of tip and middle, and the moment there.
static void test_falling_rod_of_the_models_follows_its_reference(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_column column[] = { { "x_tip", 1.0, 0.0 },
                                { "y_tip", 1.0, 0.0 },
                                { "x_mid", 1.0, 0.0 },
                                { "y_mid", 1.0, 0.0 },
                                { "M_mid", 0.25, 0.0 } };
        (void)run_error(&(run_case){ .model = "falling-rod", .coordinates = both[c] }, "reference.csv",
                        column, 5);
        for (int k = 0; k < 5; k++) {
            // 0.66 mm with sixteen; the moment with the second power, of its largest value
            run_expect(column[k].channel, column[k].error, k < 4 ? 1e-3 : 2e-2);
        }
    }
}

// ---- mistakes ---------------------------------------------------------------------------------------------------------

static void test_exact_beams_refuse_what_they_have_not(void **state)
{
    (void)state;
    text_expect_mistake(STRIP("      modes: 3\n" SQUARE, "4"), "is for 'model: modal'");
    text_expect_mistake(STRIP("      damping: 0.01\n" SQUARE, "4"), "damped by the rate of their strains");
    text_expect_mistake(STRIP("      rotary: false\n" SQUARE, "4"),
                        "need the inertia of their turning sections");
    text_expect_mistake(STRIP("      mass: 2\n" SQUARE, "4"), "should weigh 2 kg");
    text_expect_mistake(
        STRIP("      links: [{leader: tip, followers: [far]}, {leader: far, followers: [tip]}]\n" SQUARE,
              "4"),
        "there is no node 'far'");
    text_expect_mistake("bodies:\n"
                        "  plate:\n"
                        "    flex:\n"
                        "      model: exact\n"
                        "      materials: {m: {young: 7e10, density: 2700}}\n"
                        "      sections: {s: {thickness: 1 mm}}\n"
                        "      rectangles: {p: {size: [1, 1], divisions: [1, 1], kind: quad}}\n"
                        "      frame: p.0.0\n",
                        "is no beam: 'model: exact'");
    text_expect_mistake(STRIP("      materials: {m: {young: 0, density: 2700}}\n"
                              "      sections: {s: {rectangle: [0.02, 0.02]}}\n",
                              "4"),
                        "young must be positive");
    text_expect_mistake(STRIP(SQUARE, "4") "  more: {point: {body: strip, at: [0.3, 0, 0]}}\n",
                        "has no node at [0.3, 0, 0]");
    text_expect_mistake(STRIP(SQUARE, "4") "  more: {stress: strip, node: tip}\n",
                        "asked for with 'element'");
    text_expect_mistake(STRIP(SQUARE, "4") "  more: {section: strip, element: l, at: 0.3, axes: ground}\n",
                        "begins or ends");
    text_expect_mistake("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "forces: {b: {type: beam, a: {body: ground}, b: {body: a}, length: 1, stiffness: [1, "
                        "1, 0, 1, 1, 1]}}\n",
                        "must be six positive numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moment_rolls_a_cantilever_up_exactly),
        cmocka_unit_test(test_dead_load_bends_a_cantilever_as_reissner_says),
        cmocka_unit_test(test_load_that_follows_the_tip_bends_it_back),
        cmocka_unit_test(test_tiny_load_has_an_equilibrium),
        cmocka_unit_test(test_limit_load_of_a_toggle_is_told),
        cmocka_unit_test(test_limit_load_of_lees_frame_is_told),
        cmocka_unit_test(test_beam_loaded_askew_bends_and_twists_as_the_princeton_beam),
        cmocka_unit_test(test_curved_cantilever_bends_out_of_its_plane),
        cmocka_unit_test(test_tapered_cantilever_bends_as_its_integral_says),
        cmocka_unit_test(test_prestressed_line_is_a_string),
        cmocka_unit_test(test_soft_beam_falls_as_spectral_elements_do),
        cmocka_unit_test(test_falling_rod_of_the_models_follows_its_reference),
        cmocka_unit_test(test_exact_beams_refuse_what_they_have_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
