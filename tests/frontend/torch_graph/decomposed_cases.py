"""Small modules of which an operation is recorded as others, and of views and roundings that go with them."""

import torch
from frontend.torch_graph.module_cases import IMAGE, ROWS, SEQUENCE, VOCABULARY, WORDS, Fn, Weighted
from torch import nn
from torch.nn import functional
from torch.nn.utils import parametrizations


def _bag(mode, **how):
    return lambda: nn.EmbeddingBag(VOCABULARY, 3, mode=mode, **how)


def _bags(x, bag):
    """Of which one is empty."""
    return bag(x.flatten(), torch.tensor([0, 4, 4, 7]))


def _weighted_bags(x, table, weights):
    return functional.embedding_bag(x, table, mode="sum", per_sample_weights=weights)


def _aligned(x):
    """Targets of three lengths, with a label twice, and inputs of two."""
    chances = x.transpose(0, 1).log_softmax(-1)
    targets = torch.tensor([[1, 1], [2, 3]])
    return functional.ctc_loss(chances, targets, torch.tensor([5, 4]), torch.tensor([2, 1]), reduction="none")


def _impossible(x):
    """Two equal labels in two frames, for which there is no time between."""
    chances = x.transpose(0, 1)[:2].log_softmax(-1)
    return functional.ctc_loss(chances, torch.tensor([[1, 1], [2, 3]]), (2, 2), (2, 2), zero_infinity=True)


def _sampled(padding, align, mode="bilinear"):
    def sampled(x):
        theta = torch.tensor([[0.9, 0.2, 0.3], [-0.3, 1.2, 0.1]]) * (1 + 0.01 * x.mean((1, 2, 3)))[:, None, None]
        grid = functional.affine_grid(theta, (2, 4, 5, 3), align)
        return functional.grid_sample(x, grid, mode, padding, align)

    return lambda: Fn(sampled)


def _transformed(x):
    found = torch.fft.rfft2(x, norm="ortho")
    return torch.fft.irfft2(found * torch.fft.fft(found, dim=-2, norm="forward"), s=x.shape[-2:], norm="ortho")


def _odd(x):
    made = torch.fft.ifft(torch.fft.rfft(x, 5))
    return torch.fft.irfft(made, 5) + made.abs().sum()


def _multiplied(x):
    pairs = torch.complex(x, x.flip(0))
    return torch.view_as_real(pairs @ pairs.mT).flatten(1)


def _among_limits(x):
    limits = torch.tensor([-0.5, 0.0, 0.5])
    rows = torch.searchsorted(x.detach().sort(1).values, x.detach(), side="right")
    return x * torch.bucketize(x.detach(), limits) + rows * torch.searchsorted(limits, x.detach())


def _counts(x):
    """Of numbers that are not known, without and with weights, and of known ones beyond the least length."""
    largest = x.argmax(1)
    known = torch.tensor([7, 1, 7]).bincount(minlength=3)
    weighted = torch.bincount(largest, x.detach()[:, 0], minlength=x.shape[1])
    chosen = x.topk(2, 1).indices.flatten().bincount(minlength=6) + x.max(0).indices.bincount(minlength=3)[0]
    made = (x.long().abs() % 3).flatten().bincount(minlength=3)[2] + x.long().clamp(1, 1)[0].bincount(minlength=2)[1]
    return x * (largest.bincount(minlength=x.shape[1]) + chosen) + weighted * known.sum() + known[7] + made


def _systems(x):
    """Of matrices whose largest element of the first column is not the first."""
    a = x[:, :3] + torch.tensor([[0.0, 0, 2], [3, 0, 0], [0, 1, 0]])
    found = torch.linalg.solve(a, x[:, 3:]) + torch.linalg.solve(a, x[:, 3:], left=False) + torch.linalg.inv(a)
    return found * torch.linalg.det(a) + torch.linalg.solve(a, x[:, 0]) + torch.linalg.slogdet(-a)[1] + torch.logdet(a)


def _bits(x):
    whole = torch.arange(-3, 3) * 7
    return x * ((whole & 13) + (whole | 6) + (whole ^ 9) + (whole >> 1) + (whole << torch.tensor(2)) + (whole & 0))


def _reduced(how, include):
    def reduced(x):
        index = torch.tensor([[0, 2, 2, 0, 1, 2]] * 3)
        return torch.ones(3, 6).scatter_reduce(0, index, x, how, include_self=include)

    return lambda: Fn(reduced)


CASES = [
    ("reflected", lambda: nn.ReflectionPad2d((1, 2, 3, 0)), IMAGE),
    ("reflected along", lambda: nn.ReflectionPad1d((2, 3)), SEQUENCE),
    ("replicated", lambda: nn.ReplicationPad2d((1, 2, -1, 0)), IMAGE),
    ("convolved of what is reflected", lambda: nn.Conv2d(4, 3, 3, padding=2, padding_mode="reflect"), IMAGE),
    ("bag", _bag("mean", padding_idx=1), WORDS),
    ("added bag", _bag("sum"), WORDS),
    ("largest of a bag", _bag("max"), WORDS),
    ("bags", lambda: Fn(_bags, nn.EmbeddingBag(VOCABULARY, 3, padding_idx=2)), WORDS),
    ("largest of bags", lambda: Fn(_bags, nn.EmbeddingBag(VOCABULARY, 3, mode="max")), WORDS),
    (
        "bag with its end",
        lambda: Fn(
            lambda x, bag: bag(x.flatten(), torch.tensor([0, 4, 10])),
            nn.EmbeddingBag(VOCABULARY, 3, include_last_offset=True),
        ),
        WORDS,
    ),
    ("weighted bag", lambda: Weighted(_weighted_bags, (VOCABULARY, 3), (2, 5)), WORDS),
    ("distances of rows", lambda: Fn(lambda x: torch.cdist(x, x.flip(0))), SEQUENCE),
    ("slices written", lambda: Fn(lambda x: x.index_copy(-1, x[0, 0].argsort(), x.flip(-1)) * x), SEQUENCE),
    ("some slices written", lambda: Fn(lambda x: x.index_copy(0, x[:1, 0, 0].argsort() + 1, 2 * x[:1]) * x), SEQUENCE),
    (
        "distances by product",
        lambda: Fn(lambda x: torch.cdist(x, x.flip(0), compute_mode="use_mm_for_euclid_dist")),
        SEQUENCE,
    ),
    ("distances along axes", lambda: Fn(lambda x: torch.cdist(x, x.flip(0), p=1.0)), SEQUENCE),
    ("products so far", lambda: Fn(lambda x: x.cumprod(1) + x.exp().cumprod(-2)), ROWS),
    ("logarithms of sums so far", lambda: Fn(lambda x: torch.logcumsumexp(x, 1)), SEQUENCE),
    ("largest of a third", lambda: nn.AdaptiveMaxPool2d((3, 2)), IMAGE),
    ("largest of all", lambda: nn.AdaptiveMaxPool2d(1), IMAGE),
    (
        "largest in space",
        lambda: Fn(lambda x: functional.max_pool3d(x[:, None], (3, 2, 3), (1, 2, 3), (1, 0, 1))),
        IMAGE,
    ),
    (
        "mean in space",
        lambda: Fn(
            lambda x: functional.avg_pool3d(x[:, None], (3, 2, 3), (1, 2, 3), (1, 0, 1), count_include_pad=False)
        ),
        IMAGE,
    ),
    ("mean in space by another number", lambda: Fn(lambda x: functional.avg_pool3d(x, 2, divisor_override=3)), IMAGE),
    ("adapted in space", lambda: Fn(lambda x: functional.adaptive_avg_pool3d(x[:, None], (2, 3, 4))), IMAGE),
    ("local response", lambda: nn.LocalResponseNorm(2), IMAGE),
    ("no number", lambda: Fn(lambda x: torch.nan_to_num(x / (x > 0.2), posinf=3.0, neginf=-1.0)), ROWS),
    ("among limits", lambda: Fn(_among_limits), ROWS),
    ("counts", lambda: Fn(_counts), ROWS),
    (
        "any and all",
        lambda: Fn(lambda x: x * (x > 0.5).any(1, keepdim=True) + x * (x > -1).all() + x * (x > 0).all(0)),
        ROWS,
    ),
    *(
        (f"scattered: {how} {include}", _reduced(how, include), ROWS)
        for how in ("sum", "mean")
        for include in (True, False)
    ),
    ("multi margin", lambda: Fn(lambda x: functional.multi_margin_loss(x, torch.tensor([1, 5, 0]))), ROWS),
    (
        "weighted margin",
        lambda: Fn(
            lambda x: functional.multi_margin_loss(
                x, torch.tensor([1, 5, 0]), 2, 0.5, torch.arange(6.0), reduction="none"
            )
        ),
        ROWS,
    ),
    ("trace", lambda: Fn(lambda x: x * torch.trace(x) + x.diagonal(2).sum()), ROWS),
    ("diagonals", lambda: Fn(lambda x: x.diagonal(-1, 1, 2) * x.diagonal(1, 2, 1)[:, :4]), SEQUENCE),
    ("as diagonals", lambda: Fn(lambda x: torch.diag_embed(x, 1) - torch.diag_embed(x, -1, 0, 2).movedim(1, 0)), ROWS),
    ("windows", lambda: Fn(lambda x: x.unfold(1, 3, 1).sin() * x.unfold(1, 3, 1)), SEQUENCE),
    ("overlapping patches", lambda: Fn(lambda x: x.unfold(2, 3, 3).unfold(3, 4, 2)), IMAGE),
    ("whole numbers", lambda: Fn(lambda x: x * ((3 * x).floor() + 2 * (3 * x).ceil() - (3 * x).trunc())), ROWS),
    ("rounded", lambda: Fn(lambda x: x * (3 * x).round() + x * (torch.arange(-3.0, 3.0) + 0.5 + 0 * x).round()), ROWS),
    ("logarithm of a sum of two", lambda: Fn(lambda x: torch.logaddexp(3 * x, x.flip(0))), ROWS),
    (
        "weights of positive ones",
        lambda: Fn(
            lambda x: functional.binary_cross_entropy_with_logits(3 * x, (x > 0).double(), pos_weight=torch.arange(6.0))
        ),
        ROWS,
    ),
    ("equal steps", lambda: Fn(lambda x: x * torch.linspace(0.3, -2, 6)), ROWS),
    ("moved", _sampled("zeros", False), IMAGE),
    ("moved within", _sampled("border", True), IMAGE),
    ("moved to the nearest", _sampled("zeros", True, "nearest"), IMAGE),
    ("aligned", lambda: Fn(_aligned), SEQUENCE),
    ("aligned in no way", lambda: Fn(_impossible), SEQUENCE),
    ("fourier", lambda: Fn(lambda x: torch.fft.fft(x).real), ROWS),
    ("transformed", lambda: Fn(_transformed), IMAGE),
    ("odd transform", lambda: Fn(_odd), SEQUENCE),
    ("complex matrices", lambda: Fn(_multiplied), ROWS),
    (
        "spectrogram",
        lambda: Fn(lambda x: torch.stft(x.flatten(1), 8, 4, window=torch.hann_window(8), return_complex=True).abs()),
        SEQUENCE,
    ),
    ("spectral norm", lambda: parametrizations.spectral_norm(nn.Linear(6, 4)).eval(), ROWS),
    (
        "orders",
        lambda: Fn(
            lambda x: torch.cat(
                [
                    x.kthvalue(2, 0).values,
                    x.median(1).values * x.median(),
                    torch.pdist(x),
                    (x.cummax(1).values * x.cummin(0).values + x.cummax(1).indices)[0],
                ]
            )
        ),
        ROWS,
    ),
    ("systems", lambda: Fn(_systems), ROWS),
    ("exponential", lambda: Fn(lambda x: torch.matrix_exp(3 * x[:, :3] - x[:, 3:])), ROWS),
    ("bits", lambda: Fn(_bits), ROWS),
    ("quantized", lambda: Fn(lambda x: torch.fake_quantize_per_tensor_affine(x, 0.25, 1, -2, 3)), ROWS),
    ("mean slope", lambda: Fn(functional.rrelu), ROWS),
]
