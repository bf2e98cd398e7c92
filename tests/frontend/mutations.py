"""Files broken in every way that fuzzers know: cut, flipped, repeated, spliced, deep, huge, and plain junk."""

from random import Random

DEEP = {
    ".toml": (b"x = " + b"[" * 20_000, b"[a" + b".a" * 20_000 + b"]\n"),
    ".json": (b'{"a":' * 20_000, b"[" * 100_000),
    ".xml": (b"<a>" * 50_000, b"<gpu>" * 1000 + b"</gpu>" * 1000),
    ".hlo": (b"HloModule m\nENTRY e {\n" + b"(" * 50_000, b"HloModule m, x={" + b"{" * 50_000),
    ".mlir": (b"module {\n" * 20_000, b"func.func @f(" + b"tuple<" * 20_000),
}
BOMBS = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">'
    b'<!ENTITY z "&y;&y;&y;&y;&y;&y;&y;&y;">]><algo name="&z;"/>',
    b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><algo/>',
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><algo name="&x;"/>',
    b'<?xml version="1.0" encoding="utf-16"?><algo/>',
)
NUMBERS = (
    b"-1",
    b"0",
    b"99999999999999999999",
    b"1e400",
    b"4294967296",
    b"0x7fffffff",
    b"9" * 100_000,
    b"nan",
    b"-0",
    b"1.5",
    b"2147483647",
    b"65536",
    b"4096",
    b"16777216",
)
WORDS = (
    b"{}",
    b"[]",
    b'"',
    b"'",
    b"\x00",
    b"\xff\xfe",
    "\u202e".encode(),
    b"\n",
    b"<",
    b">",
    b"%0",
    b"%",
    b"$(id)",
    b"../",
)


def mutated(corpus: list[tuple[str, bytes]], random: Random) -> tuple[str, bytes]:
    """A suffix and the bytes of a file that is no longer what it was."""
    suffix, data = random.choice(corpus)
    if random.random() < 0.02:
        return suffix, random.choice((*DEEP[suffix], *(BOMBS if suffix == ".xml" else ()), random.randbytes(2000)))
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        data = random.choice(MUTATIONS)(data, random, corpus)
    return suffix, data


def _cut(data, random, corpus):
    return data[: random.randrange(len(data) + 1)]


def _flip(data, random, corpus):
    if not data:
        return b"\x00"
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]


def _drop(data, random, corpus):
    first, end = _range(data, random)
    return data[:first] + data[end:]


def _repeat(data, random, corpus):
    first, end = _range(data, random)
    return data[:end] + data[first:end] * random.choice((1, 2, 50)) + data[end:]


def _insert(data, random, corpus):
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice((*NUMBERS, *WORDS, random.randbytes(3))) + data[place:]


def _number(data, random, corpus):
    """Another number where one stands."""
    places = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return _insert(data, random, corpus)
    place = random.choice(places)
    return data[:place] + random.choice(NUMBERS) + data[place + 1 :]


def _splice(data, random, corpus):
    _, other = random.choice(corpus)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other)) :]


def _line(data, random, corpus):
    lines = data.split(b"\n")
    random.shuffle(lines)
    return b"\n".join(lines)


def _range(data, random):
    first = random.randrange(len(data) + 1)
    return first, min(len(data), first + random.choice((1, 3, 20, 200)))


MUTATIONS = (_cut, _flip, _drop, _repeat, _insert, _number, _number, _splice, _line)
