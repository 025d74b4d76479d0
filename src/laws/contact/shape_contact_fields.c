// SPDX-License-Identifier: MIT
// The keys of a contact between shapes.
#include "laws/contact/contact.h"
#include <stddef.h>

#define AT(field) offsetof(bi_contact_def, field)
static const bi_field fields[] = {
    { "a", BI_FIELD_SHAPES, AT(a), NULL, BI_REQUIRED,
      "a shape, a list of them, or `box*`: all whose names begin so" },
    { "b", BI_FIELD_SHAPES, AT(b), NULL, 0, "those they meet (default: each other)" },
    { "law", BI_FIELD_CHOICE, AT(law), "kelvin-voigt,hertz", 0, "force over depth (default kelvin-voigt)" },
    { "stiffness", BI_FIELD_EXPR, AT(stiffness), NULL, BI_REQUIRED | BI_OF_TIME,
      "N/m of one point; Hertz: N/m^exponent; per area: N/m^3" },
    { "damping", BI_FIELD_EXPR, AT(damping), NULL, BI_OF_TIME, "N s/m of one point; per area: N s/m^3" },
    { "hysteresis", BI_FIELD_NUMBER, AT(hysteresis), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "factor on the damping while separating (default 1)" },
    { "smooth", BI_FIELD_NUMBER, AT(smooth), "m", BI_NOT_NEGATIVE,
      "depth over which the damping comes in (default 0: at once)" },
    { "exponent", BI_FIELD_NUMBER, AT(exponent), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "of Hertz (default 1.5)" },
    { "restitution", BI_FIELD_NUMBER, AT(restitution), "1", BI_NOT_NEGATIVE,
      "speed back over speed in: of Hertz, 0 to 1 (default 0; from 0.05 on it is met); of Kelvin-Voigt from "
      "0.1354 "
      "on, instead of damping" },
    { "restitution_law", BI_FIELD_CHOICE, AT(restitution_law),
      "exact,hunt-crossley,lankarani-nikravesh,flores,herbert-mcwhannell,lee-wang,gonthier,hu-guo", 0,
      "of Hertz, how its loss follows from restitution; all but exact give more or less than was asked "
      "(default "
      "exact)" },
    { "dissipation", BI_FIELD_NUMBER, AT(dissipation), "s/m", BI_NOT_NEGATIVE,
      "of Hertz, instead of restitution" },
    { "force_limit", BI_FIELD_EXPR, AT(force_limit), NULL, BI_OF_TIME, "N, of one point (default none)" },
    { "per", BI_FIELD_CHOICE, AT(per), "point,area", 0, "what stiffness and damping are of (default point)" },
    { "friction", BI_FIELD_EXPR, AT(friction), NULL, BI_OF_TIME, "coefficient (default 0)" },
    { "friction_law", BI_FIELD_CHOICE, AT(friction_law), "coulomb,blended", 0,
      "sticks or slides and remembers which, or something between by its speed (default coulomb)" },
    { "sliding", BI_FIELD_NUMBER, AT(sliding), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "friction while sliding over friction from rest (default 1)" },
    { "viscous", BI_FIELD_NUMBER, AT(viscous), "N*s/m", BI_NOT_NEGATIVE, "across the normal (default 0)" },
    { "stick_time", BI_FIELD_NUMBER, AT(stick_time), "s", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "time scale of the stick spring (default 2 ms; blended 30 ms)" },
    { "stick_stiffness", BI_FIELD_EXPR, AT(stick_stiffness), NULL, BI_OF_TIME,
      "N/m, of the stick spring of a point, instead of stick_time" },
    { "stick_damping", BI_FIELD_EXPR, AT(stick_damping), NULL, BI_OF_TIME,
      "N s/m, of the stick spring of a point (default: from its stiffness)" },
    { "stick_speed", BI_FIELD_EXPR, AT(stick_speed), NULL, BI_OF_TIME,
      "m/s, blended: the speed up to which it sticks (default: from stick_time)" },
    { "mass", BI_FIELD_NUMBER, AT(mass), "kg", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "that the contact holds (default: from the masses of the two bodies)" },
    { "kept", BI_FIELD_NUMBER, AT(kept), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "of its limit, by a stick spring that slips, blended (default 0.95)" },
    { "anchor", BI_FIELD_CHOICE, AT(anchor), "drag,set", 0,
      "of a stick spring that slips, blended: dragged along, or set to what it keeps (default drag)" },
    { "belt", BI_FIELD_EXPR, AT(belt), NULL, BI_OF_TIME,
      "m/s, speed of the surface of b, which stays where it is: a conveyor (default 0)" },
    { "belt_axis", BI_FIELD_VEC3, AT(belt_axis), NULL, BI_DIRECTION,
      "its direction, axes of the body of b (default x)" },
    { "rolling_friction", BI_FIELD_NUMBER, AT(rolling_friction), "m", BI_NOT_NEGATIVE,
      "moment against rolling, at most this length times the normal force: a ball of radius r stands on "
      "slopes up to "
      "atan(rolling_friction/r) (default 0)" },
    { "spinning_friction", BI_FIELD_NUMBER, AT(spinning_friction), "m", BI_NOT_NEGATIVE,
      "moment against spinning about the normal, at most this length times the normal force; of a round "
      "patch of "
      "radius a it is 2/3 friction a (default 0)" },
    { "friction_across", BI_FIELD_NUMBER, AT(friction_across), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "friction across friction_axis over friction along it: runners, skis, grain of wood (default 1)" },
    { "friction_axis", BI_FIELD_VEC3, AT(friction_axis), NULL, BI_DIRECTION,
      "its direction, axes of the body of a (default x)" },
    { "most_points", BI_FIELD_NUMBER, AT(most_points), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "of one pair of shapes (default 16)" },
};
#undef AT
const bi_kind contact_schema = { "forces",
                                 "contact",
                                 sizeof(bi_contact_def),
                                 fields,
                                 sizeof fields / sizeof *fields,
                                 "shapes against shapes, with friction that sticks" };
