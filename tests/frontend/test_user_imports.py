"""A traced file imports what is beside it, but nothing there takes the place of Python's own modules."""

import subprocess
import sys

CHECK = """
from p2smt.frontend.user_imports import StandardModules, import_beside
import sys
for _ in range(2):
    import_beside(sys.argv[1])
assert sys.meta_path.count(StandardModules) == 1
import csv, sched, xml.sax, mine
from sched import scheduler
print(mine.__file__)
"""


def test_files_named_like_standard_modules_are_left_alone(tmp_path):
    for name in ("csv", "sched", "xml", "mine"):
        (tmp_path / f"{name}.py").write_text("" if name == "mine" else "raise SystemExit('shadowed')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, str(tmp_path / "traced.py")], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout.strip()) == ("", str(tmp_path / "mine.py"))
