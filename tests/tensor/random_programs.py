"""Random programs for one device, distributed ones that compute the same, and ones with a mistake in a layout."""

import random
from dataclasses import dataclass, replace

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Slice,
)
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.expression import (
    AxisLayout,
    Call,
    Convert,
    Output,
    ProgramAxis,
    Read,
    Source,
    SourceKind,
    Statement,
    parts,
)
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.placing import cutting
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import wholes

MESHES = ((2,), (3,), (5,), (8,), (2, 2), (2, 3), (4, 2))
LENGTHS = (4, 3, 6)


def blocks(length, ranks, rng):
    if rng.random() < 0.5:
        return None
    cuts = sorted(rng.randint(0, length) for _ in range(ranks - 1))
    return tuple(stop - start for start, stop in zip([0, *cuts], [*cuts, length], strict=True))


def calls(shapes, rng):
    """A call on some of the values, as a name, operands, attributes; None if what was drawn does not fit."""
    names = list(shapes)
    x, y = rng.choice(names), rng.choice(names)
    rank = len(shapes[x])
    drawn = None
    match rng.randrange(11):
        case 0 | 1 if rank == 2 and len(shapes[y]) == 2 and shapes[x][1] == shapes[y][0]:
            drawn = "matmul", (x, y), ()
        case 2 | 3 if x != y and shapes[x][rank - len(shapes[y]) :] == shapes[y] and len(shapes[y]) <= rank:
            drawn = rng.choice(["add", "sub", "mul", "where_like"][:3]), (x, y), ()
        case 4:
            drawn = rng.choice(["relu", "neg", "tanh", "exp"]), (x,), ()
        case 5 if rank:
            drawn = rng.choice(["softmax", "cumsum"]), (x,), (rng.randrange(rank),)
        case 6 if rank:
            drawn = rng.choice(["sum", "sum", "max"]), (x,), ((rng.randrange(rank),),)
        case 7 if rank == 2:
            drawn = "transpose", (x,), ((1, 0),)
        case 8:
            drawn = "dropout", (x,), (0.5, rng.randrange(3))
        case 9 if rank == 2:
            drawn = "reshape", (x,), ((shapes[x][0] * shapes[x][1],),)
        case 10 if rank and rng.random() < 0.5:
            drawn = "layernorm", (x,), (rng.randrange(rank), 1e-5)
    return drawn


def single_program(rng, count=5):
    """A program of so many statements; the last and the middle one are observed."""
    sources = tuple(
        Source(kind=SourceKind.INPUT, name=f"x{number}", shape=shape, names=("",) * len(shape))
        for number, shape in enumerate(
            tuple(rng.choice(LENGTHS) for _ in range(rng.choice((1, 2, 2)))) for _ in range(rng.randint(2, 4))
        )
    )
    program = Program(name="one", sources=sources, statements=(), outputs=())
    shapes = {source.name: source.shape for source in sources}
    statements = []
    while len(statements) < count:
        drawn = calls(shapes, rng)
        if drawn is None:
            continue
        name, operands, attributes = drawn
        statements.append(Statement(f"t{len(statements)}", Call(name, tuple(map(Read, operands)), attributes)))
        program = replace(program, statements=tuple(statements))
        shapes = {name: whole.shape for name, whole in wholes(program).items()}
    return replace(program, outputs=tuple(Output(f"t{number}") for number in (count // 2, count - 1)))


@dataclass
class Weaver:
    """Writes a distributed program statement by statement, with the layouts that inference gives."""

    program: Program
    rng: random.Random
    count: int = 0

    def layouts(self):
        result = infer(replace(self.program, outputs=()))
        return result.layouts if isinstance(result, Inferred) else None

    def append(self, name, expression):
        self.program = replace(self.program, statements=(*self.program.statements, Statement(name, expression)))

    def convert(self, name, conversion, axis):
        """The name of the converted value, or None if it can't be."""
        layouts, shape = self.layouts()[name], wholes(self.program)[name].shape
        if isinstance(converted(conversion, layouts, self.program.mesh, axis, shape), Refusal):
            return None
        self.count += 1
        new = f"c{self.count}"
        self.append(new, Convert(conversion, Read(name), self.program.mesh[axis].name))
        return new

    def any_conversion(self, name, axis):
        shape = wholes(self.program)[name].shape
        ranks, rng = self.program.mesh[axis].size, self.rng
        layout = self.layouts()[name][axis]
        dimension = rng.randrange(len(shape)) if shape else 0
        sizes = blocks(shape[dimension], ranks, rng) if shape else None
        match layout:
            case Replicated():
                return rng.choice([Slice(dimension, sizes), Slice(dimension), Keep(rng.randrange(ranks))])
            case Partial(reduction):
                return rng.choice(
                    [
                        AllReduce(reduction),
                        ReduceScatter(dimension, sizes, reduction),
                        Reduce(rng.randrange(ranks), reduction),
                    ]
                )
            case Sliced(cut):
                return rng.choice([AllGather(cut), AllToAll(cut, dimension, sizes), Rebalance(cut, None)])
            case OnRank(root):
                return Broadcast(root)
        raise AssertionError(layout)

    def whole(self, name):
        """The value Replicated on every axis: what cuts further is gathered first."""
        while True:
            layouts = self.layouts()[name]
            axes = [axis for axis, layout in enumerate(layouts) if not isinstance(layout, Replicated)]
            if not axes:
                return name
            axis = axes[0]
            layout = layouts[axis]
            if isinstance(layout, Sliced):
                axis = cutting(layouts, layout.dimension)[-1]
            match layouts[axis]:
                case Sliced(dimension):
                    name = self.convert(name, AllGather(dimension), axis)
                case Partial(reduction):
                    name = self.convert(name, AllReduce(reduction), axis)
                case OnRank(root):
                    name = self.convert(name, Broadcast(root), axis)

    def call(self, statement, names):
        call = statement.expression
        operands = [names[operand.name] for operand in call.operands]
        for attempt in range(3):
            before = self.program
            self.append(statement.name, replace(call, operands=tuple(map(Read, operands))))
            if self.layouts() is not None:
                break
            self.program = before
            if attempt == 0:
                operands = [self.changed(name) for name in operands]
            else:
                operands = [self.whole(name) for name in operands]
        names[statement.name] = statement.name

    def changed(self, name):
        axis = self.rng.randrange(len(self.program.mesh))
        return self.convert(name, self.any_conversion(name, axis), axis) or name


def placed_source(source, mesh, rng):
    placed = []
    for axis in mesh:
        dimension = rng.randrange(len(source.shape))
        cut = any(isinstance(each.layout, Sliced) for each in placed)
        sizes = None if cut else blocks(source.shape[dimension], axis.size, rng)
        layout = rng.choice(
            [Replicated(), Sliced(dimension, sizes), Sliced(dimension, sizes), Partial(ReductionOp.SUM)]
        )
        if not isinstance(layout, Replicated):
            placed.append(AxisLayout(layout, axis.name))
    return replace(source, layouts=tuple(placed))


def distributed_program(single, rng):
    """A program on a random mesh that inference allows, by conversions between the statements of `single`."""
    sizes = rng.choice(MESHES)
    mesh = tuple(ProgramAxis(name, size) for name, size in zip("ab", sizes, strict=False))
    sources = tuple(placed_source(source, mesh, rng) for source in single.sources)
    weaver = Weaver(Program(name="many", mesh=mesh, sources=sources, statements=(), outputs=()), rng)
    names = {source.name: source.name for source in sources}
    for statement in single.statements:
        weaver.call(statement, names)
        if rng.random() < 0.4:
            names[statement.name] = weaver.changed(statement.name)
    layouts = weaver.layouts()

    def summed(name):
        pairs = zip(layouts[name], mesh, strict=True)
        return tuple(AxisLayout(layout, axis.name) for layout, axis in pairs if isinstance(layout, Partial))

    outputs = tuple(Output(output.name, summed(output.name)) for output in single.outputs)
    return live(replace(weaver.program, outputs=outputs))


def live(program):
    """Without the statements that no output needs: a mistake there is none."""
    needed, kept = {output.name for output in program.outputs}, []
    for statement in reversed(program.statements):
        if statement.name in needed:
            kept.append(statement)
            needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
    return replace(program, statements=tuple(reversed(kept)))


def rewritten(expression, rng):
    """A conversion, dropped or made another."""
    conversion, operand, axis = expression.conversion, expression.operand, expression.axis
    others = [
        AllReduce(),
        ReduceScatter(0),
        AllGather(0),
        AllGather(1),
        AllToAll(0, 1),
        Slice(0),
        Slice(1),
        Keep(0),
        Keep(1),
        Reduce(0),
        Broadcast(0),
        Rebalance(0),
        AllReduce(ReductionOp.MAX),
    ]
    match rng.randrange(4):
        case 0:
            return operand
        case 1 | 2:
            return Convert(rng.choice([each for each in others if each != conversion]), operand, axis)
        case _:
            return Convert(rng.choice(others), expression, axis)


def damaged(program, rng):
    """The same with a mistake in a conversion or in the layout of a source; it may be harmless."""
    positions = [number for number, each in enumerate(program.statements) if isinstance(each.expression, Convert)]
    if positions and rng.random() < 0.7:
        number = rng.choice(positions)
        statement = program.statements[number]
        changed = Statement(statement.name, rewritten(statement.expression, rng))
        return replace(program, statements=(*program.statements[:number], changed, *program.statements[number + 1 :]))
    number = rng.randrange(len(program.sources))
    source = placed_source(program.sources[number], program.mesh, rng)
    return replace(program, sources=(*program.sources[:number], source, *program.sources[number + 1 :]))
