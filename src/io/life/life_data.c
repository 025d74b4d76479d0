// SPDX-License-Identifier: MIT
// The file of fatigue data: what is asked for, and the lines of materials and seams. Places are in life_spots.c.
#include "io/life/life_spots.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const key_def file_keys[] = {
    KEY("fatigue", "<#1>", "version of the format", KEY_REQUIRED),
    KEY("method", "<principal, mises, plane, shear>", "stress that is counted"),
    KEY("count", "<repeated, once>", "the run again and again (default), or once"),
    KEY("mean", "<none, goodman, gerber, soderberg, swt, haigh>", "correction of the mean"),
    KEY("survival", "number", "probability that a place lives so long"),
    KEY("planes", "number", "of half a turn, for plane and shear"),
    KEY("fibres", "number", "around a round section"),
    KEY("share", "number", "of the normal stress, for shear"),
    KEY("materials", "{life_curve}", "lines of materials of the mesh, and of seams", KEY_REQUIRED),
    KEY("places", "{life_spot}", "notches and seams"),
};
static const key_map keys_file_life = { "life", KEY_ROWS(file_keys) };

static const key_def curve_keys[] = {
    KEY("amplitude", "number", "endured for `cycles`", .unit = "Pa"),
    KEY("cycles", "number", "that `amplitude` is endured"),
    KEY("points", "[[number]2]", "[cycles, amplitude], ..."),
    KEY("fat", "number", "class of a seam: range that is endured 2e6 times", .unit = "Pa"),
    KEY("slope", "number", "of the line before its first point", .at = offsetof(endurance, slope)),
    KEY("slope_beyond", "number", "behind its last point", .at = offsetof(endurance, slope_beyond)),
    KEY("limit", "number", "amplitudes up to this do no damage", .unit = "Pa",
        .at = offsetof(endurance, limit)),
    KEY("ultimate", "number", "tensile strength", .unit = "Pa", .at = offsetof(endurance, ultimate)),
    KEY("yield", "number", "yield stress", .unit = "Pa", .at = offsetof(endurance, yield)),
    KEY("sensitivity", "number", "to the mean, of Haigh's diagram", .at = offsetof(endurance, sensitivity)),
    KEY("scatter", "number", "standard deviation of log10 of the cycles", .at = offsetof(endurance, scatter)),
    KEY("survival", "number", "of the line as it is written", .at = offsetof(endurance, survival)),
};
static const key_map keys_curve_life = { "life_curve", KEY_ROWS(curve_keys) };

const char *life_method_name(int k)
{
    static const char *const name[LIFE_METHODS] = {
        [LIFE_PRINCIPAL] = "principal", [LIFE_MISES] = "mises", [LIFE_PLANE] = "plane", [LIFE_SHEAR] = "shear"
    };
    return k >= 0 && k < LIFE_METHODS ? name[k] : NULL;
}

int life_data_curve(const life_data *d, const char *name)
{
    for (int k = 0; name && k < d->n_curve; k++) {
        if (strcmp(d->curve[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

// ---- lines --------------------------------------------------------------------------------------------------------

static bool read_points(reader *r, const yaml_node *list, const char *where, endurance *e)
{
    if (!reader_expect(r, list, YAML_LIST, where, "a list such as [[1e4, 300 MPa], [1e6, 150 MPa]]")) {
        return false;
    }
    if (list->count < 2 || list->count > ENDURANCE_POINTS) {
        reader_error(r, list, where, "must have 2 to %d points, and has %d", ENDURANCE_POINTS, list->count);
        return false;
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *one = list->item[k];
        if (!reader_expect(r, one, YAML_LIST, where, "[cycles, amplitude]") || one->count != 2) {
            reader_error(r, one, where, "a point is [cycles, amplitude]");
            return false;
        }
        if (!reader_number(r, one->item[0], "1", where, &e->cycles[k]) ||
            !reader_number(r, one->item[1], "Pa", where, &e->amplitude[k])) {
            return false;
        }
        bool falls = k == 0 || (e->cycles[k] > e->cycles[k - 1] && e->amplitude[k] < e->amplitude[k - 1]);
        if (!(e->cycles[k] > 0.0 && e->amplitude[k] > 0.0) || !falls) {
            reader_error(r, one, where,
                         "cycles must rise and amplitudes fall from point to point, all above zero");
            return false;
        }
    }
    e->n_point = list->count;
    double last = log(e->cycles[e->n_point - 1] / e->cycles[e->n_point - 2]) /
                  log(e->amplitude[e->n_point - 2] / e->amplitude[e->n_point - 1]);
    double first = log(e->cycles[1] / e->cycles[0]) / log(e->amplitude[0] / e->amplitude[1]);
    e->slope = e->slope > 0.0 ? e->slope : first;
    e->slope_beyond = e->slope_beyond > 0.0 ? e->slope_beyond : last;
    return true;
}

// Of the classes of seams: slope 3 to 1e7 cycles, 5 beyond, 97.7 % survive.
static bool read_class(reader *r, const yaml_node *node, const char *where, endurance *e)
{
    double range = 0.0;
    if (!reader_number(r, node, "Pa", where, &range) || !(range > 0.0)) {
        reader_error(r, node, where, "must be a positive range such as 71 MPa");
        return false;
    }
    e->is_range = true;
    e->slope = e->slope > 0.0 ? e->slope : 3.0;
    e->slope_beyond = e->slope_beyond > 0.0 ? e->slope_beyond : 5.0;
    e->n_point = 1;
    e->cycles[0] = 1e7;
    e->amplitude[0] = 0.5 * range * pow(2e6 / 1e7, 1.0 / e->slope);
    return true;
}

static bool read_line(reader *r, const yaml_node *one, const char *where, endurance *e)
{
    const yaml_node *points = yaml_get(one, "points"), *class = yaml_get(one, "fat");
    const yaml_node *amplitude = yaml_get(one, "amplitude");
    if ((points != NULL) + (class != NULL) + (amplitude != NULL) != 1) {
        reader_error(r, one, where, "needs one of 'amplitude' (with 'cycles' and 'slope'), 'points', 'fat'");
        return false;
    }
    if (points) {
        return read_points(r, points, where_at(where, "points").text, e);
    }
    if (class) {
        return read_class(r, class, where_at(where, "fat").text, e);
    }
    e->n_point = 1;
    bool is_good = reader_number_of(r, one, "amplitude", "Pa", where, &e->amplitude[0]) &&
                   reader_number_of(r, one, "cycles", "1", where, &e->cycles[0]);
    if (is_good && !(e->amplitude[0] > 0.0 && e->cycles[0] > 0.0 && e->slope > 0.0)) {
        reader_error(r, one, where, "needs 'amplitude', 'cycles' and 'slope', all above zero");
        return false;
    }
    e->slope_beyond = e->slope_beyond > 0.0 ? e->slope_beyond : e->slope;
    return is_good;
}

// What the correction of the mean needs of a line that is not of a seam.
static void check_mean(reader *r, const yaml_node *one, const char *where, const endurance *e)
{
    const char *missing = NULL;
    if (e->is_range) {
        return;
    }
    if ((e->mean == MEAN_GOODMAN || e->mean == MEAN_GERBER) && !(e->ultimate > 0.0)) {
        missing = "ultimate";
    } else if (e->mean == MEAN_SODERBERG && !(e->yield > 0.0)) {
        missing = "yield";
    } else if (e->mean == MEAN_HAIGH && !(e->sensitivity >= 0.0 && e->sensitivity < 1.0)) {
        missing = "sensitivity";
    }
    if (missing) {
        reader_error(r, one, where, "mean: %s needs '%s' here%s", mean_rule_name((int)e->mean), missing,
                     e->mean == MEAN_HAIGH ? ", from 0 to 1" : "");
    }
}

static void read_curve(reader *r, const char *name, const yaml_node *one, const char *where, mean_rule mean,
                       life_data *d)
{
    endurance e = { .sensitivity = -1.0, .scatter = -1.0, .survival = 0.5, .mean = mean };
    e.place = (bi_place){ NULL, one->line, one->column };
    e.survival = yaml_get(one, "fat") ? 0.977 : 0.5;
    reader_known(r, one, &keys_curve_life, where);
    if (!reader_values(r, one, &keys_curve_life, ~0u, where, &e) || !read_line(r, one, where, &e)) {
        return;
    }
    check_mean(r, one, where, &e);
    if (!(e.survival > 0.0 && e.survival < 1.0)) {
        reader_error(r, one, where, "'survival' must lie between 0 and 100 %%, and is %g", e.survival);
    } else if (d->survival > 0.0 && d->survival != e.survival && !(e.scatter >= 0.0)) {
        reader_error(r, one, where,
                     "'survival' of the file is %g, of this line %g: to get from one to the other it needs "
                     "'scatter', the standard deviation of log10 of the cycles (steel: 0.1 to 0.3)",
                     d->survival, e.survival);
    } else if (d->survival > 0.0 && e.scatter >= 0.0) {
        endurance_survive(&e, d->survival);
    }
    e.share = d->method == LIFE_SHEAR && !e.is_range ? d->share : 0.0;
    if (e.share > 0.0 && !(e.yield > 0.0)) {
        reader_error(r, one, where, "method: shear needs 'yield' here");
    }
    endurance_finish(&e);
    if (strlen(name) >= sizeof e.name) {
        reader_error(r, one, where, "the name has more than %d letters", (int)sizeof e.name - 1);
        return;
    }
    memcpy(e.name, name, strlen(name) + 1);
    d->curve[d->n_curve++] = e;
}

// ---- the file -----------------------------------------------------------------------------------------------------

// A whole number between two; what is not there stays.
static void read_count(reader *r, const yaml_node *root, const char *key, int least, int most, int *value)
{
    double number = *value;
    const yaml_node *node = yaml_get(root, key);
    if (node && reader_number(r, node, "1", key, &number) &&
        !(number >= least && number <= most && number == floor(number))) {
        reader_error(r, node, key, "must be a whole number from %d to %d, and is %g", least, most, number);
        return;
    }
    *value = (int)number;
}

static int word_of(reader *r, const yaml_node *root, const char *key, int usual)
{
    int k = yaml_get(root, key) ? reader_word_of(r, root, &keys_file_life, key, "") : usual;
    return k < 0 ? usual : k;
}

static void read_all(reader *r, const yaml_node *root, life_data *d)
{
    double version = 0.0;
    const yaml_node *first = yaml_get(root, "fatigue"), *curves = yaml_get(root, "materials");
    reader_known(r, root, &keys_file_life, "");
    if (!first || !reader_number(r, first, "1", "fatigue", &version) || version != 1.0) {
        reader_error(r, first ? first : root, "fatigue",
                     "a file of fatigue data begins with 'fatigue: 1', the version of its format");
        return;
    }
    d->method = (life_method)word_of(r, root, "method", LIFE_PRINCIPAL);
    d->manner = (cycles_manner)word_of(r, root, "count", CYCLES_REPEATED);
    mean_rule mean = (mean_rule)word_of(r, root, "mean", MEAN_NONE);
    (void)reader_number_of(r, root, "survival", "1", "", &d->survival);
    (void)reader_number_of(r, root, "share", "1", "", &d->share);
    const yaml_node *survival = yaml_get(root, "survival"), *share = yaml_get(root, "share");
    if (survival && !(d->survival > 0.0 && d->survival < 1.0)) {
        reader_error(r, survival, "survival", "must lie between 0 and 100 %%, and is %g", d->survival);
    }
    if (share && !(d->share > 0.0 && d->share < 5.0)) {
        reader_error(r, share, "share", "must lie between 0 and 5 (steel: 0.3 to 1), and is %g", d->share);
    }
    read_count(r, root, "planes", 2, 180, &d->n_plane);
    read_count(r, root, "fibres", 4, 360, &d->n_fibre);
    if (!curves || !reader_expect(r, curves, YAML_MAP, "materials",
                                  "lines such as {steel: {amplitude: 150 MPa, cycles: 1e6, slope: 5}}")) {
        reader_error(r, curves ? curves : root, "materials", "needs the lines of the materials");
        return;
    }
    d->curve = calloc((size_t)curves->count + 1, sizeof *d->curve);
    for (int k = 0; d->curve && k < curves->count; k++) {
        where_path here = where_at("materials", curves->key[k]->text);
        if (reader_expect(r, curves->item[k], YAML_MAP, here.text,
                          "{amplitude: 150 MPa, cycles: 1e6, slope: 5}")) {
            read_curve(r, curves->key[k]->text, curves->item[k], here.text, mean, d);
        }
    }
    life_spots_read(r, yaml_get(root, "places"), d);
}

bool life_data_read(life_data *d, bi_model *model, const char *path, bi_report *report)
{
    size_t length = 0;
    int errors = report->errors;
    *d = (life_data){ .n_plane = 18, .n_fibre = 16, .share = 0.5 };
    char *text = reader_whole_file(path, (bi_place){ path, 0, 0 }, "", &length, report);
    yaml_file *yaml = text ? yaml_parse(text, length, path, report) : NULL;
    const yaml_node *root = yaml ? yaml_root(yaml) : NULL;
    reader_scope scope = { .file = path, .prefix = "" };
    reader r = { .model = model, .report = report, .file = path, .scope = &scope };
    if (root && root->kind == YAML_MAP) {
        read_all(&r, root, d);
        if (!d->curve && report->errors == errors) {
            bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        }
    } else if (report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "",
                      "a file of fatigue data is a mapping that begins with 'fatigue: 1'");
    }
    bi_model_place(model, (bi_place){ 0 });
    blocks_free(&r.memory);
    yaml_destroy(yaml);
    free(text);
    return report->errors == errors;
}

void life_data_clear(life_data *d)
{
    for (int k = 0; k < d->n_spot; k++) {
        free(d->spot[k].is_element);
        free(d->spot[k].is_node);
    }
    free(d->spot);
    free(d->curve);
}
