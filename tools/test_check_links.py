#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that check_links.py catches each kind of dead link, on small trees made for the purpose."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent


def check(files, *options):
    """Write the files, run the checker, give its exit code and its output."""
    with tempfile.TemporaryDirectory() as root:
        tree = pathlib.Path(root)
        for name, text in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, TOOLS / "check_links.py", *options, "."], cwd=tree, capture_output=True, text=True,
                              check=False)
    return done.returncode, done.stdout


class Case(unittest.TestCase):
    options = ()

    def assert_fine(self, files):
        code, output = check(files, *self.options)
        self.assertEqual((code, output), (0, ""))

    def assert_dead(self, files, *words):
        code, output = check(files, *self.options)
        self.assertEqual(code, 1)
        self.assertEqual(len(output.splitlines()), len(words), output)
        for word in words:
            self.assertIn(word, output)


class Markdown(Case):
    def test_links_that_lead_somewhere_pass(self):
        self.assert_fine({"a.md": "# One\n[b](docs/b.md#two-words-1) ![p](p.png) [here](#one) [docs](docs) [far](https://example.org/x)\n",
                          "docs/b.md": "# Two words\n## Two `words`\n[a](../a.md \"title\")\n", "docs/README.md": "# D\n", "p.png": ""})

    def test_missing_file_is_reported_with_its_line(self):
        self.assert_dead({"a.md": "# A\n\nsee [b](b.md)\n"}, "a.md:3: b.md does not exist")

    def test_missing_picture_is_reported(self):
        self.assert_dead({"a.md": "![b](b.png)\n"}, "b.png does not exist")

    def test_missing_heading_is_reported(self):
        self.assert_dead({"a.md": "[b](b.md#gone) [a](#gone)\n", "b.md": "# Here\n"}, "b.md#gone: there", "#gone: there")

    def test_link_out_of_the_tree_is_reported(self):
        self.assert_dead({"a.md": "[b](../b.md)\n[c](/etc/passwd)\n"}, "../b.md leads out", "/etc/passwd leads out")

    def test_reference_and_tag_are_links(self):
        self.assert_dead({"a.md": "[b]\n\n[b]: b.md\n<img src=\"c.png\">\n"}, "b.md does not", "c.png does not")

    def test_listings_and_code_are_not_links(self):
        self.assert_fine({"a.md": "```c\nx[i](j)\n# no heading\n```\n\n    y[i](j)\n\nand `z[i](j)`\n"})

    def test_heading_of_a_listing_is_no_anchor(self):
        self.assert_dead({"a.md": "[x](#comment)\n```sh\n# comment\n```\n"}, "#comment: there")

    def test_file_named_in_code_exists(self):
        self.assert_fine({"a.md": "`tools/x` and `docs/*.md`\n", "tools/x": "", "web/README.md": "`src/m.ts`\n", "web/src/m.ts": ""})
        self.assert_dead({"a.md": "`tools/x.py`\n"}, "a.md:1: tools/x.py is named but does not exist")

    def test_file_that_a_listing_of_the_page_makes_may_be_named(self):
        self.assert_fine({"a.md": "`src/x.c`\n\n```c src/x.c\nint x;\n```\n"})
        self.assert_dead({"a.md": "`src/x.c`\n\n```c src/y.c\nint x;\n```\n"}, "a.md:1: src/x.c is named but does not exist")

    def test_tree_without_pages_fails(self):
        self.assert_dead({"a.txt": ""}, "no Markdown")


class Site(Case):
    options = ("--site",)

    def test_whole_site_passes(self):
        self.assert_fine({"i.html": "<a href='d/b.html#x'>b</a><a href='https://example.org'>far</a>", "d/b.html": "<h1 id=x><img src='../p.png'>",
                          "p.png": ""})

    def test_missing_page_and_anchor_are_reported(self):
        self.assert_dead({"i.html": "<a href='b.html'></a>\n<a href='#x'></a>"}, "i.html:1: b.html", "i.html:2: #x")

    def test_what_is_loaded_from_another_host_is_reported(self):
        self.assert_dead({"i.html": "<script src='https://example.org/x.js'></script><link href='//example.org/f.css'>"}, "x.js is loaded",
                         "f.css is loaded")

    def test_link_from_the_root_is_reported(self):
        self.assert_dead({"i.html": "<a href='/i.html'></a>"}, "root of its host")


if __name__ == "__main__":
    unittest.main()
