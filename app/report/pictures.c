// SPDX-License-Identifier: MIT
// Which moments, and from where: several places around the machine are tried in small pictures, and the one from which most
// of it is seen is taken.
#include "report/pictures.h"
#include "cli/words.h"
#include "pictures/png.h"
#include "pictures/solid.h"
#include "pictures/svg.h"
#include <biela/look.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 8, WIDE = 1000, HIGH = 520, SMALL = 560, TRIED = 100, MOMENTS = 3, PLAN = 1100 };
static const double half_angle = 0.42; // tangent

// Against gravity, and two directions along the ground.
typedef struct {
    bi_vec3 ahead, left, up;
} level;

static level level_of(const report *p)
{
    bi_vec3 g = bi_model_gravity_of(p->base.s.model);
    level l = { .up = solid_unit((bi_vec3){ -g.x, -g.y, -g.z }) };
    bi_vec3 along = fabs(l.up.x) < 0.7 ? (bi_vec3){ 1, 0, 0 } : (bi_vec3){ 0, 1, 0 };
    l.left = solid_unit(solid_cross(l.up, along));
    l.ahead = solid_cross(l.left, l.up);
    return l;
}

static bi_vec3 mixed(const level *l, double ahead, double left, double up)
{
    bi_vec3 none = { 0, 0, 0 };
    return solid_plus(solid_plus(solid_plus(none, ahead, l->ahead), left, l->left), up, l->up);
}

// ---- the machine -----------------------------------------------------------------------------------------------------

// Bodies that joints connect with the one that is followed; (n_body), the ground is none of them.
static bool *machine_of(const report *p)
{
    const bi_model *m = p->base.s.model;
    bool *is_part = words_alloc((size_t)p->run.n_body * sizeof *is_part);
    is_part[p->body] = true;
    for (bool is_growing = true; is_growing;) {
        is_growing = false;
        for (int k = 1; k <= bi_model_joint_count(m); k++) {
            bi_point a, b;
            if (!bi_model_joint_points(m, (bi_joint){ k }, &a, &b) || a.body.i <= 1 || b.body.i <= 1) {
                continue;
            }
            bool *one = &is_part[a.body.i - 1], *other = &is_part[b.body.i - 1];
            is_growing = is_growing || *one != *other;
            *one = *other = *one || *other;
        }
    }
    return is_part;
}

typedef struct {
    bi_vec3 low, high;
    const bi_pose *body, *own;
} bounds;

static void widen(void *data, const solid_triangle *t)
{
    bounds *b = data;
    for (int k = 0; k < 3; k++) {
        bi_vec3 at = solid_plus(b->own->pos, 1.0, solid_turn(b->own->rot, t->corner[k]));
        at = solid_plus(b->body->pos, 1.0, solid_turn(b->body->rot, at));
        b->low = (bi_vec3){ fmin(b->low.x, at.x), fmin(b->low.y, at.y), fmin(b->low.z, at.z) };
        b->high = (bi_vec3){ fmax(b->high.x, at.x), fmax(b->high.y, at.y), fmax(b->high.z, at.z) };
    }
}

static bounds bounds_of(const report *p, const bool *is_part, const bi_pose *pose)
{
    bounds b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY }, NULL, NULL };
    for (int k = 1; k <= bi_model_shape_count(p->base.s.model); k++) {
        bi_shape_def s;
        if (!bi_model_shape_at(p->base.s.model, (bi_shape){ k }, &s) || s.is_hidden) {
            continue;
        }
        // a mechanism that stands holds on to parts of the ground
        int body = s.body.i > 1 ? s.body.i - 1 : 0;
        bool is_stand = body == 0 && !p->is_vehicle && !s.finish && s.type != BI_SHAPE_PLANE &&
                        s.type != BI_SHAPE_FIELD && s.type != BI_SHAPE_ROAD;
        if (is_part[body] || is_stand) {
            bool is_zero =
                s.pose.rot.w == 0.0 && s.pose.rot.x == 0.0 && s.pose.rot.y == 0.0 && s.pose.rot.z == 0.0;
            s.pose.rot = is_zero ? (bi_quat){ 1, 0, 0, 0 } : s.pose.rot;
            b.body = &pose[body];
            b.own = &s.pose;
            solid_triangles(&s, 0.0, widen, &b);
        }
    }
    if (!(b.low.x <= b.high.x)) {
        b.low = solid_plus(pose[p->body].pos, -1.0, (bi_vec3){ 1, 1, 1 });
        b.high = solid_plus(pose[p->body].pos, 1.0, (bi_vec3){ 1, 1, 1 });
    }
    return b;
}

// ---- a picture -------------------------------------------------------------------------------------------------------

static void put_image(FILE *out, scene_picture *picture, const char *tag)
{
    size_t size = 0;
    unsigned char *bytes = picture->rgb ? png_of(picture->width, picture->height, picture->rgb, &size) : NULL;
    char *text = bytes ? png_text(bytes, size) : NULL;
    fprintf(out, tag, picture->width, picture->height, text ? text : "");
    free(text);
    free(bytes);
    free(picture->rgb);
    picture->rgb = NULL;
}

static const bi_pose *poses_at(const report *p, int sample)
{
    return p->run.pose + (size_t)sample * (size_t)p->run.n_body;
}

// So far that all corners are within the picture, and a little more.
static double distance_for(const bounds *b, bi_vec3 middle, bi_vec3 ahead, bi_vec3 vertical)
{
    bi_vec3 right = solid_unit(solid_cross(ahead, vertical)), up = solid_cross(right, ahead);
    double distance = 0.1;
    for (int k = 0; k < 8; k++) {
        bi_vec3 corner = { k & 1 ? b->high.x : b->low.x, k & 2 ? b->high.y : b->low.y,
                           k & 4 ? b->high.z : b->low.z };
        corner = solid_plus(corner, -1.0, middle);
        double wide = fabs(solid_dot(corner, right)) / half_angle,
               high = fabs(solid_dot(corner, up)) * WIDE / (half_angle * HIGH);
        distance = fmax(distance, 1.08 * fmax(wide, high) - solid_dot(corner, ahead));
    }
    return distance;
}

// From a place around the machine: k-th of so many.
static scene_view view_from(const report *p, const bounds *b, const bi_pose *pose, int k)
{
    // from ahead at either side first, then from behind, then square to the sides
    static const double degrees[PLACES] = { -50, 50, -130, 130, -90, 90, 20, 170 };
    const double pi = 3.14159265358979323846;
    bi_vec3 forward = { 1, 0, 0 };
    for (int i = 0; i < 3; i++) {
        char *place = words_format("view.forward.%d", i);
        double *part = i == 0 ? &forward.x : i == 1 ? &forward.y : &forward.z;
        (void)bi_document_number(p->said.doc, place, part);
        free(place);
    }
    forward = solid_turn(pose[p->body].rot, forward);
    level l = level_of(p);
    double heading = p->is_vehicle ? atan2(solid_dot(forward, l.left), solid_dot(forward, l.ahead)) : 0.0,
           turn = heading + degrees[k] * pi / 180.0;
    bi_vec3 middle = { 0.5 * (b->low.x + b->high.x), 0.5 * (b->low.y + b->high.y),
                       0.5 * (b->low.z + b->high.z) };
    bi_vec3 back = solid_unit(mixed(&l, cos(turn), sin(turn), 0.34)), ahead = { -back.x, -back.y, -back.z };
    bi_vec3 size = solid_plus(b->high, -1.0, b->low);
    return (scene_view){ .kind = SCENE_EYE,
                         .ground = p->is_vehicle && l.up.z > 0.999 ? SCENE_FLOOR : SCENE_AIR,
                         .eye = solid_plus(middle, distance_for(b, middle, ahead, l.up), back),
                         .ahead = ahead,
                         .up = l.up,
                         .half = half_angle,
                         .sun = mixed(&l, 0.35, 0.45, 1.0),
                         .middle = middle,
                         .shaded = 2.0 * sqrt(solid_dot(size, size)) };
}

static scene_view best_view(const report *p, const bool *is_part, const bi_pose *pose)
{
    bounds b = bounds_of(p, is_part, pose);
    scene_view best = view_from(p, &b, pose, 0);
    int most = -1;
    for (int k = 0; k < PLACES; k++) {
        scene_view v = view_from(p, &b, pose, k);
        scene_picture small;
        double shaded = v.shaded;
        v.is_part = is_part;
        v.shaded = 0.0;
        if (scene_draw(p->base.s.model, pose, &v, TRIED, TRIED * HIGH / WIDE, &small)) {
            // a later place must show clearly more
            if (small.seen > most + most / 2) {
                most = small.seen;
                best = v;
                best.shaded = shaded;
            }
            free(small.rgb);
        }
    }
    return best;
}

static void write_picture(report *p, const bool *is_part, int sample, int width, int height, char *caption)
{
    const bi_pose *pose = poses_at(p, sample);
    scene_view v = best_view(p, is_part, pose);
    scene_picture picture;
    char *when = report_time(p, p->run.t[sample]);
    (void)scene_draw(p->base.s.model, pose, &v, width, height, &picture);
    fputs("<figure>", p->out);
    put_image(p->out, &picture, "<img width=\"%d\" height=\"%d\" alt=\"\" src=\"data:image/png;base64,%s\">");
    fprintf(p->out, "<figcaption>%s: ", when);
    html_text(p->out, caption);
    fputs("</figcaption></figure>\n", p->out);
    free(when);
    free(caption);
}

// ---- moments -----------------------------------------------------------------------------------------------------------

static int sample_at(const report *p, double t)
{
    int k = 0;
    while (k + 1 < p->run.n && p->run.t[k] < t) {
        k++;
    }
    return k;
}

typedef struct {
    double t;
    char *what;
} moment;

// The moment that decided: the balance lost, else the fall, the hardest touch, the least margin, the fastest.
static moment key_moment(const report *p)
{
    const outcome *o = &p->end;
    if (!isnan(o->lost_t)) {
        return (moment){ o->lost_t, words_format("%s", report_say(p, "nothing is left of the stability",
                                                                  "no queda nada de la estabilidad")) };
    }
    if (!isnan(o->tipped_t)) {
        return (moment){ o->tipped_t, words_format("%s", report_say(p, "it leans by more than 40°",
                                                                    "se inclina más de 40°")) };
    }
    if (!isnan(o->hit_t)) {
        char *a = spoken_name(&p->said, o->hit_a), *b = spoken_name(&p->said, o->hit_b);
        char *text = words_format(report_say(p, "%s against %s", "%s contra %s"), a, b);
        free(a);
        free(b);
        return (moment){ o->hit_t, text };
    }
    if (!isnan(o->least) && o->least < 0.5) {
        return (moment){ o->least_t, words_format("%s", report_say(p, "the least stability of the drive",
                                                                   "la estabilidad mínima de la maniobra")) };
    }
    return p->is_vehicle && o->fastest > 0.1
               ? (moment){ o->fastest_t, words_format("%s", report_say(p, "the fastest", "lo más rápido")) }
               : (moment){ 0.5 * o->end, words_format("%s", report_say(p, "half way", "a la mitad")) };
}

void pictures_write(report *p)
{
    bool *is_part = machine_of(p);
    moment key = key_moment(p);
    int at = sample_at(p, key.t), last = p->run.n - 1;
    double next = !isnan(p->end.tipped_t) && p->end.tipped_t > key.t + 0.2 ? p->end.tipped_t : NAN;
    fputs("<div class=\"scenes\">\n", p->out);
    write_picture(p, is_part, at, WIDE, HIGH, key.what);
    int before = sample_at(p, key.t - 1.0);
    if (before < at) {
        write_picture(p, is_part, before, SMALL, SMALL * HIGH / WIDE,
                      words_format("%s", report_say(p, "a second before", "un segundo antes")));
    }
    if (!isnan(next)) {
        write_picture(
            p, is_part, sample_at(p, next), SMALL, SMALL * HIGH / WIDE,
            words_format("%s", report_say(p, "it leans by more than 40°", "se inclina más de 40°")));
    } else if (last > at) {
        write_picture(p, is_part, last, SMALL, SMALL * HIGH / WIDE,
                      words_format("%s", report_say(p, "the end", "el final")));
    }
    fputs("</div>\n", p->out);
    free(is_part);
}

// ---- plan ------------------------------------------------------------------------------------------------------------

typedef struct {
    bi_vec3 right, up; // of the paper, ground axes
    double low[2], high[2];
} plan;

static double along(const plan *l, int axis, bi_vec3 v) { return solid_dot(axis == 0 ? l->right : l->up, v); }

// What moves is a path for a vehicle seen from above, for a mechanism from its side.
static plan plan_of(const report *p, const bool *is_part)
{
    level v = level_of(p);
    plan l = { v.ahead, p->is_vehicle ? v.left : v.up, { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (int s = 0; s < p->run.n; s += 1 + p->run.n / 40) {
        bounds b = bounds_of(p, is_part, poses_at(p, s));
        for (int k = 0; k < 2; k++) {
            l.low[k] = fmin(l.low[k], fmin(along(&l, k, b.low), along(&l, k, b.high)));
            l.high[k] = fmax(l.high[k], fmax(along(&l, k, b.low), along(&l, k, b.high)));
        }
    }
    // some room around, no narrower than a strip
    for (int k = 0; k < 2; k++) {
        double room = fmax(0.06 * (l.high[k] - l.low[k]), 0.1 * (l.high[1 - k] - l.low[1 - k]));
        l.low[k] -= room;
        l.high[k] += room;
    }
    double width = l.high[0] - l.low[0], height = l.high[1] - l.low[1];
    double more = fmax(0.0, 0.3 * width - height), wider = fmax(0.0, height / 0.62 - width);
    l.low[1] -= 0.5 * more;
    l.high[1] += 0.5 * more;
    l.low[0] -= 0.5 * wider;
    l.high[0] += 0.5 * wider;
    return l;
}

static void put_track(report *p, const plan *l, double scale)
{
    fputs("<polyline class=\"track\" stroke-width=\"2.5\" points=\"", p->out);
    double x = 0.0, y = 0.0, first[2] = { 0, 0 };
    for (int s = 0; s < p->run.n; s++) {
        bi_vec3 at = poses_at(p, s)[p->body].pos;
        x = scale * (along(l, 0, at) - l->low[0]);
        y = scale * (l->high[1] - along(l, 1, at));
        fprintf(p->out, "%.1f,%.1f ", x, y);
        if (s == 0) {
            first[0] = x;
            first[1] = y;
        }
    }
    fprintf(p->out,
            "\"/><circle class=\"begin\" r=\"6\" cx=\"%.1f\" cy=\"%.1f\"/><circle class=\"end\" r=\"6\" "
            "cx=\"%.1f\" "
            "cy=\"%.1f\"/>",
            first[0], first[1], x, y);
}

// 1, 2 or 5 times a power of ten, a fifth of the width or so.
static void put_ruler(report *p, double width, double scale, int height)
{
    double rough = 0.2 * width, power = pow(10.0, floor(log10(rough))), m = rough / power;
    double length = power * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
    char *text = spoken_value(&p->said, length, "m");
    fprintf(p->out,
            "<path d=\"M20 %dh%.1fm0 -6v12M20 %dv12\" stroke=\"#1d2530\" stroke-width=\"2\" "
            "fill=\"none\"/><text x=\"26\" "
            "y=\"%d\" style=\"font-size:17px\">%s</text>",
            height - 20, scale * length, height - 26, height - 28, text);
    free(text);
}

void pictures_plan(report *p)
{
    bool *is_part = machine_of(p);
    plan l = plan_of(p, is_part);
    double width = l.high[0] - l.low[0], scale = PLAN / width;
    int height = (int)(scale * (l.high[1] - l.low[1]));
    const bi_pose *pose = poses_at(p, p->run.n - 1);
    bounds b = bounds_of(p, is_part, pose);
    bi_vec3 middle = solid_plus(solid_plus((bi_vec3){ 0, 0, 0 }, 0.5 * (l.low[0] + l.high[0]), l.right),
                                0.5 * (l.low[1] + l.high[1]), l.up);
    // roofs are cut away: one looks from just above the machine
    level axes = level_of(p);
    bi_vec3 out = p->is_vehicle ? axes.up : mixed(&axes, 0.0, -1.0, 0.0);
    double away = p->is_vehicle ? fmax(solid_dot(b.high, out), solid_dot(b.low, out)) + 1.0 : 50.0;
    scene_view v = { .kind = SCENE_PLAN,
                     .ground = p->is_vehicle && axes.up.z > 0.999 ? SCENE_FLOOR : SCENE_AIR,
                     .eye = solid_plus(middle, away, out),
                     .ahead = { -out.x, -out.y, -out.z },
                     .up = l.up,
                     .half = 0.5 * width,
                     .sun = mixed(&axes, 0.35, 0.45, 1.0),
                     .middle = middle };
    scene_picture picture;
    (void)scene_draw(p->base.s.model, pose, &v, PLAN, height, &picture);
    fprintf(p->out, "<h2>%s</h2>\n<figure><svg viewBox=\"0 0 %d %d\" role=\"img\">",
            p->is_vehicle ? report_say(p, "Path, seen from above", "Trayectoria, vista desde arriba")
                          : report_say(p, "Path, seen from the side", "Trayectoria, vista de lado"),
            PLAN, height);
    put_image(p->out, &picture, "<image width=\"%d\" height=\"%d\" href=\"data:image/png;base64,%s\"/>");
    put_track(p, &l, scale);
    put_ruler(p, width, scale, height);
    fputs("</svg><figcaption>", p->out);
    char *name = spoken_name(&p->said, bi_model_body_name(p->base.s.model, (bi_body){ p->body + 1 }));
    char *text = words_format(report_say(p, "way of: %s; green: start, red: end, where it is drawn",
                                         "camino de: %s; verde: inicio, rojo: final, donde está dibujada"),
                              name);
    html_text(p->out, text);
    fputs("</figcaption></figure>\n", p->out);
    free(text);
    free(name);
    free(is_part);
}
