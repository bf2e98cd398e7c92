"""Files of rates: JSON, an entry for each number of ranks; sizes and seconds of calls as lists of pairs."""

import json
from pathlib import Path

from p2smt.errors import ProgramError
from p2smt.schedule.cost.rates import ELEMENTWISE, Carrying, Curve, Rates, RatesByRanks


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
        "step": rates.step,
        "turn": rates.turn,
        "burst": rates.burst,
        "calls": {name: [list(point) for point in curve.points] for name, curve in rates.calls.items()},
        "ways": {
            name: {"begin": way.begin, "wire": [list(point) for point in way.wire]} for name, way in rates.ways.items()
        },
    }


def _rates(entry: dict[str, dict[str, object]]) -> Rates:
    fields = {"ranks", "step", "turn", "burst", "calls", "ways"}
    if set(entry) != fields:
        raise ValueError(f"an entry has {', '.join(entry)}; it has to have {', '.join(sorted(fields))}")
    calls = {name: _curve(name, points) for name, points in entry["calls"].items()}
    if ELEMENTWISE not in calls:
        raise ValueError(f"calls lack {ELEMENTWISE}")
    ways = {name: _carrying(name, way) for name, way in entry["ways"].items()}
    ranks, step, turn, burst = (_number(entry[name]) for name in ("ranks", "step", "turn", "burst"))
    return Rates(ranks=int(ranks), step=step, turn=turn, burst=burst, calls=calls, ways=ways)


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
    if not isinstance(way, dict) or set(way) != {"begin", "wire"}:
        raise ValueError(f"{name} has to have begin, wire")
    return Carrying(begin=_number(way["begin"]), wire=_points(name, way["wire"]))


def _number(value: object) -> float:
    """A number of seconds, bytes or ranks."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"{value!r} is no number from 0 on")
    return float(value)
