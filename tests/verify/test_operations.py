"""Operations: every table has exactly these, every spelling names one, and what sets them apart is as defined."""

from looped import looped

from p2smt.collective import Collective, Exchange
from p2smt.frontend.torch_function.events import RoutingCall, torch_name
from p2smt.frontend.xla.operators import COMMUNICATIONS, xla_name
from p2smt.verify import execution, rules
from p2smt.verify.operation import (
    OPERATIONS,
    LocalOperation,
    adds_members,
    blocks_of,
    can_be_in_place,
    changes_sign,
    has_blocks,
    has_root,
    operation_named,
    written,
)

# Adds members, has a root, takes blocks apart, puts blocks together; spellings beside its own.
DEFINED = {
    Collective.ALL_REDUCE: (True, False, False, False, ["all-reduce", "all_reduce"]),
    Collective.REDUCE_SCATTER: (True, False, True, False, ["reduce-scatter", "reduce_scatter"]),
    Collective.REDUCE: (True, True, False, False, ["reduce"]),
    Collective.ALL_GATHER: (False, False, False, True, ["all-gather", "all_gather"]),
    Collective.BROADCAST: (False, True, False, False, ["broadcast"]),
    Exchange.ALL_TO_ALL: (False, False, True, True, ["all-to-all", "all_to_all"]),
    Exchange.SEND: (False, True, False, False, ["send"]),
    LocalOperation.COPY: (False, False, False, False, ["copy"]),
    LocalOperation.ADD: (False, False, False, False, ["add"]),
    LocalOperation.SCALE: (False, False, False, False, ["scale"]),
    LocalOperation.NEGATE: (False, False, False, False, ["negate"]),
}


def test_tables_have_every_operation():
    assert set(OPERATIONS) == {*Collective, *Exchange, *LocalOperation} == set(DEFINED)
    assert set(execution.RULES) == set(rules.RULES) == set(OPERATIONS)


@looped("operation", OPERATIONS)
def test_an_operation(operation):
    adds, root, apart, together, spellings = DEFINED[operation]
    assert (adds_members(operation), has_root(operation)) == (adds, root)
    assert blocks_of(operation) == (apart, together)
    assert has_blocks(operation) == (apart or together)
    assert can_be_in_place(operation) == (apart != together)
    assert written(operation, 12, 3) == 12 // (3 if apart else 1) * (3 if together else 1)
    assert (written(operation, 13, 3) is None) == apart
    for spelling in (operation.value, *spellings):
        assert operation_named(spelling) is operation
    assert operation_named(operation.value + "s") is None
    assert changes_sign(operation) == (operation is LocalOperation.NEGATE)


def test_names_in_other_languages():
    assert {xla_name(one) for one in (*Collective, *Exchange)} - {""} == set(COMMUNICATIONS)
    wanted = {"all-reduce", "reduce-scatter", "all-gather", "collective-broadcast", "all-to-all"}
    assert set(COMMUNICATIONS) == wanted
    names = [torch_name(call) for call in (*Collective, *Exchange, *RoutingCall)]
    assert sorted(names) == [
        "all_gather",
        "all_reduce",
        "all_to_all",
        "barrier",
        "broadcast",
        "gather",
        "recv",
        "reduce",
        "reduce_scatter",
        "scatter",
        "send",
    ]
