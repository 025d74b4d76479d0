#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that check_repeats.py finds what stands twice and leaves alone what does not, on small trees made for the purpose."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
TEN = [f"    total += weight_{k} * {k}.5;" for k in range(10)]


def check(files):
    """Write the files, run the checker, give its exit code and its output."""
    with tempfile.TemporaryDirectory() as root:
        for name, lines in files.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n")
        done = subprocess.run([sys.executable, TOOLS / "check_repeats.py", root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CheckRepeats(unittest.TestCase):
    def test_ten_lines_in_two_files_are_found(self):
        code, output = check({"src/a.c": ["int x;", *TEN], "app/b.c": TEN})
        self.assertEqual(code, 1)
        self.assertIn("app/b.c:1-10", output)
        self.assertIn("src/a.c:2-11", output)

    def test_ten_lines_twice_in_one_file_are_found(self):
        self.assertEqual(check({"src/a.c": [*TEN, "", *TEN]})[0], 1)

    def test_a_longer_repeat_is_said_once(self):
        longer = [*TEN, "    last(total);"]
        output = check({"src/a.c": longer, "src/b.c": longer})[1]
        self.assertEqual(output.strip().splitlines(), ["src/a.c:1-11: the same as src/b.c:1-11"])

    def test_comments_spaces_and_numbers_make_no_difference(self):
        other = [line.replace("    ", "  ").replace(".5", ".75") + " // why" for line in TEN]
        other.insert(5, "/* a word\n   between */")
        self.assertEqual(check({"src/a.c": TEN, "src/b.c": other})[0], 1)

    def test_nine_lines_may_stand_twice(self):
        self.assertEqual(check({"src/a.c": TEN[1:], "src/b.c": TEN[1:]}), (0, ""))

    def test_texts_make_a_difference(self):
        one = [f'    say("{k} one");' for k in range(10)]
        self.assertEqual(check({"src/a.c": one, "src/b.c": [line.replace("one", "other") for line in one]}), (0, ""))

    def test_lines_that_say_nothing_do_not_count(self):
        thin = ["#include <math.h>"] + ["    }", "    free(a);"] * 10
        self.assertEqual(check({"src/a.c": thin, "src/b.c": thin}), (0, ""))


if __name__ == "__main__":
    unittest.main()
