"""Files that commands write are whole or not there, whatever ends the writing."""

import pytest

from p2smt.cli.output.files import whole_file, write_result
from p2smt.errors import OutputError


@pytest.mark.parametrize("older", [None, b"older"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_a_write_that_fails_leaves_nothing_behind(tmp_path, older, error):
    path = tmp_path / "plan.json"
    if older is not None:
        path.write_bytes(older)

    def half():
        with whole_file(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(OutputError if error is OSError else error):
        half()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == ({} if older is None else {"plan.json": older})


def test_what_is_written_takes_the_place_of_what_was_there(tmp_path):
    path = tmp_path / "plan.json"
    for text in ("first", "second"):
        write_result(path, text)
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"plan.json": text.encode()}
