"""Conversion of a traced step to a program: sources with the user's names, lowered nodes, optimizer updates."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.aten_call import DTYPES, LoweringState
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.graph import GraphSource, OptimizerGraph, Reference, TrainingGraph, needed
from p2smt.frontend.torch_graph.lowering.formula import cast
from p2smt.frontend.torch_graph.lowering.uniform import used_as_numbers
from p2smt.frontend.torch_graph.node import lower
from p2smt.frontend.torch_graph.optimizers import (
    STEP,
    TrainedParameter,
    accumulated,
    averaged,
    clipped,
    norm_of,
    written,
)
from p2smt.frontend.torch_graph.refusals import WITHOUT_CONDITION
from p2smt.frontend.torch_graph.view import View, plain_view
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import Call, Expression, Number, Read, Source, SourceKind
from p2smt.tensor.program import Program, versions
from p2smt.tensor.tidying import renamed, without_unused

_MAX_NAME = 120
_RESERVED = (STEP, "ranks")


def program_of(graph: TrainingGraph) -> Program:
    """Return the program of one training step. CaptureError, with operation and line, if the language lacks one."""
    return _Lowering(_legible(graph)).program()


@dataclass(frozen=True, slots=True)
class LegibleNames:
    """Names valid in program texts ([A-Za-z0-9_.]), by the user's names.

    Two mappings, because an input may have the same name as a parameter or buffer; that of the module becomes m.NAME
    in the program, which emitted code looks up as NAME in the module too.
    """

    inputs: Mapping[str, str]
    kept: Mapping[str, str]
    """Names of parameters and buffers."""

    def used(self) -> set[str]:
        """Return the names that programs use."""
        return {*self.inputs.values(), *self.kept.values(), *_RESERVED}


def legible_names(graph: TrainingGraph) -> LegibleNames:
    """Return the names of inputs, parameters and buffers in program texts."""
    inputs = _legible_names(graph.inputs, frozenset())
    return LegibleNames(inputs, _legible_names((*graph.parameters, *graph.buffers), frozenset(inputs.values())))


def _legible_names(sources: Iterable[GraphSource], taken: frozenset[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for each in sources:
        if each.name in names:
            continue
        plain = re.sub(r"[^A-Za-z0-9_.]", "_", each.name)[:_MAX_NAME]
        plain = plain if plain[:1].isalpha() and plain not in taken else f"m.{plain}"
        used = {*taken, *names.values(), *_RESERVED}
        names[each.name] = next(name for name in _numbered(plain) if name not in used)
    return names


def rate_names(graph: TrainingGraph) -> tuple[str, ...]:
    """Return names, not used by any tensor, for the scalars that hold the rules' learning rates."""
    taken = legible_names(graph).used()
    found: list[str] = []
    for rule in graph.rules:
        found.append(next(name for name in _numbered(rule.rate) if name not in taken) if rule.rate else "")
        taken.add(found[-1])
    return tuple(found)


def _legible(graph: TrainingGraph) -> TrainingGraph:
    """The graph with names that program texts allow."""
    legible = legible_names(graph)
    names = legible.kept

    def known(listed: list[GraphSource], names: Mapping[str, str]) -> list[GraphSource]:
        return [replace(each, name=names[each.name]) for each in listed]

    def pairs(listed: list[tuple[str, Reference]]) -> list[tuple[str, Reference]]:
        return [(names[name], reference) for name, reference in listed]

    return replace(
        graph,
        name=re.sub(r"[^A-Za-z0-9_]", "_", graph.name)[:_MAX_NAME] or "step",
        inputs=known(graph.inputs, legible.inputs),
        parameters=known(graph.parameters, names),
        buffers=known(graph.buffers, names),
        gradients=pairs(graph.gradients),
        mutated=pairs(graph.mutated),
        touched=None if graph.touched is None else pairs(graph.touched),
        rules=[
            replace(rule, parameters=tuple(names[name] for name in rule.parameters), rate=rate)
            for rule, rate in zip(graph.rules, rate_names(graph), strict=True)
        ],
        stepped=None if graph.stepped is None else _legible_step(graph.stepped, names),
    )


def _legible_step(step: OptimizerGraph, names: Mapping[str, str]) -> OptimizerGraph:
    """Return the optimizer's step with such names; a state is named after its parameter."""
    known = dict(names)
    for each in step.states:
        parameter = max((name for name in names if each.name.startswith(f"{name}.")), key=len)
        key = re.sub(r"[^A-Za-z0-9_]", "_", each.name[len(parameter) + 1 :])
        known[each.name] = next(name for name in _numbered(f"{names[parameter]}.{key}") if name not in known.values())
    return replace(
        step,
        parameters=[replace(each, name=known[each.name]) for each in step.parameters],
        gradients=[replace(each, name=known[each.name]) for each in step.gradients],
        states=[replace(each, name=known[each.name]) for each in step.states],
        updated=[(known[name], reference) for name, reference in step.updated],
        kept=[(known[name], reference) for name, reference in step.kept if name in known],
    )


def _numbered(name: str) -> Iterator[str]:
    yield name
    for position in count(1):
        yield f"{name}_{position}"


class _Lowering:
    def __init__(self, graph: TrainingGraph) -> None:
        given = {each.name for each in (*graph.inputs, *graph.parameters, *graph.buffers)}
        given |= {rule.rate for rule in graph.rules if rule.rate}
        self._graph = graph
        self._given: set[str] = set()
        self._names: dict[str, str] = {}
        self._builder = ProgramBuilder(graph.name, (STEP, *given))
        self._emission = Emission(self._builder)
        self._memory = LoweringState()

    def program(self) -> Program:
        for kind, listed in (
            (SourceKind.INPUT, self._graph.inputs),
            (SourceKind.PARAMETER, self._graph.parameters),
            (SourceKind.STATE, self._graph.buffers),
        ):
            for each in listed:
                self._source(kind, each)
        self._memory.results[Reference(self._graph.tangent)] = number(1)
        results = [reference for _, reference in (*self._graph.gradients, *self._graph.mutated)]
        results += [reference for _, reference in self._graph.touched or ()]
        nodes = needed(self._graph.nodes, [self._graph.loss, *results])
        self._memory.numbers = used_as_numbers(nodes)
        for node in nodes:
            lower(node, self._emission, self._memory)
        self._output("loss", self._whole(self._graph.loss, "loss"))
        self._mutated()
        self._trained()
        return renamed(without_unused(self._builder.program()), self._names)

    def _output(self, name: str, expression: Expression) -> None:
        """Make a result an output under this name; a new version of a source keeps the source's name."""
        read = self._read(name, expression)
        self._call_it(name, read)
        self._builder.output(read.name)

    def _read(self, name: str, expression: Expression) -> Read:
        if isinstance(expression, Read) and expression.name not in self._given:
            return expression
        return self._builder.statement(name, Call("add", (expression, Number(0))))

    def _call_it(self, name: str, read: Read) -> None:
        if read.name not in self._names and read.name not in self._given:
            self._names[read.name] = self._builder.free(name)

    def _mutated(self) -> None:
        """Emit the new versions of buffers."""
        for name, reference in self._graph.mutated:
            new = self._whole(reference, name)
            self._builder.statement(f"{name}.new", Call("update", (Read(name), new)))

    def _gradients(self) -> dict[str, Expression]:
        """Return the gradients of all used parameters, cast to the parameter's type as in torch."""
        dtypes = {each.name: DTYPES[each.meta.dtype] for each in self._graph.parameters}
        for name, reference in self._graph.gradients:
            view = self._memory.results.get(reference)
            if isinstance(view, View) and view.dtype not in (None, dtypes[name]):
                self._memory.results[reference] = cast(self._emission, view, dtypes[name])
        found = {name: self._whole(reference, f"gradient.{name}") for name, reference in self._graph.gradients}
        for name, expression in found.items():
            if isinstance(expression, Read):
                self._call_it(f"gradient.{name}", expression)
        return found

    def _trained(self) -> None:
        gradients = self._gradients()
        step, rules = self._graph.stepped, self._graph.rules
        touched = dict(self._touched(gradients))
        trained = {
            each.name: TrainedParameter(
                each.name, DTYPES[each.meta.dtype], each.meta.shape, gradients.get(each.name), touched.get(each.name)
            )
            for each in self._graph.parameters
        }
        if step is None and not rules:
            for name, expression in gradients.items():
                self._output(f"gradient.{name}", expression)
            return
        names = [name for rule in rules for name in rule.parameters]
        owned = self._prepared([trained[name] for name in names or self._stepping()])
        if step is None:
            written(self._builder, rules, owned)
        else:
            self._stepped(step, owned)
        self._averaged(owned)

    def _touched(self, gradients: Mapping[str, Expression]) -> Iterator[tuple[str, Expression]]:
        """The truth values under which parameters are updated. CaptureError for updates that know no condition."""
        given = [each for each in self._graph.touched or () if each[0] in gradients]
        if given and (self._graph.stepped is not None or self._graph.added.accumulate > 1):
            how = "the optimizer's step is recorded" if self._graph.stepped else "gradients are accumulated"
            raise CaptureError(
                f"{given[0][0]} gets no gradient where code is skipped, and {how}, which knows no parameters without "
                f"gradients; use torch's SGD, Adam or AdamW, without accumulation, or {WITHOUT_CONDITION}"
            )
        for name, reference in given:
            yield name, self._read(f"touched.{name}", self._whole(reference, f"touched.{name}"))

    def _stepping(self) -> list[str]:
        """The parameters whose gradients a recorded step reads."""
        return [] if self._graph.stepped is None else [each.name for each in self._graph.stepped.gradients]

    def _prepared(self, owned: list[TrainedParameter]) -> dict[str, TrainedParameter]:
        """Return gradients as the optimizer receives them, by parameter: averaged over micro-batches, then clipped."""
        added, most = self._graph.added, self._graph.max_norm
        if added.accumulate > 1:
            owned = [accumulated(self._builder, each, added.accumulate) for each in owned]
        norm = norm_of(self._builder, owned) if added.norm or most is not None else None
        if norm is not None and added.norm:
            self._builder.output(norm.name)
        if norm is not None and most is not None:
            owned = clipped(self._builder, owned, most, norm)
        return {each.name: each for each in owned}

    def _averaged(self, owned: Mapping[str, TrainedParameter]) -> None:
        """Emit moving averages of the updated parameters."""
        kept = self._graph.added.ema
        if kept is not None:
            new = versions(self._builder.program())
            for name, each in owned.items():
                if name in new:
                    averaged(self._builder, each, Read(new[name]), kept)

    def _stepped(self, step: OptimizerGraph, trained: Mapping[str, TrainedParameter]) -> None:
        """Emit the updates of a recorded optimizer."""
        results = self._memory.results
        for each in step.gradients:
            one = trained[each.name]
            assert one.gradient is not None
            results[Reference(each.node)] = plain_view(one.gradient, one.shape, one.dtype)
        for each in step.parameters:
            results[Reference(each.node)] = plain_view(Read(each.name), each.meta.shape, DTYPES[each.meta.dtype])
        for each in step.states:
            self._source(SourceKind.STATE, each)
        if step.counters:
            done = Call("sub", (self._builder.source(Source(kind=SourceKind.SCALAR, name=STEP)), Number(1)))
            results |= {Reference(node): View(done, (), (), None) for node in step.counters}
        new = [*step.updated, *step.kept]
        for node in needed(step.nodes, [reference for _, reference in new]):
            lower(node, self._emission, self._memory)
        for name, reference in new:
            value = self._whole(reference, f"{name}.new")
            if value != Read(name):
                self._builder.statement(f"{name}.new", Call("update", (Read(name), value)))

    def _source(self, kind: SourceKind, given: GraphSource) -> None:
        shape = given.meta.shape
        if given.meta.dtype not in DTYPES or 0 in shape:
            raise CaptureError(
                f"{given.name} has elements of type {given.meta.dtype} and shape {list(shape)}; use one of the "
                f"types {', '.join(DTYPES)}, and lengths of at least 1"
            )
        dtype = DTYPES[given.meta.dtype]
        names = ("",) * len(shape)
        self._given.add(given.name)
        read = self._builder.source(Source(kind=kind, name=given.name, dtype=dtype, shape=shape, names=names))
        self._memory.results[Reference(given.node)] = plain_view(read, shape, dtype)

    def _whole(self, reference: Reference, name: str) -> Expression:
        found = self._memory.results.get(reference)
        if not isinstance(found, View):
            raise CaptureError(f"{name} is not a tensor of the program")
        self._emission.name = name
        return self._emission.whole(found).expression
