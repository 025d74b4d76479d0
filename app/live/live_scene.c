// SPDX-License-Identifier: MIT
// The scene: everything about a model that does not change while it runs (messages.txt).
#include "cli/words.h"
#include "live/live.h"
#include <biela/look.h>
#include <biela/shapes.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void live_write_vec3(json *j, bi_vec3 v)
{
    json_number(j, NULL, v.x);
    json_number(j, NULL, v.y);
    json_number(j, NULL, v.z);
    json_end(j);
}

// ---- bodies and shapes -------------------------------------------------------------------------------------------

// Bodies of the message begin after the ground: -1 is the ground.
static int body_number(bi_body body) { return body.i >= 1 ? body.i - 2 : -1; }

static void write_size(json *j, const bi_shape_def *d)
{
    open_shape_size(j);
    switch (d->type) {
    case BI_SHAPE_BOX:
        json_number(j, NULL, d->size.x);
        json_number(j, NULL, d->size.y);
        json_number(j, NULL, d->size.z);
        break;
    case BI_SHAPE_SPHERE: json_number(j, NULL, d->radius); break;
    case BI_SHAPE_ELLIPSOID:
        json_number(j, NULL, d->half_axes.x);
        json_number(j, NULL, d->half_axes.y);
        json_number(j, NULL, d->half_axes.z);
        break;
    case BI_SHAPE_CYLINDER:
    case BI_SHAPE_CAPSULE:
    case BI_SHAPE_CONE:
        json_number(j, NULL, d->radius);
        json_number(j, NULL, d->length);
        break;
    case BI_SHAPE_TORUS:
        json_number(j, NULL, d->ring);
        json_number(j, NULL, d->radius);
        json_number(j, NULL, d->width > 0.0 ? d->width : 2.0 * d->radius);
        break;
    case BI_SHAPE_FIELD:
        json_number(j, NULL, d->n_x);
        json_number(j, NULL, d->n_y);
        json_number(j, NULL, d->step_x);
        json_number(j, NULL, d->step_y);
        break;
    case BI_SHAPE_PLANE:
    case BI_SHAPE_HULL:
    case BI_SHAPE_ROAD:
    case BI_SHAPE_MESH: break;
    }
    json_end(j);
}

// "#rrggbb"; false: the page chooses.
static bool colour_text(const double c[4], char text[16])
{
    snprintf(text, 16, "#%02x%02x%02x", (unsigned)(255.0 * c[0] + 0.5) & 255u,
             (unsigned)(255.0 * c[1] + 0.5) & 255u, (unsigned)(255.0 * c[2] + 0.5) & 255u);
    return c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0 || c[3] != 0.0;
}

static void write_colour(json *j, const bi_shape_def *d)
{
    char text[16];
    if (colour_text(d->colour, text)) {
        put_shape_colour(j, text);
        put_shape_opacity(j, d->colour[3]);
    }
    const char *finish = bi_finish_name(d->finish);
    if (finish) {
        put_shape_finish(j, finish);
    }
}

void live_write_shape(json *j, const bi_shape_def *d, int number, int body)
{
    json_object(j, NULL);
    live_write_shape_fields(j, d, number, body);
    json_end(j);
}

void live_write_shape_fields(json *j, const bi_shape_def *d, int number, int body)
{
    bool is_zero =
        d->pose.rot.w == 0.0 && d->pose.rot.x == 0.0 && d->pose.rot.y == 0.0 && d->pose.rot.z == 0.0;
    put_shape_name(j, d->name);
    put_shape_body(j, body);
    // a road is drawn by its triangles
    bool is_road = d->type == BI_SHAPE_ROAD;
    put_shape_type(j, bi_shape_type_name(is_road ? BI_SHAPE_MESH : d->type));
    open_shape_at(j);
    live_write_vec3(j, d->pose.pos);
    open_shape_quaternion(j);
    json_number(j, NULL, is_zero ? 1.0 : d->pose.rot.w);
    json_number(j, NULL, d->pose.rot.x);
    json_number(j, NULL, d->pose.rot.y);
    json_number(j, NULL, d->pose.rot.z);
    json_end(j);
    write_size(j, d);
    if (is_road || d->type == BI_SHAPE_MESH || d->type == BI_SHAPE_FIELD || d->type == BI_SHAPE_HULL) {
        put_shape_mesh(j, number - 1);
    }
    write_colour(j, d);
}

static void write_shapes(json *j, const bi_model *m)
{
    open_scene_shapes(j);
    for (int k = 1; k <= bi_model_shape_count(m); k++) {
        bi_shape_def d;
        if (bi_model_shape_at(m, (bi_shape){ k }, &d) && !d.is_hidden) {
            live_write_shape(j, &d, k, body_number(d.body));
        }
    }
    json_end(j);
}

void live_write_strut(json *j, const bi_strut_def *d, const int *body)
{
    char text[16];
    json_object(j, NULL);
    put_strut_name(j, d->name);
    put_strut_type(j, bi_strut_type_name(d->type));
    open_strut_bodies(j);
    for (int k = 0; k < d->n_point; k++) {
        json_integer(j, NULL, body[k]);
    }
    json_end(j);
    open_strut_points(j);
    for (int k = 0; k < d->n_point; k++) {
        json_array(j, NULL);
        live_write_vec3(j, d->point[k].at);
    }
    json_end(j);
    put_strut_radius(j, d->radius);
    if (d->rod > 0.0) {
        put_strut_rod(j, d->rod);
    }
    if (d->barrel > 0.0) {
        put_strut_barrel(j, d->barrel);
    }
    if (colour_text(d->colour, text)) {
        put_strut_colour(j, text);
        put_strut_opacity(j, d->colour[3]);
    }
    json_end(j);
}

static void write_struts(json *j, const bi_model *m)
{
    open_scene_struts(j);
    for (int k = 0; k < bi_model_strut_count(m); k++) {
        bi_strut_def d;
        int body[BI_STRUT_POINTS];
        bi_model_strut_at(m, k, &d);
        for (int i = 0; i < d.n_point; i++) {
            body[i] = body_number(d.point[i].body);
        }
        live_write_strut(j, &d, body);
    }
    json_end(j);
}

static void write_looks(json *j, const bi_model *m)
{
    open_scene_looks(j);
    for (int k = 0; k < bi_model_look_count(m); k++) {
        bi_look_def d;
        if (bi_model_look_at(m, k, &d)) {
            live_write_look(j, &d, k, body_number(d.body));
        }
    }
    json_end(j);
}

// Joint points and the centre of mass of a body: something to draw when it has no shape.
static void write_links(json *j, const bi_model *m)
{
    open_scene_links(j);
    for (int b = 2; b <= bi_model_body_count(m); b++) {
        bi_vec3 com = { 0 };
        json_object(j, NULL);
        put_link_body(j, b - 2);
        open_link_points(j);
        for (int k = 1; k <= bi_model_joint_count(m); k++) {
            bi_point end[2];
            bi_model_joint_points(m, (bi_joint){ k }, &end[0], &end[1]);
            for (int e = 0; e < 2; e++) {
                if (end[e].body.i == b) {
                    json_array(j, NULL);
                    live_write_vec3(j, end[e].at);
                }
            }
        }
        bi_model_body_com(m, (bi_body){ b }, &com);
        json_array(j, NULL);
        live_write_vec3(j, com);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

// ---- names -----------------------------------------------------------------------------------------------------

static void write_inputs(json *j, const session *s)
{
    open_scene_inputs(j);
    for (int k = 0; k < bi_input_count(s->system); k++) {
        bi_input_info info = { .name = bi_input_name(s->system, k), .unit = "", .help = "" };
        bi_model_input_info(s->model, bi_model_input(s->model, info.name), &info);
        json_object(j, NULL);
        put_input_name(j, info.name);
        put_input_initial(j, info.initial);
        put_input_min(j, info.min);
        put_input_max(j, info.max);
        put_input_unit(j, info.unit);
        put_input_help(j, info.help);
        json_end(j);
    }
    json_end(j);
}

// A limit of the file in the parameter's own unit; false: it has none that is a number.
static bool limit_of(const bi_model *m, const char *text, const char *unit, double *limit)
{
    bi_report unused = { 0 };
    char *end = NULL;
    double bare = text ? strtod(text, &end) : 0.0;
    // bare numbers are in the unit already
    bool is_bare = text && end != text && *end == '\0';
    bool is_good = is_bare || (text && bi_model_number(m, text, NULL, "", &bare, &unused));
    *limit = is_bare || !unit || !*unit ? bare : bare / unit_factor(m, unit);
    bi_report_clear(&unused);
    return is_good && isfinite(*limit);
}

// Whether the text of a value names another parameter.
static bool is_computed(const bi_model *m, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    static const char signs[] = "*/+-(,^ ";
    const char *begin = text;
    while (text && *text) {
        size_t length = strspn(text, letters);
        const char *before = text;
        while (before > begin && before[-1] == ' ') {
            before--;
        }
        // what stands behind a number or a unit is a unit
        bool may_be_name =
            length > 0 && !(*text >= '0' && *text <= '9') && (before == begin || strchr(signs, before[-1]));
        for (int k = 0; may_be_name && k < bi_model_parameter_count(m); k++) {
            const char *name, *unit;
            double value;
            if (bi_model_parameter_at(m, k, &name, &value, &unit) && strlen(name) == length &&
                strncmp(name, text, length) == 0) {
                return true;
            }
        }
        text += length > 0 ? length : 1;
    }
    return false;
}

static const char *text_at(const bi_document *doc, const char *parameter, const char *key)
{
    char *place = words_format("parameters.%s%s%s", parameter, *key ? "." : "", key);
    const char *text = bi_document_text(doc, place);
    free(place);
    return text;
}

// In their own units: a number for one of them in a restart is read in that unit, too.
static void write_parameter(json *j, const bi_model *m, const bi_document *doc, int k)
{
    const char *name, *unit;
    double value, least, most;
    if (!bi_model_parameter_at(m, k, &name, &value, &unit)) {
        return;
    }
    const char *help = text_at(doc, name, "help"), *text = text_at(doc, name, "value");
    json_object(j, NULL);
    put_parameter_name(j, name);
    put_parameter_value(j, unit && *unit ? value / unit_factor(m, unit) : value);
    put_parameter_unit(j, unit ? unit : "");
    put_parameter_help(j, help ? help : "");
    put_parameter_min(j, limit_of(m, text_at(doc, name, "min"), unit, &least) ? least : NAN);
    put_parameter_max(j, limit_of(m, text_at(doc, name, "max"), unit, &most) ? most : NAN);
    put_parameter_computed(j, is_computed(m, text ? text : text_at(doc, name, "")));
    json_end(j);
}

static void write_parameters(json *j, const bi_model *m, const bi_document *doc)
{
    open_scene_parameters(j);
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        write_parameter(j, m, doc, k);
    }
    json_end(j);
}

static void write_channels(json *j, const bi_system *system)
{
    open_scene_channels(j);
    for (int k = 0; k < bi_channel_count(system); k++) {
        bi_channel c = bi_channel_at(system, k);
        json_object(j, NULL);
        put_channel_name(j, bi_channel_name(system, c));
        put_channel_unit(j, bi_channel_unit(system, c));
        json_end(j);
    }
    json_end(j);
}

static void write_runs(json *j, const bi_document *doc)
{
    open_scene_runs(j);
    for (int k = 0; k < bi_document_count(doc, "runs"); k++) {
        const char *name = bi_document_key(doc, "runs", k);
        if (name) {
            json_text(j, NULL, name);
        }
    }
    json_end(j);
}

static void write_arrows(json *j, const live_arrows *arrows)
{
    open_scene_arrows(j);
    for (int k = 0; k < live_arrows_count(arrows); k++) {
        int o = k - arrows->n_joint;
        json_object(j, NULL);
        put_arrow_name(j, o < 0 ? bi_model_joint_name(arrows->model, (bi_joint){ k + 1 }) : arrows->name[o]);
        put_arrow_kind(j, o < 0 ? "joint" : arrows->is_tyre[o] ? "tyre" : "contact");
        json_end(j);
    }
    json_end(j);
}

// Sections that only the viewer understands go through as they are.
void live_write_free_sections(json *j, const bi_document *doc)
{
    static const struct {
        const char *key; // in the model file
        FILE *(*raw)(json *);
    } sections[] = { { "hud", raw_scene_hud },
                     { "scenery", raw_scene_scenery },
                     { "light", raw_scene_light },
                     { "view", raw_scene_view },
                     { "controls", raw_scene_controls },
                     { "live_modes", raw_scene_live_modes },
                     { "groups", raw_scene_groups },
                     { "spanish", raw_scene_spanish },
                     { "instructor", raw_scene_instructor } };
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        const char *key = sections[k].key;
        if (bi_document_count(doc, key) > 0 || bi_document_text(doc, key)) {
            bi_document_json(doc, key, sections[k].raw(j));
        }
    }
}

static void write_exercises(json *j, const session *s)
{
    char **paths;
    int count = live_exercise_list(s->path, &paths);
    open_scene_exercises(j);
    for (int k = 0; k < count; k++) {
        bi_report unused = { 0 };
        exercise *ex = exercise_open(paths[k], &unused);
        if (ex) {
            json_object(j, NULL);
            put_exercise_name_name(j, exercise_name(ex));
            put_exercise_name_title(j, exercise_title(ex));
            json_end(j);
        }
        exercise_close(ex);
        bi_report_clear(&unused);
        free(paths[k]);
    }
    json_end(j);
    free(paths);
}

static void write_bodies(json *j, const bi_model *m)
{
    open_scene_bodies(j);
    for (int b = 2; b <= bi_model_body_count(m); b++) {
        json_text(j, NULL, bi_model_body_name(m, (bi_body){ b }));
    }
    json_end(j);
}

// What a file of results has, too.
void live_write_scene_head(json *j, const live_scene_head *h)
{
    put_scene_protocol(j, MESSAGES_VERSION);
    put_scene_version(j, bi_version());
    put_scene_model(j, h->model);
    put_scene_title(j, h->title);
    put_scene_kind(j, h->kind);
    put_scene_run(j, h->run);
    put_scene_hash(j, h->hash);
    put_scene_dt(j, h->dt);
    put_scene_t(j, h->t);
    open_scene_gravity(j);
    live_write_vec3(j, h->gravity);
}

char *live_scene(const session *s, const live_arrows *arrows, const char *kind, const char *run, size_t *size)
{
    outgoing o;
    json *j = outgoing_begin(&o, begin_scene);
    if (!j) {
        return NULL;
    }
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(s->path, &unused);
    char *hash = words_format("%016" PRIx64, bi_system_hash(s->system));
    live_write_scene_head(j, &(live_scene_head){ .model = s->short_name,
                                                 .title = bi_model_name(s->model),
                                                 .kind = kind,
                                                 .run = run ? run : "",
                                                 .hash = hash,
                                                 .dt = bi_system_dt(s->system),
                                                 .gravity = bi_model_gravity_of(s->model) });
    write_bodies(j, s->model);
    write_shapes(j, s->model);
    write_struts(j, s->model);
    write_looks(j, s->model);
    write_links(j, s->model);
    live_write_flexible(j, s->model);
    write_channels(j, s->system);
    write_inputs(j, s);
    write_parameters(j, s->model, doc);
    write_runs(j, doc);
    write_arrows(j, arrows);
    live_write_free_sections(j, doc);
    write_exercises(j, s);
    free(hash);
    bi_document_close(doc);
    bi_report_clear(&unused);
    char *text = outgoing_end(&o);
    *size = o.size;
    return text;
}
