#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The checker of the core finds what it must: a call of the C library behind a function and behind a table, a large frame; and lets
pass what a step does not reach."""
import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(__file__).with_name("check_core.py")
GOOD = """
#include <stdio.h>
#include <string.h>
typedef struct { const void *schema; size_t item; void (*compile)(void); double (*eval)(double); } table;
static void my_compile(void) { puts("compiling may print"); }
static double my_eval(double x) { char room[64]; for (int k = 0; k < (int)sizeof room; k++) { room[k] = (char)(k * x); } return 2.0 * x + room[(int)x & 63]; }
const table my_kind = { 0, 8, my_compile, my_eval };
int bi_sim_step(const char *from, char *to) { memcpy(to, from, 1000); return to[3]; }
void bi_print(void) { puts("nobody steps here"); }
"""
BAD = {
    "puts": GOOD.replace("int bi_sim_step", "static __attribute__((noinline)) void tell(void) { puts(\"no\"); }\nint bi_sim_step").replace(
        "return to[3]", "tell(); return to[3]"
    ),
    "printf": GOOD.replace("return 2.0 * x", 'printf("%g", x); return 2.0 * x'),
    "a frame of": GOOD.replace("char room[64]", "char room[8192]"),
}


def check(text):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "CMakeFiles/biela.dir/src"
        folder.mkdir(parents=True)
        source = pathlib.Path(place) / "x.c"
        source.write_text(text)
        flags = "-O1 -fno-builtin-printf -ffunction-sections -fdata-sections -fstack-usage -fPIE -fno-stack-protector -c".split()
        subprocess.run(["gcc", *flags, str(source), "-o", str(folder / "x.c.o")], check=True)
        done = subprocess.run([sys.executable, str(CHECKER), place], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def main():
    code, said = check(GOOD)
    assert code == 0, said
    for word, text in BAD.items():
        code, said = check(text)
        assert code == 1 and word in said, f"{word}: {said}"
    print("ok")


if __name__ == "__main__":
    main()
