#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that check_equations.py catches each kind of wrong number and mends the order, on small trees made for the purpose."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent / "check_equations.py"
PAGE = "docs/theory/wing.md"


def run(files, *options):
    """Write the files, run the tool, give its exit code, its output and the files."""
    with tempfile.TemporaryDirectory() as root:
        tree = pathlib.Path(root)
        for name, text in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, TOOL, *options, "."], cwd=tree, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, {name: (tree / name).read_text() for name in files}


class Numbers(unittest.TestCase):
    def assert_wrong(self, files, *words):
        code, output, _ = run(files)
        self.assertEqual(code, 1, output)
        self.assertEqual(len(output.splitlines()), len(words) + 1, output)
        for word in words:
            self.assertIn(word, output)

    def test_numbers_in_order_are_fine(self):
        page = "    a = b      (wing.1)\n\nBy (wing.1), lift is c (wing.2) and drag:\n\n    d = e      (wing.3)\n"
        code, output, _ = run({PAGE: page, "src/wing.c": "// lift (wing.2), drag (wing.1 .. wing.3)\n"})
        self.assertEqual(code, 0, output)

    def test_wrong_order_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.2)\n    b      (wing.1)\n"}, "(wing.2) should be (wing.1)")

    def test_gap_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n    b      (wing.3)\n"}, "wing.md:2: (wing.3) should be (wing.2)")

    def test_letter_behind_a_number_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n    b      (wing.1a)\n"}, "(wing.1a) should be (wing.2)")

    def test_repeat_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n    b      (wing.1)\n"}, "wing.md:2: (wing.1) stands twice, first in line 1")

    def test_name_on_two_pages_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n", "docs/theory/tail.md": "    b      (wing.2)\n"},
                          "wing.md:1: (wing.1) stands on another page", "(wing.2) should be (wing.1)", "no equation (wing.1)")

    def test_citation_of_nothing_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n", "src/wing.c": "// lift (wing.4)\n"}, "src/wing.c:1: there is no equation (wing.4)")

    def test_end_of_a_range_is_a_citation(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n", "src/wing.c": "// lift (wing.1 .. wing.4)\n"}, "no equation (wing.4)")

    def test_unknown_name_is_told(self):
        self.assert_wrong({PAGE: "    a      (wing.1)\n", "src/wing.c": "// lift (wings.1)\n"}, "no equation (wings.1)")

    def test_number_without_its_name_is_told(self):
        page = "    a      (wing.1)\n    b      (wing.2)\n"
        self.assert_wrong({PAGE: page, "src/wing.c": "// lift (wing.1 and 2)\n"}, "each number carries its name")

    def test_versions_paths_and_longer_names_are_no_citations(self):
        other = "see wing.1.2, models/wing.7, my.wing.5, wing.10th and wing-wing.8\n"
        code, output, _ = run({PAGE: "    a      (wing.1)\n", "README.md": other})
        self.assertEqual(code, 0, output)


class Renumber(unittest.TestCase):
    def test_pages_and_citations_follow_and_columns_stay(self):
        page = "By (wing.1):\n\n    a = b           (wing.10)\n    c               (wing.1)\nso d (wing.2a).\n"
        code, output, after = run({PAGE: page, "src/wing.c": "// (wing.10), (wing.1), wing.2a.\n"}, "--renumber")
        self.assertEqual(code, 0, output)
        self.assertEqual(after[PAGE], "By (wing.2):\n\n    a = b            (wing.1)\n    c               (wing.2)\nso d (wing.3).\n")
        self.assertEqual(after["src/wing.c"], "// (wing.1), (wing.2), wing.3.\n")

    def test_second_time_changes_nothing(self):
        files = {PAGE: "    a      (wing.7)\n    b      (wing.2)\n", "src/wing.c": "// (wing.2)\n"}
        _, _, once = run(files, "--renumber")
        code, output, twice = run(once, "--renumber")
        self.assertEqual((code, once), (0, twice), output)
        self.assertEqual(run(once)[0], 0)

    def test_range_whose_equations_changed_places_keeps_them(self):
        page = "    a      (wing.2)\n    b      (wing.1)\n    c      (wing.4)\n    d      (wing.3)\n"
        code, output, after = run({PAGE: page, "src/wing.c": "// (wing.1 .. wing.4)\n"}, "--renumber")
        self.assertEqual((code, after["src/wing.c"]), (0, "// (wing.1 .. wing.4)\n"), output)

    def test_range_becomes_a_list_where_others_come_between(self):
        page = "".join(f"    a      (wing.{k})\n" for k in (1, 2, 3, 5, 4))
        code, output, after = run({PAGE: page, "src/wing.c": "// (wing.1 to wing.4)\n"}, "--renumber")
        self.assertEqual((code, after["src/wing.c"]), (0, "// (wing.1 to wing.3, wing.5)\n"), output)

    def test_bracketed_range_that_holds_others_now_is_told(self):
        page = "    a      (wing.1)\n    b      (wing.3)\n    c      (wing.2)\n"
        code, output, _ = run({PAGE: page, "src/wing.c": "// (wing.1)-(wing.2)\n"}, "--renumber")
        self.assertEqual(code, 1)
        self.assertIn("src/wing.c:1: the range (wing.1) to (wing.2) holds other equations now", output)


if __name__ == "__main__":
    unittest.main()
