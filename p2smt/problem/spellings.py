"""Accept systems, axes and payloads in Python either as values or as the texts of the command line."""

from collections.abc import Sequence

from p2smt.argument_types import require
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.problem.text import parse_axis_names, parse_sizes


def system_given(system: System | str) -> System:
    """Return the system, or the one named by a text.

    Raises ProblemError as `find_system`, and ArgumentTypeError for other types.

    >>> system_given("dgx-h100:2x8").devices
    16
    """
    require(system, (System, str), "system", "a name such as 'dgx-h100:4x8', or find_system, gives one")
    if isinstance(system, System):
        return system
    return find_system(system)


def axes_given(axes: Sequence[Axis | str] | str) -> tuple[Axis, ...]:
    """Return the axes, given one by one as values or texts, or all in one text.

    >>> axes_given(["data:32"]) == axes_given("data=32") == axes_given([Axis("data", 32)])
    True
    """
    way_out = "write axes such as ['data:4', 'model:16']"
    require(axes, (Sequence, str), "axes", way_out)
    found: list[Axis] = []
    for each in [axes] if isinstance(axes, str) else axes:
        require(each, (Axis, str), "an axis", way_out)
        if isinstance(each, Axis):
            require(each.name, str, "the name of an axis", way_out)
            require(each.size, int, f"the size of axis {each.name}", way_out)
        found += [each] if isinstance(each, Axis) else [Axis(*pair) for pair in parse_sizes(each, "axis")]
    return tuple(found)


def axis_names_given(reduce: Sequence[str | int] | str) -> Sequence[str | int]:
    """Return the names or indices of axes, given as a list or as one text.

    >>> axis_names_given("data"), axis_names_given("0,model"), axis_names_given(["data"])
    (['data'], [0, 'model'], ['data'])
    """
    require(reduce, (Sequence, str), "reduce", "write the axes to reduce over, such as ['data']")
    return parse_axis_names(reduce) if isinstance(reduce, str) else reduce


def payload_given(payload: Payload | str) -> Payload:
    """Return the payload; a text is a number of bytes of float32.

    >>> payload_given("1GiB")
    Payload(bytes=1073741824, dtype='float32')
    """
    require(payload, (Payload, str), "payload", "write Payload('1GiB', 'bfloat16')")
    return Payload(payload) if isinstance(payload, str) else payload
