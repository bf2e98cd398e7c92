"""The jobs of a user's first hour are done by commands of the README, at most five each."""

import subprocess
import sys

import pytest
from paths import ROOT
from scripts.loading import script_module

SCRIPT = ROOT / "scripts" / "eight_jobs.py"
jobs = script_module("eight_jobs")


def test_every_job_has_at_most_five_commands_all_of_them_in_the_readme():
    known = jobs.readme_commands()
    assert len(jobs.JOBS) == 8
    for title, beginnings in jobs.JOBS:
        assert 1 <= len(beginnings) <= jobs.MOST_COMMANDS, title
        assert len({jobs.command_of(each, known) for each in beginnings}) == len(beginnings), title


def test_what_the_readme_lacks_is_named():
    with pytest.raises(SystemExit, match="'p2smt plan' begins 0 lines"):
        jobs.command_of("p2smt plan", [])


# Ranks and torch's traces; tests of `cli`, `frontend` and `run` give each command of these, with other files.
@pytest.mark.thorough
def test_all_of_them_end_well():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout
