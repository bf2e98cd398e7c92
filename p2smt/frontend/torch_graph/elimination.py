"""Linear systems, inverses, determinants and exponentials of matrices by products, sums, moves and choices.

Systems are solved by Gauss and Jordan's elimination with partial pivoting (Golub and Van Loan, Matrix Computations,
3.4): n steps, so n is limited. A step takes the row whose first element is the largest, exchanges it with the first,
and subtracts multiples of it from all others. The determinant is the product of the pivots, negated by each exchange.

exp(A) = exp(A / 2^s)^(2^s), with Taylor's polynomial of A / 2^s (scaling and squaring; Moler and Van Loan, SIAM Review
45, 2003). s is fixed, so that results for matrices whose norm is above 2^s are no numbers.

Example: of [[0, 2], [3, 0]] the first pivot is 3, of the exchanged rows; the other 2; the determinant -6.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from p2smt.errors import CaptureError

_MOST_ROWS, _SQUARINGS, _DEGREE = 32, 6, 18
Results = Sequence[Tensor]


@dataclass(frozen=True, slots=True)
class _Elimination:
    """The solution X of A X = B, the pivots of A, and -1 if an odd number of rows was exchanged, else 1."""

    solution: Tensor
    pivots: Tensor
    parity: Tensor


def _eliminated(a: Tensor, b: Tensor) -> _Elimination:
    """Solve A X = B, in matrices of any leading dimensions. CaptureError if A has too many rows."""
    count = a.shape[-1]
    if count > _MOST_ROWS:
        raise CaptureError(
            f"a system of {count} rows is solved row by row, for at most {_MOST_ROWS} rows; solve it outside the step, "
            "or by torch.linalg.cholesky and solve_triangular if the matrix is positive definite"
        )
    both, place = torch.cat([a, b], -1), torch.arange(count)
    pivots, exchanged = [], []
    for number in range(count):
        # Which row is the pivot is a choice, without gradient; rows above are done and may not be chosen.
        column = both[..., number].detach().abs()
        largest = torch.where(place >= number, column, -1.0).argmax(-1, keepdim=True)
        is_pivot, is_first = (place == largest).to(a.dtype), (place == number).to(a.dtype)
        row, first = (is_pivot.unsqueeze(-2) @ both), both[..., number : number + 1, :]
        # The pivot's place gets the first row, and the first place the pivot, divided.
        both = both + is_pivot.unsqueeze(-1) * (first - row)
        pivot = row[..., number]
        row = row / pivot.unsqueeze(-1)
        rest = both - both[..., number : number + 1] * row
        both = torch.where(is_first.unsqueeze(-1) > 0, row, rest)
        pivots.append(pivot)
        exchanged.append((largest != number).to(torch.int64))
    odd = torch.cat(exchanged, -1).sum(-1) % 2 > 0
    return _Elimination(both[..., count:], torch.cat(pivots, -1), torch.where(odd, -1.0, 1.0).to(a.dtype))


def solved(a: Tensor, b: Tensor, *, left: bool = True, check_errors: bool = False) -> Results:
    """`torch.linalg.solve`, with a report of no errors; the factors that torch returns beside it are not there."""
    if not left:
        solution, *others = solved(a.mT, b.mT)
        return solution.mT, *others
    is_vector = b.dim() == 1 or (b.dim() == a.dim() - 1 and b.shape == a.shape[:-1])
    found = _eliminated(a, b.unsqueeze(-1) if is_vector else b.expand(*a.shape[:-2], *b.shape[-2:])).solution
    return (found.squeeze(-1) if is_vector else found), *_unused(a)


def inverted(a: Tensor, *, check_errors: bool = False) -> Results:
    """`torch.linalg.inv`, with a report of no errors."""
    return _eliminated(a, torch.eye(a.shape[-1], dtype=a.dtype).expand(a.shape)).solution, _unused(a)[-1]


def log_determinant(a: Tensor) -> Results:
    """`torch.linalg.slogdet`."""
    found = _eliminated(a, a[..., :0])
    sign = found.parity * found.pivots.detach().sign().prod(-1)
    return sign, found.pivots.abs().log().sum(-1), *_unused(a)[:-1]


def determinant(a: Tensor) -> Results:
    """`torch.linalg.det`; the gradient of that of a singular matrix is not a number."""
    found = _eliminated(a, a[..., :0])
    return found.parity * found.pivots.prod(-1), *_unused(a)[:-1]


def _unused(a: Tensor) -> Results:
    """Return zeros in the place of factors, pivots and errors, which torch has for its derivatives."""
    lead = a.shape[:-2]
    return torch.zeros_like(a), torch.zeros(a.shape[:-1], dtype=torch.int32), torch.zeros(lead, dtype=torch.int32)


def exponential(a: Tensor) -> Tensor:
    """`torch.matrix_exp`, of matrices of norm 2^s at most; others give no numbers."""
    unit = torch.eye(a.shape[-1], dtype=a.dtype)
    small = a * 0.5**_SQUARINGS
    # Horner's rule: 1 + A (1 + A / 2 (1 + A / 3 ...)).
    found = unit + small / _DEGREE
    for number in range(_DEGREE - 1, 0, -1):
        found = unit + small @ found / number
    for _ in range(_SQUARINGS):
        found = found @ found
    # Beyond the norm for which the polynomial is exact, a division by 0 instead of a number that is wrong.
    norm = a.detach().abs().sum(-2, keepdim=True).amax(-1, keepdim=True)
    return found / (norm <= 2.0**_SQUARINGS).to(a.dtype)
