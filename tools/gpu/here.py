#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The code for GPUs as code for this machine, so that tests can run what was left out and rearranged without a GPU.

usage: here.py IN.ll OUT.ll"""
import re
import sys

LAYOUT = 'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"'
CHANGES = (
    (r"^target datalayout = .*$", LAYOUT),
    (r"^target triple = .*$", 'target triple = "x86_64-pc-linux-gnu"'),
    (r'"target-(cpu|features)"="[^"]*"', ""),
    (r"^(\s*%\S+) = (?:tail )?call .*@llvm\.nvvm\.read\.ptx.*$", r"\1 = add i32 0, 0"),
    (r"^declare .*@llvm\.nvvm\..*$", ""),
    (r"^define internal (?:fastcc )?void @gpu_case_run", "define void @gpu_case_run"),
)


def main():
    with open(sys.argv[1]) as f:
        text = f.read()
    for pattern, other in CHANGES:
        text = re.sub(pattern, other, text, flags=re.M)
    with open(sys.argv[2], "w") as f:
        f.write(text)


if __name__ == "__main__":
    main()
