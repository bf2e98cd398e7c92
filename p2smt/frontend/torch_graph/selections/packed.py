"""Packed sequences: rows of a padded batch that its lengths select, and recurrent layers that stop at them.

`pack_padded_sequence` keeps the rows (time, sample) with time < length of the sample, in the order of time: a selection
of all rows, by the mask `alive`. A recurrent layer keeps a sample's state where its sequence has ended, and so begins
backwards at its last element:

    h[t] = where(t < length, cell(x[t], h[t - 1]), h[t - 1])

How many samples are alive at a time, `batch_sizes`, is computed; that all are at time 0 is what torch checks.

Example: lengths 2 and 1 select of a0 b0 a1 b1 the rows a0 b0 a1; backwards the state of b is its first until time 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional

from p2smt.frontend.torch_graph import elements
from p2smt.frontend.torch_graph.selections.masks import inner
from p2smt.frontend.torch_graph.selections.rows import Mask, MaskedRows, SelectionError, entered, refused

NAMES = frozenset(("_pack_padded_sequence", "_pad_packed_sequence", "lstm", "gru", "rnn_tanh", "rnn_relu"))
_KEY = "_p2smt_sequences"
_States = tuple[torch.Tensor, ...]
_Cell = Callable[[torch.Tensor, torch.Tensor, _States], _States]


class _AtMost(int):
    """A length that no sequence of a batch exceeds, in the place of the longest one's, which is not known."""


@dataclass(frozen=True, slots=True)
class _Sequences:
    """A packed batch: `alive` says at which times (rows) which samples (columns) have not ended."""

    alive: torch.Tensor
    mask: Mask
    is_longest_known: bool

    def rows(self, data: object, name: str) -> torch.Tensor:
        """Packed data as a padded batch [time, sample, ...], with 0 behind the ends."""
        if not isinstance(data, MaskedRows) or data.mask is not self.mask or data.at != 0:
            raise refused(name)
        padded = data.value.reshape(*self.alive.shape, *data.value.shape[1:])
        return torch.where(_beside(self.alive, padded), padded, 0)


def packed(x: torch.Tensor, lengths: torch.Tensor, batch_first: bool, mask: Callable[[torch.Tensor], Mask]) -> object:
    """Return the rows that lengths select, and their number at each time."""
    padded = x.transpose(0, 1) if batch_first else x
    # Lengths that are numbers, not of the batch, cut the padding off, as torch does.
    if (known := elements.known(inner(lengths))) is not None:
        padded = padded[: max(known.tolist())]
    alive = torch.arange(padded.shape[0])[:, None] < lengths
    sizes = alive.sum(1)
    own = mask(alive)
    # torch carries `batch_sizes` beside the data; here they say which batch they are of.
    vars(sizes)[_KEY] = _Sequences(alive, own, is_longest_known=known is not None)
    return entered(padded.flatten(0, 1), own, padded.dim() - 2), sizes


def first_size(sizes: torch.Tensor) -> torch.Tensor | None:
    """Return the number of samples at time 0, which is that of all, if these are sizes of a packed batch."""
    found = vars(sizes).get(_KEY)
    return torch.tensor(found.alive.shape[1]) if isinstance(found, _Sequences) else None


def longest(sizes: torch.Tensor) -> int | None:
    """Return the length of the longest sequence, or of the padded batch, if these are sizes of a packed batch."""
    match vars(sizes).get(_KEY):
        case _Sequences() as found:
            times = found.alive.shape[0]
            return times if found.is_longest_known else _AtMost(times)
        case _:
            return None


def recurrent(name: str, args: Sequence[object]) -> object:
    """Return the result of torch's function of this name on packed rows."""
    match args:
        case (data, torch.Tensor() as sizes, *others) if isinstance(vars(sizes).get(_KEY), _Sequences):
            sequences = vars(sizes)[_KEY]
        case _:
            raise refused(name)
    rows = sequences.rows(data, name)
    if name == "_pad_packed_sequence":
        return _padded(sequences, rows, *others)  # type: ignore[arg-type]
    assert isinstance(data, MaskedRows)
    out, states = _layers(name, sequences.alive, rows, *others)  # type: ignore[arg-type]
    return MaskedRows(out.flatten(0, 1), data.mask, out.dim() - 2, finite=True), *states


def _beside(alive: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return alive.reshape(*alive.shape, *[1] * (x.dim() - 2))


def _padded(
    sequences: _Sequences, rows: torch.Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[torch.Tensor, torch.Tensor]:
    if isinstance(total_length, _AtMost):
        raise SelectionError(
            "pad_packed_sequence pads to the longest sequence there, whose length depends on the values of tensors, "
            "which have none while a step is captured; pass total_length, such as the length of the padded batch"
        )
    made = torch.where(_beside(sequences.alive, rows), rows, padding_value)[:total_length]
    if (missing := total_length - made.shape[0]) > 0:
        made = torch.cat([made, made.new_full((missing, *made.shape[1:]), padding_value)])
    return made.transpose(0, 1) if batch_first else made, sequences.alive.sum(0)


def _layers(
    name: str,
    alive: torch.Tensor,
    x: torch.Tensor,
    begin: torch.Tensor | Sequence[torch.Tensor],
    weights: Sequence[torch.Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[torch.Tensor, _States]:
    """Return the outputs of the last layer, and the last states of all."""
    # torch lists the weights by layer, then direction: of inputs, of states, and the biases of both.
    directions, each = 1 + bidirectional, 4 if has_biases else 2
    if len(weights) != each * num_layers * directions:
        raise SelectionError("packed sequences in an LSTM with proj_size are not supported; project behind the layer")
    first = begin if isinstance(begin, list | tuple) else (begin,)
    ended: list[_States] = []
    for layer in range(num_layers):
        outputs = []
        for number in range(layer * directions, (layer + 1) * directions):
            own = weights[each * number : each * (number + 1)]
            states = tuple(state[number] for state in first)
            made, states = _direction(_CELLS[name], alive, x, own, states, number > layer * directions)
            outputs.append(made)
            ended.append(states)
        x = torch.cat(outputs, -1)
        if layer < num_layers - 1 and train and dropout:
            x = functional.dropout(x, dropout)
    return x, tuple(torch.stack(several) for several in zip(*ended, strict=True))


def _direction(
    cell: _Cell, alive: torch.Tensor, x: torch.Tensor, weights: Sequence[torch.Tensor], states: _States, backwards: bool
) -> tuple[torch.Tensor, _States]:
    # Products with inputs do not depend on the state: one product for all times.
    given = functional.linear(x, weights[0], *weights[2:3])
    outputs: list[torch.Tensor] = []
    for time in reversed(range(x.shape[0])) if backwards else range(x.shape[0]):
        of_state = functional.linear(states[0], weights[1], *weights[3:4])
        made, here = cell(given[time], of_state, states), alive[time, :, None]
        states = tuple(torch.where(here, new, old) for new, old in zip(made, states, strict=True))
        outputs.append(torch.where(here, states[0], 0))
    return torch.stack(outputs[::-1] if backwards else outputs), states


def _lstm(given: torch.Tensor, of_state: torch.Tensor, states: _States) -> _States:
    into, forget, new, out = (given + of_state).chunk(4, -1)
    kept = forget.sigmoid() * states[1] + into.sigmoid() * new.tanh()
    return out.sigmoid() * kept.tanh(), kept


def _gru(given: torch.Tensor, of_state: torch.Tensor, states: _States) -> _States:
    (reset, update, new), (by_reset, by_update, by_new) = given.chunk(3, -1), of_state.chunk(3, -1)
    made = (new + (reset + by_reset).sigmoid() * by_new).tanh()
    return (made + (update + by_update).sigmoid() * (states[0] - made),)


_CELLS: dict[str, _Cell] = {
    "lstm": _lstm,
    "gru": _gru,
    "rnn_tanh": lambda given, of_state, _: ((given + of_state).tanh(),),
    "rnn_relu": lambda given, of_state, _: ((given + of_state).relu(),),
}
