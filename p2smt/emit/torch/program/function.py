"""A function of repeated lines: its text and its calls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from p2smt.emit.torch.program.deletions import Unit, deleting, with_deletions
from p2smt.emit.torch.program.interface import Bundle, Interface, Names, ended, names_of
from p2smt.emit.torch.program.labels import Labels
from p2smt.emit.torch.program.lines import WIDTH, broken, definition
from p2smt.emit.torch.program.marks import MarkedLine, MarkRole, commented, names_in
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.repeats import Repeat

_MOST_STATEMENTS, _MOST_KINDS = 50, 4
_WORDS = ("layer", "name", "torch", "math", "dist")
_SURROUNDING = {"at": "Ranks", "given": "Tensors", "step": "int"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The names that lines use, besides each other's values.

    `keys` maps Python names to the names under which sources are passed. `converted` maps gathered values to their
    sources. `floats` are names of Python numbers, `left` of values that native calls keep for backward passes.
    `observed` are read after the last line. `preludes` are first lines that may be needed, by the names they assign.
    `reserved` names must not be used.
    """

    keys: Mapping[str, str]
    converted: Mapping[str, str]
    floats: frozenset[str]
    left: frozenset[str]
    observed: frozenset[str]
    preludes: Mapping[str, str]
    reserved: frozenset[str]


@dataclass(kw_only=True)
class RepeatedFunction:
    """A repeat as a function; `taken` maps repeats to the bundles that this function reads from them.

    A caller holds what it passes until a call returns, so the values that nothing reads afterwards (`ended`) go in a
    list, which the function empties: a layer's backward pass then frees each activation after its last reader. A
    bundle is such a list, made by the function that computes the values.
    """

    name: str
    lines: Sequence[MarkedLine]
    repeat: Repeat
    end: Interface
    taken: Mapping[int, Bundle]
    labels: Labels
    around: Surroundings
    texts: dict[Names, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        around = self.around
        local = PythonNames(
            {*around.reserved, *around.preludes, *_SURROUNDING, "layer", "name", "torch", "math", "dist"}
        )
        self._ended = ended(self.lines, self.repeat, self._values(), around.observed)
        self._list = local.fresh("ended")
        self._kept = {number: local.fresh("kept") for number in (*self.taken, -1)}
        for names in (*self.end.reads, *self.end.makes):
            self.texts[names] = local.fresh(_common(names))
        for names in self.end.numbers:
            self.texts[names] = local.fresh("seed")
        self._plain = self._renamed()
        inside = names_in(self._plain)
        keyed = [key for names in self.end.reads if (key := self.labels.key(names, around.keys))]
        self._layered = any(key.startswith("f") for key in keyed)
        self._preludes = [line for name, line in around.preludes.items() if name in inside]
        used = inside | names_in(self._preludes) | ({"given"} if keyed else set())
        self._uses = [name for name in _SURROUNDING if name in used]

    @property
    def empties(self) -> bool:
        """True if the function empties a list."""
        return bool(self.taken or self._ended)

    def _renamed(self) -> list[str]:
        """The lines with the function's own names."""
        columns = iter(names_of(self.lines, self.repeat))
        return [
            line.renamed([self.texts.get(names, names[0]) for _, names in (next(columns) for _ in line.marks)])
            for line in self._representatives
        ]

    @property
    def _representatives(self) -> Sequence[MarkedLine]:
        first = self.repeat.starts[0]
        return self.lines[first : first + self.repeat.length]

    def _values(self) -> list[Names]:
        """The values that are passed, except bundles."""
        bundled = {names for bundle in self.taken.values() for names in bundle.read}
        values = [names for names in self.end.reads if names not in bundled]
        return [names for names in values if not self.labels.key(names, self.around.keys)]

    def _passed(self) -> list[Names]:
        """The values and numbers that are passed as separate arguments."""
        return [*(names for names in self._values() if names not in self._ended), *self.end.numbers]

    def text(self) -> str:
        """The text of the function."""
        body = [*self._preludes, *self._begin(), *self._body()]
        parameters = [f"{name}: {_SURROUNDING[name]}" for name in self._uses]
        parameters += [f"{self.labels.word}: str"] if self._layered else []
        parameters += [f"{self.texts[names]}: {self._kind(names)}" for names in self._passed()]
        parameters += [f"{self._list}: Kept"] if self._ended else []
        parameters += [f"{self._kept[number]}: Kept" for number in self.taken]
        returned = self._returned()
        long = "  # noqa: PLR0915" if len(body) + len(returned) + 1 > _MOST_STATEMENTS else ""
        first, *rest = definition(self.name, parameters, self._kinds()).split("\n")
        head = "\n".join([first + long, *rest])
        return "\n".join([head, f'    """{self._words()}"""', *body, *returned]) + "\n"

    def _kind(self, names: Names) -> str:
        if names in self.end.numbers:
            return "int"
        if names[0] in self.around.left:
            return "tuple[torch.Tensor, ...]"
        return "float" if names[0] in self.around.floats else "torch.Tensor"

    def _kinds(self) -> str:
        """Return the annotation of the function's return type."""
        kinds = [self._kind(names) for names in self.end.results] + (["Kept"] if self.end.kept else [])
        if not kinds:
            return "None"
        if len(kinds) > _MOST_KINDS and set(kinds) == {"torch.Tensor"}:
            return "tuple[torch.Tensor, ...]"
        return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"

    def _words(self) -> str:
        often = f"What is done {len(self.repeat.starts)} times"
        if not self._layered:
            return f"{often}."
        of = f"{self.labels.prefix or 'layer'} " if self.labels.word == "layer" else ""
        words = f"{often}: of {of}{', '.join(self.labels.labels)}."
        return words if len(words) <= WIDTH - len('    """"""') else f"{often}."

    def _begin(self) -> Iterator[str]:
        """Yield the lines that get the sources, and the values kept for this function."""
        for names in self.end.reads:
            key = self.labels.key(names, self.around.keys)
            if key:
                yield broken(f"    {self.texts[names]} = given[{key}]")
        lists = [(self._list, self._ended)] if self._ended else []
        for name, read in [*lists, *((self._kept[number], bundle.read) for number, bundle in self.taken.items())]:
            yield assigned([self.texts[names] for names in read], name)
            yield f"    {name}.clear()"

    def _body(self) -> list[str]:
        """Return the lines, with their layouts; names are deleted after their last reader."""
        kept = () if self.end.kept is None else self.end.kept.made
        bundled = (names for bundle in self.taken.values() for names in bundle.read)
        taken = tuple(self.texts[names] for names in (*self._ended, *bundled))
        units = [Unit((), frozenset(taken), taken)]
        for text, line in zip(self._plain, self._representatives, strict=True):
            made = tuple(self._own(mark.text) for mark in line.marks if mark.role is MarkRole.MADE)
            units.append(Unit(tuple(commented(text, line.written.comment)), frozenset(names_in([text])), made))
        return with_deletions(units, [self.texts[names] for names in (*self.end.results, *kept)])

    def _own(self, first: str) -> str:
        """Return the function's own name for the value that has this name in the first repetition."""
        return next(self.texts[names] for names in self.end.makes if names[0] == first)

    def _returned(self) -> list[str]:
        results, lines = [self.texts[names] for names in self.end.results], []
        if self.end.kept is not None:
            together = f"[{', '.join(self.texts[names] for names in self.end.kept.made)}]"
            if not results:
                return [broken(f"    return {together}")]
            lines.append(broken(f"    {self._kept[-1]} = {together}"))
            results.append(self._kept[-1])
        if not results:
            return []
        line = f"    return {', '.join(results)}"
        return [*lines, line if len(line) <= WIDTH else broken(f"    return ({', '.join(results)})")]

    def call(
        self, repetition: int, kept: Mapping[tuple[int, int], str], number: int, read: frozenset[str], listed: str
    ) -> Unit:
        """Return a call; `kept` maps (repeat, repetition) to a bundle's name; `read` are the names read later.

        `listed` is the caller's name for the list of values that end in the call.
        """
        given = [*self._uses]
        given += [f'"{self.labels.labels[repetition]}"'] if self._layered else []
        given += [names[repetition] for names in self._passed()]
        ends = [names[repetition] for names in self._ended]
        given += [listed] if ends else []
        given += [kept[other, bundle.partners.index(repetition)] for other, bundle in self.taken.items()]
        made = [names[repetition] for names in self.end.results]
        made += [kept[number, repetition]] if self.end.kept is not None else []
        targets = [name if name in read else "_" for name in made]
        value = f"{self.name}({', '.join(given)})"
        line = assigned(targets, value) if set(targets) - {"_"} else broken(f"    {value}")
        names = frozenset(name for name in (*given, *targets, *ends) if name.isidentifier())
        lists = [broken(f"    {listed} = [{', '.join(ends)}]"), *deleting(ends)] if ends else []
        return Unit((*lists, line), names, tuple(name for name in targets if name != "_"), tuple(ends))


def assigned(targets: Sequence[str], value: str) -> str:
    """Return an assignment, broken as ruff does."""
    return broken(f"    {', '.join(targets)} = {value}")


def _common(names: Names) -> str:
    """Return a common name for several: the parts equal at the same positions, or else at both ends.

    >>> _common(("blocks_0_norm_weight", "blocks_1_norm_weight")), _common(("add_2", "add_7"))
    ('blocks_norm_weight', 'add')
    >>> _common(("words_weight_momentum", "norm_feed_bias_momentum"))
    'momentum'
    """
    parts = [name.split("_") for name in names]
    # Names with equally many parts: keep those in which all agree.
    if len({len(each) for each in parts}) == 1:
        return "_".join(column[0] for column in zip(*parts, strict=True) if len(set(column)) == 1) or names[0]
    same = []
    for ordered in (parts, [each[::-1] for each in parts]):
        columns = zip(*ordered, strict=False)
        same.append([column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)])
    before, behind = same
    # Prefix and suffix must not overlap in the shortest name.
    behind = behind[: max(0, min(map(len, parts)) - len(before))]
    return "_".join([*before, *behind[::-1]]) or names[0]
