"""Ctrl-C at any moment: the exit code is that of an interruption, there is no traceback, files are whole."""

import json
import random
import subprocess
import sys
import textwrap

import pytest

from p2smt.cli.interrupt import CtrlC
from p2smt.problem.file import job_example_text
from p2smt.smt.interrupts import EndsAtOnce

PRESSED = """
import os, signal, sys, threading, time
from p2smt.cli.main import main

def press(after):
    time.sleep(after)
    os.kill(os.getpid(), signal.SIGINT)

for after in map(float, sys.argv.pop(1).split(",")):
    threading.Thread(target=press, args=[after], daemon=True).start()
main()
"""
LAST_S = 0.9
FOUR = ["--system", "2x2x2x2", "--axes", "16", "--reduce", "0"]
COMMANDS = {
    "synth": ["synth", *FOUR, "--limit", "7", "--plan", "plan.json"],
    "plan": ["plan", *FOUR, "--out", "plan.json"],
    "optimize": ["optimize", "job.toml", "--plans", "plans"],
    "rank": ["rank", *FOUR, "--plan", "plan.json"],
    "report": ["report", "--system", "4x16", "--axes", "4,16", "--reduce", "1", "--out", "report.html"],
}


MOMENTS = [(name, twice) for name in COMMANDS for twice in (False, True)]


@pytest.mark.thorough  # presses at chosen moments are tested below, and one that ends a search in test_commands.py
@pytest.mark.parametrize(("name", "twice"), MOMENTS)
def test_at_random_moments(name, twice, tmp_path):
    """A hundred moments of five commands were tried by hand. What a press does at a chosen moment is tested below."""
    chance = random.Random(f"{name} {twice}")
    begin = chance.uniform(0.0, LAST_S)
    presses = f"{begin},{begin + chance.uniform(0.0, 0.1)}" if twice else f"{begin}"
    (tmp_path / "job.toml").write_text(job_example_text("job"), encoding="utf-8")
    command = [sys.executable, "-c", PRESSED, presses, *COMMANDS[name]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode in {0, 3, 130, -2}, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    for path in tmp_path.rglob("*"):
        assert not path.name.startswith("."), path
        if path.suffix == ".json":
            assert json.loads(path.read_text(encoding="utf-8"))["steps"]
        elif path.suffix == ".html":
            assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize("module", ["multiprocessing", "p2smt.cli.output.files"])
def test_a_second_press_while_a_module_is_imported_ends_the_process_all_the_same(module, tmp_path):
    """What is imported is known by its name from the beginning, and has nothing yet."""
    code = f"""
    import sys, types
    from p2smt.cli.interrupt import CtrlC
    sys.modules[{module!r}] = types.ModuleType({module!r})
    CtrlC().end()
    """
    done = heard(code, tmp_path)
    assert (done.returncode, done.stderr) == (130, "p2smt: interrupted\n")


def heard(code, tmp_path):
    """What a process prints in which a press comes at a bad moment."""
    (tmp_path / "pressing.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\ndone = True\n", encoding="utf-8"
    )
    lines = "import signal, sys, time\nfrom p2smt.cli.interrupt import hear_ctrl_c, leave_to_system\nhear_ctrl_c()\n"
    command = [sys.executable, "-c", lines + textwrap.dedent(code)]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)


def test_a_press_while_a_module_is_imported_waits_for_its_end(tmp_path):
    done = heard(
        """
        try:
            import pressing
            for _ in range(1000):
                time.sleep(0.01)
        except KeyboardInterrupt:
            print("interrupted", sys.modules["pressing"].done)
        """,
        tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted True\n", "")


def test_a_press_while_an_object_ends_is_not_lost(tmp_path):
    done = heard(
        """
        class Pressing:
            def __del__(self):
                signal.raise_signal(signal.SIGINT)
                print("ended")
        try:
            Pressing()
            for _ in range(1000):
                time.sleep(0.01)
        except KeyboardInterrupt:
            print("interrupted")
        """,
        tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\ninterrupted\n", "")


def test_a_second_press_ends_at_once(tmp_path):
    done = heard(
        """
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            print("never")
        """,
        tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "p2smt: interrupted\n")


def test_a_second_press_ends_a_solver_that_does_not_listen(tmp_path):
    """The main thread waits in C for longer than both presses take, and nothing interrupts it."""
    done = heard(
        """
        import hashlib, os, threading
        from p2smt.smt.interrupts import Interruptible, checked

        def press():
            for _ in range(2):
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press, daemon=True).start()
        with Interruptible():
            checked(lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 200_000_000), lambda: None)
        """,
        tmp_path,
    )
    assert (done.returncode, done.stderr) == (130, "p2smt: interrupted\n")


def test_at_the_end_it_is_left_to_the_system(tmp_path):
    done = heard("leave_to_system()\nsignal.raise_signal(signal.SIGINT)", tmp_path)
    assert (done.returncode, done.stderr) == (-2, "")


def test_a_press_that_is_ignored_stays_so(tmp_path):
    code = "signal.signal(signal.SIGINT, signal.SIG_IGN)\nhear_ctrl_c()\nleave_to_system()\npress = signal.SIGINT\n"
    done = heard(f"{code}signal.raise_signal(press)\nprint('on')", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "on\n", "")


def test_the_solver_knows_the_handler_that_ends_at_once():
    assert isinstance(CtrlC(), EndsAtOnce)
    assert not isinstance(print, EndsAtOnce)


def test_a_second_press_leaves_no_temporary_file(tmp_path):
    """The process ends at once, in the middle of a file that is being written."""
    done = heard(
        """
        from pathlib import Path
        from p2smt.cli.output.files import whole_file
        with whole_file(Path("out.json")) as file:
            file.write(b"half")
            assert len([*Path().glob(".out.json.*")]) == 1
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                signal.raise_signal(signal.SIGINT)
        """,
        tmp_path,
    )
    assert (done.returncode, done.stderr) == (130, "p2smt: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["pressing.py"]
