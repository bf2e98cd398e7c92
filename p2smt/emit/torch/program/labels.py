"""Labels that distinguish the source keys of repeated lines: `blocks.{layer}.weight` with layers 0 and 1.

If labels are not layer numbers: `{name}.momentum` with names words.weight and norm.bias.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from p2smt.emit.torch.program.interface import Names

_LEAST_SOURCES = 2


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Keys with a common beginning and end: the label of each, and the text before and after it."""

    labels: tuple[str, ...]
    before: str
    behind: str


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of all repetitions, empty if keys have nothing in common; `prefix` is the text before them."""

    labels: tuple[str, ...] = ()
    prefix: str = ""

    def key(self, names: Names, keys: Mapping[str, str]) -> str:
        """Return the expression for a source's key that is valid in every repetition; "" if there is none."""
        if len(set(names)) == 1 and names[0] in keys:
            return f'"{keys[names[0]]}"'
        pattern = _pattern(names, keys)
        if pattern is None or pattern.labels != self.labels:
            return ""
        return f'f"{pattern.before}{{{self.word}}}{pattern.behind}"'

    @property
    def word(self) -> str:
        """The word for a label: "layer" or "name"."""
        return "layer" if all(label.isdigit() for label in self.labels) else "name"


def labels_of(reads: Iterable[Names], keys: Mapping[str, str]) -> Labels:
    """Return the labels that most sources have."""
    patterns = [pattern for names in reads if (pattern := _pattern(names, keys)) is not None]
    counted = Counter(pattern.labels for pattern in patterns).most_common(1)
    if not counted or counted[0][1] < _LEAST_SOURCES:
        return Labels()
    labels = counted[0][0]
    prefix = next(pattern.before for pattern in patterns if pattern.labels == labels)
    return Labels(labels, prefix.rstrip("."))


def _pattern(names: Names, keys: Mapping[str, str]) -> _Pattern | None:
    """Return the common beginning and end of keys; None if a key has nothing in between."""
    if any(name not in keys for name in names):
        return None
    parts = [keys[name].split(".") for name in names]
    first = _alike(parts)
    last = _alike([each[first:][::-1] for each in parts])
    labels = tuple(".".join(each[first : len(each) - last]) for each in parts)
    if not all(labels):
        return None
    before = "".join(f"{part}." for part in parts[0][:first])
    return _Pattern(labels, before, "".join(f".{part}" for part in parts[0][len(parts[0]) - last :]))


def _alike(parts: Sequence[Sequence[str]]) -> int:
    """Return the number of leading parts that all have in common."""
    columns = zip(*parts, strict=False)
    return next((number for number, each in enumerate(columns) if len(set(each)) > 1), min(map(len, parts)))
