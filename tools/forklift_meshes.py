#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Meshes of models/forklift, from the dimensions of the truck's data sheet: OBJ files and one MTL, in metres.

Each file is one colour of one body, in the frame of that body in model.yaml. Every solid is closed and faces outwards; solids
overlap instead of touching, so that no corner belongs to two of them. `python3 tools/forklift_meshes.py` writes them again.
"""
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "forklift", "meshes")
COLOURS = {
    "red": "c8102e", "dark": "3a3f46", "black": "1d1f21", "steel": "8d949c", "chrome": "c9d0d6", "rubber": "202224", "rim": "e6e1d3",
    "wood": "c79a63", "crate": "a9713c", "band": "4f5a63", "shell": "7f8b95", "glass": "f2c230",
}

ELECTRIC = (1.508 / 1.965, 1.120 / 1.262, 2.040 / 2.210)


class Mesh:
    def __init__(self, colour):
        self.colour, self.vertices, self.faces = colour, [], []

    def solid(self, vertices, faces):
        first = len(self.vertices)
        self.vertices += vertices
        if volume(vertices, faces) < 0:
            faces = [f[::-1] for f in faces]
        for face in faces:
            for k in range(1, len(face) - 1):
                self.faces.append((first + face[0], first + face[k], first + face[k + 1]))
        return self

    def box(self, x, y, z):
        return self.hexahedron([(x[i], y[j], z[k]) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])

    def hexahedron(self, v):
        """Four corners of the lower face counter-clockwise from above, then those above them."""
        return self.solid(v, [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])

    def both(self, x, y, z):
        """A box on the left and its mirror image on the right."""
        return self.box(x, y, z).box(x, (-y[1], -y[0]), z)

    def prism(self, outline, y):
        """An outline of (x, z), counter-clockwise seen from the right, between two y."""
        n = len(outline)
        v = [(px, y[0], pz) for px, pz in outline] + [(px, y[1], pz) for px, pz in outline]
        sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
        return self.solid(v, [tuple(range(n)), tuple(reversed(range(n, 2 * n)))] + [s[::-1] for s in sides])

    def column(self, outline, z):
        """An outline of (x, y), counter-clockwise from above, between two heights."""
        n = len(outline)
        v = [(px, py, z[0]) for px, py in outline] + [(px, py, z[1]) for px, py in outline]
        sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
        return self.solid(v, [tuple(reversed(range(n))), tuple(range(n, 2 * n))] + sides)

    def bar(self, a, b, width):
        """A square bar between two points."""
        along = [q - p for p, q in zip(a, b)]
        length = math.sqrt(sum(c * c for c in along))
        u = [c / length for c in along]
        helper = (0.0, 1.0, 0.0) if abs(u[1]) < 0.9 else (1.0, 0.0, 0.0)
        v = cross(u, helper)
        size = math.sqrt(sum(c * c for c in v))
        v = [c / size for c in v]
        w = cross(u, v)
        h = width / 2
        corners = [(h, h), (-h, h), (-h, -h), (h, -h)]
        at = [tuple(p[i] + s * v[i] + t * w[i] for i in range(3)) for p in (a, b) for s, t in corners]
        return self.hexahedron(at)

    def lathe(self, profile, centre=(0.0, 0.0, 0.0), around="y", n=32):
        """A closed outline of (radius, distance along the axis) turned about the axis; radii above zero."""
        m, v, faces = len(profile), [], []
        for k in range(n):
            c, s = math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)
            for r, d in profile:
                p = (r * s, d, r * c) if around == "y" else (r * c, r * s, d) if around == "z" else (d, r * c, r * s)
                v.append(tuple(q + o for q, o in zip(p, centre)))
        for k in range(n):
            for i in range(m):
                j, l = (i + 1) % m, (k + 1) % n
                faces.append((k * m + i, l * m + i, l * m + j, k * m + j))
        return self.solid(v, faces)

    def scaled(self, by):
        out = Mesh(self.colour)
        out.vertices = [tuple(c * f for c, f in zip(p, by)) for p in self.vertices]
        out.faces = self.faces
        return out

    def write_both(self, name):
        """Of the Linde and, scaled by wheel base, width and height, of the electric truck."""
        self.write(name)
        self.scaled(ELECTRIC).write("electric_" + name)

    def write(self, name):
        with open(os.path.join(FOLDER, name + ".obj"), "w", encoding="ascii") as f:
            f.write("# made by tools/forklift_meshes.py, MIT\nmtllib forklift.mtl\nusemtl %s\n" % self.colour)
            for p in self.vertices:
                f.write("v %.6g %.6g %.6g\n" % p)
            for t in self.faces:
                f.write("f %d %d %d\n" % tuple(i + 1 for i in t))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def volume(v, faces):
    """Of a closed solid; negative when it is inside out."""
    return sum(dot(v[f[0]], cross(v[f[k]], v[f[k + 1]])) for f in faces for k in range(1, len(f) - 1)) / 6


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def write_materials():
    with open(os.path.join(FOLDER, "forklift.mtl"), "w", encoding="ascii") as f:
        f.write("# made by tools/forklift_meshes.py, MIT\n")
        for name, colour in COLOURS.items():
            rgb = [int(colour[k:k + 2], 16) / 255 for k in (0, 2, 4)]
            f.write("newmtl %s\nKd %.4f %.4f %.4f\nKs 0.2 0.2 0.2\nNs 30\n" % (name, *rgb))


# ---- truck: frame of the chassis, x forwards from the rear axle, ground at z = 0 ------------------------------------------------

def counterweight_outline(inset):
    # half width 0.628; behind, what turns about a point 0.58 m beside the front axle within 2.476 m, and 0.380 m at most
    half = 0.628 - inset
    arc = []
    for k in range(9):
        y = half - (half - 0.20) * k / 8
        arc.append((max(1.965 - math.sqrt((2.474 - inset) ** 2 - (0.58 + y) ** 2), -0.380 + inset), y))
    left = [(0.40, half)] + arc
    return left + [(x, -y) for x, y in reversed(left)]


def chassis():
    body = Mesh("red")
    # engine hood, side steps, front panel with the dash board
    body.prism([(0.30, 0.62), (1.06, 0.62), (1.02, 0.99), (0.34, 1.04)], (-0.46, 0.46))
    body.prism([(1.50, 0.48), (1.98, 0.48), (1.98, 0.78), (1.80, 1.02), (1.66, 1.02)], (-0.50, 0.50))
    body.both((0.62, 1.46), (0.40, 0.60), (0.30, 0.615))
    body.box((0.405, 1.93), (-0.41, 0.41), (0.17, 0.50))
    # mudguards over the front wheels
    for side in (-1, 1):
        arc = [math.pi * (0.10 + 0.80 * k / 8) for k in range(9)]
        outer = [(1.965 - 0.44 * math.cos(a), 0.343 + 0.44 * math.sin(a)) for a in arc]
        inner = [(1.965 - 0.40 * math.cos(a), 0.343 + 0.40 * math.sin(a)) for a in arc]
        for k in range(8):
            # short pieces: each convex, each a little into the next
            piece = [outer[k], inner[k], inner[k + 1], outer[k + 1]]
            y = (0.405 + 0.001 * k, 0.655 + 0.001 * k) if side > 0 else (-0.655 - 0.001 * k, -0.405 - 0.001 * k)
            body.prism(piece, y)
    body.write_both("chassis")

    weight = Mesh("dark")
    weight.column(counterweight_outline(0.0), (0.26, 0.95))
    weight.column(counterweight_outline(0.05), (0.90, 1.06))
    weight.box((-0.30, 0.50), (-0.28, 0.28), (0.33, 0.62))
    # towing pin, 695 mm above the ground
    weight.box((-0.386, -0.30), (-0.05, 0.05), (0.655, 0.667))
    weight.box((-0.386, -0.30), (-0.05, 0.05), (0.723, 0.735))
    weight.lathe([(0.003, 0.645), (0.014, 0.645), (0.014, 0.76), (0.003, 0.76)], (-0.378, 0.0, 0.0), "z", 10)
    weight.write_both("counterweight")

    guard = Mesh("black")
    for side in (-1, 1):
        y = 0.50 * side
        guard.bar((1.78, y, 0.95), (1.40, y, 2.17), 0.07)
        guard.bar((0.12, y, 0.98), (0.16, y, 2.165), 0.07)
        guard.bar((0.08, y, 2.175), (1.48, y, 2.175), 0.07)
    for k in range(9):
        x = 0.12 + 0.165 * k
        guard.bar((x, -0.537, 2.18), (x, 0.537, 2.18), 0.035 if 0 < k < 8 else 0.06)
    # steering column and wheel, levers
    guard.bar((1.72, 0.0, 0.98), (1.44, 0.0, 1.22), 0.06)
    guard.lathe([(0.14, -0.013), (0.165, -0.013), (0.165, 0.013), (0.14, 0.013)], (1.44, 0.0, 1.24), "z", 24)
    guard.bar((1.45, -0.13, 1.235), (1.43, 0.13, 1.245), 0.02)
    guard.bar((1.52, -0.30, 0.99), (1.46, -0.30, 1.16), 0.025)
    guard.bar((1.52, -0.36, 0.985), (1.46, -0.36, 1.155), 0.025)
    # seat
    guard.box((0.62, 1.08), (-0.25, 0.25), (0.995, 1.105))
    guard.hexahedron([(0.56, -0.24, 1.06), (0.68, -0.24, 1.06), (0.68, 0.24, 1.06), (0.56, 0.24, 1.06),
                      (0.44, -0.21, 1.58), (0.53, -0.21, 1.58), (0.53, 0.21, 1.58), (0.44, 0.21, 1.58)])
    guard.write_both("guard")

    lamps = Mesh("glass")
    lamps.both((1.50, 1.56), (0.30, 0.44), (2.05, 2.13))
    lamps.lathe([(0.02, 2.19), (0.055, 2.19), (0.045, 2.29), (0.02, 2.30)], (0.12, 0.0, 0.0), "z", 16)
    lamps.write_both("lamps")


def axle():
    m = Mesh("dark")
    m.box((-0.07, 0.07), (-0.34, 0.34), (-0.06, 0.065))
    m.box((-0.09, 0.09), (-0.09, 0.09), (0.05, 0.16))
    m.both((-0.05, 0.05), (0.325, 0.375), (-0.11, 0.11))
    m.write("axle")


def wheel(name, radius, width):
    h = width / 2
    tyre = Mesh("rubber")
    tyre.lathe([(0.60 * radius, -0.9 * h), (0.90 * radius, -h), (0.985 * radius, -0.80 * h), (radius, -0.45 * h), (radius, 0.45 * h),
                (0.985 * radius, 0.80 * h), (0.90 * radius, h), (0.60 * radius, 0.9 * h)], n=40)
    # blocks of the tread, so that one sees it turn; they stay inside the radius
    for k in range(20):
        a = 2 * math.pi * k / 20
        for side in (-1, 1):
            b = a + (math.pi / 20 if side > 0 else 0.0)
            p = [(r * math.sin(b + d), y, r * math.cos(b + d)) for y in (side * 0.50 * h, side * 1.02 * h)
                 for r, d in ((0.86 * radius, -0.07), (0.975 * radius, -0.06), (0.975 * radius, 0.06), (0.86 * radius, 0.07))]
            tyre.hexahedron(p)
    tyre.write(name)
    rim = Mesh("rim")
    rim.lathe([(0.18 * radius, -0.75 * h), (0.36 * radius, -0.70 * h), (0.58 * radius, -0.86 * h), (0.62 * radius, -0.86 * h), (0.62 * radius, 0.86 * h),
               (0.58 * radius, 0.86 * h), (0.36 * radius, 0.70 * h), (0.18 * radius, 0.75 * h)], n=24)
    for k in range(6):
        a = math.pi / 3 * k
        c = (0.28 * radius * math.sin(a), 0.0, 0.28 * radius * math.cos(a))
        rim.lathe([(0.003, -0.80 * h), (0.05 * radius, -0.80 * h), (0.05 * radius, 0.80 * h), (0.003, 0.80 * h)], c, "y", 6)
    rim.write(name + "_rim")


# ---- mast: frame at p3; rails of mast 1 outside, of mast 2 inside, forks between them -----------------------------------------------

def mast():
    low, top = -0.2229, 1.9211
    one = Mesh("dark")
    one.both((0.045, 0.160), (0.335, 0.400), (low, top))
    one.box((0.000, 0.060), (-0.36, 0.36), (top - 0.14, top - 0.02))
    one.box((0.000, 0.060), (-0.36, 0.36), (0.45, 0.57))
    one.box((0.000, 0.070), (-0.36, 0.36), (low + 0.01, low + 0.11))
    # ears of the hinge
    one.both((-0.06, 0.080), (0.20, 0.26), (-0.06, 0.10))
    one.write("mast1")
    # as high as mast 1, and lower by the sheet's free lift, 150 mm of the forks
    for name, cut in ("mast2", 0.0), ("mast2_free", 0.07):
        two = Mesh("steel")
        two.both((0.055, 0.150), (0.265, 0.330), (low + 0.005, top - 0.005 - cut))
        two.box((0.050, 0.155), (-0.264, 0.264), (top - 0.085 - cut, top - 0.01 - cut))
        two.box((0.062, 0.120), (-0.264, 0.264), (low + 0.012, low + 0.075))
        two.write(name)


def fork_profile():
    # 50 x 120 x 1000 mm, upper face level, thinner towards the tip
    return [(0.19, -0.3429), (0.70, -0.3429), (1.25, -0.305), (1.25, -0.2929), (0.25, -0.2929), (0.245, 0.20), (0.20, 0.20)]


def forks():
    m = Mesh("steel")
    for side in (-1, 1):
        y = (0.19, 0.31) if side > 0 else (-0.31, -0.19)
        p = fork_profile()
        # two convex solids: tine and shank
        m.prism([p[0], p[1], p[2], p[3], (0.19, -0.2929)], y)
        m.prism([(0.192, -0.30), (0.25, -0.30), (0.245, 0.20), (0.20, 0.20)], (y[0] + 0.0005, y[1] - 0.0005))
    m.write("forks")
    c = Mesh("black")
    # carriage of 1150 mm and load guard
    c.box((0.150, 0.195), (-0.575, 0.575), (-0.235, -0.125))
    c.box((0.150, 0.195), (-0.575, 0.575), (0.095, 0.205))
    c.both((0.135, 0.19), (0.20, 0.265), (-0.26, 0.22))
    c.both((0.168, 0.198), (0.545, 0.574), (0.19, 0.90))
    c.box((0.168, 0.198), (-0.57, 0.57), (0.87, 0.905))
    for k in range(-4, 5):
        c.box((0.172, 0.194), (0.105 * k - 0.009, 0.105 * k + 0.009), (0.2055, 0.8695))
    c.write("carriage")
    # what touches: two tines and the face behind them, coarse
    t = Mesh("steel")
    t.both((0.20, 1.25), (0.19, 0.31), (-0.3429, -0.2929))
    t.box((0.15, 0.25), (-0.50, 0.50), (-0.25, 0.85))
    t.write("forks_contact")


# ---- loads: origin on the ground below the middle -----------------------------------------------------------------------------------------

def pallet_boards(m, x, y):
    """Top boards along y, three stringers along y of blocks, three boards below along x. Forks enter along x."""
    half_x, half_y = x / 2, y / 2
    for k in range(7):
        c = -half_x + 0.06 + k * (x - 0.12) / 6
        m.box((c - 0.055, c + 0.055), (-half_y, half_y), (0.122, 0.144))
    for c in (-half_y + 0.05, 0.0, half_y - 0.05):
        m.box((-half_x + 0.002, half_x - 0.002), (c - 0.049, c + 0.049), (0.10, 0.1215))
        m.box((-half_x + 0.001, half_x - 0.001), (c - 0.05, c + 0.05), (0.0, 0.022))
        for d in (-half_x + 0.07, 0.0, half_x - 0.07):
            m.box((d - 0.069, d + 0.069), (c - 0.048, c + 0.048), (0.0225, 0.0995))


def pallet_contact(m, x, y):
    half_x, half_y = x / 2, y / 2
    m.box((-half_x, half_x), (-half_y, half_y), (0.104, 0.144))
    for c in (-half_y + 0.05, 0.0, half_y - 0.05):
        m.box((-half_x + 0.001, half_x - 0.001), (c - 0.049, c + 0.049), (0.0, 0.110))


def loads():
    m = Mesh("wood")
    pallet_boards(m, 0.8, 1.2)
    m.write("pallet")
    m = Mesh("wood")
    pallet_contact(m, 0.8, 1.2)
    m.write("pallet_contact")

    m = Mesh("wood")
    pallet_boards(m, 1.0, 1.2)
    m.write("loaded_pallet")
    c = Mesh("crate")
    c.box((-0.47, 0.47), (-0.57, 0.57), (0.15, 1.10))
    for k in range(4):
        z = 0.16 + 0.245 * k
        c.box((-0.485, 0.485), (-0.585, 0.585), (z, z + 0.20))
    c.write("crate")
    b = Mesh("band")
    for x in (-0.30, 0.30):
        b.box((x - 0.02, x + 0.02), (-0.590, 0.590), (0.147, 1.106))
    b.both((-0.49, 0.49), (0.545, 0.5905), (1.02, 1.105))
    b.write("bands")
    m = Mesh("wood")
    pallet_contact(m, 1.0, 1.2)
    m.box((-0.485, 0.485), (-0.585, 0.585), (0.142, 1.105))
    m.write("loaded_contact")

    # the shell of a tyre on its support
    s = Mesh("shell")
    s.lathe([(0.36, 0.16), (0.42, 0.16), (0.45, 0.30), (0.46, 0.75), (0.45, 1.20), (0.42, 1.34), (0.36, 1.34), (0.39, 1.20), (0.40, 0.75), (0.39, 0.30)],
            around="z", n=48)
    s.write("virola")
    f = Mesh("dark")
    virola_frame(f)
    f.write("virola_frame")
    t = Mesh("dark")
    t.box((-0.40, 0.40), (-0.40, 0.40), (0.105, 0.165))
    t.both((-0.399, 0.399), (0.345, 0.399), (0.0, 0.112))
    around = [(0.46 * math.cos(math.pi * k / 8), 0.46 * math.sin(math.pi * k / 8)) for k in range(16)]
    t.column(around, (0.162, 1.34))
    t.write("virola_contact")


def virola_frame(f):
    f.both((-0.40, 0.40), (0.345, 0.40), (0.0, 0.13))
    for x in (-0.33, 0.0, 0.33):
        f.box((x - 0.04, x + 0.04), (-0.398, 0.398), (0.105, 0.165))
    f.lathe([(0.33, 0.14), (0.40, 0.14), (0.40, 0.17), (0.33, 0.17)], around="z", n=32)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    write_materials()
    chassis()
    axle()
    wheel("wheel_front", 0.3429, 0.254)
    wheel("wheel_rear", 0.2921, 0.229)
    wheel("electric_wheel_front", 0.227, 0.200)
    wheel("electric_wheel_rear", 0.203, 0.152)
    mast()
    forks()
    loads()


main()
