"""Scripts of the shell print their own help: no environment is set up for it, and no tool behind them is asked."""

import subprocess

import pytest
from paths import ROOT


@pytest.mark.parametrize("name", ["test", "test_pythons"])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_the_scripts_own_and_sets_nothing_up(name, option, tmp_path):
    environment = {"PATH": "/usr/bin:/bin", "P2SMT_VENV": str(tmp_path / "venv")}
    script = ROOT / "scripts" / name
    done = subprocess.run([script, option], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"\n  scripts/{name} " in done.stdout
    assert "#" not in done.stdout
    assert list(tmp_path.iterdir()) == []
