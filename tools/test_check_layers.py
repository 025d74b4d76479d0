#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that check_layers.py catches each kind of violation, on small trees made for the purpose."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
LAYERS = """# a small house
base:
math:  base
force: base math
tyre:  base math
coordinates: base math
io:    public   # above the glass
realtime: public
app:   public
"""


def check(files, layers=LAYERS):
    """Write the files, run the checker, give its exit code and its output relative to the tree."""
    with tempfile.TemporaryDirectory() as root:
        tree = pathlib.Path(root)
        (tree / "LAYERS").write_text(layers)
        (tree / "src").mkdir()
        for name, text in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, TOOLS / "check_layers.py", "LAYERS", "src", "app"], cwd=tree,
                              capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def assert_fine(self, files):
        code, output = check(files)
        self.assertEqual((code, output), (0, ""))

    def assert_caught(self, files, place, reason):
        code, output = check(files)
        self.assertEqual(code, 1, output)
        self.assertIn(f"{place}: ", output)
        self.assertIn(reason, output)
        self.assertEqual(len(output.splitlines()), 1, output)

    def test_empty_tree_is_fine(self):
        self.assert_fine({})

    def test_allowed_includes_are_fine(self):
        self.assert_fine({
            "src/math/vec3.h": '#include "base/status.h"\n#include <math.h>\n#include <biela/biela.h>\n',
            "src/force/spring.c": '#include "force/spring.h"\n#include "math/vec3.h"\n#include <sys/stat.h>\n',
            "src/coordinates/natural/lift.c": '#include "coordinates/natural/lift.h"\n',
            "src/io/csv.c": '#include <biela/io.h>\n#include "io/csv.h"\n#include <libfyaml.h>\n',
            "app/cli/main.c": '#include <biela/io.h>\n#include "cli/plot.h"\n#include "server/serve.h"\n',
            "app/server/serve.c": '#include "server/serve.h"\n',
        })

    def test_folder_above_is_caught_with_its_line(self):
        self.assert_caught({"src/base/a.c": '\n#include <stdio.h>\n#include "math/vec3.h"\n'},
                           "src/base/a.c:3", "base may not include math")

    def test_header_is_checked_like_a_source(self):
        self.assert_caught({"src/base/a.h": '#include "math/vec3.h"\n'}, "src/base/a.h:1", "may not include math")

    def test_source_that_is_included_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "force/b.c"\n'}, "src/force/a.c:1", "is a source")

    def test_sibling_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "tyre/tyre.h"\n'}, "src/force/a.c:1", "may not include tyre")

    def test_nested_folder_obeys_its_room(self):
        self.assert_caught({"src/coordinates/joint/a.c": '#include "force/spring.h"\n'},
                           "src/coordinates/joint/a.c:1", "coordinates may not include force")

    def test_climbing_include_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "../x.h"\n'}, "src/force/a.c:1", "climbs")

    def test_climbing_behind_a_folder_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "math/../tyre/x.h"\n'}, "src/force/a.c:1", "climbs")

    def test_climbing_public_include_is_caught(self):
        self.assert_caught({"src/io/a.c": '#include <biela/../../src/math/x.h>\n'}, "src/io/a.c:1", "climbs")

    def test_absolute_include_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "/x.h"\n'}, "src/force/a.c:1", "climbs")

    def test_include_without_folder_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "x.h"\n'}, "src/force/a.c:1", "has no folder")

    def test_unusual_spacing_is_caught(self):
        self.assert_caught({"src/base/a.c": '  #  include"math/x.h"\n'}, "src/base/a.c:1", "may not include math")

    def test_own_header_in_angles_is_caught(self):
        self.assert_caught({"src/base/a.c": '#include <math/x.h>\n'}, "src/base/a.c:1", "with quotes")

    def test_public_header_in_quotes_is_caught(self):
        self.assert_caught({"src/base/a.c": '#include "biela/biela.h"\n'}, "src/base/a.c:1", "<biela/biela.h>")

    def test_computed_include_is_caught(self):
        self.assert_caught({"src/base/a.c": '#include HEADER\n'}, "src/base/a.c:1", "must name its file")

    def test_include_of_unknown_folder_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include "misc/x.h"\n'}, "src/force/a.c:1", "misc is not in LAYERS")

    def test_unknown_folder_is_caught(self):
        self.assert_caught({"src/misc/a.c": ""}, "src/misc/a.c:1", "not in LAYERS")

    def test_rooms_inside_a_folder_are_apart(self):
        layers = "base:\nlaws/force: base\nlaws/tyre: base laws/force\n"
        fine = {"src/laws/tyre/a.c": '#include "laws/force/b.h"\n#include "laws/tyre/deep/c.h"\n'}
        self.assertEqual(check(fine, layers), (0, ""))
        code, output = check({"src/laws/force/b.c": '#include "laws/tyre/a.h"\n'}, layers)
        self.assertEqual((code, "laws/force may not include laws/tyre" in output), (1, True), output)
        code, output = check({"src/laws/a.c": ""}, layers)
        self.assertEqual((code, "laws is not in LAYERS" in output), (1, True), output)

    def test_file_directly_in_src_is_caught(self):
        self.assert_caught({"src/a.c": ""}, "src/a.c:1", "lies directly in src")

    def test_core_including_the_header_of_io_is_caught(self):
        self.assert_caught({"src/force/a.c": '#include <biela/io.h>\n'}, "src/force/a.c:1", "stands above it")

    def test_io_including_the_core_is_caught(self):
        self.assert_caught({"src/io/a.c": '#include "math/vec3.h"\n'}, "src/io/a.c:1", "io may not include math")

    def test_io_including_realtime_is_caught(self):
        self.assert_caught({"src/io/a.c": '#include "realtime/x.h"\n'}, "src/io/a.c:1", "may not include realtime")

    def test_realtime_including_the_core_is_caught(self):
        self.assert_caught({"src/realtime/a.c": '#include "base/x.h"\n'}, "src/realtime/a.c:1", "may not include base")

    def test_core_including_io_is_caught(self):
        self.assert_caught({"src/base/a.c": '#include "io/x.h"\n'}, "src/base/a.c:1", "base may not include io")

    def test_app_including_the_core_is_caught(self):
        self.assert_caught({"app/cli/main.c": '#include "math/vec3.h"\n'}, "app/cli/main.c:1", "app may not include")

    def test_app_including_io_internals_is_caught(self):
        self.assert_caught({"app/cli/main.c": '#include "io/csv.h"\n'}, "app/cli/main.c:1", "app may not include io")

    def test_app_climbing_is_caught(self):
        self.assert_caught({"app/cli/main.c": '#include "../../src/io/csv.h"\n'}, "app/cli/main.c:1", "climbs")

    def test_app_include_without_folder_is_caught(self):
        self.assert_caught({"app/cli/main.c": '#include "plot.h"\n'}, "app/cli/main.c:1", "has no folder")

    def test_file_directly_in_app_is_caught(self):
        self.assert_caught({"app/main.c": ""}, "app/main.c:1", "lies directly in app")

    def test_app_folder_named_like_a_room_is_caught(self):
        self.assert_caught({"app/math/x.c": ""}, "app/math:1", "also a folder of src")

    def test_layers_naming_a_folder_below_is_refused(self):
        code, output = check({}, "base: math\nmath: base\n")
        self.assertEqual(code, 1)
        self.assertIn("LAYERS:1", output)

    def test_layers_listing_a_folder_twice_is_refused(self):
        code, output = check({}, "base:\nbase:\n")
        self.assertEqual(code, 1)
        self.assertIn("listed twice", output)

    def test_layers_of_the_project_can_be_read(self):
        self.assertEqual(check({}, (TOOLS / "LAYERS").read_text()), (0, ""))


if __name__ == "__main__":
    unittest.main()
