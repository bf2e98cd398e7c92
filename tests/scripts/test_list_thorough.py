"""The list of what the full tier alone runs has tests and cases, each with what its mark says."""

from scripts.loading import ran, script_module

MARK = "thorough"
TEXT = """\
@pytest.mark.TIER  # as below
@pytest.mark.slow
def test_one():
    pass


@pytest.mark.parametrize("size", [2, pytest.param(4, marks=pytest.mark.TIER)])
def test_other(size):
    pass
""".replace("TIER", MARK)


def test_marks_are_those_of_the_test_that_follows(tmp_path):
    script = script_module("list_thorough")
    one, other = script.entries("tests/room/test_file.py", TEXT)
    assert (one.room, one.test, one.is_whole, one.reason) == ("room", "test_one", True, "as below")
    assert (other.test, other.is_whole, other.reason) == ("test_other", False, script.UNSAID)
    (tmp_path / "tests" / "room").mkdir(parents=True)
    (tmp_path / "tests" / "room" / "test_file.py").write_text(TEXT, encoding="utf-8")
    lines = script.report(tmp_path).splitlines()
    assert "| room | 1 | 1 | 0 |" in lines
    assert "- tests/room/test_file.py::test_one: as below" in lines
    assert [each for each, _ in script.faults(tmp_path)] == [other]


def test_a_reason_names_what_the_standard_tier_has(tmp_path):
    (tmp_path / "tests").mkdir()
    for number, reason in enumerate(("test_one", "test_file_1.py", "test_other", "test_file_0.py, test_none")):
        text = TEXT.replace("as below", reason).replace(f"marks=pytest.mark.{MARK}", "id='4'")
        (tmp_path / "tests" / f"test_file_{number}.py").write_text(text, encoding="utf-8")
    said = [what for _, what in script_module("list_thorough").faults(tmp_path)]
    assert [what.partition(" ")[0] for what in said] == ["test_one", "test_none"]


def test_every_mark_says_what_the_standard_tier_has_instead():
    said = ran("list_thorough", "--check")
    assert (said.returncode, said.stdout) == (0, "")


def test_a_list_that_cannot_be_written_is_one_message(tmp_path):
    said = ran("list_thorough", "--out", tmp_path)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == f"list_thorough: cannot write {tmp_path}: Is a directory\n"
