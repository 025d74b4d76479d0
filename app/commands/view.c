// SPDX-License-Identifier: MIT
/* view - results in the browser: a recording as it was driven, or the rows of a CSV or HDF5 file over time. */
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/words.h"
#include "live/drive.h"
#include "live/poses.h"
#include "live/requests.h"
#include <biela/look.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rows as frames ------------------------------------------------------------------------------------------------

static const char *const pose_ending[] = { ".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz" };

typedef struct {
    char *name;
    int column[7]; // x y z qw qx qy qz; -1: the table does not tell of it
    int anchor;    // of such a body: the one that it is drawn with, as it starts; -1: the ground
    bi_pose from;  // from there to the body
} view_body;

typedef struct {
    live l; // server, clients, packet; no loop
    bi_table table;
    int t; // its column
    view_body *body;
    int n_body;    // those of the table, then those of the model that it lacks
    int n_known;   // of the table
    session model; // with --model; else empty
    bool has_model;
    double now, speed, last_clock; // s; factor; s
    bool is_playing, is_dirty;
    int64_t steps; // rows to go on, by `step`
    bi_loop_frame frame;
} view;

// Bodies of the table: all columns of a pose.
static void find_bodies(view *v)
{
    int more = v->has_model ? bi_model_body_count(v->model.model) : 0;
    v->body = words_alloc((size_t)(v->table.columns + more + 1) * sizeof *v->body);
    for (int k = 0; k < v->table.columns; k++) {
        const char *name = v->table.name[k];
        size_t length = strlen(name);
        if (length < 4 || strcmp(name + length - 3, ".qw") != 0) {
            continue;
        }
        view_body *b = &v->body[v->n_body];
        bool has_all = true;
        b->name = words_copy(name, length - 3);
        for (int i = 0; i < 7; i++) {
            char *column = words_format("%s%s", b->name, pose_ending[i]);
            b->column[i] = bi_table_column(&v->table, column);
            has_all = has_all && b->column[i] >= 0;
            free(column);
        }
        if (has_all) {
            v->n_body++;
        } else {
            free(b->name);
        }
    }
    v->n_known = v->n_body;
}

// ---- bodies that the table does not tell of --------------------------------------------------------------------------

static int find_body(const view *v, const char *name)
{
    for (int b = 0; name && b < v->n_body; b++) {
        if (strcmp(v->body[b].name, name) == 0) {
            return b;
        }
    }
    return -1;
}

// Anchors spread along the joints from the bodies of the table; what they do not reach keeps to the ground.
static void spread_anchors(const bi_model *m, int *anchor)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int k = 1; k <= bi_model_joint_count(m); k++) {
            bi_point a, b;
            bi_model_joint_points(m, (bi_joint){ k }, &a, &b);
            int i = a.body.i, j = b.body.i;
            if (i > 1 && j > 1 && (anchor[i] < 0) != (anchor[j] < 0)) {
                anchor[anchor[i] < 0 ? i : j] = anchor[i] < 0 ? anchor[j] : anchor[i];
                is_changed = true;
            }
        }
    }
}

// Every body of the model is drawn: one that the table lacks goes with the nearest one that it has, as they start.
static void add_missing_bodies(view *v)
{
    int n = v->has_model ? bi_model_body_count(v->model.model) : 0;
    int *anchor = words_alloc((size_t)(n + 1) * sizeof *anchor); // by the numbers of the model
    bi_view start = n > 0 ? bi_sim_view(v->model.sim) : (bi_view){ 0 };
    for (int b = 2; b <= n; b++) {
        anchor[b] = find_body(v, bi_model_body_name(v->model.model, (bi_body){ b })) >= 0 ? b : -1;
    }
    if (n > 0) {
        spread_anchors(v->model.model, anchor);
    }
    for (int b = 2; b <= n; b++) {
        const char *name = bi_model_body_name(v->model.model, (bi_body){ b });
        if (anchor[b] == b) {
            continue;
        }
        view_body *body = &v->body[v->n_body];
        *body = (view_body){ .name = words_format("%s", name), .column = { -1 }, .anchor = -1 };
        body->from = start.pose[b - 1];
        if (anchor[b] > 0) {
            body->anchor = find_body(v, bi_model_body_name(v->model.model, (bi_body){ anchor[b] }));
            body->from = pose_composed(pose_inverse(start.pose[anchor[b] - 1]), start.pose[b - 1]);
        }
        v->n_body++;
    }
    free(anchor);
}

// The last row at or before t.
static int row_at(const view *v, double t)
{
    const double *times = v->table.value[v->t];
    int low = 0, high = v->table.rows;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (times[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double begin_of(const view *v) { return v->table.value[v->t][0]; }

static double end_of(const view *v) { return v->table.value[v->t][v->table.rows - 1]; }

static void make_frame(view *v)
{
    bi_loop_frame *f = &v->frame;
    int row = row_at(v, v->now);
    f->number++;
    f->flags = BI_FRAME_REWOUND | (v->is_playing ? 0u : BI_FRAME_PAUSED);
    f->t = v->table.value[v->t][row];
    f->speed = v->speed;
    f->reached = v->is_playing ? v->speed : 0.0;
    for (int b = 0; b < v->n_known; b++) {
        double p[7];
        for (int i = 0; i < 7; i++) {
            p[i] = v->table.value[v->body[b].column[i]][row];
        }
        // the first pose is that of the ground
        f->pose[b + 1] = (bi_pose){ { p[0], p[1], p[2] }, { p[3], p[4], p[5], p[6] } };
    }
    for (int b = v->n_known; b < v->n_body; b++) {
        const view_body *body = &v->body[b];
        f->pose[b + 1] =
            body->anchor >= 0 ? pose_composed(f->pose[body->anchor + 1], body->from) : body->from;
    }
    for (int c = 0, k = 0; c < v->table.columns; c++) {
        if (c != v->t) {
            f->channel[k++] = v->table.value[c][row];
        }
    }
    live_encode(&v->l, f);
}

static void prepare_frame(view *v)
{
    v->frame.n_body = v->n_body + 1;
    v->frame.n_channel = v->table.columns - 1;
    v->frame.pose = words_alloc((size_t)v->frame.n_body * sizeof *v->frame.pose);
    v->frame.channel = words_alloc((size_t)(v->frame.n_channel + 1) * sizeof *v->frame.channel);
}

// ---- the scene -----------------------------------------------------------------------------------------------------

static void write_channels(json *j, const view *v)
{
    open_scene_channels(j);
    for (int c = 0; c < v->table.columns; c++) {
        if (c != v->t) {
            json_object(j, NULL);
            put_channel_name(j, v->table.name[c]);
            put_channel_unit(j, v->table.unit && v->table.unit[c] ? v->table.unit[c] : "");
            json_end(j);
        }
    }
    json_end(j);
}

// Number of a body of the model among those of the table; -2: it is not there.
static int body_number(const view *v, bi_body body)
{
    int found = body.i > 1 ? find_body(v, bi_model_body_name(v->model.model, body)) : -1;
    return body.i <= 1 ? -1 : found >= 0 ? found : -2;
}

static void write_bodies(json *j, const view *v)
{
    open_scene_bodies(j);
    for (int b = 0; b < v->n_body; b++) {
        json_text(j, NULL, v->body[b].name);
    }
    json_end(j);
    open_scene_shapes(j);
    for (int k = 1; v->has_model && k <= bi_model_shape_count(v->model.model); k++) {
        bi_shape_def d;
        if (bi_model_shape_at(v->model.model, (bi_shape){ k }, &d) && !d.is_hidden &&
            body_number(v, d.body) >= -1) {
            live_write_shape(j, &d, k, body_number(v, d.body));
        }
    }
    json_end(j);
}

// Those whose bodies are all in the table.
static void write_struts(json *j, const view *v)
{
    open_scene_struts(j);
    for (int k = 0; v->has_model && k < bi_model_strut_count(v->model.model); k++) {
        bi_strut_def d;
        int body[BI_STRUT_POINTS];
        bool is_there = bi_model_strut_at(v->model.model, k, &d);
        for (int i = 0; i < d.n_point; i++) {
            body[i] = body_number(v, d.point[i].body);
            is_there = is_there && body[i] >= -1;
        }
        if (is_there) {
            live_write_strut(j, &d, body);
        }
    }
    json_end(j);
}

static void write_looks(json *j, const view *v)
{
    open_scene_looks(j);
    for (int k = 0; v->has_model && k < bi_model_look_count(v->model.model); k++) {
        bi_look_def d;
        if (bi_model_look_at(v->model.model, k, &d) && body_number(v, d.body) >= -1) {
            live_write_look(j, &d, k, body_number(v, d.body));
        }
    }
    json_end(j);
}

static void write_scene(view *v, const char *path)
{
    outgoing o;
    json *j = outgoing_begin(&o, begin_scene);
    if (!j) {
        return;
    }
    live_scene_head head = {
        .model = path, .title = path, .kind = "results", .run = path, .hash = "", .t = begin_of(v)
    };
    head.dt = v->table.rows > 1 ? (end_of(v) - begin_of(v)) / (v->table.rows - 1) : 0.0;
    head.gravity = (bi_vec3){ 0.0, 0.0, -9.80665 };
    if (v->has_model) {
        head.model = v->model.short_name;
        head.title = bi_model_name(v->model.model);
        head.gravity = bi_model_gravity_of(v->model.model);
    }
    live_write_scene_head(j, &head);
    write_bodies(j, v);
    write_struts(j, v);
    write_looks(j, v);
    write_channels(j, v);
    // results have none of these
    static void (*const empty[])(json *) = { open_scene_links,      open_scene_flexible, open_scene_inputs,
                                             open_scene_parameters, open_scene_runs,     open_scene_arrows,
                                             open_scene_exercises };
    for (size_t k = 0; k < sizeof empty / sizeof *empty; k++) {
        empty[k](j);
        json_end(j);
    }
    if (v->has_model) {
        bi_report unused = { 0 };
        bi_document *doc = bi_document_open(v->model.path, &unused);
        live_write_free_sections(j, doc);
        put_scene_still(j, v->n_body - v->n_known);
        bi_document_close(doc);
        bi_report_clear(&unused);
    }
    v->l.run.scene = outgoing_end(&o);
    v->l.run.n_scene = o.size;
}

static void fill_history(view *v)
{
    double *row = words_alloc((size_t)(v->table.columns + 1) * sizeof *row);
    v->l.run.history = live_history_create(v->table.columns - 1);
    for (int r = 0; r < v->table.rows; r++) {
        for (int c = 0, k = 0; c < v->table.columns; c++) {
            if (c != v->t) {
                row[k++] = v->table.value[c][r];
            }
        }
        live_history_add(v->l.run.history, v->table.value[v->t][r], row);
    }
    free(row);
}

// ---- clients -------------------------------------------------------------------------------------------------------

static void play(view *v)
{
    v->now = v->now >= end_of(v) ? begin_of(v) : v->now;
    v->is_playing = true;
}

static void stand_at(view *v, double t)
{
    v->now = fmin(fmax(t, begin_of(v)), end_of(v));
    v->is_playing = false;
}

static void step_on(view *v)
{
    int row = row_at(v, v->now) + 1;
    stand_at(v, v->table.value[v->t][row < v->table.rows ? row : v->table.rows - 1]);
}

static void send_inside(view *v, int client)
{
    int n = v->has_model ? bi_model_body_count(v->model.model) : 0;
    int *number = words_alloc((size_t)(n + 1) * sizeof *number);
    for (int b = 0; b < n; b++) {
        number[b] = body_number(v, (bi_body){ b + 1 });
    }
    char *text = n > 0 ? live_inside(&v->model, number) : NULL;
    if (text) {
        live_say(&v->l, client, text);
    } else {
        live_error(&v->l, client, "results know nothing of the model: name it with --model to look inside");
    }
    free(text);
    free(number);
}

static void view_message(void *data, int client, const char *text, size_t length)
{
    view *v = data;
    json_tree tree;
    double value = 0.0;
    v->l.client[client].last_heard = live_clock();
    switch (request_read(text, length, &tree)) {
    case REQUEST_ACK:
        get_ack_frame(&tree, &value);
        live_acknowledge(&v->l, client, value);
        return;
    case REQUEST_PLAY: play(v); break;
    case REQUEST_PAUSE: v->is_playing = false; break;
    case REQUEST_SPEED:
        if (get_speed_value(&tree, &value) && value > 0.0) {
            v->speed = fmin(fmax(value, 1.0 / 32.0), 8.0);
        }
        break;
    case REQUEST_SEEK:
        if (get_seek_t(&tree, &value)) {
            stand_at(v, value);
        }
        break;
    case REQUEST_STEP: step_on(v); break;
    case REQUEST_INSIDE: send_inside(v, client); return;
    case REQUEST_TAKE:
    case REQUEST_FREEZE:
    case REQUEST_HAND:
    case REQUEST_SITUATION:
    case REQUEST_SCENARIO:
    case REQUEST_COMMENT:
    case REQUEST_MODEL:
    case REQUEST_RESTART:
    case REQUEST_NONE:
        live_error(&v->l, client, "these are results: they can be played and scrubbed, not driven");
        break;
    // pages say these of themselves
    case REQUEST_ARROWS:
    case REQUEST_DRIVER:
    case REQUEST_SEAT:
    case REQUEST_INPUTS:
    case REQUEST_GHOST:
    case REQUEST_EXERCISE:
    case REQUEST_UNKNOWN: break;
    }
    v->is_dirty = true;
}

static void view_joined(void *data, int client)
{
    view *v = data;
    live_joined(&v->l, client);
    v->is_dirty = true;
}

static void view_left(void *data, int client) { live_left(&((view *)data)->l, client); }

static bool view_resource(void *data, const char *path, bi_server_reply *reply)
{
    view *v = data;
    free(v->l.resource);
    v->l.resource = NULL;
    if (strcmp(path, "/history") == 0) {
        v->l.resource = live_history_bytes(v->l.run.history, &reply->size);
    } else if (!v->has_model || !live_resource(&v->model, path, &v->l.resource, &reply->size)) {
        return false;
    }
    reply->type = "application/octet-stream";
    reply->bytes = v->l.resource;
    return v->l.resource != NULL;
}

static void advance(view *v)
{
    double clock = live_clock();
    if (v->is_playing) {
        v->now += v->speed * (clock - v->last_clock);
        v->is_dirty = true;
        if (v->now >= end_of(v)) {
            v->now = end_of(v);
            v->is_playing = false;
        }
    }
    v->last_clock = clock;
}

static void show(view *v)
{
    advance(v);
    if (v->is_dirty) {
        make_frame(v);
        live_send_packet(&v->l, v->frame.number);
        v->is_dirty = false;
    }
    double clock = live_clock();
    if (clock >= v->l.next_timeline) {
        live_send_timeline(&v->l, &(bi_timeline){ .begin = begin_of(v), .end = end_of(v), .now = v->now });
        v->l.next_timeline = clock + 0.25;
    }
}

// ---- the command -----------------------------------------------------------------------------------------------------

static exit_code open_table(view *v, const char *path)
{
    bi_report report = { 0 };
    bool is_good = bi_table_read(path, &v->table, &report);
    v->t = is_good ? bi_table_column(&v->table, "t") : -1;
    if (is_good && (v->t < 0 || v->table.rows == 0)) {
        bi_report_add(&report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "t",
                      "results need a column t and at least one row");
    }
    bi_report_print(&report, stderr);
    is_good = is_good && report.errors == 0;
    bi_report_clear(&report);
    return is_good ? CLI_OK : CLI_BAD;
}

static exit_code open_model(view *v, const arguments *args)
{
    session_request request = { .model = arguments_value(args, "--model") };
    if (!request.model) {
        return CLI_OK;
    }
    exit_code code = session_open(&v->model, &request);
    session_print_messages(&v->model);
    v->has_model = code == CLI_OK;
    return code;
}

static exit_code view_table(const arguments *args)
{
    view *v = words_alloc(sizeof *v);
    v->speed = 1.0;
    v->l.driver = -1;
    exit_code code = open_table(v, args->word[0]);
    code = code == CLI_OK ? open_model(v, args) : code;
    if (code == CLI_OK) {
        find_bodies(v);
        add_missing_bodies(v);
        prepare_frame(v);
        fill_history(v);
        write_scene(v, args->word[0]);
        v->now = begin_of(v);
        bi_server_options options = { .data = v,
                                      .joined = view_joined,
                                      .message = view_message,
                                      .left = view_left,
                                      .resource = view_resource };
        code = drive_open_server(&v->l, args, &options);
    }
    if (code == CLI_OK) {
        interrupt_catch();
        v->last_clock = live_clock();
        while (!interrupt_asked()) {
            bi_server_serve(v->l.server, 15, -1);
            show(v);
        }
        interrupt_release();
    }
    bi_server_destroy(v->l.server);
    for (int b = 0; b < v->n_body; b++) {
        free(v->body[b].name);
    }
    free(v->body);
    free(v->frame.pose);
    free(v->frame.channel);
    free(v->l.run.scene);
    live_history_destroy(v->l.run.history);
    free(v->l.packet);
    free(v->l.resource);
    session_close(&v->model);
    bi_table_clear(&v->table);
    free(v);
    return code;
}

static bool is_recording(const char *path)
{
    char begin[12] = "";
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    size_t n = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) {
        fclose(file);
    }
    return n == sizeof begin && memcmp(begin, "BIELA RECORD", sizeof begin) == 0;
}

static exit_code run_view(const arguments *args)
{
    if (!is_recording(args->word[0])) {
        return view_table(args);
    }
    rerun_source src;
    exit_code code = rerun_open_source(args->word[0], -1, &src);
    code = code == CLI_OK ? drive_show(&src, args, NULL, 0) : code;
    rerun_close_source(&src);
    return code;
}

static const option view_options[] = {
    { "--model", "MODEL",
      "with a table: shapes of its bodies, where the table has outputs of that name ({body: NAME})" },
    DRIVE_OPTIONS,
    { "--record", "FILE", "of a recording: what is driven after a take-over" },
};

const command command_view = {
    .name = "view",
    .words = "RESULT",
    .summary = "look at results in the browser",
    .details = "A recording is shown as it was driven, and can be taken over. Of a CSV or HDF5 file the "
               "channels are played over time; bodies\n"
               "are shown where the file has their poses (outputs of the kind `body`).",
    .example = "  biela run pendulum --time 5 --out out/pendulum.csv\n  biela view out/pendulum.csv",
    .min_words = 1,
    .max_words = 1,
    .options = view_options,
    .n_option = sizeof view_options / sizeof *view_options,
    .run = run_view,
};
