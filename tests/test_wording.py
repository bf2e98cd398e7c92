"""How counts, numbers in a row and groups are worded: at the last of what is all shown, and one past it."""

from p2smt.wording import FEW, MOST, counted, did_you_mean, first_few, listed, option_text, plural, sizes_text


def test_as_many_as_are_shown_are_all_shown_and_one_more_has_dots():
    assert first_few(range(FEW)) == "0, 1, 2, 3, 4, 5, 6, 7"
    assert first_few(range(FEW + 1)) == "0, 1, 2, 3, 4, 5, 6, 7, ..."
    assert [first_few(range(n), most=2) for n in range(4)] == ["", "0", "0, 1", "0, 1, ..."]
    group = tuple(range(0, 2 * MOST, 2))
    assert listed(group) == str(list(group))
    shown = ", ".join(map(str, group[: MOST - 1]))
    assert listed((*group, 99)) == f"[{shown}, ..., 99] (17 devices)"
    assert listed((*group, 98, 99)) == f"[{shown}, ..., 99] (18 devices)"
    assert (listed(()), listed((3,))) == ("[]", "[3]")


def test_one_thing_has_no_s_and_none_has():
    assert [counted(count, "group") for count in (0, 1, 2, -1)] == ["0 groups", "1 group", "2 groups", "-1 groups"]
    assert [plural("step", count) for count in (0, 1, 2)] == ["steps", "step", "steps"]


def test_levels_are_written_as_a_product_and_as_options_take_them():
    parts = [("node", 4), ("gpu", 8)]
    assert (sizes_text(parts), sizes_text(parts, ", "), option_text(parts)) == (
        "node=4 x gpu=8",
        "node=4, gpu=8",
        "node:4,gpu:8",
    )
    assert (sizes_text([]), option_text([("a", 1)])) == ("", "a:1")
    assert did_you_mean("x" * 200, ["x" * 80]) == f"; did you mean {'x' * 80}?"
    assert did_you_mean("data", []) == ""
