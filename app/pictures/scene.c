// SPDX-License-Identifier: MIT
// Triangles go into a table of depth, normal and colour of each point of the picture; light and shadow come after that, so
// that only what is seen is computed. Every point of the picture is four of the table.
#include "pictures/scene.h"
#include "pictures/solid.h"
#include <biela/look.h>
#include <biela/shapes.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW = 1024, CLIPPED = 4 };
static const double nearest = 0.05, farthest = 500.0, ground_reach = 250.0, layer = 2e-3;

// What is seen at a point; `near` is 1 over the depth for an eye, minus the depth for a plan.
typedef struct {
    float near, normal[3];
    uint32_t colour; // red, green, blue; 1: the ground, 2: the machine
} sight;

typedef struct {
    scene_kind kind;
    bi_vec3 eye, right, up, ahead; // unit
    double scale;                  // points of the table per m, or per unit of the tangent
    int width, height;
    sight *at;    // (width * height); NULL: only depths are kept
    float *depth; // of a table of shadows
} table;

typedef struct {
    table *t;
    bi_pose body, own;
    uint32_t colour;
    int opacity; // of 16
    double lift; // part of its nearness: planes lie behind what lies on them, paint before
} brush;

typedef struct {
    double x, y, z; // right, up, ahead of the eye
    bi_vec3 normal;
} corner;

static table table_seen(scene_kind kind, bi_vec3 eye, bi_vec3 ahead, bi_vec3 up)
{
    table t = { .kind = kind, .eye = eye, .ahead = solid_unit(ahead) };
    t.right = solid_cross(t.ahead, up);
    if (solid_dot(t.right, t.right) < 1e-12) {
        t.right = solid_cross(t.ahead, (bi_vec3){ 0.0, 1.0, 1e-3 });
    }
    t.right = solid_unit(t.right);
    t.up = solid_cross(t.right, t.ahead);
    return t;
}

// ---- triangles into the table --------------------------------------------------------------------------------------

// Screen-door transparency: so many of sixteen points in a fixed pattern.
static bool is_covered(int x, int y, int opacity)
{
    static const int order[16] = { 0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5 };
    return order[(y & 3) * 4 + (x & 3)] < opacity;
}

typedef struct {
    double x, y, near, weight;
    bi_vec3 normal;
} spot;

static spot spot_of(const table *t, const corner *c)
{
    double per = t->kind == SCENE_EYE ? 1.0 / c->z : 1.0;
    return (spot){ 0.5 * t->width + t->scale * c->x * per, 0.5 * t->height - t->scale * c->y * per,
                   t->kind == SCENE_EYE ? per : -c->z, per, c->normal };
}

static void set_point(const brush *b, int x, int y, double near, const spot s[3], const double part[3])
{
    table *t = b->t;
    near += b->lift * fabs(near);
    size_t k = (size_t)y * (size_t)t->width + (size_t)x;
    if (!is_covered(x, y, b->opacity)) {
        return;
    }
    if (!t->at) {
        t->depth[k] = fmaxf(t->depth[k], (float)near);
        return;
    }
    if ((float)near <= t->at[k].near) {
        return;
    }
    bi_vec3 n = { 0, 0, 0 };
    for (int i = 0; i < 3; i++) {
        n = solid_plus(n, part[i] * s[i].weight, s[i].normal);
    }
    n = solid_unit(n);
    t->at[k] = (sight){ (float)near, { (float)n.x, (float)n.y, (float)n.z }, b->colour };
}

static void fill(const brush *b, const spot s[3])
{
    const table *t = b->t;
    double area = (s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y);
    if (!(fabs(area) > 1e-9)) {
        return;
    }
    double low_x = fmin(s[0].x, fmin(s[1].x, s[2].x)), high_x = fmax(s[0].x, fmax(s[1].x, s[2].x));
    double low_y = fmin(s[0].y, fmin(s[1].y, s[2].y)), high_y = fmax(s[0].y, fmax(s[1].y, s[2].y));
    int x0 = (int)fmax(0.0, floor(low_x)), x1 = (int)fmin(t->width - 1.0, ceil(high_x));
    int y0 = (int)fmax(0.0, floor(low_y)), y1 = (int)fmin(t->height - 1.0, ceil(high_y));
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            double px = x + 0.5, py = y + 0.5, part[3];
            part[1] = ((px - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (py - s[0].y)) / area;
            part[2] = ((s[1].x - s[0].x) * (py - s[0].y) - (px - s[0].x) * (s[1].y - s[0].y)) / area;
            part[0] = 1.0 - part[1] - part[2];
            if (part[0] >= 0.0 && part[1] >= 0.0 && part[2] >= 0.0) {
                set_point(b, x, y, part[0] * s[0].near + part[1] * s[1].near + part[2] * s[2].near, s, part);
            }
        }
    }
}

static corner between(const corner *a, const corner *b)
{
    double k = (nearest - a->z) / (b->z - a->z);
    return (corner){ a->x + k * (b->x - a->x), a->y + k * (b->y - a->y), nearest,
                     solid_plus(a->normal, k, solid_plus(b->normal, -1.0, a->normal)) };
}

// What lies behind the eye is cut off.
static void draw_triangle(void *data, const solid_triangle *t)
{
    const brush *b = data;
    const table *to = b->t;
    corner c[3], kept[CLIPPED];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        bi_vec3 at = solid_plus(b->own.pos, 1.0, solid_turn(b->own.rot, t->corner[k]));
        at = solid_plus(solid_plus(b->body.pos, 1.0, solid_turn(b->body.rot, at)), -1.0, to->eye);
        c[k] = (corner){ solid_dot(at, to->right), solid_dot(at, to->up), solid_dot(at, to->ahead),
                         solid_turn(b->body.rot, solid_turn(b->own.rot, t->normal[k])) };
    }
    for (int k = 0; k < 3; k++) {
        const corner *here = &c[k], *next = &c[(k + 1) % 3];
        if (here->z >= nearest) {
            kept[n++] = *here;
        }
        if ((here->z >= nearest) != (next->z >= nearest)) {
            kept[n++] = between(here, next);
        }
    }
    for (int k = 2; k < n; k++) {
        const spot s[3] = { spot_of(to, &kept[0]), spot_of(to, &kept[k - 1]), spot_of(to, &kept[k]) };
        fill(b, s);
    }
}

// ---- a model -------------------------------------------------------------------------------------------------------

static uint32_t colour_of(const double c[4], int body)
{
    static const uint32_t plain[] = { 0x8c97a3, 0x5b7fa8, 0xb07f4f, 0x6f9a6a, 0x9a6f8f, 0x7a8f9a };
    bool is_given = c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0 || c[3] != 0.0;
    uint32_t rgb = plain[body % 6];
    if (is_given) {
        rgb = 0;
        for (int k = 0; k < 3; k++) {
            rgb = rgb << 8 | (uint32_t)(255.0 * fmin(1.0, fmax(0.0, c[k])) + 0.5);
        }
    }
    return rgb << 8;
}

// What the page lays over a surface as a texture, as one colour.
static uint32_t tint_of(bi_finish finish)
{
    switch (finish) {
    case BI_FINISH_CONCRETE: return 0xbcb9b2;
    case BI_FINISH_ASPHALT: return 0x76777a;
    case BI_FINISH_GRAVEL: return 0xa89b84;
    case BI_FINISH_GRASS: return 0x839459;
    case BI_FINISH_GRID: return 0xc2c6ca;
    case BI_FINISH_NONE:
    case BI_FINISH_PLAIN:
    case BI_FINISH_SHEET:
    case BI_FINISH_METAL:
    case BI_FINISH_GLASS:
    case BI_FINISH_WIRE:
    case BI_FINISH_PAINT: break;
    }
    return 0xffffff;
}

static uint32_t tinted(uint32_t colour, uint32_t tint)
{
    uint32_t out = 0;
    for (int k = 24; k > 0; k -= 8) {
        out |= (colour >> k & 255u) * (tint >> (k - 8) & 255u) / 255u << k;
    }
    return out;
}

static int opacity_of(const bi_shape_def *s)
{
    bool is_given = s->colour[3] > 0.0;
    if (s->finish == BI_FINISH_WIRE) {
        return 4;
    }
    return is_given ? (int)(16.0 * fmin(1.0, s->colour[3]) + 0.5) : s->finish == BI_FINISH_GLASS ? 5 : 16;
}

static bi_quat rotation_of(bi_quat q)
{
    bool is_zero = q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
    return is_zero ? (bi_quat){ 1, 0, 0, 0 } : q;
}

static const double bare[] = { 0.82, 0.84, 0.86, 1.0 };

static bool is_surface(const bi_shape_def *s)
{
    switch (s->finish) {
    case BI_FINISH_CONCRETE:
    case BI_FINISH_ASPHALT:
    case BI_FINISH_GRAVEL:
    case BI_FINISH_GRASS:
    case BI_FINISH_GRID: return true;
    case BI_FINISH_NONE:
    case BI_FINISH_PLAIN:
    case BI_FINISH_SHEET:
    case BI_FINISH_METAL:
    case BI_FINISH_GLASS:
    case BI_FINISH_WIRE:
    case BI_FINISH_PAINT: break;
    }
    return s->type == BI_SHAPE_PLANE || s->type == BI_SHAPE_FIELD || s->type == BI_SHAPE_ROAD;
}

// Shapes of the ground to stand on, hidden ones or not.
static int count_surfaces(const bi_model *m, bool is_hidden)
{
    bi_shape_def s;
    int count = 0;
    for (int k = 1; k <= bi_model_shape_count(m); k++) {
        count += bi_model_shape_at(m, (bi_shape){ k }, &s) && s.body.i <= 1 && s.is_hidden == is_hidden &&
                 is_surface(&s);
    }
    return count;
}

// Where nothing is there to stand on, a plane through the origin.
static void draw_floor(table *t)
{
    const bi_shape_def plane = { .type = BI_SHAPE_PLANE };
    const bi_pose here = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
    brush b = { t, here, here, colour_of(bare, 0) | 1u, 16, 0.0 };
    solid_triangles(&plane, ground_reach, draw_triangle, &b);
}

static void draw_shapes(const bi_model *m, const bi_pose *pose, const bool *is_part, table *t)
{
    // a model whose ground has no looks stands on its planes, though they are hidden
    const bool is_bare = count_surfaces(m, false) == 0;
    for (int k = 1; k <= bi_model_shape_count(m); k++) {
        bi_shape_def s;
        if (!bi_model_shape_at(m, (bi_shape){ k }, &s) ||
            (s.is_hidden && !(is_bare && s.body.i <= 1 && s.type == BI_SHAPE_PLANE))) {
            continue;
        }
        int body = s.body.i >= 1 ? s.body.i - 1 : 0;
        if (s.is_hidden) {
            memcpy(s.colour, bare, sizeof s.colour);
        }
        bool is_floor = body == 0 && (s.type == BI_SHAPE_PLANE || s.type == BI_SHAPE_FIELD || s.finish);
        brush b = { t,
                    pose[body],
                    { s.pose.pos, rotation_of(s.pose.rot) },
                    tinted(colour_of(s.colour, body), tint_of(s.finish)) | (is_floor ? 1u : 0u) |
                        (is_part && is_part[body] ? 2u : 0u),
                    opacity_of(&s),
                    s.type == BI_SHAPE_PLANE      ? -layer
                    : s.finish == BI_FINISH_PAINT ? layer
                                                  : 0.0 };
        // glass and wire cast none; a shadow knows no layers
        b.lift = t->at ? b.lift : 0.0;
        if (t->at || b.opacity == 16) {
            solid_triangles(&s, ground_reach, draw_triangle, &b);
        }
    }
}

// Rods between points of bodies.
static void draw_struts(const bi_model *m, const bi_pose *pose, table *t)
{
    for (int k = 0; k < bi_model_strut_count(m); k++) {
        bi_strut_def s;
        bool is_one = bi_model_strut_at(m, k, &s);
        for (int i = 0; is_one && i + 1 < s.n_point; i++) {
            bi_vec3 end[2];
            for (int e = 0; e < 2; e++) {
                const bi_point *p = &s.point[i + e];
                const bi_pose *body = &pose[p->body.i >= 1 ? p->body.i - 1 : 0];
                end[e] = solid_plus(body->pos, 1.0, solid_turn(body->rot, p->at));
            }
            bi_vec3 way = solid_plus(end[1], -1.0, end[0]), z = solid_unit(way);
            bi_shape_def rod = { .type = BI_SHAPE_CYLINDER,
                                 .radius = s.radius,
                                 .length = sqrt(solid_dot(way, way)) };
            // the least turn from the vertical to the way
            bi_quat q = z.z > -0.999999 ? (bi_quat){ 1.0 + z.z, -z.y, z.x, 0.0 } : (bi_quat){ 0, 1, 0, 0 };
            double l = sqrt(q.w * q.w + q.x * q.x + q.y * q.y);
            q = (bi_quat){ q.w / l, q.x / l, q.y / l, 0.0 };
            brush b = { t,
                        { solid_plus(end[0], 0.5, way), q },
                        { { 0, 0, 0 }, { 1, 0, 0, 0 } },
                        colour_of(s.colour, 0),
                        16,
                        0.0 };
            solid_triangles(&rod, 0.0, draw_triangle, &b);
        }
    }
}

static void draw_all(const bi_model *m, const bi_pose *pose, const scene_view *v, table *t)
{
    if (v->ground == SCENE_FLOOR && count_surfaces(m, false) + count_surfaces(m, true) == 0) {
        draw_floor(t);
    }
    draw_shapes(m, pose, v->is_part, t);
    draw_struts(m, pose, t);
}

// ---- light -----------------------------------------------------------------------------------------------------------

typedef struct {
    const table *seen, *shadows;
    bi_vec3 sun; // unit
    double bias; // m
} light;

static bi_vec3 place_of(const table *t, int x, int y, double near)
{
    double right = (x + 0.5 - 0.5 * t->width) / t->scale, up = (0.5 * t->height - y - 0.5) / t->scale;
    double depth = t->kind == SCENE_EYE ? 1.0 / near : -near, by = t->kind == SCENE_EYE ? depth : 1.0;
    return solid_plus(solid_plus(solid_plus(t->eye, depth, t->ahead), right * by, t->right), up * by, t->up);
}

// The part of the sun that gets there, from nine places of the table of shadows.
static double sunlight(const light *l, bi_vec3 at)
{
    const table *s = l->shadows;
    bi_vec3 from = solid_plus(at, -1.0, s->eye);
    double x = 0.5 * s->width + s->scale * solid_dot(from, s->right),
           y = 0.5 * s->height - s->scale * solid_dot(from, s->up), depth = solid_dot(from, s->ahead),
           lit = 0.0;
    if (!s->depth || !(x >= 1.0 && y >= 1.0 && x < s->width - 1.0 && y < s->height - 1.0)) {
        return 1.0;
    }
    for (int k = 0; k < 9; k++) {
        size_t i = (size_t)((int)y + k / 3 - 1) * (size_t)s->width + (size_t)((int)x + k % 3 - 1);
        lit += -s->depth[i] >= depth - l->bias ? 1.0 / 9.0 : 0.0;
    }
    return lit;
}

// Lines of a square metre on what is flat and belongs to the ground, thin and fading.
static double grid(bi_vec3 at, const sight *s, double point)
{
    if (!(s->colour & 1u) || s->normal[2] < 0.95f || point > 0.15) {
        return 1.0;
    }
    double x = fabs(at.x - floor(at.x + 0.5)), y = fabs(at.y - floor(at.y + 0.5));
    return fmin(x, y) < fmax(0.012, 0.5 * point) ? 1.0 - 0.12 * (1.0 - point / 0.15) : 1.0;
}

static void shade(const light *l, int x, int y, double rgb[3])
{
    static const double sky_low[] = { 236, 241, 246 }, sky_high[] = { 190, 208, 226 };
    const table *t = l->seen;
    const sight *s = &t->at[(size_t)y * (size_t)t->width + (size_t)x];
    double up = 1.0 - (double)y / t->height, haze = 1.0;
    double lit[3] = { 0, 0, 0 };
    if (s->near > -FLT_MAX) {
        bi_vec3 at = place_of(t, x, y, s->near), n = { s->normal[0], s->normal[1], s->normal[2] };
        double depth = t->kind == SCENE_EYE ? 1.0 / s->near : 0.0;
        // what is seen from behind is lit as if it were turned round
        bi_vec3 sight_way = t->kind == SCENE_EYE ? solid_plus(at, -1.0, t->eye) : t->ahead;
        n = solid_dot(n, sight_way) > 0.0 ? (bi_vec3){ -n.x, -n.y, -n.z } : n;
        double sun = fmax(0.0, solid_dot(n, l->sun));
        sun = sun > 0.0 ? sun * sunlight(l, solid_plus(at, 2.0 * l->bias, n)) : 0.0;
        double bright = 0.34 + 0.1 * n.z + 0.54 * sun;
        bright *= grid(at, s, t->kind == SCENE_EYE ? depth / t->scale : 1.0 / t->scale);
        haze = t->kind == SCENE_EYE ? 1.0 - exp(-depth / 160.0) : 0.0;
        for (int k = 0; k < 3; k++) {
            lit[k] = fmin(255.0, bright * (double)(s->colour >> (24 - 8 * k) & 255u));
        }
    }
    for (int k = 0; k < 3; k++) {
        double sky = t->kind == SCENE_EYE ? sky_low[k] + (sky_high[k] - sky_low[k]) * up * up : 250.0;
        rgb[k] += 0.25 * (lit[k] * (1.0 - haze) + sky * haze);
    }
}

static void develop(const light *l, scene_picture *out)
{
    for (int y = 0; y < out->height; y++) {
        for (int x = 0; x < out->width; x++) {
            double rgb[3] = { 0, 0, 0 };
            for (int k = 0; k < 4; k++) {
                shade(l, 2 * x + (k & 1), 2 * y + k / 2, rgb);
            }
            for (int k = 0; k < 3; k++) {
                out->rgb[3 * ((size_t)y * (size_t)out->width + (size_t)x) + (size_t)k] =
                    (unsigned char)rgb[k];
            }
        }
    }
}

bool scene_draw(const bi_model *m, const bi_pose *pose, const scene_view *v, int width, int height,
                scene_picture *out)
{
    table seen = table_seen(v->kind, v->eye, v->ahead, v->up);
    seen.width = 2 * width;
    seen.height = 2 * height;
    seen.scale = width / v->half;
    const size_t n = (size_t)seen.width * (size_t)seen.height, m_shadow = (size_t)SHADOW * SHADOW;
    bi_vec3 sun = solid_unit(v->sun), high = solid_plus(v->middle, 0.5 * farthest, sun);
    table shadows = table_seen(SCENE_PLAN, high, (bi_vec3){ -sun.x, -sun.y, -sun.z }, (bi_vec3){ 0, 0, 1 });
    shadows.width = shadows.height = SHADOW;
    const bool has_shadows = v->shaded > 0.0;
    shadows.scale = has_shadows ? 0.5 * SHADOW / v->shaded : 1.0;
    seen.at = malloc(n * sizeof *seen.at);
    shadows.depth = has_shadows ? malloc(m_shadow * sizeof *shadows.depth) : NULL;
    *out = (scene_picture){ width, height, malloc(3 * (size_t)width * (size_t)height), 0 };
    bool ok = seen.at && (shadows.depth || !has_shadows) && out->rgb;
    if (ok) {
        for (size_t k = 0; k < n; k++) {
            seen.at[k] = (sight){ .near = -FLT_MAX };
        }
        for (size_t k = 0; has_shadows && k < m_shadow; k++) {
            shadows.depth[k] = -FLT_MAX;
        }
        draw_all(m, pose, v, &seen);
        if (shadows.depth) {
            draw_all(m, pose, v, &shadows);
        }
        develop(&(light){ &seen, &shadows, sun, has_shadows ? 3.0 / shadows.scale : 0.0 }, out);
        for (size_t k = 0; k < n; k++) {
            out->seen += (seen.at[k].colour & 2u) != 0;
        }
    } else {
        free(out->rgb);
        out->rgb = NULL;
    }
    free(seen.at);
    free(shadows.depth);
    return ok;
}
