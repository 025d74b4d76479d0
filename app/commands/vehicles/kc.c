// SPDX-License-Identifier: MIT
/* kc - a rig for suspensions, kinematics and compliance: both wheels of an axle are lifted, rolled, steered, pushed and
 * braked, at rest at every point, and their angles and loads are told. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include "handling/axle_rig.h"
#include "pictures/plotter.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- results ------------------------------------------------------------------------------------------------------------------

// Names of the wheels in tables and files.
static const char *wheel_name(const rig *r, int wheel)
{
    static const char *const of_axle[] = { "left", "right" }, *const of_car[] = { "front_left", "front_right",
                                                                                  "rear_left", "rear_right" };
    return r->kind == CAR ? of_car[wheel] : of_axle[wheel];
}

static int axles_of(const rig *r) { return r->n_wheel / 2; }
static const char *left_wheel(const rig *r, int axle)
{
    return r->kind != CAR ? "left wheel" : axle ? "left rear wheel" : "left front wheel";
}

// Slope in the middle, of the left wheel.
static double slope(const rig *r, int which, int what, int axle)
{
    const wheel_reading *low = rig_row(r, which, r->n / 2 - 1, 2 * axle),
                        *high = rig_row(r, which, r->n / 2 + 1, 2 * axle);
    return (rig_reading_of(high, what) - rig_reading_of(low, what)) / (high->x - low->x);
}

typedef struct {
    const char *name, *unit, *help;
    int test, what;
    double factor; // of SI
} gradient;

static const gradient gradients[] = {
    { "bump steer", "deg/m", "toe over the lift of both wheels", BUMP, 1, 57.295779513082323 },
    { "bump camber", "deg/m", "camber over the lift", BUMP, 2, 57.295779513082323 },
    { "bump caster", "deg/m", "caster over the lift", BUMP, 3, 57.295779513082323 },
    { "wheel rate", "N/m", "load over the lift", BUMP, 6, 1.0 },
    { "track over lift", "m/m", "way outwards", BUMP, 5, 1.0 },
    { "roll steer", "deg/deg", "toe over roll", ROLL, 1, 1.0 },
    { "roll camber", "deg/deg", "camber against the chassis over roll", ROLL, 2, 1.0 },
    { "rack ratio", "deg/m", "toe over the way of the rack", STEER, 1, 57.295779513082323 },
    { "lateral compliance", "m/MN", "way outwards over a force across", LATERAL, 5, 1e6 },
    { "lateral steer", "deg/kN", "toe over a force across", LATERAL, 1, 57295.779513082323 },
    { "lateral camber", "deg/kN", "camber over a force across", LATERAL, 2, 57295.779513082323 },
    { "longitudinal compliance", "m/MN", "way ahead over a force along", LONGITUDINAL, 4, 1e6 },
    { "longitudinal steer", "deg/kN", "toe over a force along", LONGITUDINAL, 1, 57295.779513082323 },
};
enum { N_GRADIENT = sizeof gradients / sizeof *gradients };

static void write_row(FILE *file, const rig *r, const wheel_reading *row)
{
    fprintf(file, "%.17g", row[0].x);
    for (int w = 0; w < r->n_wheel; w++) {
        for (int k = 0; k < N_READING; k++) {
            fprintf(file, ",%.17g", rig_reading_of(&row[w], k));
        }
    }
    fputc('\n', file);
}

static exit_code write_table(const rig *r, int which, const rig_test *t, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    if (!file) {
        return CLI_MACHINE;
    }
    fputs(t->x, file);
    for (int w = 0; w < r->n_wheel; w++) {
        for (int k = 0; k < N_READING; k++) {
            fprintf(file, ",%s.%s", wheel_name(r, w), rig_readings[k].name);
        }
    }
    fputc('\n', file);
    for (int i = 0; i < r->n; i++) {
        write_row(file, r, rig_row(r, which, i, 0));
    }
    return outfiles_end(output) ? CLI_OK : CLI_MACHINE;
}

static exit_code draw(const rig *r, const rig_test *t, const char *table_path, const char *picture)
{
    static const char *const drawn_of[] = { "toe", "camber", "caster", "aside", "load" };
    enum { EACH = sizeof drawn_of / sizeof *drawn_of };
    bi_report report = { 0 };
    bi_table table = { 0 };
    bool is_read = bi_table_read(table_path, &table, &report);
    char *name[EACH * RIG_AXLES];
    const char *const unit[EACH * RIG_AXLES] = {
        "rad", "rad", "rad", "m", "N", "rad", "rad", "rad", "m", "N"
    };
    int n_curve = EACH * axles_of(r);
    for (int k = 0; k < n_curve; k++) {
        name[k] = words_format("%s.%s", wheel_name(r, 2 * (k / EACH)), drawn_of[k % EACH]);
    }
    char *title = words_format("%s: %s", r->name, t->title);
    plot_result drawn = PLOT_FAILED;
    if (is_read) {
        drawn = plot_write(&(plot_request){ .table = &table,
                                            .title = title,
                                            .out = picture,
                                            .x = t->x,
                                            .x_unit = t->unit,
                                            .n_curve = n_curve,
                                            .name = name,
                                            .unit = unit });
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_table_clear(&table);
    for (int k = 0; k < n_curve; k++) {
        free(name[k]);
    }
    free(title);
    return drawn == PLOT_FAILED ? CLI_MACHINE : CLI_OK;
}

static void print_wheel(const rig *r, int which, const rig_test *t, int axle)
{
    bool is_angle = strcmp(t->unit, "rad") == 0, is_way = strcmp(t->unit, "m") == 0;
    double factor = is_angle ? 180.0 / pi : is_way ? 1e3 : 1.0;
    char *head = words_format("%s %s", t->x, is_angle ? "deg" : is_way ? "mm" : t->unit);
    printf("%s: %s, %s\n  %12s", t->name, t->title, left_wheel(r, axle), head);
    free(head);
    for (int k = 0; k < N_READING; k++) {
        printf(" %12s", rig_readings[k].shown);
    }
    putchar('\n');
    for (int i = 0; i < r->n; i++) {
        const wheel_reading *w = rig_row(r, which, i, 2 * axle);
        printf("  %12.6g", factor * w->x);
        for (int k = 0; k < N_READING; k++) {
            double value = rig_readings[k].factor * rig_reading_of(w, k);
            printf(" %12.5g", fabs(value) < 5e-10 ? 0.0 : value);
        }
        putchar('\n');
    }
}

static void print_test(const rig *r, int which, const rig_test *t)
{
    for (int axle = 0; axle < axles_of(r); axle++) {
        print_wheel(r, which, t, axle);
    }
}

// A car steers by an input of its own: an angle, or a share.
static gradient gradient_of(const rig *r, int k)
{
    gradient g = gradients[k];
    if (r->kind == CAR && g.test == STEER) {
        g.name = "steering ratio";
        g.unit = r->rack_is_angle ? "deg/deg" : "deg";
        g.help = "toe over the steering input";
        g.factor = r->rack_is_angle ? 1.0 : 180.0 / pi;
    }
    return g;
}

static void print_gradients(const rig *r)
{
    for (int axle = 0; axle < axles_of(r); axle++) {
        printf("in the middle, %s\n", left_wheel(r, axle));
        for (int k = 0; k < N_GRADIENT; k++) {
            gradient g = gradient_of(r, k);
            if (r->row[g.test]) {
                double value = g.factor * slope(r, g.test, g.what, axle);
                printf("  %-26s %12.5g %-8s %s\n", g.name, fabs(value) < 5e-10 ? 0.0 : value, g.unit, g.help);
            }
        }
    }
}

static void print_json_test(json *j, const rig *r, int which, const rig_test *t)
{
    json_object(j, t->name);
    json_array(j, t->x);
    for (int i = 0; i < r->n; i++) {
        json_number(j, NULL, rig_row(r, which, i, 0)->x);
    }
    json_end(j);
    for (int w = 0; w < r->n_wheel; w++) {
        json_object(j, wheel_name(r, w));
        for (int k = 0; k < N_READING; k++) {
            json_array(j, rig_readings[k].name);
            for (int i = 0; i < r->n; i++) {
                json_number(j, NULL, rig_reading_of(rig_row(r, which, i, w), k));
            }
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

static void print_json_gradients(json *j, const rig *r)
{
    for (int k = 0; k < N_GRADIENT * axles_of(r) && !r->report.errors; k++) {
        int axle = k / N_GRADIENT;
        gradient g = gradient_of(r, k % N_GRADIENT);
        if (r->row[g.test]) {
            json_object(j, NULL);
            json_text(j, "name", g.name);
            if (r->kind == CAR) {
                json_text(j, "axle", axle ? "rear" : "front");
            }
            json_number(j, "value", g.factor * slope(r, g.test, g.what, axle));
            json_text(j, "unit", g.unit);
            json_end(j);
        }
    }
}

static void print_json(const rig *r, const rig_test *test, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_text(&j, "model", r->name);
    json_object(&j, "tests");
    for (int which = 0; which < N_TEST; which++) {
        if (r->row[which] && !r->report.errors) {
            print_json_test(&j, r, which, &test[which]);
        }
    }
    json_end(&j);
    json_array(&j, "gradients");
    print_json_gradients(&j, r);
    json_end(&j);
    session_json_messages(&j, &r->report);
    json_end(&j);
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

static rig_test tests[N_TEST] = {
    [BUMP] = { "bump", "both wheels are lifted", "lift", "m", 0.06, false, "raise", false },
    [ROLL] = { "roll", "the left wheel is lifted, the right one lowered", "roll", "rad",
               3.0 * 3.14159265358979323846 / 180.0, true, "raise", false },
    [STEER] = { "steer", "the rack moves to the left", "rack", "m", 0.04, false, NULL, true },
    [LATERAL] = { "lateral", "a force to the left on the contact of each wheel", "force", "N", 2000.0, false,
                  "across", false },
    [LONGITUDINAL] = { "longitudinal", "a force ahead on the contact of each wheel, brakes locked", "force",
                       "N", 2000.0, false, "along", false },
};

// The ends of the tests. False: told why.
static bool read_ends(const arguments *args, rig_test *to)
{
    static const char *const option[] = { "--bump", "--roll", "--steer", "--force" };
    static const double unit[] = { 1e-3, 3.14159265358979323846 / 180.0, 1e-3, 1.0 };
    memcpy(to, tests, sizeof tests);
    for (int k = 0; k < 4; k++) {
        const char *text = arguments_value(args, option[k]);
        char *end = NULL;
        double value = text ? strtod(text, &end) : 0.0;
        if (text && (end == text || *end || !(value > 0.0) || !isfinite(value))) {
            fprintf(stderr, "biela kc: %s is a number above zero, and not '%s'\n", option[k], text);
            return false;
        }
        to[k].most = text ? value * unit[k] : to[k].most;
        if (k == 3 && text) {
            to[LONGITUDINAL].most = value;
        }
    }
    return true;
}

// The steering input of a car instead of a rack: to the end of its range where --steer does not say how far.
static void steer_the_car(const rig *r, rig_test *t, const arguments *args)
{
    const char *text = arguments_value(args, "--steer");
    t->title = "the car is steered to the left";
    t->x = "steering";
    t->unit = r->rack_is_angle ? "rad" : "1";
    t->most = !text ? r->rack_most : r->rack_is_angle ? strtod(text, NULL) * pi / 180.0 : strtod(text, NULL);
}

static exit_code run_all(rig *r, rig_test *test, const arguments *args)
{
    if (r->kind == CAR) {
        steer_the_car(r, &test[STEER], args);
    }
    exit_code code = axle_rig_rest(r);
    for (int which = 0; which < N_TEST && code == CLI_OK; which++) {
        if (!test[which].needs_rack || r->is_steered) {
            code = axle_rig_run(r, which, &test[which]);
            if (code == CLI_OK && !arguments_has(args, "--json")) {
                print_test(r, which, &test[which]);
            }
        }
    }
    return code;
}

static exit_code write_all(const rig *r, const rig_test *test, const arguments *args, const char *folder)
{
    exit_code code = CLI_OK;
    for (int which = 0; which < N_TEST && code == CLI_OK; which++) {
        if (!r->row[which]) {
            continue;
        }
        char *path = words_format("%s/%s.csv", folder, test[which].name);
        char *picture = words_format("%s/%s" ENDING_PICTURE, folder, test[which].name);
        code = write_table(r, which, &test[which], path);
        if (code == CLI_OK && !arguments_has(args, "--json")) {
            printf("  written   %s\n", path);
        }
        if (code == CLI_OK && arguments_has(args, "--plot")) {
            code = draw(r, &test[which], path, picture);
        }
        free(path);
        free(picture);
    }
    return code;
}

static bool claim_files(const arguments *args, const rig_test *test, const char *folder)
{
    bool ok = true;
    for (int which = 0; which < N_TEST && folder && ok; which++) {
        char *path = words_format("%s/%s.csv", folder, test[which].name);
        ok = claims_write(args->files, "--out", path) &&
             (!arguments_has(args, "--plot") ||
              claims_write_beside(args->files, "--plot", path, ENDING_PICTURE));
        free(path);
    }
    return ok;
}

static exit_code run_kc(const arguments *args)
{
    session_request request = { 0 };
    rig r = { .n = 13 };
    rig_test test[N_TEST];
    const char *folder = arguments_value(args, "--out");
    exit_code code = CLI_BAD;
    if (!folder && arguments_has(args, "--plot")) {
        folder = "out/kc";
    }
    if (read_ends(args, test) && session_request_make(args, &request) && claim_files(args, test, folder)) {
        code = axle_rig_open(&r, &request);
        interrupt_catch();
        code = code == CLI_OK ? run_all(&r, test, args) : code;
        interrupt_release();
        if (!arguments_has(args, "--json")) {
            bi_report_print(&r.report, stderr);
        }
        if (code == CLI_OK && !arguments_has(args, "--json")) {
            print_gradients(&r);
        }
        code = code == CLI_OK && folder ? write_all(&r, test, args, folder) : code;
        if (arguments_has(args, "--json")) {
            print_json(&r, test, code);
        }
    }
    axle_rig_close(&r);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    { "--set", "P=V", "parameter P = V (an expression; a bare number is in P's own unit)" OPTION_REPEATABLE },
    { "--bump", "MM", "both wheels go that far up and down, mm (60)" },
    { "--roll", "DEG", "roll to both sides, degrees (3)" },
    { "--steer", "MM",
      "way of the rack to both sides, mm (40); of a car its steering input, degrees where it is an angle "
      "(all of it)" },
    { "--force", "N", "largest force on each contact, N (2000)" },
    { "--out", "FOLDER", "bump.csv, roll.csv, steer.csv, lateral.csv, longitudinal.csv there, in SI units" },
    { "--plot", NULL, "a picture beside each of them (needs gnuplot); default folder: out/kc" },
    { "--json", NULL, "all of it as one JSON object on stdout" },
};

const command command_kc = {
    .name = "kc",
    .words = "PART|MODEL",
    .summary = "kinematics and compliance of a suspension or a car: toe, camber, caster and loads over bump, "
               "roll, steer and forces",
    .details =
        "PART is a suspension as those of models/library/suspension: a wheel with a parameter `side`, or an "
        "axle.\n"
        "MODEL is a car of four wheels with a section `vehicle`: both of its axles at once.\n"
        "The chassis stands, its wheels are held at heights, and it rests at every point. Bushings give way\n"
        "(soft: 1) where a part has them and --set does not say otherwise. Loads of a car hold the weight of "
        "its wheels.",
    .example = "  biela kc models/library/suspension/mcpherson.yaml\n"
               "  biela kc clio --set axles=1 --out out/kc\n"
               "  biela kc models/library/suspension/twist-beam.yaml --out out/kc --plot",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_kc,
};
