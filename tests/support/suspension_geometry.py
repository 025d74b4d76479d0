# SPDX-License-Identifier: MIT
"""Geometry of suspensions, made from hard points alone: closed forms of double wishbone and strut, Newton's method for links."""
import math


def add(a, b, s=1.0): return [x + s * y for x, y in zip(a, b)]
def sub(a, b): return add(a, b, -1.0)
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def scale(a, s): return [s * x for x in a]
def norm(a): return math.sqrt(dot(a, a))
def unit(a): return scale(a, 1.0 / norm(a))
def cross(a, b): return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def turned(p, u, angle): return add(add(scale(p, math.cos(angle)), cross(u, p), math.sin(angle)), u, dot(u, p) * (1 - math.cos(angle)))


def about(p, a, u, angle):
    """The point turned about the axis through a."""
    return add(a, turned(sub(p, a), u, angle))


def frame(a, b, c):
    """Right-handed axes of a triangle."""
    x = unit(sub(b, a))
    z = unit(cross(x, sub(c, a)))
    return x, cross(z, x), z


def carried(v, was, now):
    """A direction of the body whose triangle was and is now these."""
    return [sum(dot(v, was[i]) * now[i][k] for i in range(3)) for k in range(3)]


def three_spheres(a, ra, b, rb, c, rc, near):
    """The point at these distances from three others, on the side of `near`."""
    x, y, z = frame(a, b, c)
    d, i, j = norm(sub(b, a)), dot(x, sub(c, a)), dot(y, sub(c, a))
    px = (ra*ra - rb*rb + d*d) / (2*d)
    py = (ra*ra - rc*rc + i*i + j*j - 2*i*px) / (2*j)
    pz = math.sqrt(ra*ra - px*px - py*py)
    foot = add(add(a, x, px), y, py)
    return min((add(foot, z, pz), add(foot, z, -pz)), key=lambda p: norm(sub(p, near)))


def double_wishbone(h, angle, rack):
    """Points and axis of the wheel for an angle of the lower wishbone and a way of the rack."""
    u = unit(sub(h["lower_front"], h["lower_rear"]))
    low = about(h["lower_ball"], h["lower_front"], u, angle)
    # the upper ball is on a circle and at its distance from the lower one: A cos + B sin = C
    w = unit(sub(h["upper_front"], h["upper_rear"]))
    r = sub(h["upper_ball"], h["upper_front"])
    along, across = scale(w, dot(w, r)), add(r, w, -dot(w, r))
    middle, other = add(h["upper_front"], along), cross(w, across)
    e = sub(middle, low)
    length = norm(sub(h["upper_ball"], h["lower_ball"]))
    A, B, C = 2*dot(e, across), 2*dot(e, other), length**2 - dot(e, e) - dot(across, across)
    turn, size = math.atan2(B, A), math.acos(C / math.hypot(A, B))
    angles = [(turn + s*size + math.pi) % (2*math.pi) - math.pi for s in (1, -1)]
    p = min(angles, key=abs)
    top = add(middle, add(scale(across, math.cos(p)), other, math.sin(p)))
    inner = add(h["rod_inner"], [0, 1, 0], rack)
    o = h["rod_outer"]
    was = frame(h["lower_ball"], h["upper_ball"], o)
    guess = add(low, carried(sub(o, h["lower_ball"]), was, was))
    rod = three_spheres(low, norm(sub(o, h["lower_ball"])), top, norm(sub(o, h["upper_ball"])), inner, norm(sub(o, h["rod_inner"])), guess)
    now = frame(low, top, rod)
    return add(low, carried(sub(h["centre"], h["lower_ball"]), was, now)), carried(h["axis"], was, now), sub(top, low)


def mcpherson(h, angle, rack):
    u = unit(sub(h["lower_front"], h["lower_rear"]))
    low = about(h["lower_ball"], h["lower_front"], u, angle)
    # the mount is on the line of the strut: its way along it follows from its distance from the ball
    line = unit(sub(h["top"], h["foot"]))
    e = sub(h["top"], h["lower_ball"])
    far = norm(sub(h["top"], low))
    b = dot(e, line)
    s = -b + math.sqrt(b*b - dot(e, e) + far*far)
    top_in = add(h["top"], line, s)
    o, inner = h["rod_outer"], add(h["rod_inner"], [0, 1, 0], rack)
    was = frame(h["lower_ball"], top_in, o)
    guess = add(low, sub(o, h["lower_ball"]))
    rod = three_spheres(low, norm(sub(o, h["lower_ball"])), h["top"], norm(sub(o, top_in)), inner, norm(sub(o, h["rod_inner"])), guess)
    now = frame(low, h["top"], rod)
    return add(low, carried(sub(h["centre"], h["lower_ball"]), was, now)), carried(h["axis"], was, now), sub(h["top"], low), s


def solve(f, x, tolerance=1e-14):
    """Newton's method with differences."""
    n = len(x)
    for _ in range(60):
        r = f(x)
        columns = []
        for k in range(n):
            step = 1e-6
            up, down = list(x), list(x)
            up[k] += step
            down[k] -= step
            columns.append([(a - b) / (2*step) for a, b in zip(f(up), f(down))])
        m = [[columns[j][i] for j in range(n)] + [-r[i]] for i in range(n)]
        for i in range(n):
            pivot = max(range(i, n), key=lambda q: abs(m[q][i]))
            m[i], m[pivot] = m[pivot], m[i]
            for q in range(n):
                if q != i:
                    factor = m[q][i] / m[i][i]
                    m[q] = [a - factor*b for a, b in zip(m[q], m[i])]
        dx = [m[i][n] / m[i][i] for i in range(n)]
        x = [a + b for a, b in zip(x, dx)]
        if max(map(abs, dx)) < tolerance:
            return x
    raise ArithmeticError("no solution")


def placed(x, p):
    """A point of a body with the turns x[3:] about z, then y, then x, moved by x[:3]."""
    return add(x[:3], turned(turned(turned(p, [1, 0, 0], x[5]), [0, 1, 0], x[4]), [0, 0, 1], x[3]))


def linked(links, heights, start):
    """A body on links (inner, outer) whose points are at heights (point, z): its pose."""
    def gaps(x):
        out = [norm(sub(placed(x, o), i)) - norm(sub(o, i)) for i, o in links]
        return out + [placed(x, p)[2] - z for p, z in heights]
    return solve(gaps, start)


def twist_beam(h, left, right, start):
    """Directions of the axles for heights of the wheels: the left arm turns about its ball, the right one about the beam."""
    mirrored = [h["pivot"][0], -h["pivot"][1], h["pivot"][2]]

    def arms(x):
        def on_left(p): return add(h["pivot"], placed([0, 0, 0] + x[:3], sub(p, h["pivot"])))
        a, b = on_left(h["shear"]), on_left(add(h["shear"], [0, 1, 0]))
        return on_left, lambda p: about(on_left(p), a, unit(sub(b, a)), x[3])

    def gaps(x):
        on_left, on_right = arms(x)
        g = sub(on_right(mirrored), mirrored)
        return [g[0], g[2], on_left(h["centre"])[2] - left, on_right([h["centre"][0], -h["centre"][1], h["centre"][2]])[2] - right]
    x = solve(gaps, start)
    on_left, on_right = arms(x)
    zero = [0, 0, 0]
    return x, sub(on_left(h["axis"]), on_left(zero)), sub(on_right([-h["axis"][0], h["axis"][1], -h["axis"][2]]), on_right(zero))


def angles(axis, side):
    """Toe (in front inwards) and camber (top outwards) of a wheel whose axis points to the left."""
    return math.atan2(side*axis[0], axis[1]), math.asin(-side*axis[2])


def caster(up): return math.atan2(-up[0], up[2])
