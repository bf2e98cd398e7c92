"""Over 200 small modules: each is captured right, or refused with operation and line; none is wrong."""

import warnings

import pytest
import torch
from frontend.torch_graph import decomposed_cases, function_cases, module_cases, real_cases
from frontend.torch_graph.eager import captured, compared
from frontend.torch_graph.module_cases import AGAIN, CASES, IMAGE, REFUSED, ROWS, SEQUENCE, VOCABULARY, WORDS, Fn
from looped import looped
from tiers import is_full, sample
from torch import nn
from torch.nn import functional

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.training import Training

WITHIN = 1e-12
AT_ONCE = 30
FLOAT32 = ("hardsigmoid",)
"""Torch computes these with constants of 32 bits."""


@pytest.fixture(autouse=True)
def _float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    torch.set_default_dtype(before)


class Felt(nn.Module):
    """A module's value: every element counts differently; its input is moved, and the value scaled, by parameters.

    So the gradients say the value, and what the module gives back to what is before it.
    """

    def __init__(self, inner, shape):
        super().__init__()
        self.inner = inner
        self.scale = nn.Parameter(torch.ones(()))
        self.moved = None if shape == WORDS else nn.Parameter(torch.zeros(shape))

    def forward(self, x, weights):
        made = self.inner(x if self.moved is None else x + self.moved)
        return self.scale * (made * weights[: made.numel()].view(made.shape)).sum()


class Together(nn.Module):
    """Many modules at once, for tracing costs more than computing."""

    def __init__(self, cases):
        super().__init__()
        self.shapes = [shape for _, _, shape in cases]
        self.parts = nn.ModuleList(Felt(make(), shape) for _, make, shape in cases)

    def forward(self, **batch):
        weights = batch["weights"]
        return sum(part(batch[_key(shape)], weights) for part, shape in zip(self.parts, self.shapes, strict=True))


def _key(shape):
    return {ROWS: "rows", SEQUENCE: "sequence", IMAGE: "image", WORDS: "words"}[shape]


def step(cases):
    def function():
        torch.manual_seed(1)
        module = Together(cases)
        torch.manual_seed(2)
        batch = {_key(shape): torch.randn(shape) for shape in (ROWS, SEQUENCE, IMAGE)}
        batch["weights"] = torch.randn(2000)
        batch["words"] = torch.randint(0, VOCABULARY, WORDS)
        return Training(module, batch, lambda module, *given: module(**dict(zip(batch, given, strict=True))))

    return function


STANDARD = 42
ALL = (*CASES, *decomposed_cases.CASES, *function_cases.CASES)
EXACT = sample([case for case in ALL if case[0] not in FLOAT32 and (is_full() or case[0] not in AGAIN)], STANDARD)
"""In the standard tier about one of four: neighbours are of one kind."""


def test_dropout_of_nothing_and_of_everything_has_its_gradient():
    """The results are known numbers then, and the mask is nevertheless that of a dropout."""
    cases = [case for case in CASES if case[0] == "dropped never and always"]
    assert compared(step(cases), captured(step(cases)), 1) < WITHIN


@looped("first", range(0, len(EXACT), AT_ONCE))
def test_modules_are_captured_right(first):
    cases = EXACT[first : first + AT_ONCE]
    program = captured(step(cases))
    far = compared(step(cases), program, 1)
    assert far < WITHIN, [name for name, *_ in cases]


PIECEWISE = (
    nn.Hardswish,
    nn.Hardtanh,
    nn.ReLU6,
    nn.ELU,
    nn.SELU,
    nn.CELU,
    nn.LeakyReLU,
    nn.Softplus,
    nn.Softshrink,
    nn.Hardshrink,
    nn.LogSigmoid,
    nn.Mish,
)


def test_functions_of_pieces_are_captured_right_on_every_piece():
    """Of values between -25 and 25, as the others are tried on small ones."""
    cases = [(make.__name__, lambda make=make: Fn(lambda x, m: m(x * 12), make()), ROWS) for make in PIECEWISE]
    assert compared(step(cases), captured(step(cases)), 1) < WITHIN


MEETING = (
    *PIECEWISE,
    lambda: nn.Threshold(0.5, 0.25),
    lambda: nn.Threshold(-0.5, 0.25),
    nn.ReLU,
    nn.PReLU,
    lambda: Fn(functional.relu6),
    lambda: Fn(lambda x: x.clamp(-0.5, 0.5)),
    lambda: nn.Softplus(2, 1),
    lambda: Fn(lambda x: functional.huber_loss(x, 0 * x, delta=0.5)),
    lambda: Fn(lambda x: functional.smooth_l1_loss(x, 0 * x, beta=0.5)),
    lambda: Fn(lambda x: functional.l1_loss(x, 0 * x)),
)
JOINTS = (0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 6.0, 20.0, 0.25, 0.0, 2.0, -2.0, -0.25, 10.0, -6.0, 5.0, 4.0)


def _where_pieces_meet(x, inner):
    """These values, whatever x is, with the slope of x."""
    return inner(torch.tensor(JOINTS).view(ROWS) + (x - x.detach()))


def test_functions_of_pieces_have_torchs_slope_where_pieces_meet():
    cases = [(str(place), lambda make=make: Fn(_where_pieces_meet, make()), ROWS) for place, make in enumerate(MEETING)]
    assert compared(step(cases), captured(step(cases)), 1) < WITHIN


def test_what_torch_rounds_to_32_bits_is_as_near_as_that():
    cases = [case for case in CASES if case[0] in FLOAT32]
    assert WITHIN < compared(step(cases), captured(step(cases)), 1) < 1e-7


UNKNOWN = ("inverse", "remainder", "quotient cut", "scattered along rows", "item")
"""They have no lowering at all, as the Bessel function has none; or are refused where the one beside them is."""


@pytest.mark.parametrize(
    ("name", "make", "shape", "operation"),
    # the others are refused in the same place, see above
    [pytest.param(*case, id=case[0], marks=[pytest.mark.thorough] * (case[0] in UNKNOWN)) for case in REFUSED],
)
def test_modules_are_refused_with_operation_and_line(name, make, shape, operation):
    with pytest.raises(CaptureError) as refused:
        captured(step([(name, make, shape)]))
    assert operation in str(refused.value)
    assert any(f"{file}:" in str(refused.value) for file in (module_cases.__file__, __file__))


def test_there_are_200():
    names = [name for name, *_ in (*CASES, *decomposed_cases.CASES, *REFUSED, *real_cases.CASES)]
    assert len(names) >= 250
    assert len(set(names)) == len(names)
    assert set(AGAIN) < {name for name, *_ in CASES} - {*FLOAT32}
