"""What a simulated training step sends is what the formulas say, and its gradients are those of one device."""

from collections import Counter
from dataclasses import replace

import pytest
from tiers import sample

from p2smt.collective import Collective
from p2smt.problem.transformer.model import Experts, Parallelism, Transformer
from p2smt.problem.transformer.traffic import axes_and_reductions

DENSE = Transformer(
    layers=2,
    hidden=8,
    ffn=12,
    heads=4,
    kv_heads=2,
    head_size=2,
    vocabulary=12,
    sequence=8,
    batch=8,
    gradients="float64",
)
MIXTURE = replace(DENSE, layers=3, experts=Experts(count=4, per_token=2, ffn=6))
CASES = {
    "tp": (DENSE, Parallelism(tp=2, dp=2)),
    "tp, sequence parallel": (replace(DENSE, micro_batch=2), Parallelism(tp=2, dp=2, sequence_parallel=True)),
    "cp": (replace(DENSE, gated=False, micro_batch=2), Parallelism(cp=4, dp=2)),
    "tp, cp, dp": (DENSE, Parallelism(tp=2, cp=2, dp=4, sequence_parallel=True)),
    "tp, cp without sequence parallelism": (DENSE, Parallelism(tp=2, cp=2)),
    "ep": (replace(MIXTURE, gated=False), Parallelism(ep=2, dp=4)),
    "all ep": (replace(MIXTURE, experts=replace(MIXTURE.experts, every=2)), Parallelism(ep=4, dp=4)),
    "ep, cp, tp, dense first and shared": (
        replace(MIXTURE, experts=replace(MIXTURE.experts, dense_first=1, shared=2)),
        Parallelism(ep=2, dp=4, cp=2, tp=2, sequence_parallel=True),
    ),
    "ep, tp": (MIXTURE, Parallelism(ep=2, dp=2, tp=2, sequence_parallel=True)),
}
SOME = dict(sample(CASES.items(), 5))


@pytest.mark.parametrize(("model", "parallelism"), SOME.values(), ids=SOME)
def test_a_simulated_step_sends_what_the_formulas_say(model, parallelism):
    import torch  # here, so that other tests do not wait for it
    from simulated_training import Training, is_whole, on_one_device, random_weights

    training, weights = Training(model, parallelism), random_weights(model)
    tokens = torch.randint(model.vocabulary, (model.batch, model.sequence))
    targets = torch.randn(model.batch, model.sequence, model.vocabulary, dtype=torch.float64)
    found = training.gradients(weights, tokens, targets)
    wanted = on_one_device(model, weights, tokens, targets, training.chosen() if model.experts else None)
    for device, gradients in found.items():
        for name, gradient in gradients.items():
            torch.testing.assert_close(gradient, training.part(name, wanted[name], device))

    axes, reductions = axes_and_reductions(model, parallelism)
    formulas = Counter()
    for reduction in reductions:
        names = tuple(axes[axis].name for axis in reduction.axes)
        formulas[reduction.goal, names, reduction.payload.elements] += int(reduction.times)
    if parallelism.sequence_parallel:
        left_out = sum(weight.numel() for name, weight in weights.items() if is_whole(name))
        formulas[Collective.ALL_REDUCE, ("tp",), left_out] += 1
    assert +training.cluster.log == formulas
