#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ask an FMU of the pendulum for model exchange what a simulator asks: states, rates and directional derivatives against the
closed form, and what makes no sense.

usage: fmu_exchange.py FILE.fmu FOLDER"""
import ctypes
import math
import os
import sys
import xml.etree.ElementTree as E
import zipfile

G, L = 9.81, 1.0
OK, DISCARD, ERROR = 0, 2, 3
Double, Ref, Size = ctypes.c_double, ctypes.c_uint32, ctypes.c_size_t
Logger2 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
Logger3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
said = []
logger2 = Logger2(lambda env, name, status, category, form, text: said.append(text))
logger3 = Logger3(lambda env, status, category, text: said.append(text))


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", Logger2), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p), ("finished", ctypes.c_void_p),
                ("environment", ctypes.c_void_p)]


def doubles(*values):
    return (Double * len(values))(*values)


class Fmu:
    def __init__(self, path, folder):
        zipfile.ZipFile(path).extractall(folder)
        root = E.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.version = int(root.get("fmiVersion")[0])
        kind = root.find("ModelExchange")
        token = (root.get("guid") or root.get("instantiationToken")).encode()
        place = {2: "linux64", 3: "x86_64-linux"}[self.version]
        self.library = ctypes.CDLL(os.path.join(folder, "binaries", place, kind.get("modelIdentifier") + ".so"))
        self.refs = {v.get("name"): int(v.get("valueReference")) for v in root.find("ModelVariables")}
        resources = os.path.join(os.path.abspath(folder), "resources")
        if self.version == 2:
            self.callbacks = Callbacks(logger2, None, None, None, None)
            make = self.library.fmi2Instantiate
            arguments = [b"x", 0, token, b"file://" + resources.encode(), ctypes.byref(self.callbacks), 0, 1]
            other = [b"x", 1] + arguments[2:]
        else:
            make = self.library.fmi3InstantiateModelExchange
            arguments = [b"x", token, resources.encode() + b"/", False, True, None, logger3]
            other = None
        make.restype = ctypes.c_void_p
        if other:
            assert not make(*other), "co-simulation was not refused"
            assert b"model exchange only" in said[-1], said
        self.it = ctypes.c_void_p(make(*arguments))
        assert self.it, said
        if self.version == 2:
            assert self("SetupExperiment", 0, Double(0), Double(0), 0, Double(0)) == OK
            assert self("EnterInitializationMode") == OK
        else:
            assert self("EnterInitializationMode", False, Double(0), Double(0), False, Double(0)) == OK
        assert self("ExitInitializationMode") == OK
        assert self("EnterContinuousTimeMode") == OK

    def __call__(self, name, *arguments):
        return getattr(self.library, f"fmi{self.version}{name}")(self.it, *arguments)

    def rates(self, x):
        out = doubles(0, 0)
        assert self("SetContinuousStates", doubles(*x), Size(2)) == OK
        name = "GetDerivatives" if self.version == 2 else "GetContinuousStateDerivatives"
        assert self(name, out, Size(2)) == OK, said
        return list(out)

    def read(self, name):
        value = doubles(0)
        more = [] if self.version == 2 else [Size(1)]
        get = "GetReal" if self.version == 2 else "GetFloat64"
        assert self(get, (Ref * 1)(self.refs[name]), Size(1), value, *more) == OK, said
        return value[0]

    def derivative(self, unknown, known, along):
        out = doubles(*[0] * len(unknown))
        u, k = (Ref * len(unknown))(*unknown), (Ref * len(known))(*known)
        more = ([], []) if self.version == 2 else ([Size(len(known))], [Size(len(unknown))])
        status = self("GetDirectionalDerivative", u, Size(len(unknown)), k, Size(len(known)), doubles(*along), *more[0], out, *more[1])
        return status, list(out)


def near(a, b, limit):
    assert abs(a - b) <= limit, (a, b, limit)


def main():
    fmu = Fmu(*sys.argv[1:])
    start = doubles(0, 0)
    assert fmu("GetContinuousStates", start, Size(2)) == OK
    zero = math.pi  # the angle of the joint counts from the described place, where the rod stands at theta0
    states = [fmu.refs["state.pivot.angle"], fmu.refs["state.pivot.angle.rate"]]
    rates = [fmu.refs["der(state.pivot.angle)"], fmu.refs["der(state.pivot.angle.rate)"]]
    for q, v in ((0.3, 1.1), (2.0, -3.0), (-1.2, 0.0)):
        fmu("SetTime", Double(0.5))
        angle = zero + q - start[0]
        told = fmu.rates((q, v))
        near(told[0], v, 0)
        near(told[1], -G / L * math.cos(angle), 1e-12)
        near(fmu.read("P.x"), L * math.cos(angle), 1e-13)
        near(fmu.read("P.vx"), -L * math.sin(angle) * v, 1e-12)
        near(fmu.read("time"), 0.5, 0)
        # along the angle by 2 and the rate by 3
        status, told = fmu.derivative(rates + [fmu.refs["P.x"]], states, (2.0, 3.0))
        assert status == OK, said
        near(told[0], 3.0, 1e-9)
        near(told[1], 2.0 * G / L * math.sin(angle), 1e-8)
        near(told[2], -2.0 * L * math.sin(angle), 1e-8)
        near(fmu.read("P.x"), L * math.cos(angle), 1e-13)  # it stands where it stood
    # what makes no sense
    assert fmu("SetContinuousStates", doubles(1, 2, 3), Size(3)) == ERROR
    assert fmu("SetContinuousStates", doubles(math.nan, 0), Size(2)) == DISCARD
    assert fmu("SetTime", Double(math.inf)) == ERROR
    assert fmu.derivative([rates[0]], [fmu.refs["P.x"]], (1.0,))[0] == ERROR
    assert fmu.derivative([0x02ffffff], [states[0]], (1.0,))[0] == ERROR
    assert fmu("Reset") == OK
    assert fmu("Terminate") == OK
    fmu("FreeInstance")
    print("model exchange, FMI", fmu.version)


main()
