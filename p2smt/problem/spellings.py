"""Systems, axes and payloads as people write them in Python: a value, or the text that the command line takes."""

from collections.abc import Sequence

from p2smt.argument_types import require
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.network import System
from p2smt.problem.text import parse_axis_names, parse_sizes


def system_given(system: System | str) -> System:
    """The system, or the one that a text names. ProblemError as `find_system`, ArgumentTypeError for other types.

    >>> system_given("dgx-h100:2x8").devices
    16
    """
    require(system, (System, str), "system", "a name such as 'dgx-h100:4x8', or find_system, gives one")
    if isinstance(system, System):
        return system
    from p2smt.problem.system.text import find_system

    return find_system(system)


def axes_given(axes: Sequence[Axis | str] | str) -> tuple[Axis, ...]:
    """The axes, each as a value or as text; or all as one text.

    >>> axes_given(["data:32"]) == axes_given("data=32") == axes_given([Axis("data", 32)])
    True
    """
    way_out = "write axes such as ['data:4', 'model:16']"
    require(axes, (Sequence, str), "axes", way_out)
    found: list[Axis] = []
    for each in [axes] if isinstance(axes, str) else axes:
        require(each, (Axis, str), "an axis", way_out)
        found += [each] if isinstance(each, Axis) else [Axis(*pair) for pair in parse_sizes(each, "axis")]
    return tuple(found)


def axis_names_given(reduce: Sequence[str | int] | str) -> Sequence[str | int]:
    """The names or numbers of axes, also where they are one text.

    >>> axis_names_given("data"), axis_names_given("0,model"), axis_names_given(["data"])
    (['data'], [0, 'model'], ['data'])
    """
    require(reduce, (Sequence, str), "reduce", "write the axes to reduce over, such as ['data']")
    return parse_axis_names(reduce) if isinstance(reduce, str) else reduce


def payload_given(payload: Payload | str) -> Payload:
    """The payload, or so many bytes of float32.

    >>> payload_given("1GiB")
    Payload(bytes=1073741824, dtype='float32')
    """
    require(payload, (Payload, str), "payload", "write Payload('1GiB', 'bfloat16')")
    return Payload(payload) if isinstance(payload, str) else payload
