"""Files of rates: JSON, an entry for each number of ranks; sizes and seconds of calls as lists of pairs."""

import json
from pathlib import Path

from p2smt.errors import ProgramError
from p2smt.schedule.cost.rates import ELEMENTWISE, Card, Carrying, Curve, Rates, RatesByRanks


def rates_text(rates: RatesByRanks) -> str:
    """The text of a file; `read_rates` of it gives the same."""
    return json.dumps([_entry(each) for each in rates.rates], indent=1) + "\n"


def read_rates(path: Path) -> RatesByRanks:
    """The rates in a file. ProgramError where it cannot be read, or is none of rates."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return RatesByRanks(tuple(_rates(entry) for entry in entries))
    except OSError as cause:
        raise ProgramError(f"{path} cannot be read: {cause.strerror or cause}") from cause
    except (ValueError, TypeError, KeyError, AttributeError) as cause:
        raise ProgramError(f"{path} has no rates: {type(cause).__name__}: {cause}") from cause


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
        "lost": rates.lost,
    }


def _card(card: Card) -> dict[str, object]:
    return {"bandwidth": card.bandwidth, "factors": [list(point) for point in card.factors]}


def _rates(entry: dict[str, dict[str, object]]) -> Rates:
    fields = {"ranks", "burst", "calls", "ways", "part", "cards", "lost"}
    if set(entry) != fields:
        raise ValueError(f"an entry has {', '.join(entry)}; it has to have {', '.join(sorted(fields))}")
    calls = {name: _curve(name, points) for name, points in entry["calls"].items()}
    if ELEMENTWISE not in calls:
        raise ValueError(f"calls lack {ELEMENTWISE}")
    ways = {name: _carrying(name, way) for name, way in entry["ways"].items()}
    ranks, burst, part, lost = (_number(entry[name]) for name in ("ranks", "burst", "part", "lost"))
    if lost > 1:
        raise ValueError(f"{lost} is lost; it is a part, at most 1")
    cards = _cards("loops", entry["cards"])
    return Rates(ranks=int(ranks), burst=burst, calls=calls, ways=ways, part=part, cards=cards, lost=lost)


def _curve(name: str, points: object) -> Curve:
    return Curve(_points(name, points))


def _points(name: str, points: object) -> tuple[tuple[float, float], ...]:
    if not isinstance(points, list) or not points:
        raise ValueError(f"{name} has no points")
    pairs = tuple((_number(size), _number(value)) for size, value in points)
    sizes = [size for size, _ in pairs]
    if sizes != sorted(set(sizes)):
        raise ValueError(f"{name}: sizes do not ascend")
    return pairs


def _carrying(name: str, way: object) -> Carrying:
    if not isinstance(way, dict) or set(way) != {"begin", "turn", "cards"}:
        raise ValueError(f"{name} has to have begin, turn, cards")
    return Carrying(begin=_number(way["begin"]), turn=_number(way["turn"]), cards=_cards(name, way["cards"]))


def _cards(name: str, cards: object) -> tuple[Card, ...]:
    if not isinstance(cards, list):
        raise ValueError(f"{name} has no cards")
    found = tuple(Card(_number(card["bandwidth"]), _points(name, card["factors"])) for card in cards)
    rates = [card.bandwidth for card in found]
    if rates != sorted(set(rates)):
        raise ValueError(f"{name}: bandwidths of cards do not ascend")
    return found


def _number(value: object) -> float:
    """A number of seconds, bytes or ranks."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"{value!r} is no number from 0 on")
    return float(value)
