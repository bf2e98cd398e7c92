"""One table of exit codes: what it says, where it is printed, and that nothing else decides one."""

import errno
import sys

import click
import pytest
from paths import ROOT

from p2smt.cli import main
from p2smt.cli.exit_code import NO_ROOM, ExitCode, of_check, of_error, of_search, of_verdict, table
from p2smt.errors import DefectError, ProblemError, UserCodeError
from p2smt.verify.verdict import Proved, Refuted, Unknown

CLI = ROOT / "p2smt" / "cli"


def test_the_readme_has_the_table():
    assert table() in (CLI / "README.md").read_text(encoding="utf-8")


def test_verdicts_searches_and_checks_end_as_the_table_says():
    assert [of_verdict(each) for each in (Proved(None), Refuted(None), Unknown("why"))] == [0, 1, 3]
    ends = {(found, complete): of_search(found=found, complete=complete) for found in (0, 1) for complete in (0, 1)}
    assert ends == {(0, 0): 3, (0, 1): 1, (1, 0): 3, (1, 1): 0}
    assert [of_check(right=right) for right in (True, False)] == [0, 1]


def test_errors_end_as_the_table_says():
    ends = {
        ProblemError("no"): 2,
        UserCodeError("raised"): 1,
        click.UsageError("no"): 2,
        KeyboardInterrupt(): 130,
        click.Abort(): 130,
        BrokenPipeError(errno.EPIPE, "closed"): 141,
        OSError(NO_ROOM[0], "full"): 2,
        OSError(errno.ENOENT, "gone"): 70,
        DefectError("ours"): 70,
        ZeroDivisionError(): 70,
    }
    assert {error: int(of_error(error)) for error in ends} == ends


def test_a_crash_does_not_end_as_what_is_refuted(monkeypatch, capsys):
    def crash(_):
        raise DefectError("the two differ")

    for name in ("hear_ctrl_c", "leave_to_system", "_prepare_streams"):
        monkeypatch.setattr(main, name, lambda: None)
    monkeypatch.setattr(main, "run", crash)
    monkeypatch.setattr(sys, "argv", ["p2smt", "verify"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == ExitCode.DEFECT
    assert capsys.readouterr().err.endswith("p2smt.errors.DefectError: the two differ\n")


def test_no_command_decides_a_code_by_itself():
    decided = ("ExitCode.NEGATIVE", "ExitCode.PARTIAL", "ExitCode.USAGE")
    files = [path for path in CLI.rglob("*.py") if path.name != "exit_code.py"]
    assert [path.name for path in files for name in decided if name in path.read_text(encoding="utf-8")] == []
