"""Functions that check values of x and y; not in the file of the tests, because pytest rewrites its asserts."""

import logging
import math
import warnings
from contextlib import suppress

import torch

logger = logging.getLogger(__name__)


def raised(x, y):
    if (y >= 5).any():
        raise ValueError("classes")
    if not (x.abs() < 9).all() or y.min() < 0:
        raise ValueError("numbers")
    if x.sum():
        x = x * 2
        raise ValueError(x)


def raised_otherwise(x, y):
    if torch.allclose(x.sum(1), x.mean()):
        y = y + 1
    elif y.any():
        pass
    else:
        raise ValueError(y)


def asserted(x, y):
    assert (x > 0).all() and (y < 5).all(), f"{x.shape}"  # noqa: PT018
    assert 0 <= y.min() < 5
    assert bool((x > 0).all())
    assert all((each > 0).any() for each in x)
    assert torch.equal(x, x + y[:, None])


def of_numbers(x, y):
    if y.max().item() >= 5 or y.max().item() == int(y.min()):
        raise ValueError(y)
    assert int(y.min()) >= 0
    assert float(x.max().item()) < 7.5
    assert math.isfinite(x.sum().item())
    if math.isnan(x.mean()):
        raise ValueError(x)


def told(x, y):
    if x.mean() > 1e6:
        warnings.warn("large", stacklevel=1)
        logger.warning("large")
    if (y == 0).any():
        print(y, f"{x.mean().item():.3f}", len(x), sep=" ")


def of_torch(x, y):
    torch._assert((y < 5).all(), "classes")
    torch._check(bool((y < 5).all()))
    torch._assert_async((y >= 0).all())


def of_a_window(x, y):
    spectrum = torch.complex(x[0], x[0]).expand(3, 3).contiguous()
    torch.istft(spectrum, 4, window=x[0, :1].expand(4).contiguous())


def raised_again(x, y):
    try:
        asserted(x, y)
    except AssertionError as error:
        raise ValueError(y) from error
    finally:
        x.abs()


CHECKS = (raised, raised_again, asserted, of_numbers, told, of_torch, of_a_window)


def returned(x, y):
    if (y >= 5).any():
        return
    raise ValueError(y)


def caught(x, y):
    try:
        if (y >= 5).any():
            raise ValueError(y)
    except ValueError:
        x.mul_(2)


def caught_by_a_caller(x, y):
    try:
        asserted(x, y)
    except AssertionError:
        x.mul_(2)


def suppressed(x, y):
    with suppress(AssertionError):
        assert (y < 5).all()
        x.mul_(2)


class Counter:
    def __init__(self, x):
        self.x = x

    def count(self):
        return self.x.mul_(2)


def told_by_writing(x, y):
    if (y >= 5).any():
        print(x.mul_(2))


def told_by_a_method(x, y):
    if (y >= 5).any():
        print(Counter(x).count())


def told_or_done(x, y):
    if (y >= 5).any():
        print(y)
    else:
        x.mul_(2)


def left_before(x, y):
    if (y >= 5).any():
        if len(x) == 2:
            return
        raise ValueError(y)


def kept(x, y):
    if (most := y.max().item()) >= 5:
        raise ValueError(most)


def equal_numbers(x, y):
    assert y.max().item() == 1


def asked_elsewhere(x, y):
    wrong = bool((y >= 5).any())
    if wrong:
        raise ValueError(y)


DECIDING = (
    raised_otherwise,
    returned,
    caught,
    caught_by_a_caller,
    suppressed,
    told_by_writing,
    told_by_a_method,
    told_or_done,
    left_before,
    kept,
    equal_numbers,
    asked_elsewhere,
)
