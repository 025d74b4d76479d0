#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The OpenDRIVE file of this folder, and places of its road by other means: clothoids by Fresnel integrals and curves by
quadrature, both to 30 digits (mpmath).

    python3 make_xodr.py >street.csv
"""
import os

from mpmath import cos, diff, findroot, fresnelc, fresnels, mp, mpf, pi, quad, sin, sqrt

mp.dps = 30
HERE = os.path.dirname(os.path.abspath(__file__))

V = [mpf(0), mpf(0), mpf("0.004"), mpf("-0.00006")]
PU = [mpf(0), mpf(40), mpf("0.5"), mpf("-0.8")]
PV = [mpf(0), mpf(0), mpf(3), mpf("-1.5")]


def cubic(c, p):
    return c[0] + p * (c[1] + p * (c[2] + p * c[3]))


def slope(c, p):
    return c[1] + p * (2 * c[2] + 3 * c[3] * p)


def clothoid(k0, k1, length, d):
    """Place and heading by Fresnel integrals: the whole spiral through its point of no bend."""
    rate = (k1 - k0) / length

    def whole(s):
        # of heading rate s^2/2 from the point of no bend
        a = sqrt(pi / abs(rate))
        x, y = a * fresnelc(s / a), a * fresnels(s / a)
        return x, y if rate > 0 else -y

    s0 = k0 / rate
    x0, y0 = whole(s0)
    x1, y1 = whole(s0 + d)
    turn = -rate * s0 * s0 / 2
    x, y = x1 - x0, y1 - y0
    return cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, k0 * d + rate * d * d / 2


def piece(kind, data, length, d):
    if kind == "line":
        return d, mpf(0), mpf(0)
    if kind == "arc":
        k = data
        return sin(k * d) / k, (1 - cos(k * d)) / k, k * d
    if kind == "spiral":
        return clothoid(data[0], data[1], length, d)
    if kind == "poly3":
        u = findroot(lambda to: quad(lambda x: sqrt(1 + slope(V, x) ** 2), [0, to]) - d, d)
        return u, cubic(V, u), mp.atan(slope(V, u))
    p = d / length
    return cubic(PU, p), cubic(PV, p), mp.atan2(slope(PV, p), slope(PU, p))


PIECES = [
    ("line", None, mpf(20)),
    ("spiral", (mpf(0), mpf("0.02")), mpf(30)),
    ("arc", mpf("0.02"), mpf(25)),
    ("spiral", (mpf("0.02"), mpf("-0.05")), mpf(40)),
    ("spiral", (mpf("-0.05"), mpf(0)), mpf(15)),
    ("poly3", V, mpf(30)),
    ("paramPoly3", (PU, PV), mpf(40)),
]
HEIGHT = [(mpf(0), [mpf(1), mpf("0.02"), mpf("0.001"), mpf("-0.000008")]), (mpf(90), None)]
TILT = [(mpf(0), [mpf(0)] * 4), (mpf(20), [mpf(0), mpf(0), mpf("0.0001"), mpf("-0.000001")]), (mpf(80), None)]
WIDTH = [(mpf(0), [mpf(3), mpf(0), mpf("0.0003"), mpf("-0.000001")])]
OFFSET = [mpf("0.25"), mpf("0.01"), mpf(0), mpf(0)]


def finish(curve):
    """The last entry goes straight on from where the one before it ends."""
    (a, c), (b, _) = curve[-2], curve[-1]
    curve[-1] = (b, [cubic(c, b - a), slope(c, b - a), mpf(0), mpf(0)])


def at(curve, s):
    from_s, c = [x for x in curve if x[0] <= s][-1]
    return cubic(c, s - from_s)


def number(x):
    return repr(float(x))


def main():
    finish(HEIGHT)
    finish(TILT)
    xml = ['<?xml version="1.0"?>', '<!-- made by make_xodr.py -->', "<OpenDRIVE>",
           '  <header revMajor="1" revMinor="6"/>', '  <road id="7" length="200" junction="-1">', "    <planView>"]
    x = y = heading = s = mpf(0)
    starts = []
    for kind, data, length in PIECES:
        # what the file says, as the reader takes it
        fx, fy, fh = mpf(float(x)), mpf(float(y)), mpf(float(heading))
        starts.append((s, fx, fy, fh))
        xml.append(f'      <geometry s="{number(s)}" x="{number(x)}" y="{number(y)}" hdg="{number(heading)}" '
                   f'length="{number(length)}">')
        if kind == "line":
            xml.append("        <line/>")
        elif kind == "arc":
            xml.append(f'        <arc curvature="{number(data)}"/>')
        elif kind == "spiral":
            xml.append(f'        <spiral curvStart="{number(data[0])}" curvEnd="{number(data[1])}"/>')
        elif kind == "poly3":
            xml.append("        <poly3 " + " ".join(f'{k}="{number(c)}"' for k, c in zip("abcd", V)) + "/>")
        else:
            xml.append("        <paramPoly3 " + " ".join(f'{k}U="{number(c)}"' for k, c in zip("abcd", PU)) + " " +
                       " ".join(f'{k}V="{number(c)}"' for k, c in zip("abcd", PV)) + ' pRange="normalized"/>')
        xml.append("      </geometry>")
        u, v, turn = piece(kind, data, length, length)
        x, y = x + cos(heading) * u - sin(heading) * v, y + sin(heading) * u + cos(heading) * v
        heading += turn
        s += length
    xml += ["    </planView>", "    <elevationProfile>"]
    poly = lambda c: " ".join(f'{k}="{number(a)}"' for k, a in zip("abcd", c))
    xml += [f'      <elevation s="{number(a)}" {poly(c)}/>' for a, c in HEIGHT]
    xml += ["    </elevationProfile>", "    <lateralProfile>"]
    xml += [f'      <superelevation s="{number(a)}" {poly(c)}/>' for a, c in TILT]
    xml += ["    </lateralProfile>", "    <lanes>", f'      <laneOffset s="0" {poly(OFFSET)}/>', '      <laneSection s="0">']
    for side, ids in (("left", (2, 1)), ("right", (-1,))):
        xml.append(f"        <{side}>")
        for lane in ids:
            xml.append(f'          <lane id="{lane}" type="driving"><width sOffset="0" {poly(WIDTH[0][1])}/></lane>')
        xml.append(f"        </{side}>")
        if side == "left":
            xml.append('        <center><lane id="0" type="none"/></center>')
    xml += ["      </laneSection>", "    </lanes>", "  </road>", "</OpenDRIVE>"]
    with open(os.path.join(HERE, "street.xodr"), "w") as out:
        out.write("\n".join(xml) + "\n")

    print("kind,s,t,x,y,z")
    for (kind, data, length), (s0, x0, y0, h0) in zip(PIECES, starts):
        for k in range(7):
            d = length * (mpf(2 * k + 1) / 14)
            u, v, turn = piece(kind, data, length, d)
            for t in (mpf(-2), mpf(0), mpf("2.5")):
                h = h0 + turn
                tilt = at(TILT, s0 + d)
                px = x0 + cos(h0) * u - sin(h0) * v - sin(h) * t * cos(tilt)
                py = y0 + sin(h0) * u + cos(h0) * v + cos(h) * t * cos(tilt)
                z = at(HEIGHT, s0 + d) + t * sin(tilt)
                print(f"{kind},{number(s0 + d)},{number(t)},{number(px)},{number(py)},{number(z)}")


if __name__ == "__main__":
    main()
