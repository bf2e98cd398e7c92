"""Random programs of collectives on tensors, their text in HLO and StableHLO, and what numpy says they compute."""

from dataclasses import dataclass

import numpy as np
from frontend.xla.xla_moves import Move, moves

HLO_ADD = "%add {\n  %a = s64[] parameter(0)\n  %b = s64[] parameter(1)\n  ROOT %sum = s64[] add(%a, %b)\n}\n"
MLIR_ADD = """({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    })"""
MLIR_NAMES = {
    "reduce-scatter": "scatter_dimension = {0} : i64",
    "all-gather": "all_gather_dim = {0} : i64",
    "all-to-all": "split_dimension = {0} : i64, concat_dimension = {0} : i64, split_count = {1} : i64",
}


@dataclass
class Op:
    """One instruction: value `name` of shape `dims` from the values `of`."""

    name: str
    kind: str
    of: tuple[str, ...]
    dims: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    axis: int = 0


def random_program(rng):
    """Devices, the parameter's dimensions, and instructions of which the last has these dimensions too."""
    devices = rng.choice([2, 4, 6])
    dims = tuple(rng.choice([1, devices, 2 * devices]) for _ in range(rng.randint(1, 3)))
    ops = [Op("p", "parameter", (), dims)]
    whole = ["p"]

    def made(kind, of, shape, groups=(), axis=0):
        ops.append(Op(f"v{len(ops)}", kind, of, shape, groups, axis))
        return ops[-1].name

    for _ in range(rng.randint(1, 6)):
        kind = rng.choice(
            ["all-reduce", "scatter and gather", "all-to-all", "add", "collective-permute", "collective-broadcast"]
            + ["subtract", "negate"]
            + ["move"] * 4
        )
        one, groups = rng.choice(whole), _groups(rng, devices)
        axes = [axis for axis, size in enumerate(dims) if size % len(groups[0]) == 0]
        if kind == "move":
            numbers = iter(range(len(ops), len(ops) + 99))
            ops.extend(moves(rng, one, dims, lambda numbers=numbers: f"v{next(numbers)}"))
            whole.append(ops[-1].name)
        elif kind in ("add", "subtract"):
            whole.append(made(kind, (one, rng.choice(whole)), dims))
        elif kind == "negate":
            whole.append(made(kind, (one,), dims))
        elif kind == "collective-permute":
            whole.append(made(kind, (one,), dims, _pairs(rng, devices)))
        elif kind in ("all-reduce", "collective-broadcast"):
            whole.append(made(kind, (one,), dims, groups))
        elif axes and kind == "all-to-all":
            whole.append(made(kind, (one,), dims, groups, rng.choice(axes)))
        elif axes:
            axis = rng.choice(axes)
            part = (*dims[:axis], dims[axis] // len(groups[0]), *dims[axis + 1 :])
            shard = made("reduce-scatter", (one,), part, groups, axis)
            other = [group for group in _groups(rng, devices) if len(group) == len(groups[0])] or groups
            again = other if sum(map(len, other)) == devices else groups
            whole.append(made("all-gather", (shard,), dims, tuple(again), axis))
    return devices, dims, ops if len(ops) > 1 else [*ops, Op("v1", "add", ("p", "p"), dims)], whole[-1]


def _groups(rng, devices):
    order, size = rng.sample(range(devices), devices), rng.choice([n for n in (2, 3, devices) if devices % n == 0])
    return tuple(tuple(order[at : at + size]) for at in range(0, devices, size))


def _pairs(rng, devices):
    count = rng.randint(0, devices)
    return tuple(zip(rng.sample(range(devices), count), rng.sample(range(devices), count), strict=True))


def computed(ops, last, given):
    """The value of every device at the end; `given` is [device, *dims]."""
    held = {"p": given}
    for op in ops[1:]:
        if isinstance(op, Move):
            own = np.arange(len(given)) if op.kind == "replica-id" else op.value(*(held[name] for name in op.of))
            held[op.name] = own
            continue
        read = held[op.of[0]]
        found = np.zeros((len(read), *op.dims), dtype=read.dtype)
        if op.kind == "add":
            found = read + held[op.of[1]]
        elif op.kind == "subtract":
            found = read - held[op.of[1]]
        elif op.kind == "negate":
            found = -read
        elif op.kind == "collective-permute":
            for source, target in op.groups:
                found[target] = read[source]
        else:
            for group in op.groups:
                for place, value in enumerate(_together(op, read[list(group)])):
                    found[group[place]] = value
        held[op.name] = found
    return held[last]


def _together(op, read):
    size = len(read)
    match op.kind:
        case "all-reduce":
            return [read.sum(axis=0)] * size
        case "collective-broadcast":
            return [read[0]] * size
        case "reduce-scatter":
            return np.split(read.sum(axis=0), size, axis=op.axis)
        case "all-gather":
            return [np.concatenate(list(read), axis=op.axis)] * size
        case "all-to-all":
            blocks = [np.split(one, size, axis=op.axis) for one in read]
            return [np.concatenate([row[place] for row in blocks], axis=op.axis) for place in range(size)]


def hlo(devices, ops, last):
    """The program as HLO text."""
    lines = [f"HloModule random, replica_count={devices}", HLO_ADD, "ENTRY %main {"]
    for op in ops:
        if isinstance(op, Move):
            dims = ",".join(map(str, op.dims))
            lines.append(f"  {'ROOT ' * (op.name == last)}%{op.name} = {op.element}[{dims}] {op.hlo}")
            continue
        of = ", ".join("%" + name for name in op.of)
        text = f"{op.kind}({of or 0})"
        if op.kind == "collective-permute":
            text += f", source_target_pairs={_listed(op.groups, '{', '}')}"
        elif op.groups:
            text += f", replica_groups={_listed(op.groups, '{', '}')}"
        if op.kind in MLIR_NAMES:
            text += f", dimensions={{{op.axis}}}"
        text += ", to_apply=%add" * (op.kind in ("all-reduce", "reduce-scatter"))
        lines.append(f"  {'ROOT ' * (op.name == last)}%{op.name} = s64[{','.join(map(str, op.dims))}] {text}")
    return "\n".join([*lines, "}\n"]).encode()


def stablehlo(devices, ops, last):
    """The program as StableHLO text."""
    types = {op.name: "tensor<" + "".join(f"{size}x" for size in op.dims) + "i64>" for op in ops}
    lines = [f"module @random attributes {{mhlo.num_replicas = {devices} : i32}} {{"]
    lines.append(f"  func.func @main(%p: {types['p']}) -> {types[last]} {{")
    for op in ops[1:]:
        if isinstance(op, Move):
            lines.append(f"    %{op.name} = {op.mlir}")
            continue
        name = "pairs" if op.kind == "collective-permute" else "groups"
        table = f"dense<{_listed(op.groups, '[', ']') if op.groups else ''}> : tensor<{_shape(op)}xi64>"
        inside = [f"{'source_target_pairs' if name == 'pairs' else 'replica_groups'} = {table}"]
        if op.kind in MLIR_NAMES:
            inside.append(MLIR_NAMES[op.kind].format(op.axis, len(op.groups[0])))
        attributes = f" <{{{', '.join(inside)}}}>" if op.kind not in ("add", "subtract", "negate") else ""
        region = f" {MLIR_ADD}" if op.kind in ("all-reduce", "reduce-scatter") else ""
        of = ", ".join("%" + one for one in op.of)
        signature = f"({', '.join(types[one] for one in op.of)}) -> {types[op.name]}"
        kind = op.kind.replace("-", "_")
        lines.append(f'    %{op.name} = "stablehlo.{kind}"({of}){attributes}{region} : {signature}')
    return "\n".join([*lines, f"    return %{last} : {types[last]}", "  }", "}\n"]).encode()


def _shape(op):
    return f"{len(op.groups)}x{2 if op.kind == 'collective-permute' else len(op.groups[0]) if op.groups else 0}"


def _listed(groups, opening, closing):
    rows = [opening + ", ".join(map(str, group)) + closing for group in groups]
    return opening + ", ".join(rows) + closing


def mutated(data, rng):
    """The bytes with a few mistakes in them."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, end = sorted((rng.randrange(len(found) + 1), rng.randrange(len(found) + 1)))
        match rng.randrange(6):
            case 0:
                found[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[at : at + rng.randrange(12)]
            case 2:
                found[at:at] = found[end : end + rng.randrange(60)]
            case 3:
                found[at:at] = rng.choice(
                    [b"(", b"}", b"{", b">", b'"', b"99999999999", b"-1", b"%x", b"=", b",", b":"]
                )
            case 4:
                lines = bytes(found).split(b"\n")
                lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
                found = bytearray(b"\n".join(lines))
            case 5:
                words = b"0 1 4 8 all-reduce tensor %p %0 # -> dense add".split()
                found = bytearray(bytes(found).replace(rng.choice(words), rng.choice(words), rng.randint(1, 3)))
        found = found or bytearray(b" ")
    return bytes(found)
