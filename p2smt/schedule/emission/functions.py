"""Emission of a schedule's units as functions, with parameters and results in program order."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent

from p2smt.emit.torch.program.lines import broken, definition
from p2smt.emit.torch.program.source import beginning
from p2smt.schedule.emission.writer import ScheduleWriter

_MOST_STATEMENTS, _MOST_BRANCHES, _MOST_PATHS = 50, 12, 10


Scope = dict[str, str]
"""Names known at a call and their types, in order of definition."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function's text, and the line that calls it."""

    text: str
    call: str


def unit(
    writer: ScheduleWriter, label: str, words: str, body: Sequence[str], results: Sequence[str], scope: Scope
) -> CalledFunction:
    """Return a function with these lines, whose parameters come from `scope` and whose results are `results`."""
    name = writer.names.fresh(label)
    lines = [*beginning(writer, body), *body]
    loaded, _ = names_in(lines)
    given = [(each, kind) for each, kind in scope.items() if each in loaded]
    kinds = ["torch.Tensor"] * len(results)
    result = ("None", *kinds)[-1] if len(kinds) < 2 else f"tuple[{', '.join(kinds)}]"
    head = definition(name, ["at: Ranks", *(f"{each}: {kind}" for each, kind in given)], result)
    text = "\n".join([head + _exceptions(lines), f'    """{words}"""', *_returning(lines, results)])
    assigned = f"{', '.join(results)} = " if results else ""
    return CalledFunction(
        text + "\n", broken(f"    {assigned}{name}({', '.join(['at', *(each for each, _ in given)])})")
    )


def _returning(lines: Sequence[str], results: Sequence[str]) -> list[str]:
    """Return the lines followed by a return of the results; a value assigned last is returned directly."""
    if not results:
        return [*lines]
    if len(results) > 1 or not lines[-1].startswith(f"    {results[0]} = "):
        return [*lines, broken(f"    return {', '.join(results)}")]
    if "\n" in lines[-1]:
        return [*lines, f"    return {results[0]}  # noqa: RET504"]
    return [*lines[:-1], lines[-1].replace(f"{results[0]} = ", "return ", 1)]


def deleted(units: Sequence[Sequence[str]], kept: Iterable[str]) -> list[str]:
    """Return the lines of consecutive units, with names deleted once no later unit reads them.

    Names in `kept` are not deleted.
    """
    stays = set(kept)
    known = [names_in(lines) for lines in units]
    found: list[str] = []
    for number, lines in enumerate(units):
        found += lines
        later = set[str]().union(*(loaded for loaded, _ in known[number + 1 :]))
        here = set[str]().union(*(stored for _, stored in known[: number + 1]))
        loaded, stored = known[number]
        dead = sorted((loaded | stored) & (here - later - stays))
        if dead:
            found.append(broken(f"    del {', '.join(dead)}"))
    return found


def names_in(lines: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the names that lines of a function read, and those that they assign."""
    tree = ast.parse(dedent("\n".join(lines)))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    loaded = {node.id for node in nodes if isinstance(node.ctx, ast.Load)}
    return loaded, {node.id for node in nodes if isinstance(node.ctx, ast.Store)}


def _exceptions(lines: Iterable[str]) -> str:
    """Return the noqa comment for complexity rules that a long function violates; empty if none."""
    nodes = list(ast.walk(ast.parse(dedent("\n".join(lines)))))
    branches = sum(isinstance(node, ast.If | ast.For) for node in nodes)
    statements = 1 + sum(isinstance(node, ast.stmt) and not isinstance(node, ast.For | ast.Return) for node in nodes)
    codes = (
        ("C901", branches >= _MOST_PATHS),
        ("PLR0912", branches > _MOST_BRANCHES),
        ("PLR0915", statements > _MOST_STATEMENTS),
    )
    wrong = [code for code, holds in codes if holds]
    return f"  # noqa: {', '.join(wrong)}" if wrong else ""
