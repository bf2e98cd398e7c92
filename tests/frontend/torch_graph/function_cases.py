"""Small modules of elementary functions, of random numbers, of triangular systems, and of what goes to given places."""

import torch
from frontend.torch_graph.module_cases import ROWS, SEQUENCE, Fn
from torch.nn import functional


def _small(function, scale=0.4):
    """Of numbers from -1 to 1."""
    return lambda: Fn(lambda x: function(scale * x.sin()))


FUNCTIONS = {
    "expm1": lambda x: torch.expm1(3 * x) + torch.expm1(1e-6 * x) * 1e6,
    "exp2": torch.exp2,
    "tan": torch.tan,
    "atan": lambda x: torch.atan(3 * x),
    "asin": torch.asin,
    "acos": torch.acos,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "asinh": lambda x: torch.asinh(3 * x),
    "acosh": lambda x: torch.acosh(2 + x),
    "atanh": torch.atanh,
    "erfc": torch.erfc,
    "logit": lambda x: torch.logit(0.5 + x) + torch.logit(0.5 + x, eps=0.2),
    "angle": lambda x: torch.atan2(x, x.flip(1)),
    "sides": lambda x: x * torch.logical_xor(x > 0, x.flip(1) > 0) + x * torch.logical_and(x, x.relu()),
    "either": lambda x: x * ((x > 0) ^ (x.flip(1) > 0)),
    "filled above": lambda x: x.expand(2, 3, 6).masked_fill(x > 0.1, 0.5)[1] * x,
    "infinite": lambda x: torch.where(torch.isinf(1 / x.relu()), x, 2 * x),
    "below": lambda x: torch.clamp_max(x, 0.1),
    "order three": lambda x: torch.linalg.vector_norm(x, 3, dim=1),
    "rolled as one row": lambda x: x.roll(2) * x,
    "fraction": lambda x: (9 * x) % 2 * x + torch.div(9 * x, 0.5, rounding_mode="floor") * x,
    "cut quotient": lambda x: torch.div(9 * x, -4, rounding_mode="trunc") * x,
    "products": lambda x: x.prod(1, keepdim=True) * x + (1 + x).prod(),
}


def _scattered(how, include):
    def scattered(x):
        index = torch.tensor([[0, 2, 2, 0, 2, 2]] * 3)
        return torch.ones(3, 6).mul(0.3).scatter_reduce(0, index, x, how, include_self=include)

    return lambda: Fn(scattered)


def _scattered_where(x):
    mask = torch.tensor([[True, False, True, True, False, False]])
    return x.masked_scatter(mask, (x * 2).flip(0)) * x


def _triangular(x):
    square = x[:, :, :3] @ x[:, :, :3].mT + 3 * torch.eye(5)
    found = torch.linalg.solve_triangular(square, x, upper=True)
    found = found + torch.linalg.solve_triangular(square, x, upper=False, unitriangular=True)
    return found + torch.linalg.solve_triangular(square, x.mT, upper=False, left=False).mT


def _factor(x):
    square = x[:, :, :3] @ x[:, :, :3].mT + 3 * torch.eye(5)
    lower = torch.linalg.cholesky(square)
    return torch.cholesky_solve(x, lower) + torch.linalg.cholesky(square, upper=True) @ x


def _complex_sums(x):
    found = torch.complex(x, x.flip(0)) + 1 - (2 - 3j) * torch.complex(x.flip(1), x)
    return torch.view_as_real(torch.exp(found / (found * 1j + 4))).flatten(1)


RANDOM = {
    "normal": lambda x: x * torch.randn_like(x) + torch.randn(3, 6) * 0.5,
    "uniform": lambda x: x * torch.rand_like(x) + torch.empty_like(x).uniform_(-2, 3),
    "from one on": lambda x: x * torch.empty_like(x).uniform_(1, 2).sqrt(),
    "by mean and deviation": lambda x: torch.normal(x, 2.0) * torch.normal(torch.zeros_like(x), x.abs()),
    "in place": lambda x: x + torch.empty_like(x).normal_(1, 0.1),
    "whole": lambda x: x[torch.randint(0, 3, (3,))] * torch.randint_like(x, -4, 4),
    "tokens": lambda x: x * torch.randint(7, (3, 6)),
    "exponential": lambda x: functional.gumbel_softmax(x, 0.5) + torch.empty_like(x).exponential_(2.0),
    "by chances": lambda x: x * torch.bernoulli(x.sigmoid().detach()),
    "permuted": lambda x: x[torch.randperm(3)] * x,
    "compared with tensors": lambda x: x * (torch.rand(3, 6) < x.sigmoid()),
    "compared twice": lambda x: _compared_twice(x, torch.rand_like(x)),
}


def _compared_twice(x, drawn):
    return x * (drawn < 0.3) + x.exp() * drawn


CASES = [
    *((name, _small(function), ROWS) for name, function in FUNCTIONS.items()),
    *((f"drawn: {name}", lambda function=function: Fn(function), ROWS) for name, function in RANDOM.items()),
    *((f"{how} {include}", _scattered(how, include), ROWS) for how in ("amax", "amin") for include in (True, False)),
    ("scattered where", lambda: Fn(_scattered_where), ROWS),
    ("triangular", lambda: Fn(_triangular), SEQUENCE),
    ("factor", lambda: Fn(_factor), SEQUENCE),
    ("complex sums", lambda: Fn(_complex_sums), ROWS),
]
