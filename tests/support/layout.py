# SPDX-License-Identifier: MIT
"""layout.py PROGRAM.c TOLD: a C program that prints size and places of every public struct, and what ctypes makes of them."""
import ctypes
import os
import sys

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(root, "python", "biela"))
sys.dont_write_bytecode = True
import _interface  # noqa: E402

headers = sorted(os.listdir(os.path.join(root, "include", "biela")))
program = [f"#include <biela/{h}>" for h in headers] + ["#include <stddef.h>", "#include <stdio.h>", "int main(void)", "{"]
told = []
for name, kind in sorted(vars(_interface).items()):
    if not (name.startswith("bi_") and isinstance(kind, type) and issubclass(kind, ctypes.Structure)):
        continue
    program.append(f'printf("{name} %zu\\n", sizeof({name}));')
    told.append(f"{name} {ctypes.sizeof(kind)}")
    for field, *_ in kind._fields_:
        program.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
        told.append(f"{name}.{field} {getattr(kind, field).offset}")
program += ["return 0;", "}"]
open(sys.argv[1], "w").write("\n".join(program) + "\n")
open(sys.argv[2], "w").write("\n".join(told) + "\n")
