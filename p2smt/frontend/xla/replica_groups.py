"""Notations of XLA for groups of devices, all parsed to lists of numbers.

HLO: `{{0,4},{1,5}}`; `[4,2]<=[2,4]T(1,0)`, which is arange(8).reshape(2,4).transpose(1,0).reshape(4,2); and
`mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a'}`, groups of devices that differ along the named axes only, where
`'b':(2)2` is the inner of two digits of axis b. StableHLO: `dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>`, where -1 pads
short groups, and `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">]>`.

With m the devices as an array over the mesh, the groups of axes A are
    { m at c : c has given coordinates off A }   for all coordinates off A,
that is, m transposed with A innermost and reshaped to (groups, product of A).
Complexity: O(devices) for each text, which is parsed once.
Reference: XLA's `hlo_parser.cc` and `tile_assignment.h`; Xu et al., "GSPMD", 2021.

Example: `[4,2]<=[2,4]T(1,0)` is (0, 4), (1, 5), (2, 6), (3, 7).
"""

from collections.abc import Callable, Mapping
from math import prod

from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import DeviceList, Groups, MeshDigits, along, iota, rows
from p2smt.frontend.xla.words import Words, listed, number, whole
from p2smt.verify.limits import MAX_CELLS, MAX_DEVICES

MOST_TABLE = 2**18


class GroupReader:
    """A parser of groups with a cache, which bounds the total number of parsed entries.

    Words are the tokens of one attribute. Every method raises VerifyError without a line.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Groups] = {}
        self._ids = 0

    def hlo(self, words: tuple[str, ...]) -> Groups:
        """Parse groups in HLO's notation; `{}` is no group."""
        return self._once(words, _hlo)

    def stablehlo(self, words: tuple[str, ...], meshes: Mapping[str, DeviceList]) -> Groups:
        """Parse groups in StableHLO's notation; `meshes` are the module's mesh declarations."""
        if words[:1] == ("dense",):
            return self._once(words, dense)
        return self._once(words, lambda words: _mesh_axes(words, meshes))

    def _once(self, key: tuple[str, ...], read: Callable[[Words], Groups]) -> Groups:
        if key not in self._known:
            words = Words(key)
            self._known[key] = read(words)
            if words.peek():
                words.fail(f"{words.peek()[:60]!r} is unexpected after the groups")
            # Counted once for each different text: a short text may stand for very many groups.
            self._ids += sum(map(len, self._known[key]))
            if self._ids > MAX_CELLS:
                raise VerifyError(f"all groups together name more than {MAX_CELLS} devices, the limit")
        return self._known[key]


def _hlo(words: Words) -> Groups:
    first = words.peek()
    if first == "{":
        return _lists(words, "{", "}")
    if first == "[":
        return _iota(words)
    if first != "mesh":
        known = "{{0,1},{2,3}}, [2,2]<=[4] or mesh['a'=2,'b'=2] {'a'}"
        words.fail(f"groups begin with {first[:60]!r}; write {known}")
    return _mesh(words)


def _iota(words: Words) -> Groups:
    shape = listed(words, "[", "]", MAX_DEVICES)
    words.expect("<=")
    devices = _ordered(words)
    if len(shape) != 2 or prod(shape) != len(devices):
        left = ",".join(map(str, shape[:8]))
        words.fail(f"[{left}]<= of {len(devices)} devices; write [groups,size]<=[devices] with groups x size devices")
    return rows(devices, shape[1])


def _ordered(words: Words) -> tuple[int, ...]:
    dims = listed(words, "[", "]", MAX_DEVICES)
    return iota(dims, listed(words, "(", ")", MAX_DEVICES) if words.accept("T") else range(len(dims)))


def _mesh(words: Words) -> Groups:
    words.expect("mesh")
    words.expect("[")
    axes: list[tuple[str, int]] = []
    while not words.accept("]"):
        if axes:
            words.expect(",")
        name = words.take("an axis")
        words.expect("=")
        axes.append((name, whole(words, MAX_DEVICES)))
    devices: tuple[int, ...] = ()
    if words.accept(",", "device_ids", "="):
        if words.peek(1) == "[":
            words.expect("(")
            devices = _ordered(words)
            words.expect(")")
        else:
            devices = listed(words, "(", ")", MAX_DEVICES)
    return along(DeviceList(tuple(axes), devices), _axes(words))


def _axes(words: Words) -> list[MeshDigits]:
    words.expect("{")
    axes: list[MeshDigits] = []
    while not words.accept("}"):
        if axes:
            words.expect(",")
        name = words.take("an axis")
        axes.append(MeshDigits(name, *(_part(words) if words.accept(":") else ())))
    return axes


def _part(words: Words) -> tuple[int, int]:
    """Parse a sub-axis `(2)4` to the product of outer digits, and the size."""
    words.expect("(")
    before = whole(words, MAX_DEVICES)
    words.expect(")")
    size = whole(words, MAX_DEVICES)
    if not before or not size:
        words.fail(f"a part ({before}){size} of an axis; both numbers are at least 1")
    return before, size


def dense(words: Words) -> Groups:
    """Parse the rows of `dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>`; also `dense<0>` and `dense<"0x...">`."""
    words.expect("dense")
    words.expect("<")
    first = words.peek()
    table = _lists(words, "[", "]") if first == "[" else ()
    if first not in ("[", ">"):
        words.take()
    for word in (">", ":", "tensor", "<"):
        words.expect(word)
    shape = words.take("a shape")
    words.expect(">")
    sizes = [number(size, MAX_CELLS) for size in shape.split("x")[:-1]]
    if len(sizes) != 2 or sizes[0] is None or sizes[1] is None or sizes[0] * sizes[1] > MOST_TABLE:
        words.fail(f"a table of tensor<{shape[:60]}>; it has two dimensions and at most {MOST_TABLE} numbers")
    if first.startswith('"'):
        table = rows(_hexadecimal(words, first), max(sizes[1], 1))
    elif first not in ("[", ">"):
        table = ((_device(words, first),) * sizes[1],) * sizes[0]
    if [len(row) for row in table] != [sizes[1]] * sizes[0] and sizes[0] * sizes[1]:
        words.fail(f"the table does not have the {sizes[0]} rows of {sizes[1]} numbers of tensor<{shape}>")
    return tuple(tuple(value for value in row if value >= 0) for row in table)


def _device(words: Words, word: str) -> int:
    value = number(word, MAX_DEVICES)
    if value is None:
        words.fail(f"{word[:60]!r} is not a whole number from 0 to {MAX_DEVICES}")
    return value


def _hexadecimal(words: Words, word: str) -> list[int]:
    """The numbers in a hexadecimal string: little-endian, 8 bytes each."""
    try:
        data = bytes.fromhex(word[1:-1].removeprefix("0x"))
    except ValueError:
        words.fail(f"{word[:60]} are not hexadecimal digits")
    values = [int.from_bytes(data[at : at + 8], "little", signed=True) for at in range(0, len(data), 8)]
    if len(data) % 8 or any(not -1 <= value <= MAX_DEVICES for value in values):
        words.fail(f"{word[:60]} are not numbers of 8 bytes from -1 to {MAX_DEVICES}")
    return values


def _mesh_axes(words: Words, meshes: Mapping[str, DeviceList]) -> Groups:
    if words.accept("#stablehlo.replica_group_mesh_axes", "<", "mesh", "=") and words.peek() in meshes:
        mesh = meshes[words.take()]
    elif words.accept("#stablehlo.mesh", "<"):
        mesh = _inlined(words)
    else:
        known = (
            f"dense<[[0, 1]]> : tensor<1x2xi64>, or axes of a mesh: {', '.join(list(meshes)[:8]) or 'none declared'}"
        )
        words.fail(f"{words.peek()[:60]!r} does not begin groups; write {known}")
    for word in (",", "axes", "=", "["):
        words.expect(word)
    axes: list[MeshDigits] = []
    while not words.accept("]"):
        if axes:
            words.expect(",")
        for word in ("#stablehlo.axis_ref", "<", "name", "="):
            words.expect(word)
        name = words.take("a name")
        axes.append(MeshDigits(name, *(_part(words) if words.accept(",", "sub_axis_info", "=") else ())))
        words.expect(">")
    words.expect(">")
    return along(mesh, axes)


def _inlined(words: Words) -> DeviceList:
    """Parse `axes = [#stablehlo.mesh_axis<name = "a", size = 2>], device_ids = dense<[1, 0]> : tensor<2xi64>>`."""
    for word in ("axes", "=", "["):
        words.expect(word)
    axes: list[tuple[str, int]] = []
    while not words.accept("]"):
        if axes:
            words.expect(",")
        words.accept("#stablehlo.mesh_axis")
        for word in ("<", "name", "="):
            words.expect(word)
        name = words.take("a name")
        for word in (",", "size", "="):
            words.expect(word)
        axes.append((name, whole(words, MAX_DEVICES)))
        words.accept(":", "i64")
        words.expect(">")
    devices: tuple[int, ...] = ()
    if words.accept(",", "device_ids", "=", "dense", "<"):
        devices = listed(words, "[", "]", MAX_DEVICES)
        words.expect(">")
        if words.accept(":", "tensor"):
            words.balanced()
    words.expect(">")
    return DeviceList(tuple(axes), devices)


def _lists(words: Words, opening: str, closing: str) -> Groups:
    """Parse `{{0,4},{1,5}}` or `[[0, 4], [1, 5]]`."""
    words.expect(opening)
    found: list[tuple[int, ...]] = []
    while not words.accept(closing):
        if found:
            words.expect(",")
        found.append(listed(words, opening, closing, MAX_DEVICES))
    return tuple(found)
