"""Texts about goals in emitted JAX files, and the form of their results."""

from dataclasses import dataclass

from p2smt.collective import Collective

_ALL_ROWS = "wrong += int((found != expected).sum())\n"
_FIRST_ROWS = "wrong += int((found != expected)[[group[0] for group in groups]].sum())\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class JaxGoalWords:
    """The texts about one goal in an emitted JAX file.

    `result` names the result, `row` describes row i of it, and `does` describes the function's result. `reference` is
    JAX's function for the goal, `compared` the line that counts differences to it; `rule` are more docstring lines.
    `shape` names the function's template, by the change to the shape of its input. `buffer` describes the buffer at the
    first step; `unit` is the length of 1 / MULTIPLE of the payload.
    """

    result: str
    row: str
    does: str
    reference: str
    shape: str = "kept"
    buffer: str = "a flat buffer whose length MULTIPLE divides"
    unit: str = "buffer.size // MULTIPLE"
    rule: str = ""
    compared: str = _ALL_ROWS


def words_of(goal: Collective) -> JaxGoalWords:
    """Return the texts for a goal."""
    match goal:
        case Collective.ALL_REDUCE:
            return JaxGoalWords(
                result="total",
                row="the sum over the group of device i",
                does="The sum of what the devices of this device's group give, on each of them",
                reference="jax.lax.psum",
            )
        case Collective.REDUCE_SCATTER:
            return JaxGoalWords(
                result="shard",
                row="the shard of device i",
                does="The shard that this device has of its group's sum, flat",
                reference="jax.lax.psum_scatter",
                shape="scattered",
                rule=_SCATTERED,
            )
        case Collective.ALL_GATHER:
            return JaxGoalWords(
                result="whole",
                row="all shards of the group of device i",
                does="The shards of the devices of this device's group behind one another, flat",
                reference="jax.lax.all_gather",
                shape="gathered",
                buffer="the flat shard of every device",
                unit="buffer.size",
                rule=_GATHERED,
            )
        case Collective.REDUCE:
            return JaxGoalWords(
                result="total",
                row="the sum, if device i is the first of its group",
                does="The sum of what the devices of a group give, on the first of them",
                reference="jax.lax.psum",
                rule=_REDUCED,
                compared=_FIRST_ROWS,
            )
        case Collective.BROADCAST:
            return JaxGoalWords(
                result="same",
                row="the row of the first device of its group",
                does="What the first device of this device's group gives, on each of them",
                reference="the rows of the first devices",
            )


_SCATTERED = """
The elements of a row, followed by as few zeros as will do, are cut into as many blocks of one length as a group has
devices. Block i of the sum is the shard of the i-th device in ascending order, as with the plain collective.
"""
_GATHERED = """
The shards of a group follow each other in the ascending order of devices, as with the plain collective; what was
filled up with zeros before it was cut into shards is the beginning of the result.
"""
_REDUCED = """
What the other devices of a group get has the same shape and is undefined.
"""
