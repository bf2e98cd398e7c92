"""Numbers in a model's `config.json`, which has other keys for the same size from class to class."""

from p2smt.errors import ProblemError

Config = dict[str, object]


def optional_size(config: Config, *keys: str) -> int | None:
    """Return the first of these keys' values that is a positive integer; None if there is none.

    >>> optional_size({"n_inner": None, "ffn_dim": 8}, "n_inner", "ffn_dim")
    8
    """
    return next((value for key in keys if isinstance(value := config.get(key), int) and value > 0), None)


def listed(config: Config, *keys: str) -> str | None:
    """Return the first of these keys that holds a list, one value per layer; None if there is none."""
    return next((key for key in keys if isinstance(config.get(key), list)), None)


def size(config: Config, place: str, *keys: str) -> int:
    """Return the value that `optional_size` does. ProblemError, with `place` and the first key, if there is none."""
    found = optional_size(config, *keys)
    if found is None:
        raise ProblemError(f"{place} has no {keys[0]}; it is needed to count the model's parameters")
    return found
