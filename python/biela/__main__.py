# SPDX-License-Identifier: MIT
"""python3 -m biela: what is here, or a run: python3 -m biela MODEL [TIME [OUT]]."""
import sys

import biela
from biela._library import PATH


def main(words) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(f"biela {biela.version()}, {PATH}")
        print(f"models: {biela.models_folder()}")
        print("python3 -m biela MODEL [TIME [OUT.csv|.npz|.h5]]   runs a model; `biela help` has the command itself")
        return 0
    try:
        result = biela.run(words[0], float(words[1]) if len(words) > 1 else None)
    except (biela.BielaError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    if len(words) > 2:
        result.save(words[2])
    else:
        for name, column in result.items():
            print(f"{name:32} {column[-1]:16.9g} {result.units.get(name, '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
