"""Read users' files safely: with bounded size, without execution, and with error locations.

A file is parsed to plain values, which are converted to records by their declared types, top down:
    convert(value, record) = record(convert(value[key], type of key) for each key),   unknown keys refused,
with the place (`grid[0].engines[0]`) carried along for messages. Of several records a tag key selects one. The same
walk over the types gives the JSON Schema.
Complexity: O(size of the file).
Reference: JSON Schema, draft 2020-12; msgspec, which converts.

Example: `bandwidth = "fast"` under `[[link]]` is refused with its place, link[0].bandwidth, and the type it needs.
"""

import atexit
import difflib
import re
import sys
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import (  # Any: a user's file before it is checked
    Any,
    BinaryIO,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)
from weakref import WeakKeyDictionary

import msgspec

from p2smt.errors import P2Error
from p2smt.wording import did_you_mean

STDIN = "-"
"""The path that stands for standard input."""

_READ: WeakKeyDictionary[BinaryIO, bytes] = WeakKeyDictionary()
"""Bytes read from standard input and named pipes so far, so that they can be read twice."""

_PIPES: dict[str, BinaryIO] = {}
"""The named pipes that were opened, by path: to open one again waits for a second writer, who may never come."""

_Record = TypeVar("_Record")


def names_file(text: str | Path) -> bool:
    """True if a text from the user is the path of a file; False for texts that cannot be a path, such as long ones."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def read_bounded(path: Path, most: int, error: type[P2Error]) -> bytes:
    """Return the content of a file of at most `most` bytes; - is standard input, which can be read again.

    Raises `error` if the file is larger or cannot be read.
    """
    try:
        if str(path) == STDIN:
            data = _read_again(sys.stdin.buffer, most + 1)
        elif path.is_fifo():
            data = _read_again(_PIPES.get(str(path)) or _opened(path), most + 1)
        else:
            with path.open("rb") as file:
                data = file.read(most + 1)
    except OSError as cause:
        way_out = "; change its permissions" if isinstance(cause, PermissionError) else _way_out(path)
        raise error(f"cannot read {path}: {cause.strerror}{way_out}") from cause
    if len(data) > most:
        named = "standard input" if str(path) == STDIN else path
        raise error(f"{named} is larger than {most} bytes, the limit; check what you give")
    return data


def _opened(pipe: Path) -> BinaryIO:
    stream: BinaryIO = pipe.open("rb")
    atexit.register(stream.close)
    return _PIPES.setdefault(str(pipe), stream)


def _read_again(stream: BinaryIO, most: int) -> bytes:
    """Return the first bytes of a stream that cannot be rewound, including those read before."""
    data = _READ.get(stream, b"")
    if len(data) < most:
        data += stream.read(most - len(data))
        _READ[stream] = data
    return data[:most]


def _way_out(path: Path) -> str:
    """Return a hint for a file that cannot be read: a file in the given folder, or a similar name."""
    with suppress(OSError):
        if path.is_dir():
            return "; give a file in it"
        return did_you_mean(path.name, [each.name for each in path.parent.iterdir()]) or "; check its name"
    return "; check its name"


def why_malformed(cause: Exception) -> str:
    """Return the complaint of a parser of JSON or TOML, in one line.

    >>> why_malformed(RecursionError("maximum recursion depth exceeded"))
    'nested too deeply'
    """
    return "nested too deeply" if isinstance(cause, RecursionError) else str(cause).partition("\n")[0]


def convert_checked(data: object, record: type[_Record], source: str, error: type[P2Error]) -> _Record:
    """Convert parsed TOML or JSON to a record; errors for unknown keys and wrong types give their location.

    Raises `error` with one line: source, location, the value found, and the type expected.
    """
    _refuse_unknown_keys(data, record, source, "", error)
    try:
        return msgspec.convert(data, record, str_keys=True)
    except (msgspec.ValidationError, RecursionError) as cause:
        text, _, place = str(cause).partition(" - at ")
        place = place.replace("`", "").replace("$.", "").removeprefix("$")
        text = re.sub(r"('[^']{60})[^']+'", r"\1...'", text.replace("`", "")) or "nested too deeply"
        way_out = _written(text) or _choices(text, _type_at(record, place))
        raise error(f"{source}: {place or 'top level'}: {text[:1].lower()}{text[1:]}{way_out}") from cause


def json_schema(content: object, title: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of files with this type of content, of TOML as the JSON it stands for."""
    schema = msgspec.json.schema(content)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"p2smt {title}", **schema}


_WRITTEN = {
    "array": "in brackets, [...]",
    "object": "as a table, {...}",
    "str": "in quotes",
    "int": "as a whole number",
    "float": "as a number",
    "bool": "as true or false",
}
"""Map msgspec's names of types to their notation in files."""


def _written(text: str) -> str:
    """Return a hint on writing the expected type; empty if the message is about something else.

    >>> _written("Expected `array`, got `str`".replace("`", ""))
    '; write it in brackets, [...]'
    """
    found = re.match(r"Expected (\w+)(?: \| \w+)*, got", text)
    if found is not None and found[1] in _WRITTEN:
        return f"; write it {_WRITTEN[found[1]]}"
    missing = re.search(r"missing required field (\w+)", text)
    return "" if missing is None else f"; add {missing[1]}"


def _choices(text: str, annotation: Any) -> str:
    """Return the values that an entry may have, as the end of a message; empty if its type does not bound them.

    >>> _choices("Expected int >= 1", int), _choices("Expected array of length <= 64", tuple)
    ('; write at least 1, or leave it out', '; list at most 64, or leave it out')
    """
    if "enum value" in text:
        members = _members(annotation)
        return f"; choose one of {', '.join(members)}" if members else ""
    bound = re.search(r"(length )?([<>])= (-?[\d.]+)", text)
    if bound is None:
        return ""
    most_or_least = "at most" if bound[2] == "<" else "at least"
    return f"; {'list' if bound[1] else 'write'} {most_or_least} {bound[3]}, or leave it out"


def _members(annotation: Any) -> list[str]:
    """Return the values of the enums and literals of an annotation.

    >>> _members(Literal["ring", "tree"] | None)
    ['ring', 'tree']
    """
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(member.value) for member in annotation]
    if get_origin(annotation) is Literal:
        return [str(value) for value in get_args(annotation)]
    return [member for inner in get_args(annotation) for member in _members(inner)]


def _type_at(record: Any, place: str) -> Any:
    """Return the annotation of an entry by its place, such as `grid[0].engines[0]`; None if there is no such field."""
    found: Any = record
    # Positions in lists and keys in tables do not change the type of what they hold.
    for name in re.sub(r"\[[^]]*\]", "", place).split("."):
        known = [_fields(kind) for kind in _record_types(found)]
        found = next((fields[name] for fields in known if name in fields), None)
    return found


def _refuse_unknown_keys(data: object, record: Any, source: str, place: str, error: type[P2Error]) -> None:
    if not isinstance(data, dict) or not _is_record(record):
        return
    fields = _fields(record)
    tag = _tag(record)[0]
    for key, value in data.items():
        here = f"{place}.{key}" if place else str(key)
        if key == tag:
            continue
        if key not in fields:
            near = difflib.get_close_matches(str(key), fields, n=1, cutoff=0.0)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise error(f"{source}: unknown key {here[:120]!r}{hint} (known: {', '.join(fields)})")
        _refuse_inside(value, fields[key], source, here, error)


def _is_record(annotation: Any) -> bool:
    """True for structs and dataclasses, whose fields are the keys of a table."""
    return isinstance(annotation, type) and (issubclass(annotation, msgspec.Struct) or is_dataclass(annotation))


@lru_cache(maxsize=256)
def _fields(record: type[Any]) -> dict[str, Any]:
    """Return the types of a record's fields, by their names in files."""
    if is_dataclass(record):
        return get_type_hints(record)
    return {field.encode_name: field.type for field in msgspec.structs.fields(record)}


def _tag(record: type[Any]) -> tuple[str | None, object]:
    """Return the key that says which of several records a table is, and its value for this one."""
    config = getattr(record, "__struct_config__", None)
    return (None, None) if config is None else (config.tag_field, config.tag)


def _refuse_inside(value: object, annotation: Any, source: str, place: str, error: type[P2Error]) -> None:
    if get_origin(annotation) is dict and isinstance(value, dict):
        for key, inner in value.items():
            _refuse_inside(inner, get_args(annotation)[1], source, f"{place}.{key}", error)
        return
    entries = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    records = _record_types(annotation)
    for index, entry in entries:
        here = place if index is None else f"{place}[{index}]"
        for record in records:
            if isinstance(entry, dict) and _tag_matches(entry, record):
                _refuse_unknown_keys(entry, record, source, here, error)


def _tag_matches(entry: dict[Any, Any], record: type[Any]) -> bool:
    key, value = _tag(record)
    return key is None or entry.get(key) == value


def _record_types(annotation: Any) -> list[Any]:
    if _is_record(annotation):
        return [annotation]
    return [record for inner in get_args(annotation) for record in _record_types(inner)]
