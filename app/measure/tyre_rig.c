// SPDX-License-Identifier: MIT
#include "measure/tyre_rig.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "pictures/plotter.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 0.017453292519943295;
static const double held_angle[] = { 2.0, 5.0, 10.0 }; // of the combined curves, degrees
enum { N_HELD = sizeof held_angle / sizeof *held_angle };

static const char *const axis_name[] = { "slip", "angle", "camber" };
static const char *const check_name[] = { "finite", "continuous", "signs", "dissipation" };

const char *rig_check_name(int kind) { return check_name[kind]; }

// ---- curves --------------------------------------------------------------------------------------------------------

static bi_tyre_state state_at(const rig_curve *c, double x)
{
    bi_tyre_state s = c->base;
    *(c->axis == RIG_SLIP ? &s.slip : c->axis == RIG_ANGLE ? &s.angle : &s.camber) = x;
    return s;
}

static bi_tyre_force force_at(const bi_system *system, bi_element tyre, const rig_curve *c, double x)
{
    bi_tyre_state s = state_at(c, x);
    bi_tyre_force f = { 0 };
    bi_tyre_test(system, tyre, &s, &f);
    return f;
}

static void sweep_curve(const bi_system *system, bi_element tyre, double most, rig_curve *c)
{
    for (int k = 0; k < RIG_POINTS; k++) {
        c->x[k] = most * (2.0 * k / (RIG_POINTS - 1) - 1.0);
        c->force[k] = force_at(system, tyre, c, c->x[k]);
    }
}

// Loads of some deflections, the stiffness measured by a small one.
static void choose_loads(const bi_system *system, bi_element tyre, rig_plan *plan)
{
    static const double depth[] = { 5e-3, 1e-2, 2e-2 };
    bi_tyre_state s = { .load = 1.0, .speed = plan->speed };
    bi_tyre_force f = { 0 };
    if (plan->n_load == 0 && bi_tyre_test(system, tyre, &s, &f) && f.depth > 0.0) {
        for (plan->n_load = 0; plan->n_load < 3; plan->n_load++) {
            // two digits read better
            double load = depth[plan->n_load] / f.depth, scale = pow(10.0, floor(log10(load)) - 1.0);
            plan->load[plan->n_load] = scale * round(load / scale);
        }
    }
}

static const rig_curve *curve_of(const rig *r, int load, rig_axis axis)
{
    return &r->curve[3 * load + (int)axis];
}

// ---- figures -------------------------------------------------------------------------------------------------------

static double slope_at_rest(const bi_system *system, bi_element tyre, const rig_curve *c, double step)
{
    bi_tyre_force up = force_at(system, tyre, c, step), down = force_at(system, tyre, c, -step);
    return c->axis == RIG_SLIP ? (up.fx - down.fx) / (2.0 * step) : (up.fy - down.fy) / (2.0 * step);
}

static void measure(const bi_system *system, bi_element tyre, const rig *r, int load, rig_figures *out)
{
    *out = (rig_figures){ .load = r->plan.load[load] };
    const rig_curve *slip = curve_of(r, load, RIG_SLIP), *angle = curve_of(r, load, RIG_ANGLE);
    for (int k = RIG_POINTS / 2; k < RIG_POINTS; k++) {
        // on a plateau the first point counts, not rounding
        if (slip->force[k].fx > out->peak_x * out->load * (1.0 + 1e-9)) {
            out->peak_x = slip->force[k].fx / out->load;
            out->peak_slip = slip->x[k];
        }
        if (angle->force[k].fy > out->peak_y * out->load * (1.0 + 1e-9)) {
            out->peak_y = angle->force[k].fy / out->load;
            out->peak_angle = angle->x[k];
        }
    }
    out->slope_x = slope_at_rest(system, tyre, slip, 1e-5);
    out->slope_y = slope_at_rest(system, tyre, angle, 1e-5);
    out->slope_camber = slope_at_rest(system, tyre, curve_of(r, load, RIG_CAMBER), 1e-4);
}

// ---- checks --------------------------------------------------------------------------------------------------------

static void fail(rig *r, rig_check_kind kind, const rig_curve *c, double x, const char *what)
{
    rig_check *check = &r->check[kind];
    if (check->is_good) {
        check->is_good = false;
        double shown = c->axis == RIG_SLIP ? x : x / degree;
        snprintf(check->what, sizeof check->what, "%s at %s %.5g%s, load %.5g N", what, axis_name[c->axis],
                 shown, c->axis == RIG_SLIP ? "" : " deg", c->base.load);
    }
}

static double step_of(bi_tyre_force a, bi_tyre_force b)
{
    return fmax(fabs(a.fx - b.fx), fmax(fabs(a.fy - b.fy), fabs(a.mz - b.mz)));
}

// The largest step of a curve, halved again and again: a jump stays, a slope goes.
static void check_jump(const bi_system *system, bi_element tyre, rig *r, const rig_curve *c)
{
    int at = 1;
    for (int k = 1; k < RIG_POINTS; k++) {
        at = step_of(c->force[k], c->force[k - 1]) > step_of(c->force[at], c->force[at - 1]) ? k : at;
    }
    double low = c->x[at - 1], high = c->x[at], first = step_of(c->force[at], c->force[at - 1]);
    bi_tyre_force f_low = c->force[at - 1], f_high = c->force[at];
    for (int k = 0; k < 30; k++) {
        double middle = 0.5 * (low + high);
        bi_tyre_force f = force_at(system, tyre, c, middle);
        if (step_of(f, f_low) > step_of(f_high, f)) {
            high = middle;
            f_high = f;
        } else {
            low = middle;
            f_low = f;
        }
    }
    // a slope would leave 1e-9 of the step
    if (step_of(f_high, f_low) > 1e-3 * first && first > 1e-6 * c->base.load) {
        fail(r, RIG_CONTINUOUS, c, low, "a jump");
    }
}

static void check_curve(const bi_system *system, bi_element tyre, rig *r, const rig_curve *c)
{
    check_jump(system, tyre, r, c);
    const bi_tyre_force *rest = &c->force[RIG_POINTS / 2];
    for (int k = 0; k < RIG_POINTS; k++) {
        const bi_tyre_force *f = &c->force[k];
        double load = c->base.load, x = c->x[k];
        if (!isfinite(f->fx + f->fy + f->fz + f->mz + f->power)) {
            fail(r, RIG_FINITE, c, x, "not a number");
        }
        // the force follows the slip, but for what the tyre pushes at none
        double own = c->axis == RIG_SLIP ? f->fx - rest->fx : f->fy - rest->fy;
        if (c->axis != RIG_CAMBER && own * x < -1e-9 * load * fabs(x)) {
            fail(r, RIG_SIGNS, c, x, "the force points against its slip");
        }
        // a push at no slip (conicity, camber) costs or gives its share; nothing else may give
        double push = fabs(rest->fx) + fabs(rest->fy);
        if (c->axis != RIG_CAMBER && f->power > (1e-9 * load + push) * c->base.speed) {
            fail(r, RIG_DISSIPATION, c, x, "the tyre gives power");
        }
    }
}

bool rig_is_good(const rig *r)
{
    bool is_good = true;
    for (int k = 0; k < N_RIG_CHECKS; k++) {
        is_good = r->check[k].is_good && is_good;
    }
    return is_good;
}

void rig_run(const bi_system *system, bi_element tyre, const rig_plan *plan, rig *r)
{
    *r = (rig){ .plan = *plan };
    choose_loads(system, tyre, &r->plan);
    r->n_curve = 3 * r->plan.n_load + N_HELD;
    r->curve = words_alloc((size_t)r->n_curve * sizeof *r->curve);
    const double most[3] = { plan->slip, plan->angle, plan->camber };
    for (int k = 0; k < r->n_curve; k++) {
        int held = k - 3 * r->plan.n_load;
        int load = held < 0 ? k / 3 : r->plan.n_load / 2;
        rig_curve *c = &r->curve[k];
        c->axis = held < 0 ? (rig_axis)(k % 3) : RIG_SLIP;
        c->base = (bi_tyre_state){ .load = r->plan.load[load],
                                   .speed = plan->speed,
                                   .angle = held < 0 ? 0.0 : held_angle[held] * degree };
        sweep_curve(system, tyre, most[c->axis], c);
    }
    for (int k = 0; k < N_RIG_CHECKS; k++) {
        r->check[k].is_good = true;
    }
    for (int k = 0; k < r->n_curve; k++) {
        check_curve(system, tyre, r, &r->curve[k]);
    }
    for (int k = 0; k < r->plan.n_load; k++) {
        measure(system, tyre, r, k, &r->figure[k]);
    }
}

// ---- files ---------------------------------------------------------------------------------------------------------

bool rig_write(const rig *r, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    if (!file) {
        return false;
    }
    fputs("load,slip,angle,camber,fx,fy,fz,mx,my,mz,depth,power\n", file);
    for (int c = 0; c < r->n_curve; c++) {
        for (int k = 0; k < RIG_POINTS; k++) {
            bi_tyre_state s = state_at(&r->curve[c], r->curve[c].x[k]);
            const bi_tyre_force *f = &r->curve[c].force[k];
            fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", s.load,
                    s.slip, s.angle, s.camber, f->fx, f->fy, f->fz, f->mx, f->my, f->mz, f->depth, f->power);
        }
    }
    return outfiles_end(output);
}

// A picture: columns of some curves over their common axis.
typedef struct {
    bi_table table;
    const char *unit[2 * RIG_LOADS + 2 * N_HELD];
} sheet;

static void sheet_start(sheet *s, const rig_curve *c)
{
    s->table = (bi_table){ .rows = RIG_POINTS,
                           .name = words_alloc((2 * RIG_LOADS + 2 * N_HELD + 1) * sizeof(char *)),
                           .value = words_alloc((2 * RIG_LOADS + 2 * N_HELD + 1) * sizeof(double *)) };
    s->table.name[0] = words_format("%s", axis_name[c->axis]);
    s->table.value[0] = words_alloc(RIG_POINTS * sizeof(double));
    for (int k = 0; k < RIG_POINTS; k++) {
        s->table.value[0][k] = c->axis == RIG_SLIP ? c->x[k] : c->x[k] / degree;
    }
    s->table.columns = 1;
}

static void sheet_add(sheet *s, char *name, const char *unit, const rig_curve *c, size_t offset)
{
    double *value = words_alloc(RIG_POINTS * sizeof *value), most = 0.0;
    for (int k = 0; k < RIG_POINTS; k++) {
        memcpy(&value[k], (const char *)&c->force[k] + offset, sizeof value[k]);
        most = fmax(most, fabs(value[k]));
    }
    // a curve of nothing makes an empty panel
    if (!(most > 1e-9 * c->base.load)) {
        free(value);
        free(name);
        return;
    }
    s->unit[s->table.columns - 1] = unit;
    s->table.name[s->table.columns] = name;
    s->table.value[s->table.columns++] = value;
}

static bool sheet_draw(sheet *s, const char *path, const char *ending, const char *title, const char *x_unit)
{
    char *stem = file_with_ending(path, ""), *picture = words_format("%s-%s" ENDING_PICTURE, stem, ending);
    plot_request request = { .table = &s->table,
                             .title = title,
                             .out = picture,
                             .x = s->table.name[0],
                             .x_unit = x_unit,
                             .n_curve = s->table.columns - 1,
                             .name = s->table.name + 1,
                             .unit = s->unit };
    bool is_good = s->table.columns < 2 || plot_write(&request) == PLOT_WRITTEN;
    for (int k = 0; k < s->table.columns; k++) {
        free(s->table.name[k]);
        free(s->table.value[k]);
    }
    free(s->table.name);
    free(s->table.value);
    free(stem);
    free(picture);
    return is_good;
}

bool rig_draw(const rig *r, const char *path, const char *title)
{
    static const char *const unit[3] = { "1", "deg", "deg" };
    bool is_good = true;
    for (int axis = 0; axis < 3 && is_good; axis++) {
        sheet s;
        sheet_start(&s, curve_of(r, 0, (rig_axis)axis));
        for (int k = 0; k < r->plan.n_load; k++) {
            const rig_curve *c = curve_of(r, k, (rig_axis)axis);
            const char *what = axis == 0 ? "fx" : "fy";
            sheet_add(&s, words_format("%s at %.4g N", what, c->base.load), "N", c,
                      axis == 0 ? offsetof(bi_tyre_force, fx) : offsetof(bi_tyre_force, fy));
        }
        for (int k = 0; k < r->plan.n_load && axis > 0; k++) {
            const rig_curve *c = curve_of(r, k, (rig_axis)axis);
            sheet_add(&s, words_format("mz at %.4g N", c->base.load), "N*m", c, offsetof(bi_tyre_force, mz));
        }
        is_good = sheet_draw(&s, path, axis_name[axis], title, unit[axis]);
    }
    sheet s;
    const rig_curve *first = &r->curve[3 * r->plan.n_load];
    sheet_start(&s, first);
    for (int k = 0; k < 2 * N_HELD; k++) {
        const rig_curve *c = &first[k % N_HELD];
        sheet_add(&s, words_format("%s at %.3g deg", k < N_HELD ? "fx" : "fy", c->base.angle / degree), "N",
                  c, k < N_HELD ? offsetof(bi_tyre_force, fx) : offsetof(bi_tyre_force, fy));
    }
    return sheet_draw(&s, path, "combined", title, "1") && is_good;
}

void rig_clear(rig *r) { free(r->curve); }
