// SPDX-License-Identifier: MIT
// Tables and maps called inside graphs, signals and parts, against closed forms.
#include "support/text_model.h"

static double speed_at_one(const char *text, bi_scheme scheme, double dt)
{
    run_model run = text_run(&(text_case){ .text = text, .dt = dt, .scheme = scheme });
    run_to(&run, 1.0);
    double w = run_read(&run, "d.fly.p") / 0.5;
    run_close(&run);
    return w;
}

// J w' = a - b w - r w with a torque that falls straight: w = w1 + (w0 - w1) exp(-(b + r) t / J), w1 = a / (b + r).
#define DRIVE(values)                                                                                        \
    "graphs:\n"                                                                                              \
    "  d:\n" values "outputs: {d: {graph: d}}\n"
#define NODES(source)                                                                                        \
    "    nodes:\n"                                                                                           \
    "      S: {type: Se, value: '" source "'}\n"                                                             \
    "      shaft: {type: 1}\n"                                                                               \
    "      fly: {type: I, value: 0.5, initial: 0.5*150}\n"                                                   \
    "      load: {type: R, value: 0.1}\n"                                                                    \
    "    bonds: [S -> shaft, shaft -> fly, shaft -> load]\n"

static double expected(double a, double b)
{
    double end = a / (b + 0.1);
    return end + (150.0 - end) * exp(-(b + 0.1) / 0.5);
}

static void engines_by_table_and_map_follow_closed_forms(void **state)
{
    (void)state;
    // 80 N m at rest, less 0.2 per rad/s; a pedal of 0.7 of it; straight lines are exact for all of these
    static const char line[] =
        "tables: {full: {points: [[0, 80], [100, 60], [400, 0]], interpolation: linear, outside: error}}\n",
                      map[] = "tables:\n"
                              "  full: {x: [0, 150, 400], y: [0, 0.5, 1], values: [[0, 40, 80], [0, 25, 50], "
                              "[0, 0, 0]]%s}\n";
    static const char *const how[] = { "", ", interpolation: linear, outside: error",
                                       ", outside: extrapolate" };
    char text[1200];
    snprintf(text, sizeof text, "%s%s", line, DRIVE(NODES("full(shaft.f)")));
    run_expect("table", fabs(speed_at_one(text, BI_DOPRI5, 1e-3) - expected(80.0, 0.2)), 1e-9);
    // the trapezoidal rule: (0.6 h)^2 / 12 of a change of 100 rad/s
    run_expect("table, implicit", fabs(speed_at_one(text, BI_ALI3P, 1e-3) - expected(80.0, 0.2)), 1e-5);
    for (int k = 0; k < 3; k++) {
        char head[400];
        snprintf(head, sizeof head, map, how[k]);
        snprintf(text, sizeof text, "%sinputs: {pedal: {initial: 0.7}}\n%s", head,
                 DRIVE(NODES("full(shaft.f, pedal)")));
        run_expect("map", fabs(speed_at_one(text, BI_DOPRI5, 1e-3) - expected(56.0, 0.14)), 1e-9);
    }
}

// The part calls its curve `torque`; a part inside a part hands it on.
static void parts_call_the_table_that_they_are_bound_to(void **state)
{
    (void)state;
    static const char text[] = "tables:\n"
                               "  full: {points: [[0, 80], [400, 0]], interpolation: linear}\n"
                               "  weak: {points: [[0, 56], [400, 0]], interpolation: linear}\n"
                               "subgraphs:\n"
                               "  engine: {ports: [S], nodes: {S: {type: Se, value: torque(w)}}, bonds: []}\n"
                               "  unit: {ports: [j], parts: {e: {graph: engine, bind: {torque: curve, w: "
                               "w}}}, nodes: {j: {type: 1}}, "
                               "bonds: [e.S -> j]}\n"
                               "graphs:\n"
                               "  d:\n"
                               "    parts:\n"
                               "      one: {graph: engine, bind: {torque: full, w: shaft.f}}\n"
                               "      two: {graph: unit, bind: {curve: weak, w: shaft.f}}\n"
                               "    nodes:\n"
                               "      shaft: {type: 1}\n"
                               "      fly: {type: I, value: 0.5, initial: 0.5*150}\n"
                               "      load: {type: R, value: 0.1}\n"
                               "    bonds: [one.S -> shaft, two.j -> shaft, shaft -> fly, shaft -> load]\n"
                               "outputs: {d: {graph: d}}\n";
    run_expect("two engines", fabs(speed_at_one(text, BI_DOPRI5, 1e-3) - expected(136.0, 0.34)), 1e-9);
}

// A signal and an output call the same table: the signal's derivatives go through it into the tangent.
static void signals_and_outputs_call_tables(void **state)
{
    (void)state;
    static const char text[] =
        "tables: {hill: {points: [[0, 0], [0.5, 1], [1, 0], [1.5, -1], [2, 0]], outside: periodic}}\n"
        "signals: {s: 2*hill(t)}\n"
        "outputs: {s: s, twice: hill(2*t) + hill(t)^2}\n"
        "graphs:\n"
        "  d: {nodes: {S: {type: Se, value: s}, j: {type: 1}, fly: {type: I, value: 1}, b: {type: R, value: "
        "1}}, "
        "bonds: [S -> j, j -> fly, j -> b]}\n";
    run_model run = text_run(&(text_case){ .text = text, .dt = 1e-2 });
    run_to(&run, 0.5);
    run_expect("signal", fabs(run_read(&run, "s") - 2.0), 1e-14);
    run_expect("output", fabs(run_read(&run, "twice") - 1.0), 1e-14);
    run_close(&run);
}

static void calls_with_mistakes_are_told(void **state)
{
    (void)state;
    static const char *const item[][2] = {
        { "tables: {f: {points: [[0, 0], [1, 1]]}}\noutputs: {a: 'f(t, 2)'}\n", "takes 1 argument" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1], [2, 3]]}}\noutputs: {a: f(t)}\n",
          "takes 2 arguments" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1], [2, ~]]}}\n", "no value at x = 1, y = 1" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1], [2]]}}\n", "a row of 2 numbers" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1]]}}\n", "one row for each of the 2" },
        { "tables: {f: {x: [0, 0], y: [0, 1], values: [[0, 1], [2, 3]]}}\n", "larger than the one before" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1], [2, 3]], interpolation: step}}\n",
          "'cubic' or 'linear'" },
        { "tables: {f: {x: [0, 1], values: [[0, 1], [2, 3]]}}\n", "needs 'x', 'y' and 'values'" },
        { "tables: {f: {points: [[0, 0], [0, 1]]}}\noutputs: {a: f(t)}\n", "mistakes of its own" },
        { "tables: {f: {x: [0, 1], y: [0, 1], values: [[0, 1], [2, 3]]}}\nsignals: {s: {type: table, table: "
          "f}}\n",
          "table of one variable" },
        { "outputs: {a: g(t)}\n", "unknown function 'g'" },
    };
    for (size_t k = 0; k < sizeof item / sizeof *item; k++) {
        bi_report report = { 0 };
        bi_model *model = text_read(item[k][0], &report);
        bi_system *system = model ? bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report) : NULL;
        bool is_told = false;
        for (int i = 0; i < report.count; i++) {
            is_told |= strstr(report.issue[i].what, item[k][1]) != NULL;
        }
        if (!is_told || system) {
            bi_report_print(&report, stderr);
            fail_msg("nothing was told about '%s'", item[k][1]);
        }
        bi_model_destroy(model);
        bi_report_clear(&report);
    }
}

// Values inside a graph are of the same instant: 2 f' = 10 (1 - f/5) - f, whatever the order in which they stand.
static void values_of_a_graph_are_read_without_delay(void **state)
{
    (void)state;
    static const char text[] = "graphs:\n"
                               "  g:\n"
                               "    nodes:\n"
                               "      S: {type: Se, value: 10*gain}\n"
                               "      gain: {type: value, value: 1 - rel}\n"
                               "      rel: {type: value, value: fly.f/5}\n"
                               "      copy: {type: value, value: rel}\n"
                               "      shaft: {type: 1}\n"
                               "      fly: {type: I, value: 2, initial: 2}\n"
                               "      load: {type: R, value: 1}\n"
                               "    bonds: [S -> shaft, shaft -> fly, shaft -> load]\n"
                               "outputs: {g: {graph: g}}\n";
    static const struct {
        bi_scheme scheme;
        double dt, limit; // the trapezoidal rule: (1.5 h)^2/12 of a change of 2
    } item[] = { { BI_DOPRI5, 1e-3, 1e-11 }, { BI_ALI3P, 1e-2, 2e-5 }, { BI_ALI3P, 1e-3, 2e-7 } };
    for (int k = 0; k < 3; k++) {
        run_model run = text_run(&(text_case){ .text = text, .dt = item[k].dt, .scheme = item[k].scheme });
        run_to(&run, 1.0);
        double f = 10.0 / 3.0 + (1.0 - 10.0 / 3.0) * exp(-1.5);
        run_expect("flow", fabs(run_read(&run, "g.fly.p") / 2.0 - f), item[k].limit);
        run_expect("value", fabs(run_read(&run, "g.rel") - run_read(&run, "g.fly.p") / 10.0), 1e-15);
        run_expect("of a value", fabs(run_read(&run, "g.gain") - 1.0 + run_read(&run, "g.copy")), 1e-15);
        run_close(&run);
    }
    text_expect_mistake(
        "graphs: {g: {nodes: {v: {type: value, value: 1, initial: 2}, a: {type: 1}, b: {type: R, value: "
        "1}}, bonds: [a -> b]}}\n",
        "leave out 'initial'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_by_table_and_map_follow_closed_forms),
        cmocka_unit_test(parts_call_the_table_that_they_are_bound_to),
        cmocka_unit_test(signals_and_outputs_call_tables),
        cmocka_unit_test(values_of_a_graph_are_read_without_delay),
        cmocka_unit_test(calls_with_mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
