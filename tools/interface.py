#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the public headers declare, for those who cannot read C: tools/interface.py [--check]

From include/biela/*.h it writes
  tools/libbiela.map           the names that the shared object shows, which is its version script
  python/biela/_interface.py   structs, constants and functions for ctypes
--check: writes nothing, and fails when a file is not what the headers say.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = {"void": None, "char": "c_char", "int": "c_int", "unsigned": "c_uint", "unsigned int": "c_uint",
         "unsigned char": "c_ubyte", "double": "c_double", "float": "c_float", "_Bool": "c_bool",
         "size_t": "c_size_t", "int8_t": "c_int8", "uint8_t": "c_uint8", "int16_t": "c_int16", "uint16_t": "c_uint16",
         "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
         "long": "c_long", "unsigned long": "c_ulong", "FILE": None}


def text_of_headers():
    """Declarations of our own headers, macros resolved, once each."""
    folder = os.path.join(ROOT, "include", "biela")
    lines = "".join(f"#include <biela/{name}>\n" for name in sorted(os.listdir(folder)) if name.endswith(".h"))
    command = [os.environ.get("CC", "cc"), "-E", "-std=c17", "-I", os.path.join(ROOT, "include"), "-x", "c", "-"]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    keep, text = False, []
    for line in out.splitlines():
        if line.startswith("# "):
            keep = "/biela/" in line
        elif keep and not line.startswith("#pragma"):
            text.append(line)
    return "\n".join(text)


class Reader:
    """A reader of declarations, as far as our headers have them."""

    def __init__(self, text):
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)\s*\)?(?=\s*;)", "", text, flags=re.S)
        self.tokens = re.findall(r"[A-Za-z_]\w*|\d[\w.]*|\.\.\.|<<|>>|\S", text)
        self.at = self.n_inner = 0
        self.types, self.constants, self.structs, self.functions = dict(PLAIN), {}, {}, {}
        while self.at < len(self.tokens):
            self.declaration()

    def peek(self):
        return self.tokens[self.at]

    def take(self, want=None):
        token = self.tokens[self.at]
        if want is not None and token != want:
            raise SyntaxError(f"{want} expected, found {' '.join(self.tokens[self.at - 5:self.at + 5])}")
        self.at += 1
        return token

    def number(self, stop):
        """A constant expression up to one of the tokens of `stop`."""
        words = []
        while self.peek() not in stop:
            words.append(str(self.constants.get(self.peek(), self.peek())))
            self.take()
        return eval(" ".join(words), {"__builtins__": {}})

    def enum(self):
        self.take("{")
        value = -1
        while self.peek() != "}":
            name = self.take()
            value += 1
            if self.peek() == "=":
                self.take()
                value = self.number({",", "}"})
            self.constants[name] = value
            if self.peek() == ",":
                self.take()
        self.take("}")

    def fields(self):
        self.take("{")
        found = []
        while self.peek() != "}":
            base = self.specifiers(None)
            while True:
                name, kind = self.declarator(base)
                found.append((name, kind))
                if self.take() == ";":
                    break
        self.take("}")
        return found

    def specifiers(self, name):
        """The type before a declarator; `name` for a struct that has none of its own."""
        words = []
        while True:
            token = self.peek()
            if token in ("const", "extern", "static", "inline", "volatile"):
                self.take()
            elif token == "enum":
                self.take()
                if self.peek() != "{":
                    self.take()
                if self.peek() == "{":
                    self.enum()
                return ("name", "int")
            elif token == "struct":
                self.take()
                own = self.take() if self.peek() != "{" else name
                if self.peek() == "{":
                    self.n_inner += own is None
                    own = own or f"_inner_{self.n_inner}"
                    fields = self.fields()  # structs inside come first
                    self.structs[own] = fields
                return ("name", own)
            elif token in PLAIN or token in ("unsigned", "signed", "long"):
                words.append(self.take())
            elif token in self.types and not words:
                words.append(self.take())
            else:
                return ("name", " ".join(words))

    def declarator(self, base):
        while self.peek() in ("*", "const"):
            if self.take() == "*":
                base = ("pointer", base)
        inner = None
        name = None
        if self.peek() == "(" and self.tokens[self.at + 1] in ("*", "("):
            self.take()
            inner = self.at
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(self.take(), 0)
        elif re.match(r"[A-Za-z_]", self.peek()):
            name = self.take()
        sizes = []
        if self.peek() == "(":
            base = ("function", base, self.parameters())
        while self.peek() == "[":
            self.take()
            sizes.append(self.number({"]"}) if self.peek() != "]" else None)
            self.take("]")
        for size in reversed(sizes):
            base = ("array", size, base)
        if inner is None:
            return name, base
        behind, self.at = self.at, inner
        name, base = self.declarator(base)
        self.at = behind
        return name, base

    def parameters(self):
        self.take("(")
        found = []
        while self.peek() != ")":
            if self.peek() == "...":
                self.take()
                found.append(("...", None))
            else:
                base = self.specifiers(None)
                name, kind = self.declarator(base)
                if kind[0] == "array":
                    kind = ("pointer", kind[2])
                if kind != ("name", "void"):
                    found.append((name, kind))
            if self.peek() == ",":
                self.take()
        self.take(")")
        return found

    def skip_to(self, end):
        depth = 0
        while True:
            token = self.take()
            depth += {"{": 1, "}": -1}.get(token, 0)
            if token == end and depth == 0:
                return

    def declaration(self):
        if self.peek() == ";":
            self.take()
            return
        if self.peek() == "static":
            self.skip_to(";")
            return
        is_type = self.peek() == "typedef"
        if is_type:
            self.take()
        before = set(self.structs)
        is_const = self.peek() == "const"
        base = self.specifiers(None)
        if self.peek() == ";":
            self.take()
            return
        while True:
            name, kind = self.declarator(base)
            if is_type:
                self.name_type(name, kind, before)
            else:
                if kind[1] == ("pointer", ("name", "char")) and not is_const:
                    kind = ("function", ("pointer", ("name", "void")), kind[2])  # the caller frees it: an address
                self.functions[name] = kind
            if self.take() == ";":
                return

    def name_type(self, name, kind, before):
        own = kind[1] if kind[0] == "name" else None
        if own in self.structs and own not in before and own.startswith("_inner_"):
            self.structs = {name if k == own else k: v for k, v in self.structs.items()}
            self.types[name] = None
        elif kind[0] == "name" and own in PLAIN:
            self.types[name] = PLAIN[own]
        elif kind[0] == "pointer" and kind[1][0] == "function":
            self.types[name] = kind
        else:
            self.types[name] = None  # opaque, or a struct


class Writer:
    """The same for ctypes: pointers are addresses, but for texts and functions."""

    def __init__(self, reader):
        self.r = reader

    def kind(self, t):
        if t[0] == "name":
            known = self.r.types.get(t[1])
            if isinstance(known, tuple):
                return self.kind(known)
            return known or (t[1] if t[1] in self.r.structs else "None")
        if t[0] == "array":
            return f"{self.kind(t[2])} * {t[1]}"
        if t[0] == "pointer" and t[1] == ("name", "char"):
            return "c_char_p"
        if t[0] == "pointer" and t[1][0] == "function":
            words = [self.kind(t[1][1])] + [self.kind(p[1]) for p in t[1][2]]
            return f"CFUNCTYPE({', '.join(words)})"
        return "c_void_p"

    def lines(self):
        yield "# SPDX-License-Identifier: MIT"
        yield '"""Structs, constants and functions of the C headers, for ctypes; written by tools/interface.py."""'
        yield "# ruff: noqa"
        yield "from ctypes import *  # noqa: F403"
        yield ""
        yield "# constants"
        for name, value in self.r.constants.items():
            yield f"{name} = {value}"
        for name, fields in self.r.structs.items():
            if fields is None:
                continue
            yield ""
            yield f"class {name}(Structure):"
            yield "    _fields_ = ["
            for field, t in fields:
                yield f'        ("{field}", {self.kind(t)}),'
            yield "    ]"
        yield ""
        yield "# name: (result, arguments)"
        yield "FUNCTIONS = {"
        for name, t in sorted(self.r.functions.items()):
            words = [self.kind(p[1]) for p in t[2] if p[0] != "..."]
            yield f'    "{name}": ({self.kind(t[1])}, [{", ".join(words)}]),'
        yield "}"


def map_lines(reader):
    yield "# SPDX-License-Identifier: MIT"
    yield "# What libbiela.so shows: every function of the public headers. Written by tools/interface.py."
    yield "# A name that goes away, or changes its meaning, wants a new soname (BIELA_ABI in CMakeLists.txt)."
    yield "BIELA_1 {"
    yield "global:"
    for name in sorted(reader.functions):
        yield f"    {name};"
    yield "local:"
    yield "    *;"
    yield "};"


def main():
    reader = Reader(text_of_headers())
    made = {"tools/libbiela.map": map_lines(reader), "python/biela/_interface.py": Writer(reader).lines()}
    wrong = 0
    for name, lines in made.items():
        path = os.path.join(ROOT, name)
        text = "\n".join(lines) + "\n"
        there = open(path).read() if os.path.exists(path) else ""
        if there == text:
            continue
        if "--check" in sys.argv:
            print(f"{name} is not what the headers say: run tools/interface.py")
            wrong += 1
        else:
            with open(path, "w") as out:
                out.write(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
