"""Files with all programs of a language up to a length; a file is only trusted after a check.

The check uses the state graph of the level algebra: every step sequence must be a walk from the start that ends where
it first reaches the goal, none may be repeated, and there must be as many as there are such walks. So a stale, damaged
or foreign file is either correct or not used.

The number of walks is found without listing them, with A the adjacency matrix of the graph (steps between live states):
    w[0] = 1 for the start, 0 elsewhere;   w[i+1] = w[i] A;   walks = sum over i <= limit, over goals g, of w[i][g].
Distinct valid programs that are as many as the walks are all of them, by the pigeonhole principle.
Complexity: O(limit x edges) to count, and one table look-up for each step of each program.
Reference: Stanley, "Enumerative Combinatorics 1", 2012, section 4.7 (the transfer-matrix method).

Example: grammar full has 93 programs of at most five instructions over two levels; a file with 92 of them, or with one
of them twice, is not used.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

import msgspec
import numpy as np
from numpy.typing import NDArray

from p2smt.reduction.language.language import Language, Step, Steps
from p2smt.reduction.semantics.state_graph import StateGraph, state_graph
from p2smt.smt.deadlines import Until

FORMAT = 2


_Codes = NDArray[np.uint8]
"""Programs of one length as rows of step numbers, in the order of the language's steps."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file: the number of programs of each length from 0 to `limit`, and their steps, one byte each.

    In JSON the bytes are base64.
    """

    p2smt_programs: int
    levels: int
    steps: int
    grammar: str
    goal: str
    limit: int
    counts: list[int]
    codes: bytes


def written(language: Language, limit: int, programs: Sequence[Steps]) -> bytes:
    """Return the file content for all programs of at most `limit` steps, which must be shortest first."""
    numbers = {step: number for number, step in enumerate(sorted(language.steps()))}
    assert len(numbers) <= np.iinfo(np.uint8).max, "a step is a byte"
    lengths = {length: len(list(some)) for length, some in groupby(map(len, programs))}
    counts = [lengths.get(length, 0) for length in range(limit + 1)]
    codes = bytes(map(numbers.__getitem__, chain.from_iterable(programs)))
    return msgspec.json.encode(_described(language, limit, counts, codes))


def read(data: bytes, language: Language, limit: int, until: Until) -> tuple[Steps, ...] | None:
    """Return the programs of a file.

    None unless these are all programs of the language up to the limit, shortest first. Raises TimeUpError after the
    deadline.
    """
    try:
        file = msgspec.json.decode(data, type=_File)
    except msgspec.DecodeError:
        return None
    # Describing the contents again and comparing checks every field of the header at once.
    if _described(language, limit, file.counts, file.codes) != file or not _is_cut(file):
        return None
    steps, graph = sorted(language.steps()), state_graph(language, until)
    # Distinct, valid, and as many as there are walks: then they are all of them, whoever wrote the file.
    if sum(file.counts) != _count(graph, limit):
        return None
    table = _targets(graph, steps)
    every = list(_by_length(file))
    if not all(_is_ascending(codes) and _all_end(graph, table, codes) for codes in every):
        return None
    return tuple(tuple(map(steps.__getitem__, numbers)) for codes in every for numbers in codes.tolist())


def _described(language: Language, limit: int, counts: list[int], codes: bytes) -> _File:
    steps = len(tuple(language.steps()))
    return _File(FORMAT, language.levels, steps, str(language.grammar), str(language.goal), limit, counts, codes)


def _is_cut(file: _File) -> bool:
    """True if there is a count for every length, counts match the number of steps, and step numbers are valid."""
    counts, total = file.counts, sum(length * count for length, count in enumerate(file.counts))
    is_counted = len(counts) == file.limit + 1 and min(counts) >= 0 and total == len(file.codes)
    return is_counted and max(file.codes, default=-1) < file.steps


def _by_length(file: _File) -> Iterator[_Codes]:
    """Yield the programs of each length."""
    # `frombuffer` shares the bytes: no copy is made of files of up to 64 MB.
    codes, first = np.frombuffer(file.codes, dtype=np.uint8), 0
    for length, count in enumerate(file.counts):
        yield codes[first : first + length * count].reshape(count, length)
        first += length * count


def _is_ascending(codes: _Codes) -> bool:
    """True if rows are strictly ascending, so none is repeated."""
    before, after = codes[:-1], codes[1:]
    if not codes.shape[1]:
        return len(codes) <= 1
    # The first place that differs decides. Equal rows have argmax 0, where neither is less: they are refused.
    place = (before != after).argmax(axis=1)[:, None]
    is_less = np.take_along_axis(before, place, axis=1) < np.take_along_axis(after, place, axis=1)
    return bool(is_less.all())


def _count(graph: StateGraph, limit: int) -> float:
    """Return the number of walks of at most `limit` steps from the start to a goal; exact up to 2^53."""
    # Counting walks by length is a product with the adjacency matrix for each step; no walk is listed.
    ways, total = np.zeros(len(graph)), 0.0
    ways[:1] = 1
    for _ in range(limit + 1):
        total += float(ways[graph.goals].sum())
        further = np.zeros(len(graph))
        np.add.at(further, graph.target, ways[graph.source])
        ways = further
    return total


def _targets(graph: StateGraph, steps: Sequence[Step]) -> NDArray[np.int64]:
    """Return the successor of each state under each step, by number.

    An additional last state stands for an invalid step.
    """
    numbers = {step: number for number, step in enumerate(steps)}
    charges = np.array([numbers[charge.step] for charge in graph.charges], dtype=np.int64)
    # The extra row leads to itself, so a program that left the graph once never comes back.
    table = np.full((len(graph) + 1, len(steps)), len(graph), dtype=np.int64)
    table[graph.source, charges[graph.charge]] = graph.target
    return table


def _all_end(graph: StateGraph, table: NDArray[np.int64], codes: _Codes) -> bool:
    """True if each of these programs is a walk from the start to a goal."""
    states = np.zeros(len(codes), dtype=np.int64)
    for chosen in codes.T:
        states = table[states, chosen]
    return bool(np.append(graph.goals, False)[states].all())
