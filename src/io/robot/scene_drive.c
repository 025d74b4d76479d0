// SPDX-License-Identifier: MIT
// Inputs for the joints of robots whose files name no actuators, or only what they drive.
#include "io/robot/scene.h"
#include <math.h>
#include <string.h>

// A servo answers this fast, rad/s: slow enough for steps of a millisecond, stiff enough to carry an arm
static const double servo_speed = 30.0;

void scene_drive(scene *s, const scene_joint *j, scene_drive_kind kind, double effort, double speed)
{
    bool is_sliding = strcmp(j->type, "prismatic") == 0;
    if ((!is_sliding && strcmp(j->type, "revolute") != 0) || scene_without(s, BI_WITHOUT_ACTUATORS) ||
        !(j->carried > 0.0)) {
        return;
    }
    double lower = -1.0, upper = 1.0, stiffness = j->carried * servo_speed * servo_speed,
           damping = 2.0 * j->carried * servo_speed;
    const char *what = "place";
    if (kind == DRIVE_PLACE) {
        lower = j->is_limited ? j->lower : is_sliding ? -1.0 : -3.14;
        upper = j->is_limited ? j->upper : is_sliding ? 1.0 : 3.14;
    } else {
        double most = kind == DRIVE_SPEED ? speed : effort;
        upper = most > 0.0 ? most : 1.0;
        lower = -upper;
        what = kind == DRIVE_SPEED ? "speed" : "effort";
    }
    double start = kind == DRIVE_PLACE ? fmin(upper, fmax(lower, j->ref)) : 0.0;
    char a[32], b[32], c[32];
    const char *input = scene_call(s, &s->inputs, j->element, j->called);
    fprintf(s->line[LINES_INPUTS], "  %s: {initial: %s, min: %s, max: %s, help: %s of %s}\n", input,
            number_text(a, start), number_text(b, lower), number_text(c, upper), what, j->called);
    FILE *out = s->line[LINES_FORCES];
    fprintf(out, "  %s_drive: {type: torque, joint: %s, torque: \"", j->called, j->called);
    fputs(effort > 0.0 ? "clamp(" : "", out);
    if (kind == DRIVE_PLACE) {
        fprintf(out, "%.5g*(%s - %s.%s) - %.5g*%s.rate", stiffness, input, j->called,
                is_sliding ? "position" : "angle", damping, j->called);
    } else if (kind == DRIVE_SPEED) {
        fprintf(out, "%.5g*(%s - %s.rate)", damping, input, j->called);
    } else {
        fputs(input, out);
    }
    if (effort > 0.0) {
        fprintf(out, ", %s, %s)", number_text(a, -effort), number_text(b, effort));
    }
    fputs("\"}\n", out);
}
