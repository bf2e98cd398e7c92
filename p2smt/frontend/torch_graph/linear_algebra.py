"""Triangular systems and Cholesky factors by products, sums and moves, which the tensor language has.

A triangular A is D (I + N), with N zero on the diagonal, so that N^n = 0 and

    (I + N)^-1 = (I - N) (I + N^2) (I + N^4) ...,   log2(n) factors (a finite Neumann series, doubled).

The Cholesky factor L of A has as its first column l = A[:, 0] / sqrt(A[0, 0]); the others are the factor of the
rest of A - l l^T (outer products; Golub and Van Loan, Matrix Computations, 4.2): n steps, so n is limited.
Complexity: about 2 log2(n) products of n x n matrices for a triangular system; n outer products for a factor.

Example: of A = [[2, 0], [6, 4]], N = [[0, 0], [1.5, 0]], and A^-1 B = (I - N) (B / [2, 4]).
"""

import torch
from torch import Tensor

from p2smt.errors import CaptureError

_MOST_COLUMNS = 64


def solved_triangular(a: Tensor, b: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """Return X with A X = B, or X A = B; only the triangle of A that `upper` selects is read."""
    if not left:
        found = solved_triangular(a.mT, b.mT, upper=not upper, unitriangular=unitriangular)
        return found.mT
    rest = a.triu(1) if upper else a.tril(-1)
    if not unitriangular:
        diagonal = a.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
        rest, b = rest / diagonal, b / diagonal
    power, width = -rest, 1
    found = b + power @ b
    while 2 * width < a.shape[-1]:
        power, width = power @ power, 2 * width
        found = found + power @ found
    return found


def cholesky(a: Tensor, *, upper: bool = False) -> Tensor:
    """Return L with L L^T = A, or its transpose if `upper`; only that triangle of A is read.

    CaptureError if A has too many columns.
    """
    count = a.shape[-1]
    if count > _MOST_COLUMNS:
        raise CaptureError(
            f"a Cholesky factor of {count} columns is computed column by column, for at most {_MOST_COLUMNS} "
            "columns; compute it outside the step, or in smaller blocks"
        )
    rest, columns = (a.mT if upper else a), []
    for number in range(count):
        column = rest[..., :, 0] / rest[..., :1, 0].sqrt()
        columns.append(torch.nn.functional.pad(column, (number, 0)))
        rest = rest[..., 1:, 1:] - column[..., 1:, None] * column[..., None, 1:]
    found = torch.stack(columns, -1)
    return found.mT if upper else found


def solved_by_factor(b: Tensor, factor: Tensor, upper: bool = False) -> Tensor:
    """Return X with A X = B, given the Cholesky factor of A."""
    lower = factor.mT if upper else factor
    inner = solved_triangular(lower, b, upper=False)
    return solved_triangular(lower.mT, inner, upper=True)
