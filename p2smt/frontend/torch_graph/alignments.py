"""Connectionist temporal classification: the negative log probability of all alignments with a target.

A target l1 l2 ... is written with blanks around its labels, s = 0 .. 2 S. With p[t, s] the log probability of the
label at s,

    a[0, s] = p[0, s] for s < 2,   a[t, s] = p[t, s] + log(exp a[t-1, s] + exp a[t-1, s-1] + exp a[t-1, s-2])

without the last term if s is a blank or has the same label as s - 2. After the end of a shorter input, rows
repeat the previous row. The loss is the negative logarithm of the sum of exp a over the last two positions of the
target.

Cost: T * S. Reference: Graves et al., "Connectionist temporal classification", ICML 2006.
Example: a target a over two frames aligns as aa, a-, -a.
"""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from p2smt.errors import CaptureError

_NEVER = -1e30
"""The logarithm that stands for probability 0; with infinity, gradients would be NaN."""


def connectionist_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: int = 1,
    zero_infinity: bool = False,
) -> Tensor:
    """Return the loss for log probabilities [t, n, c] and targets [n, s]; the mean is over target lengths.

    CaptureError for unbatched input and for concatenated (one-dimensional) targets.
    """
    if log_probs.dim() != 3 or targets.dim() != 2:
        raise CaptureError(
            "ctc_loss is supported for log_probs [time, samples, classes] and targets [samples, longest]; pad "
            "concatenated targets"
        )
    inputs, lengths = (torch.as_tensor(each).reshape(-1, 1) for each in (input_lengths, target_lengths))
    labels = _with_blanks(targets, blank)
    row = _last_row(log_probs.gather(2, labels.expand(log_probs.shape[0], -1, -1)), labels, inputs, blank)
    place = torch.arange(labels.shape[1])
    ends = (place == 2 * lengths) | (place == 2 * lengths - 1)
    loss = -torch.logsumexp(torch.where(ends, row, _NEVER), 1)
    loss = torch.where(loss > -_NEVER / 2, 0.0 if zero_infinity else torch.inf, loss)
    return (loss, (loss / lengths[:, 0].clamp(min=1)).mean(), loss.sum())[reduction]


def _with_blanks(targets: Tensor, blank: int) -> Tensor:
    """Return the targets with a blank before each label and after the last one."""
    between = torch.full((*targets.shape, 1), blank)
    return torch.cat([torch.cat([between, targets[:, :, None]], 2).flatten(1), between[:, :1, 0]], 1)


def _last_row(chances: Tensor, labels: Tensor, inputs: Tensor, blank: int) -> Tensor:
    """The last row of the recurrence, each sample's at its own input length."""
    passes = functional.pad((labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2]), (2, 0))
    row = torch.where(torch.arange(labels.shape[1]) < 2, chances[0], _NEVER)
    for frame in range(1, chances.shape[0]):
        one, two = (functional.pad(row, (by, 0), value=_NEVER)[:, :-by] for by in (1, 2))
        made = torch.logsumexp(torch.stack([row, one, torch.where(passes, two, _NEVER)]), 0) + chances[frame]
        row = torch.where(inputs > frame, made, row)
    return row
