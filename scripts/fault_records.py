"""Deliberate faults: the records of faults/, one TOML file per room, and how one is put into a text.

A record of `[[fault]]` is

    id     letters, digits and hyphens; no other fault has it
    file   path from the root of the tree
    old    text that occurs once in the file, or once behind `after`, which occurs once itself
    new    what replaces it; the file still parses
    means  a sentence: what a user would get
    tests  the files of tests, or single tests, that are tried first

The room is the name of the TOML file, with / for -: faults/emit-torch-program.toml is about emit/torch/program.
"""

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


class FaultError(Exception):
    """A record that cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A change of one place of a file that makes it wrong."""

    id: str
    room: str
    file: str
    old: str
    new: str
    means: str
    tests: tuple[str, ...]
    after: str = ""

    @property
    def digest(self) -> str:
        """Changes with every word of the record."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def package(self) -> str:
        """The root package that holds the file."""
        return self.file.partition("/")[0]

    @property
    def top_room(self) -> str:
        """The package right below the root package that holds the file; "" for a file in the root package itself."""
        parts = self.file.split("/")
        return parts[1] if len(parts) > 2 else ""


_NEEDED = {"id": str, "file": str, "old": str, "new": str, "means": str, "tests": list}
_OPTIONAL = {"after": str}


def read_faults(folder: Path) -> list[Fault]:
    """All faults of a folder, by room and in the order of the files."""
    found: list[Fault] = []
    for path in sorted(folder.glob("*.toml")):
        found += parse_faults(path.read_text(encoding="utf-8"), path.stem.replace("-", "/"), path.name)
    if not found:
        raise FaultError(f"{folder} has no faults; write records of [[fault]] into TOML files there")
    _refuse_twice([fault.id for fault in found])
    return found


def parse_faults(text: str, room: str, place: str) -> list[Fault]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        raise FaultError(f"{place}: {cause}") from cause
    records = table.get("fault")
    if set(table) != {"fault"} or not isinstance(records, list):
        raise FaultError(f"{place} has {', '.join(table) or 'nothing'}; it has records of [[fault]] alone")
    return [_fault(record, room, f"{place}, fault {number}") for number, record in enumerate(records, start=1)]


def _fault(record: object, room: str, place: str) -> Fault:
    if not isinstance(record, dict):
        raise FaultError(f"{place} is not a table")
    for name, value in record.items():
        kind = (_NEEDED | _OPTIONAL).get(name)
        if kind is None:
            raise FaultError(f"{place} has {name!r}; a fault has {', '.join((*_NEEDED, *_OPTIONAL))}")
        if not isinstance(value, kind):
            raise FaultError(f"{place}: {name} is {value!r}; it is a {'list of texts' if kind is list else 'text'}")
    if missing := [name for name in _NEEDED if not record.get(name) and name != "new"]:
        raise FaultError(f"{place} has no {missing[0]}")
    if not re.fullmatch("[a-z0-9-]+", record["id"]):
        raise FaultError(f"{place}: id {record['id']!r} has more than letters, digits and hyphens")
    if not all(isinstance(path, str) and path for path in record["tests"]):
        raise FaultError(f"{place}: tests is {record['tests']!r}; it is a list of texts")
    if record["old"] == record.get("new", ""):
        raise FaultError(f"{place}: old and new are the same")
    return Fault(**(record | {"room": room, "new": record.get("new", ""), "tests": tuple(record["tests"])}))


def _refuse_twice(ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise FaultError(f"two faults have the id {one}; rename one")
        seen.add(one)


def mutated(text: str, fault: Fault) -> str:
    """The text with the fault in it."""
    start = 0
    if fault.after:
        _once(text, fault.after, fault, "after")
        start = text.index(fault.after) + len(fault.after)
        if fault.old not in text[start:]:
            raise FaultError(f"{fault.id}: {fault.file} has no {fault.old!r} behind {fault.after!r}")
    else:
        _once(text, fault.old, fault, "old")
    changed = text[:start] + text[start:].replace(fault.old, fault.new, 1)
    try:
        ast.parse(changed)
    except SyntaxError as cause:
        raise FaultError(f"{fault.id}: {fault.file} does not parse with the fault: {cause}") from cause
    return changed


def _once(text: str, part: str, fault: Fault, name: str) -> None:
    count = text.count(part)
    if count != 1:
        raise FaultError(f"{fault.id}: {fault.file} has {name} {part!r} {count} times; it has to be there once")


def check_fault(root: Path, fault: Fault) -> None:
    """Refuse a fault that cannot be applied to the tree, or whose tests are not there."""
    path = root / fault.file
    if not path.is_file():
        raise FaultError(f"{fault.id}: there is no file {fault.file}")
    mutated(path.read_text(encoding="utf-8"), fault)
    for test in fault.tests:
        if not (root / test.partition("::")[0]).exists():
            raise FaultError(f"{fault.id}: there is no {test.partition('::')[0]}")
