"""Orders in frameworks' words: written and read back, and what a framework is told, against the ranks it lays."""

from collections import Counter
from itertools import permutations, product

import pytest
from looped import looped
from support import problem

from p2smt.errors import ProblemError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.framework_call import framework_call, jax_call, torch_call
from p2smt.placement.notation import (
    CONVENTIONS,
    Notation,
    axis_words,
    order_text,
    own_order,
    parse_order,
    remarks,
    written_order,
)
from p2smt.placement.order import matrix_of_order
from p2smt.problem.model import Axis

JOBS = [
    ("pp", "dp", "tp"),
    ("pp", "dp", "ep", "cp", "tp"),
    ("pipe", "data", "model"),
    ("dp_replicate", "dp_shard", "tp"),
    ("dp", "data"),
    ("dp", "dp_shard"),
]


@looped(("names", "notation"), list(product(JOBS, Notation)))
def test_every_order_that_can_be_written_is_read_back(names, notation):
    axes = [Axis(name, 2 + number) for number, name in enumerate(names)]
    words = axis_words(notation, axes)
    assert len({word for word in words if word}) == sum(word is not None for word in words)
    if None in words:
        assert own_order(notation, axes) is None
        return
    for order in permutations(range(len(axes))):
        text = order_text(notation, order, axes)
        assert parse_order(f"{notation}:{text}", axes) == (notation, order)
        own_names = CONVENTIONS[notation].separator.join(
            axes[axis].name for axis in (order[::-1] if CONVENTIONS[notation].innermost_first else order)
        )
        assert parse_order(f"{notation}:{own_names}", axes) == (notation, order)


def megatron_ranks(call, devices, sizes):
    """The place of every rank by Megatron's rule: the first name of the order varies fastest."""
    order = "tp-cp-ep-pp-dp" if "--use-tp-pp-dp-mapping" in call else "tp-cp-ep-dp-pp"
    if "order=" in call:
        order = call.partition('order="')[2].rstrip('")')
    places, stride = [{} for _ in range(devices)], 1
    for name in order.split("-"):
        size = sizes.get(name, 1)
        for rank in range(devices):
            places[rank][name] = rank // stride % size
        stride *= size
    return places


@pytest.mark.parametrize(("context", "taken", "flagged"), [(5, 6, 1), (1, 24, 8)])
def test_what_megatron_is_told_gives_the_ranks_of_the_order(context, taken, flagged):
    """With context parallelism orders are taken that have stages outermost; without, all."""
    axes = [Axis("pp", 3), Axis("dp", 2), Axis("cp", context), Axis("tp", 4)]
    sizes = {axis.name: axis.size for axis in axes}
    calls = {order: framework_call(Notation.MEGATRON, order, axes) for order in permutations(range(4))}
    made = {order: call for order, call in calls.items() if call is not None}
    for order, call in made.items():
        for rank, place in enumerate(megatron_ranks(call, 24 * context, sizes)):
            number = 0
            for axis in order:
                number = number * axes[axis].size + place[axes[axis].name]
            assert number == rank
    assert len(made) == taken
    assert all(axes[order[0]].name != "pp" for order in calls if order not in made)
    assert sum("order=" not in call for call in made.values()) == flagged  # the default and --use-tp-pp-dp-mapping


def test_deepspeed_is_told_names_and_sizes_outermost_first():
    axes = [Axis("pp", 1), Axis("dp", 2), Axis("tp", 4)]
    assert framework_call(Notation.DEEPSPEED, (0, 2, 1), axes) == 'ProcessTopology(axes=["model", "data"], dims=[4, 2])'


def test_torchtitan_has_one_order():
    axes = [Axis("pp", 2), Axis("dp", 2), Axis("tp", 4)]
    able = [order for order in permutations(range(3)) if framework_call(Notation.TORCHTITAN, order, axes)]
    assert able == [(0, 1, 2)]


@pytest.mark.parametrize("size", [2, 3])
def test_an_axis_of_two_shards_cannot_be_left_out(size):
    with pytest.raises(ProblemError, match="leaves out dp; only axes of size 1 may be missing"):
        parse_order("axes:tp", [Axis("dp", size), Axis("tp", 8)])
    assert parse_order("axes:tp", [Axis("dp", 1), Axis("tp", 8)]) == (Notation.AXES, (0, 1))


@pytest.mark.parametrize("names", [("pp", "ep", "tp"), ("pp", "dp", "tp"), ("pp", "ep", "cp"), ("ep", "dp", "tp")])
def test_what_megatron_asks_for_where_there_are_experts_depends_on_names_and_order_alone(names):
    axes = [Axis(name, 2) for name in names]
    for order in permutations(range(3)):
        said = " / ".join(remarks(Notation.MEGATRON, order, axes))
        experts = "ep" in names
        assert ("asks for pp last" in said) == (experts and "pp" in names and names[order[0]] != "pp")
        assert ("both ep and cp" in said) == (experts and "cp" in names)
        assert ("by a generator of its own" in said) == experts


def test_an_axis_under_its_two_names_is_named_twice():
    axes = [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)]
    for text, word in (("deepspeed:pipe,data,dp,model", "dp"), ("deepspeed:pp,tp,data,pipe", "pipe")):
        with pytest.raises(ProblemError, match=f"names {word} twice; name every axis once"):
            parse_order(text, axes)


def test_an_axis_of_one_shard_that_a_framework_lacks_stands_outermost_in_its_order():
    assert own_order(Notation.DEEPSPEED, [Axis("pp", 2), Axis("dp", 4), Axis("cp", 1), Axis("tp", 8)]) == (2, 0, 1, 3)
    assert own_order(Notation.DEEPSPEED, [Axis("pp", 2), Axis("dp", 4), Axis("cp", 2), Axis("tp", 8)]) is None


@pytest.mark.parametrize("notation", Notation)
def test_a_written_order_gives_the_matrix_and_is_the_frameworks_own_where_that_does(notation):
    asked = problem([4, 2, 8], [4, 2, 8])
    axes = [Axis(name, axis.size) for name, axis in zip(("pp", "dp", "tp"), asked.axes, strict=True)]
    own, found = own_order(notation, axes), Counter()
    for matrix in all_placements(asked).items:
        laid = [one for one in permutations(range(3)) if matrix_of_order(one, (4, 2, 8), (4, 2, 8)) == matrix]
        answer = written_order(notation, matrix, axes)
        assert answer == (own if own in laid else answer)
        assert answer in (laid or [None])
        found[answer == own] += 1
    assert min(found[True], found[False]) > 0


def test_meshes_have_the_axes_of_more_than_one_shard():
    axes = [Axis("a", 2), Axis("b", 1), Axis("c", 4)]
    assert torch_call((2, 1, 0), axes) == 'init_device_mesh("cuda", (4, 2), mesh_dim_names=("c", "a"))'
    assert torch_call((1, 0), axes) == 'init_device_mesh("cuda", (2,), mesh_dim_names=("a",))'
    assert jax_call((2, 1, 0), axes) == 'Mesh(np.array(jax.devices()).reshape(4, 2), ("c", "a"))'
    assert jax_call((1, 0), axes) == 'Mesh(np.array(jax.devices()).reshape(2), ("a",))'
