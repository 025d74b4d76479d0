// SPDX-License-Identifier: MIT
// Actuators of MJCF: each is an input and the forces that follow from it. force = gain * control + bias, where gain and
// bias are linear in the length and the speed of what is driven, and a control may pass a filter first.
#include "io/robot/mjcf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { NO_STATE, FILTER, INTEGRATOR } actuator_state;

typedef struct {
    actuator_state state;
    double time;          // s, of the filter
    double gain[3];       // constant, of length, of speed
    double bias[3];       // likewise
    double damping_ratio; // of a position servo; 0: none
    bool is_affine_gain, is_biased;
    const char *unmapped; // what has no counterpart; NULL: nothing
} actuator;

// ---- attributes ------------------------------------------------------------------------------------------------

static void put(mjcf *m, const xml_element *e, const char *key, double *value)
{
    const char *text = xml_get(e, key);
    if (text) {
        (void)scene_numbers(m->s, e, key, text, 1, 1, value);
    }
}

// The first `count` numbers of a longer list.
static void put_some(mjcf *m, const xml_element *e, const char *key, int count, double *value)
{
    double all[16];
    const char *text = xml_get(e, key);
    int n = text ? scene_numbers(m->s, e, key, text, 0, 16, all) : 0;
    for (int k = 0; k < count && k < n; k++) {
        value[k] = all[k];
    }
}

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

static void apply_general(mjcf *m, const xml_element *e, actuator *a)
{
    const char *state = xml_get(e, "dyntype"), *gain = xml_get(e, "gaintype"), *bias = xml_get(e, "biastype");
    put_some(m, e, "gainprm", 3, a->gain);
    put_some(m, e, "biasprm", 3, a->bias);
    put(m, e, "dynprm", &a->time);
    if (state) {
        a->state = is_word(state, "integrator")                                ? INTEGRATOR
                   : is_word(state, "filter") || is_word(state, "filterexact") ? FILTER
                                                                               : NO_STATE;
        a->unmapped =
            a->state == NO_STATE && !is_word(state, "none") ? "its dyntype has no counterpart" : a->unmapped;
    }
    if (gain) {
        a->is_affine_gain = is_word(gain, "affine");
        a->unmapped =
            !a->is_affine_gain && !is_word(gain, "fixed") ? "its gaintype has no counterpart" : a->unmapped;
    }
    if (bias) {
        a->is_biased = is_word(bias, "affine");
        a->unmapped =
            !a->is_biased && !is_word(bias, "none") ? "its biastype has no counterpart" : a->unmapped;
    }
}

// What an element, of the file or of a default, says; shortcuts set several numbers at once.
static void apply(mjcf *m, const xml_element *e, actuator *a)
{
    double number = a->gain[0];
    if (strcmp(e->name, "general") == 0) {
        apply_general(m, e, a);
    } else if (strcmp(e->name, "motor") == 0) {
        *a = (actuator){ .gain = { 1.0 }, .time = 1.0 };
    } else if (strcmp(e->name, "position") == 0 || strcmp(e->name, "intvelocity") == 0) {
        put(m, e, "kp", &number);
        double kv = -a->bias[2], time = a->state == FILTER ? a->time : 0.0;
        put(m, e, "kv", &kv);
        put(m, e, "dampratio", &a->damping_ratio);
        put(m, e, "timeconst", &time);
        a->gain[0] = number;
        a->bias[1] = -number;
        a->bias[2] = -kv;
        a->is_biased = true;
        a->is_affine_gain = false;
        a->state = e->name[0] == 'i' ? INTEGRATOR : time > 0.0 ? FILTER : NO_STATE;
        a->time = time > 0.0 ? time : a->time;
    } else if (strcmp(e->name, "velocity") == 0) {
        put(m, e, "kv", &number);
        a->gain[0] = number;
        a->bias[2] = -number;
        a->is_biased = true;
    } else if (strcmp(e->name, "damper") == 0) {
        number = -a->gain[2];
        put(m, e, "kv", &number);
        a->gain[0] = 0.0;
        a->gain[2] = -number;
        a->is_affine_gain = true;
    } else if (strcmp(e->name, "cylinder") == 0) {
        put(m, e, "timeconst", &a->time);
        put(m, e, "area", &a->gain[0]);
        put_some(m, e, "bias", 3, a->bias);
        a->state = FILTER;
        a->is_biased = true;
    } else {
        a->unmapped = "it has no counterpart";
    }
}

static bool is_actuator(const xml_element *e)
{
    static const char kinds[] =
        " general motor position velocity intvelocity damper cylinder muscle adhesion ";
    char word[80];
    snprintf(word, sizeof word, " %.70s ", e->name);
    return strstr(kinds, word) != NULL;
}

static void apply_defaults(mjcf *m, const mjcf_class *c, actuator *a)
{
    if (!c) {
        return;
    }
    apply_defaults(m, c->outer, a);
    for (const xml_element *e = c->element->first; e; e = e->next) {
        if (is_actuator(e) && strcmp(e->name, "muscle") != 0 && strcmp(e->name, "adhesion") != 0) {
            apply(m, e, a);
        }
    }
}

// ---- expressions -----------------------------------------------------------------------------------------------

const char *mjcf_coordinate(const scene_joint *j, char buffer[160])
{
    snprintf(buffer, 160, "%.120s.%s", j->called, strcmp(j->type, "prismatic") == 0 ? "position" : "angle");
    return buffer;
}

// " + 3*x", " - x", nothing for 0; the first term has no blanks
void mjcf_write_term(FILE *out, double factor, const char *what, bool *is_begun)
{
    char text[32];
    if (factor == 0.0) {
        return;
    }
    fputs(!*is_begun ? (factor < 0.0 ? "-" : "") : factor < 0.0 ? " - " : " + ", out);
    factor = fabs(factor);
    if (!what[0]) {
        fputs(number_text(text, factor), out);
    } else if (factor == 1.0) {
        fputs(what, out);
    } else {
        fprintf(out, "%s*%s", number_text(text, factor), what);
    }
    *is_begun = true;
}

typedef struct {
    char length[1400], speed[1400]; // expressions of what it drives
    double gear;                    // of both
    double reach;                   // half range of the control that is offered when the file gives none
} driven;

// gain * control + bias
static void write_force(FILE *out, const actuator *a, const driven *d, const char *control)
{
    bool is_begun = false;
    if (a->is_affine_gain && (a->gain[1] != 0.0 || a->gain[2] != 0.0)) {
        bool is_inner = false;
        fprintf(out, "%s*(", control);
        mjcf_write_term(out, a->gain[0], "", &is_inner);
        mjcf_write_term(out, a->gain[1] * d->gear, d->length, &is_inner);
        mjcf_write_term(out, a->gain[2] * d->gear, d->speed, &is_inner);
        fputs(")", out);
        is_begun = true;
    } else {
        mjcf_write_term(out, a->gain[0], control, &is_begun);
    }
    if (a->is_biased) {
        mjcf_write_term(out, a->bias[0], "", &is_begun);
        mjcf_write_term(out, a->bias[1] * d->gear, d->length, &is_begun);
        mjcf_write_term(out, a->bias[2] * d->gear, d->speed, &is_begun);
    }
    if (!is_begun) {
        fputc('0', out);
    }
}

// ---- the input -------------------------------------------------------------------------------------------------

typedef struct {
    bool is_limited;
    double lower, upper;
} limits;

static limits read_limits(mjcf *m, const mjcf_class *c, const xml_element *e, const char *limited,
                          const char *range)
{
    limits l = { 0 };
    double v[2] = { 0.0, 0.0 };
    int n = mjcf_numbers(m, c, e, range, 2, v);
    l = (limits){ mjcf_is_limited(m, c, e, limited, range), v[0], v[1] };
    if (l.is_limited && (n < 2 || !(l.lower < l.upper))) {
        scene_tell(m->s, BI_ERROR, e, "%s must have two numbers, the smaller one first", range);
        l.is_limited = false;
    }
    return l;
}

// The control of an actuator at the keyframe where the model starts.
static double start_of(mjcf *m, int k)
{
    const char *text = m->key ? xml_get(m->key, "ctrl") : NULL;
    for (int i = 0; text && i <= k; i++) {
        char *end;
        double x = strtod(text, &end);
        if (end == text) {
            return 0.0;
        }
        if (i == k) {
            return isfinite(x) ? x : 0.0;
        }
        text = end;
    }
    return 0.0;
}

static void write_input(mjcf *m, const char *called, const limits *range, double start, double reach,
                        const char *help)
{
    char a[32], b[32], c[32];
    double lower = range->is_limited ? range->lower : -reach,
           upper = range->is_limited ? range->upper : reach;
    start = fmin(upper, fmax(lower, start));
    fprintf(m->s->line[LINES_INPUTS], "  %s: {initial: %s, min: %s, max: %s, help: %s}\n", called,
            number_text(a, start), number_text(b, lower), number_text(c, upper), help);
}

// The name of what the force follows: the control within its range, or a signal behind it.
static const char *write_control(mjcf *m, const actuator *a, const char *called, const limits *range,
                                 const limits *act)
{
    char control[200], name[120], x[32], y[32];
    FILE *out = m->s->line[LINES_SIGNALS];
    if (range->is_limited) {
        snprintf(control, sizeof control, "clamp(%.100s, %s, %s)", called, number_text(x, range->lower),
                 number_text(y, range->upper));
    } else {
        snprintf(control, sizeof control, "%.100s", called);
    }
    if (a->state != NO_STATE) {
        snprintf(name, sizeof name, "%.100s_act", called);
        const char *state = scene_call(m->s, &m->s->inputs, m->root, name);
        if (a->state == FILTER) {
            fprintf(out, "  %s: {type: filter, input: \"%s\", time: %s}\n", state, control,
                    number_text(x, a->time));
        } else {
            fprintf(out, "  %s: {type: pid, setpoint: \"%s\", measured: 0, integral: 1", state, control);
            if (act->is_limited) {
                fprintf(out, ", lower: %s, upper: %s", number_text(x, act->lower),
                        number_text(y, act->upper));
            }
            fputs("}\n", out);
        }
        snprintf(control, sizeof control, "%.110s", state);
    }
    const char *kept = blocks_text(&m->s->memory, control, strlen(control));
    return kept ? kept : called;
}

// ---- what is driven --------------------------------------------------------------------------------------------

int mjcf_find_joint(mjcf *m, const xml_element *e, const char *key)
{
    const char *name = xml_get(e, key);
    for (int k = 0; name && k < m->s->n_joint; k++) {
        const char *own = m->s->joint[k].address >= 0 ? xml_get(m->s->joint[k].element, "name") : NULL;
        if (own && strcmp(own, name) == 0) {
            return k;
        }
    }
    scene_tell(m->s, BI_ERROR, e, "there is no joint '%.80s'", name ? name : "");
    return -1;
}

static bool has_coordinate(const scene_joint *j)
{
    return strcmp(j->type, "revolute") == 0 || strcmp(j->type, "prismatic") == 0;
}

typedef struct {
    const xml_element *element;
    const mjcf_class *class;
    const char *called;
    actuator a;
    limits control, act, force;
    double gear[6];
    double start;
} drive;

// "clamp(force, lo, hi)" times factor, in quotes
static void write_effort(FILE *out, const drive *v, const driven *d, const char *control, double factor)
{
    char text[32], x[32], y[32];
    fputc('"', out);
    if (factor != 1.0) {
        fprintf(out, "%s*", number_text(text, factor));
    }
    fputs(v->force.is_limited ? "clamp(" : factor != 1.0 ? "(" : "", out);
    write_force(out, &v->a, d, control);
    if (v->force.is_limited) {
        fprintf(out, ", %s, %s)", number_text(x, v->force.lower), number_text(y, v->force.upper));
    } else if (factor != 1.0) {
        fputc(')', out);
    }
    fputc('"', out);
}

static void drive_joint(mjcf *m, drive *v, const scene_joint *j)
{
    driven d = { .gear = v->gear[0], .reach = 1.0 };
    char coordinate[160];
    snprintf(d.length, sizeof d.length, "%s", mjcf_coordinate(j, coordinate));
    snprintf(d.speed, sizeof d.speed, "%.120s.rate", j->called);
    if (v->a.damping_ratio > 0.0 && v->a.bias[1] < 0.0 && j->carried > 0.0 && v->gear[0] != 0.0) {
        v->a.bias[2] = -2.0 * v->a.damping_ratio * sqrt(-v->a.bias[1] * j->carried) / fabs(v->gear[0]);
    }
    bool follows = v->a.is_biased && v->a.bias[1] < 0.0;
    double inherit = scene_number(m->s, v->element, "inheritrange",
                                  mjcf_number(m, v->class, v->element, "inheritrange", 0.0));
    if (!v->control.is_limited && inherit > 0.0 && j->is_limited) {
        double middle = 0.5 * (j->lower + j->upper), half = 0.5 * inherit * (j->upper - j->lower);
        v->control = (limits){ true, middle - half, middle + half };
    }
    if (follows && j->is_limited) {
        d.reach = fmax(fabs(j->lower), fabs(j->upper)) * fabs(v->gear[0]);
    } else if (follows) {
        d.reach = strcmp(j->type, "prismatic") == 0 ? 1.0 : 3.14;
    }
    char help[200];
    snprintf(help, sizeof help, "%s of %.120s",
             follows                                ? "place"
             : v->a.is_biased && v->a.bias[2] < 0.0 ? "speed"
                                                    : "effort",
             j->called);
    write_input(m, v->called, &v->control, v->start, d.reach, help);
    const char *control = write_control(m, &v->a, v->called, &v->control, &v->act);
    FILE *out = m->s->line[LINES_FORCES];
    fprintf(out, "  %s_drive: {type: torque, joint: %s, torque: ", v->called, j->called);
    write_effort(out, v, &d, control, v->gear[0]);
    fputs("}\n", out);
}

// A sum of joint coordinates: the same force on each, times its factor.
static void drive_tendon(mjcf *m, drive *v, const mjcf_tendon *t)
{
    scene *s = m->s;
    driven d = { .gear = v->gear[0], .reach = 1.0 };
    char *text = NULL;
    for (int kind = 0; kind < 2; kind++) {
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        if (!out) {
            return;
        }
        fputc('(', out);
        mjcf_write_sum(m, out, t, kind == 0 ? 1.0 : 0.0, kind == 0 ? 0.0 : 1.0);
        fputc(')', out);
        fclose(out);
        snprintf(kind == 0 ? d.length : d.speed, sizeof d.length, "%s", text);
        free(text);
    }
    char help[200], name[120];
    snprintf(help, sizeof help, "\"pull of %.120s\"", t->name);
    write_input(m, v->called, &v->control, v->start, d.reach, help);
    const char *control = write_control(m, &v->a, v->called, &v->control, &v->act);
    snprintf(name, sizeof name, "%.100s_force", v->called);
    const char *force = scene_call(s, &s->inputs, v->element, name);
    fprintf(s->line[LINES_SIGNALS], "  %s: ", force);
    write_effort(s->line[LINES_SIGNALS], v, &d, control, 1.0);
    fputc('\n', s->line[LINES_SIGNALS]);
    for (int k = 0; k < t->n_term; k++) {
        const scene_joint *j = &s->joint[t->joint[k]];
        char factor[32];
        fprintf(s->line[LINES_FORCES], "  %s_drive_%d: {type: torque, joint: %s, torque: \"%s*%s\"}\n",
                v->called, k + 1, j->called, number_text(factor, v->gear[0] * t->factor[k]), force);
    }
}

// A force and a moment along the axes of a site, which turn with its body.
static void drive_site(mjcf *m, drive *v, const mjcf_site *site)
{
    static const char *const keys[2][3] = { { "fx", "fy", "fz" }, { "mx", "my", "mz" } };
    scene *s = m->s;
    const scene_body *b = &s->body[site->body];
    driven d = { .length = "0", .speed = "0", .gear = 1.0, .reach = 1.0 };
    write_input(m, v->called, &v->control, v->start, d.reach, "effort at a site");
    const char *control = write_control(m, &v->a, v->called, &v->control, &v->act);
    v->a.bias[1] = v->a.bias[2] = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        const double *g = v->gear + 3 * kind;
        bi_vec3 along = turned(&site->at.rot, (bi_vec3){ g[0], g[1], g[2] });
        double x[3] = { along.x, along.y, along.z };
        if (fabs(g[0]) + fabs(g[1]) + fabs(g[2]) == 0.0) {
            continue;
        }
        FILE *out = s->line[LINES_FORCES];
        char at[112];
        if (kind == 0) {
            fprintf(out, "  %s_drive: {type: force, point: {body: %s, at: %s}", v->called, b->called,
                    scene_format(at, difference(site->at.pos, b->at.pos)));
        } else {
            fprintf(out, "  %s_drive_turn: {type: torque-on-body, body: %s", v->called, b->called);
        }
        for (int k = 0; k < 3; k++) {
            if (fabs(x[k]) > 1e-15) {
                fprintf(out, ", %s: ", keys[kind][k]);
                write_effort(out, v, &d, control, x[k]);
            }
        }
        fputs(", axes: body}\n", out);
    }
}

// ---- the whole -------------------------------------------------------------------------------------------------

static void read_target(mjcf *m, drive *v)
{
    const xml_element *e = v->element;
    const char *key = mjcf_get(v->class, e, "joint", NULL) ? "joint" : "jointinparent";
    if (mjcf_get(v->class, e, key, NULL)) {
        const xml_element *at = e;
        (void)mjcf_get(v->class, e, key, &at);
        int k = mjcf_find_joint(m, at, key);
        if (k >= 0 && has_coordinate(&m->s->joint[k])) {
            drive_joint(m, v, &m->s->joint[k]);
        } else if (k >= 0) {
            scene_leave(m->s, e, NULL, "it drives a ball or free joint");
        }
    } else if (xml_get(e, "tendon")) {
        int k = name_set_find(&m->tendons, xml_get(e, "tendon"));
        if (k < 0) {
            scene_tell(m->s, BI_ERROR, e, "there is no tendon '%.80s'", xml_get(e, "tendon"));
        } else if (m->tendon[k].n_term == 0) {
            scene_leave(m->s, e, NULL, "its tendon runs over sites");
        } else {
            drive_tendon(m, v, &m->tendon[k]);
        }
    } else if (xml_get(e, "site") && !xml_get(e, "refsite")) {
        int k = mjcf_find_site(m, e, xml_get(e, "site"));
        if (k >= 0) {
            drive_site(m, v, &m->site[k]);
        }
    } else {
        scene_leave(m->s, e, NULL, "what it drives has no counterpart");
    }
}

static void read_actuator(mjcf *m, const xml_element *e, int number)
{
    drive v = { .element = e,
                .class = mjcf_class_of(m, e, NULL),
                .a = { .gain = { 1.0 }, .time = 1.0 },
                .gear = { 1.0 },
                .start = start_of(m, number) };
    apply_defaults(m, v.class, &v.a);
    apply(m, e, &v.a);
    if (v.a.unmapped) {
        scene_leave(m->s, e, NULL, v.a.unmapped);
        return;
    }
    if (v.a.state == FILTER && !(v.a.time > 0.0)) {
        v.a.state = NO_STATE;
    }
    (void)mjcf_numbers(m, v.class, e, "gear", 6, v.gear);
    v.control = read_limits(m, v.class, e, "ctrllimited", "ctrlrange");
    v.force = read_limits(m, v.class, e, "forcelimited", "forcerange");
    v.act = read_limits(m, v.class, e, "actlimited", "actrange");
    const char *name = xml_get(e, "name");
    char own[40];
    snprintf(own, sizeof own, "drive%d", number + 1);
    v.called = scene_call(m->s, &m->s->inputs, e, name ? name : own);
    read_target(m, &v);
    mjcf_leave_others(
        m, e,
        " name class joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited forcerange "
        "actlimited actrange kp kv dampratio timeconst inheritrange area bias dyntype gaintype biastype "
        "dynprm "
        "gainprm biasprm group user ");
}

void mjcf_read_actuators(mjcf *m)
{
    int number = 0;
    for (const xml_element *e = m->root->first; e; e = e->next) {
        for (const xml_element *k = strcmp(e->name, "actuator") == 0 ? e->first : NULL; k; k = k->next) {
            if (scene_without(m->s, BI_WITHOUT_ACTUATORS)) {
                continue;
            }
            if (is_actuator(k)) {
                read_actuator(m, k, number++);
            } else {
                scene_tell(m->s, BI_WARNING, k, "is not known among actuators; left out");
            }
        }
    }
}
