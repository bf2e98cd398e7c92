"""A link to scripts/p2smt stands for it, from wherever it is called."""

import subprocess

from paths import ROOT


def test_a_link_to_a_link_finds_the_house(tmp_path):
    scripts, binaries = tmp_path / "house" / "scripts", tmp_path / "house" / ".venv" / "bin"
    for folder in (scripts, binaries):
        folder.mkdir(parents=True)
    script = scripts / "p2smt"
    script.write_bytes((ROOT / "scripts" / "p2smt").read_bytes())
    (scripts / "environment").write_text("venv=$root/.venv\nensure_environment() { :; }\n", encoding="utf-8")
    (binaries / "p2smt").write_text('#!/bin/sh\necho "ran $*"\n', encoding="utf-8")
    for path in (script, binaries / "p2smt"):
        path.chmod(0o755)
    first, second = tmp_path / "first", tmp_path / "second"
    first.symlink_to("house/scripts/p2smt")
    second.symlink_to(first)
    for link in (script, first, second):
        done = subprocess.run([str(link), "place"], cwd="/", capture_output=True, text=True, check=True)
        assert done.stdout == "ran place\n"
