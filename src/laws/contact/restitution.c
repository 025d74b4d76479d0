// SPDX-License-Identifier: MIT
// How much a hit takes away, so that the restitution asked for comes out: damping factors by name (contact.7,
// touch.1 .. touch.3).
#include "laws/contact/restitution.h"
#include "math/elementary.h"
#include <math.h>
#include <stdbool.h>

// Below it the damper would be a wall.
static const double smallest = 0.05;

const double restitution_least = 0.1353352832366127;

// From m v dv = -k d^n (1 + loss v/v0) dd, integrated in and out: loss - ln(1 + loss) = -loss e - ln(1 - loss e),
// whatever n is (contact.7).
static double exact(double e)
{
    // with x = loss e, between 0, where in and out are equal but at once, and 1, where nothing comes back
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; k++) {
        double x = 0.5 * (low + high), loss = x / e;
        bool is_too_small = loss - math_log(1.0 + loss) + x + math_log(1.0 - x) > 0.0;
        *(is_too_small ? &low : &high) = x;
    }
    return low / e;
}

// The published factors, as their authors give them (touch.1).
double restitution_loss(restitution_law law, double restitution)
{
    double e = restitution > smallest ? restitution : smallest, lost = 1.0 - e;
    if (e >= 1.0) {
        return 0.0;
    }
    switch (law) {
    case RESTITUTION_HUNT_CROSSLEY: return 1.5 * lost;
    case RESTITUTION_LANKARANI_NIKRAVESH: return 0.75 * (1.0 - e * e);
    case RESTITUTION_FLORES: return 1.6 * lost / e;
    case RESTITUTION_HERBERT_MCWHANNELL: return 6.0 * lost / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0);
    case RESTITUTION_LEE_WANG: return 0.75 * lost;
    case RESTITUTION_GONTHIER: return (1.0 - e * e) / e;
    case RESTITUTION_HU_GUO: return 1.5 * lost / e;
    case RESTITUTION_EXACT:
    case RESTITUTION_COUNT: break;
    }
    return exact(e);
}

// ---- under weight ----------------------------------------------------------------------------------------------

// A hit in units of its speed and of the depth it would reach without loss.
typedef struct {
    double exponent, loss, weight;
} hit;

static double slowed(const hit *h, double depth, double rate)
{
    double power = h->exponent == 1.5 ? depth * sqrt(depth) : math_pow(depth, h->exponent);
    return h->weight - 0.5 * (h->exponent + 1.0) * power * (1.0 + h->loss * rate);
}

// What comes back of the speed; 0: nothing within a hundred times of contact.
static double back(const hit *h)
{
    const double step = 0.01;
    double depth = 0.0, rate = 1.0;
    for (int k = 0; k < 40000; k++) {
        // the midpoint rule is enough: what counts is the difference of two hits
        double half = depth + 0.5 * step * rate, change = slowed(h, fmax(depth, 0.0), rate);
        double next_rate = rate + step * slowed(h, fmax(half, 0.0), rate + 0.5 * step * change);
        double next = depth + step * (rate + 0.5 * step * change);
        if (!(next > 0.0)) {
            return -(rate + (next_rate - rate) * depth / (depth - next));
        }
        depth = next;
        rate = next_rate;
    }
    return 0.0;
}

double restitution_weight(double restitution, double exponent)
{
    const double weight = 0.01; // of the hits compared
    if (!(restitution < 1.0)) {
        return 0.0;
    }
    double loss = restitution_loss(RESTITUTION_EXACT, restitution);
    hit free = { exponent, loss, 0.0 }, heavy = { exponent, loss, weight }, eased = heavy;
    double wanted = back(&free), found = back(&heavy), part = 0.0;
    // secants: the loss is divided by 1 + part
    for (int k = 0, n = 4; k < n; k++) {
        double more = part + weight;
        eased.loss = loss / (1.0 + more);
        double slope = (back(&eased) - found) / (more - part);
        part = slope > 0.0 ? part + (wanted - found) / slope : part;
        heavy.loss = loss / (1.0 + part);
        found = back(&heavy);
    }
    return part / weight;
}

// ---- Kelvin-Voigt ----------------------------------------------------------------------------------------------

// e = exp(-(pi - 2 phi) tan phi), zeta = sin phi, released where the force is zero (touch.3)
double restitution_ratio(double restitution)
{
    const double pi = 3.14159265358979323846, wanted = -math_log(restitution);
    double low = 0.0, high = 0.5 * pi;
    for (int k = 0; k < 60; k++) {
        double phi = 0.5 * (low + high);
        bool is_too_small = (pi - 2.0 * phi) * math_tan(phi) < wanted;
        *(is_too_small ? &low : &high) = phi;
    }
    return math_sin(low);
}
