"""Files of rates: JSON with an entry per number of ranks, and curves as lists of (size, seconds) pairs."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from p2smt.errors import ProgramError
from p2smt.problem.typed import convert_checked, read_bounded, why_malformed
from p2smt.schedule.cost.rates import ELEMENTWISE, Card, CollectiveRates, Curve, Rates, RatesByRanks

_MOST_BYTES = 4_194_304
_MOST = 1e30
_WRITTEN = "scripts/measure_rates.py writes such files"

Pairs = list[tuple[float, float]]


class CardEntry(msgspec.Struct, frozen=True):
    """Factors on the time of calls for links of one bandwidth, in bytes/s, by size in bytes."""

    bandwidth: float
    factors: Pairs


class CollectiveEntry(msgspec.Struct, frozen=True):
    """Rates of one way of carrying a collective."""

    begin: float
    turn: float
    cards: list[CardEntry]


class RatesEntry(msgspec.Struct, frozen=True):
    """The rates of one number of ranks."""

    ranks: int
    burst: float
    calls: dict[str, Pairs]
    ways: dict[str, CollectiveEntry]
    part: float
    cards: list[CardEntry]
    lost: float
    reread: float = 1.0
    late: float = 0.0
    start: float = 0.0


RatesFile = list[RatesEntry]
"""The content of a file: an entry for each number of ranks."""


def rates_text(rates: RatesByRanks) -> str:
    """Return the file text of rates; `read_rates` reads it back unchanged."""
    return json.dumps([_entry(each) for each in rates.rates], indent=1) + "\n"


def read_rates(path: Path) -> RatesByRanks:
    """Read the rates in a file of at most 4 MiB. ProgramError with the position if the file is malformed."""
    data = read_bounded(path, _MOST_BYTES, ProgramError)
    try:
        entries = msgspec.json.decode(data)
    except (ValueError, RecursionError) as cause:
        raise ProgramError(f"{path} is not valid JSON: {why_malformed(cause)}; {_WRITTEN}") from cause
    if not isinstance(entries, list) or not entries:
        raise ProgramError(f"{path} is not a list with an entry for each number of ranks; {_WRITTEN}")
    found = tuple(_rates(entry, f"{path}: entry {number}") for number, entry in enumerate(entries, start=1))
    ranks = [each.ranks for each in found]
    twice = next((count for count in ranks if ranks.count(count) > 1), None)
    if twice is not None:
        raise ProgramError(f"{path} has {ranks.count(twice)} entries for {twice} ranks; keep one")
    return RatesByRanks(found)


def _entry(rates: Rates) -> dict[str, object]:
    return {
        "ranks": rates.ranks,
        "burst": rates.burst,
        "calls": {name: [list(point) for point in curve.points] for name, curve in rates.calls.items()},
        "ways": {
            name: {"begin": way.begin, "turn": way.turn, "cards": [_card(card) for card in way.cards]}
            for name, way in rates.ways.items()
        },
        "part": rates.part,
        "cards": [_card(card) for card in rates.cards],
        "reread": rates.reread,
        "lost": rates.lost,
        "late": rates.late,
        "start": rates.start,
    }


def _card(card: Card) -> dict[str, object]:
    return {"bandwidth": card.bandwidth, "factors": [list(point) for point in card.factors]}


def _rates(data: object, place: str) -> Rates:
    if isinstance(data, dict) and isinstance(data.get("ways"), dict):  # one by one, so that messages name them
        for name, way in data["ways"].items():
            convert_checked(way, CollectiveEntry, f"{place}: ways.{name}", ProgramError)
    entry = convert_checked(data, RatesEntry, place, ProgramError)
    if entry.ranks < 1:
        raise ProgramError(f"{place}: ranks is {entry.ranks}; give at least 1")
    if ELEMENTWISE not in entry.calls:
        raise ProgramError(f"{place}: calls lack {ELEMENTWISE}, which prices calls without a curve; measure it")
    _check_numbers(place, burst=entry.burst, part=entry.part, lost=entry.lost)
    _check_numbers(place, reread=entry.reread, late=entry.late, start=entry.start)
    if entry.reread < 1:
        raise ProgramError(f"{place}: reread is {entry.reread:g}; give a factor on the time of bytes, at least 1")
    if entry.lost > 1:
        raise ProgramError(f"{place}: lost is {entry.lost:g}; give a fraction of at most 1")
    return Rates(
        ranks=entry.ranks,
        burst=entry.burst,
        calls={name: _curve(points, f"{place}: calls.{name}") for name, points in entry.calls.items()},
        ways={name: _carrying(way, f"{place}: ways.{name}") for name, way in entry.ways.items()},
        part=entry.part,
        cards=_cards(entry.cards, f"{place}: cards"),
        reread=entry.reread,
        lost=entry.lost,
        late=entry.late,
        start=entry.start,
    )


def _curve(points: Pairs, place: str) -> Curve:
    found = _points(points, place)
    if found[-1][0] <= 0:
        raise ProgramError(f"{place}: the largest size is 0; measure a call with at least one byte")
    return Curve(found)


def _points(points: Pairs, place: str) -> tuple[tuple[float, float], ...]:
    if not points:
        raise ProgramError(f"{place} has no points; give at least one pair")
    for point in points:
        _check_numbers(place, **dict(zip(("size", "value"), point, strict=True)))
    _check_ascending([size for size, _ in points], f"{place}: sizes")
    return tuple(points)


def _carrying(way: CollectiveEntry, place: str) -> CollectiveRates:
    _check_numbers(place, begin=way.begin, turn=way.turn)
    return CollectiveRates(begin=way.begin, turn=way.turn, cards=_cards(way.cards, f"{place}: cards"))


def _cards(cards: Sequence[CardEntry], place: str) -> tuple[Card, ...]:
    _check_ascending([card.bandwidth for card in cards], f"{place}: bandwidths")
    return tuple(_made(cards, place))


def _made(cards: Sequence[CardEntry], place: str) -> Iterator[Card]:
    for card in cards:
        _check_numbers(place, bandwidth=card.bandwidth)
        yield Card(card.bandwidth, _points(card.factors, f"{place}: factors at {card.bandwidth:g}"))


def _check_ascending(values: Sequence[float], place: str) -> None:
    for before, after in pairwise(values):
        if not before < after:
            raise ProgramError(
                f"{place} do not ascend: {before:g} comes before {after:g}; sort them, and give each once"
            )


def _check_numbers(place: str, **numbers: float) -> None:
    for name, number in numbers.items():
        if not 0 <= number < _MOST:
            raise ProgramError(f"{place}: {name} is {number:g}; give at least 0 and less than {_MOST:g}")
