// SPDX-License-Identifier: MIT
// The drawing of what is inside a model: outlines of shapes, and over them its points, vectors, axes, frames and masses.
#include "pictures/inside.h"
#include "pictures/inside_outline.h"
#include "pictures/svg.h"
#include "running/outfiles.h"
#include <biela/inside.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 640, MARGIN = 40, LEGEND = 142 };
static const double vector_part = 0.09, frame_part = 0.05; // of the drawing's longer side

typedef struct {
    FILE *out;
    const bi_model *model;
    const bi_pose *pose;
    const bi_inside *in;
    outline_view view;
    double length; // of the longer side, m
    bool is_spanish;
} drawing;

// What is said on hover, in Spanish: kinds of joints and shapes, and words of sentences.
static const char *const spanish_words[][2] = {
    { "revolute", "de revolución" },
    { "prismatic", "prismático" },
    { "cylindrical", "cilíndrico" },
    { "spherical", "esférico" },
    { "universal", "universal" },
    { "planar", "plano" },
    { "fixed", "rígido" },
    { "free", "libre" },
    { "screw", "helicoidal" },
    { "distance", "de distancia constante" },
    { "variable", "variable" },
    { "constant", "constante" },
    { "named", "solo con nombre" },
    { "point", "punto" },
    { "vector", "vector" },
    { "sphere", "esfera" },
    { "box", "caja" },
    { "cylinder", "cilindro" },
    { "capsule", "cápsula" },
    { "cone", "cono" },
    { "ellipsoid", "elipsoide" },
    { "torus", "toro" },
    { "mesh", "malla" },
    { "hull", "envolvente convexa" },
    { "plane", "plano" },
    { "field", "campo de alturas" },
    { "spring", "muelle" },
    { "bushing", "casquillo elástico" },
    { "beam", "viga" },
    { "force", "fuerza" },
    { "drag", "resistencia del aire" },
    { "air", "aire" },
    { "point-contact", "contacto de un punto" },
    { "torque-on-body", "momento" },
    { "tyre-linear", "neumático" },
    { "tyre-pacejka", "neumático" },
    { "tyre-tmeasy", "neumático" },
    { "tyre-lean", "neumático" },
    { "ground", "suelo" },
};

static const char *word_of(const drawing *d, const char *word)
{
    const size_t count = sizeof spanish_words / sizeof *spanish_words;
    for (size_t k = 0; d->is_spanish && word && k < count; k++) {
        if (strcmp(spanish_words[k][0], word) == 0) {
            return spanish_words[k][1];
        }
    }
    return word ? word : "";
}

static const char *either(const drawing *d, const char *english, const char *spanish)
{
    return d->is_spanish ? spanish : english;
}

// A group of the drawing; in Spanish it has a name of its own, since names are unique in a file.
static void open_group(const drawing *d, const char *name, const char *more)
{
    fprintf(d->out, "<g id=\"%s%s\"%s>\n", name, either(d, "", "-es"), more);
}

static const char *const side_words[] = { "corner", "front", "side", "top" };

bool inside_side_of(const char *word, inside_side *side)
{
    for (int k = 0; k <= INSIDE_TOP; k++) {
        if (strcmp(word, side_words[k]) == 0) {
            *side = (inside_side)k;
            return true;
        }
    }
    return false;
}

// Directions to the right and up in the picture, ground axes.
static outline_view view_from(inside_side side)
{
    switch (side) {
    case INSIDE_FRONT: return (outline_view){ { 0, 1, 0 }, { 0, 0, 1 }, 0.0, 0.0, 1.0 };
    case INSIDE_SIDE: return (outline_view){ { 1, 0, 0 }, { 0, 0, 1 }, 0.0, 0.0, 1.0 };
    case INSIDE_TOP: return (outline_view){ { 1, 0, 0 }, { 0, 1, 0 }, 0.0, 0.0, 1.0 };
    case INSIDE_CORNER: break;
    }
    // from the right, in front and above: x to the right and a little down, z up
    return (outline_view){ { 0.8660254037844386, 0.5, 0.0 },
                           { -0.21130913087034972, 0.3659982076505757, 0.9063077870366499 },
                           0.0,
                           0.0,
                           1.0 };
}

static bi_pose pose_of(const drawing *d, bi_body body)
{
    return body.i >= 1 ? d->pose[body.i - 1] : (bi_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
}

static outline_spot spot_of(const drawing *d, bi_body body, bi_vec3 at)
{
    return outline_project(&d->view, outline_place(pose_of(d, body), at));
}

static const char *body_name(const drawing *d, bi_body body)
{
    const char *name = bi_model_body_name(d->model, body.i >= 1 ? body : (bi_body){ 1 });
    return word_of(d, name ? name : "ground");
}

// ---- what everything stands within --------------------------------------------------------------------------------

typedef struct {
    double low[2], high[2];
} frame_box;

static void widen(frame_box *box, outline_spot s)
{
    box->low[0] = fmin(box->low[0], s.x);
    box->high[0] = fmax(box->high[0], s.x);
    box->low[1] = fmin(box->low[1], s.y);
    box->high[1] = fmax(box->high[1], s.y);
}

// What moves decides the scale; shapes of the ground may be a whole yard.
static void fit(drawing *d)
{
    frame_box box = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (int k = 0; k < d->in->n_joint; k++) {
        widen(&box, spot_of(d, d->in->joint[k].a.body, d->in->joint[k].a.at));
        widen(&box, spot_of(d, d->in->joint[k].b.body, d->in->joint[k].b.at));
    }
    for (int k = 0; k < d->in->n_entity; k++) {
        widen(&box, spot_of(d, d->in->entity[k].body, d->in->entity[k].at));
    }
    // forces on bodies; where they hold on to the ground may be far
    for (int k = 0; k < d->in->n_force; k++) {
        const bi_point *at = d->in->force[k].a.body.i > 1 ? &d->in->force[k].a : &d->in->force[k].b;
        widen(&box, spot_of(d, at->body, at->at));
    }
    for (int k = 0; k < d->in->n_mass; k++) {
        const bi_inside_mass *m = &d->in->mass[k];
        outline_ellipse e = outline_ellipsoid(&d->view, pose_of(d, m->body), m->ellipsoid, m->half_axes);
        widen(&box, (outline_spot){ e.at.x - e.rx, e.at.y - e.rx });
        widen(&box, (outline_spot){ e.at.x + e.rx, e.at.y + e.rx });
    }
    for (int k = 1; k <= bi_model_shape_count(d->model); k++) {
        bi_shape_def s;
        outline o = { 0 };
        if (bi_model_shape_at(d->model, (bi_shape){ k }, &s) && s.body.i > 1 &&
            outline_shape(&d->view, pose_of(d, s.body), &s, &o)) {
            for (int i = 0; i < o.count; i++) {
                widen(&box, o.spot[i]);
            }
        }
        free(o.spot);
    }
    if (!(box.low[0] <= box.high[0])) {
        box = (frame_box){ { -0.5, -0.5 }, { 0.5, 0.5 } };
    }
    double w = fmax(box.high[0] - box.low[0], 1e-6), h = fmax(box.high[1] - box.low[1], 1e-6);
    double scale = fmin((WIDTH - 2 * MARGIN) / w, (HEIGHT - 2 * MARGIN) / h);
    d->length = (WIDTH - 2 * MARGIN) / scale;
    d->view.scale = scale;
    d->view.left = WIDTH / 2.0 - scale * 0.5 * (box.low[0] + box.high[0]);
    d->view.top = HEIGHT / 2.0 - scale * 0.5 * (box.low[1] + box.high[1]);
}

// ---- parts ----------------------------------------------------------------------------------------------------------

static void title(const drawing *d, const char *name, const char *about)
{
    fputs("<title>", d->out);
    html_text(d->out, name);
    fprintf(d->out, "%s", about && *about ? ": " : "");
    html_text(d->out, about);
    fputs("</title>", d->out);
}

// Scenery that reaches beyond the page says nothing of the machine.
static bool is_on_page(const outline *o)
{
    bool is_so = true;
    for (int i = 0; i < o->count && is_so; i++) {
        is_so = o->spot[i].x >= 0.0 && o->spot[i].x <= WIDTH && o->spot[i].y >= 0.0 && o->spot[i].y <= HEIGHT;
    }
    return is_so;
}

static void draw_shapes(const drawing *d)
{
    open_group(d, "shapes", " stroke-linejoin=\"round\"");
    for (int k = 1; k <= bi_model_shape_count(d->model); k++) {
        bi_shape_def s;
        outline o = { 0 };
        const char *element = NULL;
        for (int t = 0; t < d->in->n_touch; t++) {
            element = d->in->touch[t].shape.i == k ? d->in->touch[t].element : element;
        }
        bool is_drawn = bi_model_shape_at(d->model, (bi_shape){ k }, &s) && (element || !s.is_hidden) &&
                        outline_shape(&d->view, pose_of(d, s.body), &s, &o);
        if (is_drawn && (element || s.body.i > 1 || is_on_page(&o))) {
            fprintf(d->out, "<path class=\"%s\" d=\"M", element ? "touches" : "looks");
            for (int i = 0; i < o.count; i++) {
                fprintf(d->out, "%.2f %.2f%s", o.spot[i].x, o.spot[i].y, i + 1 < o.count ? "L" : "Z\">");
            }
            char about[160];
            snprintf(about, sizeof about, either(d, "%s of %s%s%s", "%s de %s%s%s"),
                     word_of(d, bi_shape_type_name(s.type)), body_name(d, s.body),
                     element ? either(d, ", touches by ", ", toca por ") : "", element ? element : "");
            title(d, s.name && *s.name ? s.name : word_of(d, bi_shape_type_name(s.type)), about);
            fputs("</path>\n", d->out);
        }
        free(o.spot);
    }
    fputs("</g>\n", d->out);
}

static void draw_masses(const drawing *d)
{
    open_group(d, "masses", "");
    for (int k = 0; k < d->in->n_mass; k++) {
        const bi_inside_mass *m = &d->in->mass[k];
        outline_ellipse e = outline_ellipsoid(&d->view, pose_of(d, m->body), m->ellipsoid, m->half_axes);
        char about[160];
        snprintf(about, sizeof about,
                 either(d, "%.6g kg; ellipsoid of its inertia %.4g, %.4g, %.4g m",
                        "%.6g kg; elipsoide de inercia %.4g, %.4g, %.4g m"),
                 m->mass, m->half_axes.x, m->half_axes.y, m->half_axes.z);
        fprintf(d->out, "<g class=\"mass\">");
        title(d, body_name(d, m->body), about);
        fprintf(d->out,
                "<ellipse rx=\"%.2f\" ry=\"%.2f\" transform=\"translate(%.2f %.2f) rotate(%.2f)\"/>"
                "<path d=\"M%.2f %.2fh10m-5 -5v10\"/></g>\n",
                e.rx, e.ry, e.at.x, e.at.y, e.degrees, e.at.x - 5.0, e.at.y);
    }
    fputs("</g>\n", d->out);
}

static void draw_frames(const drawing *d)
{
    static const char *const colour[] = { "#d03030", "#2a9a3c", "#2b5fd0" };
    const double reach = frame_part * d->length;
    const bi_vec3 tip[] = { { reach, 0, 0 }, { 0, reach, 0 }, { 0, 0, reach } };
    open_group(d, "frames", " stroke-width=\"1.6\"");
    for (int b = 2; b <= bi_model_body_count(d->model); b++) {
        outline_spot o = spot_of(d, (bi_body){ b }, (bi_vec3){ 0, 0, 0 });
        fputs("<g>", d->out);
        title(d, body_name(d, (bi_body){ b }),
              either(d, "its frame: x red, y green, z blue", "su triedro: x rojo, y verde, z azul"));
        for (int k = 0; k < 3; k++) {
            outline_spot end = spot_of(d, (bi_body){ b }, tip[k]);
            fprintf(d->out, "<path stroke=\"%s\" d=\"M%.2f %.2fL%.2f %.2f\"/>", colour[k], o.x, o.y, end.x,
                    end.y);
        }
        fputs("</g>\n", d->out);
    }
    fputs("</g>\n", d->out);
}

static void draw_joints(const drawing *d)
{
    open_group(d, "joints", "");
    for (int k = 0; k < d->in->n_joint; k++) {
        const bi_inside_joint *j = &d->in->joint[k];
        outline_spot a = spot_of(d, j->a.body, j->a.at), b = spot_of(d, j->b.body, j->b.at);
        char about[240];
        snprintf(about, sizeof about,
                 either(d, "%s of %.60s and %.60s, %d of the variables%s",
                        "par %s de %.60s y %.60s, %d de las variables%s"),
                 word_of(d, j->kind), body_name(d, j->a.body), body_name(d, j->b.body), j->variables,
                 j->redundant > 0 || !j->is_shared
                     ? ""
                     : either(d, "; its reactions are not unique", "; sus reacciones no son únicas"));
        size_t used = strlen(about);
        if (j->redundant > 0) {
            snprintf(about + used, sizeof about - used,
                     either(d, "; %d of its rows redundant", "; %d de sus ecuaciones redundantes"),
                     j->redundant);
        }
        fprintf(d->out, "<g class=\"joint%s\">",
                j->redundant > 0 ? " redundant"
                : j->is_shared   ? " shared"
                                 : "");
        title(d, j->name, about);
        if (j->has_axis) {
            double half = 0.8 * vector_part * d->length;
            bi_vec3 p = { j->b.at.x - half * j->axis.x, j->b.at.y - half * j->axis.y,
                          j->b.at.z - half * j->axis.z };
            bi_vec3 q = { j->b.at.x + half * j->axis.x, j->b.at.y + half * j->axis.y,
                          j->b.at.z + half * j->axis.z };
            outline_spot from = spot_of(d, j->b.body, p), to = spot_of(d, j->b.body, q);
            fprintf(d->out, "<path class=\"axis\" d=\"M%.2f %.2fL%.2f %.2f\"/>", from.x, from.y, to.x, to.y);
        }
        fprintf(d->out, "<path d=\"M%.2f %.2fL%.2f %.2f\"/><circle cx=\"%.2f\" cy=\"%.2f\" r=\"7\"/></g>\n",
                a.x, a.y, b.x, b.y, b.x, b.y);
    }
    fputs("</g>\n", d->out);
}

// Where the mass of a body is, from its joints: what holds it together where nothing is drawn.
static void draw_limbs(const drawing *d)
{
    open_group(d, "limbs", "");
    for (int k = 0; k < 2 * d->in->n_joint; k++) {
        const bi_inside_joint *j = &d->in->joint[k / 2];
        bi_point end = k % 2 == 0 ? j->a : j->b;
        for (int i = 0; i < d->in->n_mass; i++) {
            if (end.body.i > 1 && d->in->mass[i].body.i == end.body.i) {
                outline_spot a = spot_of(d, end.body, end.at),
                             b = spot_of(d, end.body, d->in->mass[i].ellipsoid.pos);
                fprintf(d->out, "<path class=\"limb\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", a.x, a.y, b.x, b.y);
            }
        }
    }
    fputs("</g>\n", d->out);
}

// A zigzag between two points, a diamond at one.
static void draw_forces(const drawing *d)
{
    open_group(d, "forces", "");
    for (int k = 0; k < d->in->n_force; k++) {
        const bi_inside_force *f = &d->in->force[k];
        outline_spot a = spot_of(d, f->a.body, f->a.at), b = spot_of(d, f->b.body, f->b.at);
        char about[240];
        snprintf(about, sizeof about,
                 f->has_two ? either(d, "%s of %.60s and %.60s", "%s de %.60s y %.60s")
                            : either(d, "%s of %.60s", "%s de %.60s"),
                 word_of(d, f->kind), body_name(d, f->a.body), body_name(d, f->b.body));
        fputs("<g class=\"force\">", d->out);
        title(d, f->name, about);
        double x = b.x - a.x, y = b.y - a.y, l = hypot(x, y);
        if (!f->has_two || l < 12.0) {
            fprintf(d->out, "<path d=\"M%.2f %.2fl6 6l6 -6l-6 -6Z\"/></g>\n", a.x - 6.0, a.y);
            continue;
        }
        fprintf(d->out, "<path d=\"M%.2f %.2f", a.x, a.y);
        for (int i = 0; i < 10; i++) {
            double part = 0.15 + 0.07 * (i + 0.5), side = i % 2 == 0 ? 5.0 : -5.0;
            fprintf(d->out, "L%.2f %.2f", a.x + part * x - side * y / l, a.y + part * y + side * x / l);
        }
        fprintf(d->out, "L%.2f %.2f\"/></g>\n", b.x, b.y);
    }
    fputs("</g>\n", d->out);
}

static void describe(const drawing *d, const bi_inside_entity *e, char *about, size_t size)
{
    int used =
        snprintf(about, size, "%s, %s%s", word_of(d, e->is_vector ? "vector" : "point"),
                 word_of(d, bi_entity_role_name(e->role)),
                 e->n_body > 1 ? either(d, ", shared by ", ", compartido por ") : either(d, " of ", " de "));
    for (int k = 0; k < e->n_body && used > 0 && (size_t)used < size; k++) {
        used += snprintf(about + used, size - (size_t)used, "%s%s", k > 0 ? ", " : "",
                         body_name(d, e->shares[k]));
    }
}

static void draw_vector(const drawing *d, const bi_inside_entity *e)
{
    double reach = vector_part * d->length;
    bi_vec3 end = { e->at.x + reach * e->along.x, e->at.y + reach * e->along.y,
                    e->at.z + reach * e->along.z };
    outline_spot a = spot_of(d, e->body, e->at), b = spot_of(d, e->body, end);
    double x = b.x - a.x, y = b.y - a.y, l = hypot(x, y);
    // seen along itself it is a ring
    if (l < 4.0) {
        fprintf(d->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"9\" fill=\"none\"/>", a.x, a.y);
        return;
    }
    x /= l;
    y /= l;
    fprintf(d->out, "<path d=\"M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2fL%.2f %.2f\" fill=\"none\"/>", a.x,
            a.y, b.x, b.y, b.x - 8.0 * x - 4.0 * y, b.y - 8.0 * y + 4.0 * x, b.x, b.y,
            b.x - 8.0 * x + 4.0 * y, b.y - 8.0 * y - 4.0 * x);
}

static void draw_entities(const drawing *d, bool is_vector)
{
    open_group(d, is_vector ? "vectors" : "points", "");
    for (int k = 0; k < d->in->n_entity; k++) {
        const bi_inside_entity *e = &d->in->entity[k];
        char about[400];
        if (e->is_vector != is_vector) {
            continue;
        }
        describe(d, e, about, sizeof about);
        fprintf(d->out, "<g class=\"%s%s\">", bi_entity_role_name(e->role), e->n_body > 1 ? " common" : "");
        title(d, e->name, about);
        if (is_vector) {
            draw_vector(d, e);
        } else {
            outline_spot s = spot_of(d, e->body, e->at);
            fprintf(d->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%s\"/>", s.x, s.y,
                    e->role == BI_ENTITY_NAMED ? "2.5" : "4");
            fprintf(d->out, "<text x=\"%.2f\" y=\"%.2f\">", s.x + 7.0, s.y - 6.0);
            html_text(d->out, e->name);
            fputs("</text>", d->out);
        }
        fputs("</g>\n", d->out);
    }
    fputs("</g>\n", d->out);
}

// ---- the whole --------------------------------------------------------------------------------------------------------

static const char style[] =
    "<style>text{font:11px sans-serif;fill:#333;stroke:none}.legend text,.head{font-size:13px;fill:#222}"
    ".looks{fill:#c9ced6;fill-opacity:.25;stroke:#9aa3ad;stroke-width:.8}"
    ".touches{fill:#ffb37a;fill-opacity:.18;stroke:#e07b2a;stroke-width:1.2}"
    ".mass{fill:#7a5fc0;fill-opacity:.12;stroke:#7a5fc0;stroke-width:1.2}"
    ".limb{fill:none;stroke:#7a5fc0;stroke-width:1.4}"
    ".force{fill:none;stroke:#b3541e;stroke-width:1.4}"
    ".joint{fill:none;stroke:#4d5661;stroke-width:1.3}.axis{stroke-dasharray:12 3 2 3}"
    ".joint.shared{stroke:#e0a000;stroke-width:2.2}.joint.redundant{stroke:#d9222a;stroke-width:2.6}"
    ".variable{fill:#0b7a75;stroke:#0b7a75;stroke-width:1.6}.variable.common{stroke:#0b7a75;stroke-width:4}"
    ".constant{fill:#fff;stroke:#0b7a75;stroke-width:1.6}.constant.common{stroke-width:2.6}.constant "
    "path{stroke-dasharray:4 3}"
    ".named{fill:#888;stroke:#888;stroke-width:1}g:hover>*{stroke-opacity:.6}</style>\n";

// A line of the legend in the language of whoever looks.
static void legend_line(const drawing *d, int place, const char *sample, const char *english,
                        const char *spanish)
{
    int x = MARGIN + 24 + (place % 3) * 310, y = HEIGHT + 34 + (place / 3) * 22;
    fprintf(
        d->out,
        "<g transform=\"translate(%d %d)\">%s<switch><text x=\"16\" y=\"4\" systemLanguage=\"es\">%s</text>"
        "<text x=\"16\" y=\"4\">%s</text></switch></g>\n",
        x, y, sample, spanish, english);
}

static void draw_legend(const drawing *d)
{
    fputs("<g class=\"legend\">\n", d->out);
    legend_line(d, 0, "<circle class=\"variable\" r=\"4\"/>", "variable (thick: shared by bodies)",
                "variable (grueso: compartido por sólidos)");
    legend_line(d, 3, "<circle class=\"constant\" r=\"4\"/>", "constant (dashed: a vector)",
                "constante (a trazos: un vector)");
    legend_line(d, 6, "<circle class=\"named\" r=\"2.5\"/>", "named only", "solo con nombre");
    legend_line(d, 1, "<circle class=\"joint\" r=\"7\"/>", "joint and its axis", "par cinemático y su eje");
    legend_line(d, 4, "<circle class=\"joint redundant\" r=\"7\"/>", "joint with redundant rows",
                "par con ecuaciones redundantes");
    legend_line(d, 7, "<circle class=\"joint shared\" r=\"7\"/>", "its reactions are not unique",
                "sus reacciones no son únicas");
    legend_line(d, 2, "<ellipse class=\"mass\" rx=\"9\" ry=\"5\"/>", "mass, ellipsoid of its inertia",
                "masa, elipsoide de inercia");
    legend_line(d, 5, "<rect class=\"touches\" x=\"-8\" y=\"-5\" width=\"16\" height=\"10\"/>",
                "shape that touches", "forma con contacto");
    legend_line(d, 8, "<rect class=\"looks\" x=\"-8\" y=\"-5\" width=\"16\" height=\"10\"/>", "shape",
                "forma");
    legend_line(d, 9, "<path class=\"force\" d=\"M-12 0l3 -5l6 10l6 -10l6 10l3 -5\"/>",
                "force between points (a diamond: at one)", "fuerza entre puntos (rombo: en uno)");
    legend_line(d, 10, "<path class=\"limb\" d=\"M-10 0h20\"/>", "from a joint to the mass of its body",
                "de un par a la masa de su sólido");
    fputs("</g>\n", d->out);
}

static void draw(const drawing *d)
{
    fprintf(d->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s"
            "<clipPath id=\"page\"><rect width=\"%d\" height=\"%d\"/></clipPath>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<g clip-path=\"url(#page)\">\n",
            WIDTH, HEIGHT + LEGEND, WIDTH, HEIGHT + LEGEND, style, WIDTH, HEIGHT);
    // the same twice, with what is said on hover in the language of whoever looks
    fputs("<switch>\n", d->out);
    for (int k = 0; k < 2; k++) {
        drawing one = *d;
        one.is_spanish = k == 0;
        fprintf(d->out, "<g%s>\n", k == 0 ? " systemLanguage=\"es\"" : "");
        draw_shapes(&one);
        draw_masses(&one);
        draw_limbs(&one);
        draw_forces(&one);
        draw_frames(&one);
        draw_joints(&one);
        draw_entities(&one, true);
        draw_entities(&one, false);
        fputs("</g>\n", d->out);
    }
    fprintf(d->out, "</switch>\n</g>\n<text class=\"head\" x=\"%d\" y=\"22\">", MARGIN);
    html_text(d->out, bi_model_name(d->model));
    fputs("</text>\n", d->out);
    draw_legend(d);
    fputs("</svg>\n", d->out);
}

bool inside_write(bi_sim *sim, const bi_model *model, inside_side side, const char *path)
{
    bi_inside *in = bi_sim_inside(sim);
    if (!in) {
        fputs("biela: error: no memory for the view into the model\n", stderr);
        return false;
    }
    drawing d = { .model = model, .pose = bi_sim_view(sim).pose, .in = in, .view = view_from(side) };
    fit(&d);
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        d.out = bi_outfile_file(output);
        draw(&d);
    }
    bool is_written = output && outfiles_end(output);
    bi_inside_destroy(in);
    return is_written;
}
