"""Long lines of emitted Python, broken as ruff's formatter breaks them: at the last brackets, then at their commas.

Method: recursive splitting, as in pretty printers (Wadler, "A prettier printer", 2003, in a fixed order without a
search):
    lines(l) = l,                                         if it fits into `WIDTH`,
             = head / body / tail,                        if the body of the last brackets fits on one line,
             = head / lines(item) for its items / tail,   otherwise; items end at commas outside of inner brackets.
Complexity: O(length) for each level of brackets.

Example: with a width of 20, `y = add(first, second)` becomes `y = add(` / `    first, second` / `)`.
"""

from collections.abc import Iterator, Sequence

WIDTH = 120
_OPENING, _CLOSING = "([{", ")]}"


def broken(line: str) -> str:
    """Return a statement, or an item of a literal, on as many lines as it needs, with its indentation."""
    return "\n".join(_lines(line))


def _lines(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    targets, equals, value = line.partition(" = ")
    if equals and "," in targets and "(" not in targets and len(targets) + len(value.partition("(")[0]) + 4 > WIDTH:
        return [f"{indent}(", *(f"{indent}    {each}," for each in _items(targets)), *_lines(f"{indent}) = {value}")]
    opened = _last_bracket(line)
    if opened is None:
        return _in_brackets(line, indent)
    head, body, tail = line[: opened[0] + 1], line[opened[0] + 1 : opened[1]], line[opened[1] :]
    inside = f"{indent}    {body.rstrip(',')}"
    if len(inside) <= WIDTH and not body.endswith(","):
        return [head, inside, f"{indent}{tail}"]
    items = [each for item in _items(body) for each in _lines(f"{indent}    {item},")]
    return [head, *items, f"{indent}{tail}"]


def _in_brackets(line: str, indent: str) -> list[str]:
    """Return an assignment in parentheses, for a right side that does not end in brackets."""
    target, equals, value = line.partition(" = ")
    if not equals:
        return [line]
    return [f"{target} = (", f"{indent}    {value}", f"{indent})"]


def _last_bracket(line: str) -> tuple[int, int] | None:
    """Return the positions of the brackets that end a line (before a comma); None for empty brackets."""
    end = len(line) - 1 - line.endswith(",")
    if line[end] not in _CLOSING:
        return None
    depth, quoted = 0, _quoted(line)
    # Backwards from the closing bracket to its partner, ignoring brackets inside of strings.
    for position in range(end, -1, -1):
        if quoted[position]:
            continue
        depth += (line[position] in _CLOSING) - (line[position] in _OPENING)
        if depth == 0:
            return (position, end) if position + 1 < end else None
    return None


def _items(body: str) -> Iterator[str]:
    """Yield the items between commas, outside of inner brackets."""
    depth, start, quoted = 0, 0, _quoted(body)
    for position, character in enumerate(body):
        if quoted[position]:
            continue
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "," and depth == 0:
            yield body[start:position].strip()
            start = position + 1
    if body[start:].strip():
        yield body[start:].strip()


def _quoted(text: str) -> list[bool]:
    """Return a mask of the characters inside strings; strings of emitted lines contain no quotes."""
    inside, marks = False, []
    for character in text:
        marks.append(inside or character == '"')
        inside ^= character == '"'
    return marks


def definition(name: str, parameters: Sequence[str], result: str) -> str:
    """Return the first line of a function, broken as ruff does."""
    listed = ", ".join(parameters)
    line = f"def {name}({listed}) -> {result}:"
    if len(line) <= WIDTH:
        return line
    inside = f"    {listed}" if len(listed) + 4 <= WIDTH else "\n".join(f"    {each}," for each in parameters)
    return f"def {name}(\n{inside}\n) -> {result}:"
