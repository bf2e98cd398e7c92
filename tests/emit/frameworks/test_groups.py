"""Groups of ranks, against a builder that goes by each rank's coordinates in Megatron-LM's order string."""

from random import Random

from p2smt.emit.frameworks.groups import rank_groups
from p2smt.problem.transformer.split import Split


def by_order(sizes, order, token):
    """Ranks that share all coordinates but `token`'s; the first name of the order changes fastest."""
    names = order.split("-")
    world = 1
    for name in names:
        world *= sizes.get(name, 1)
    groups = {}
    for rank in range(world):
        rest, at = rank, {}
        for name in names:
            rest, at[name] = divmod(rest, sizes.get(name, 1))
        key = tuple(at[name] for name in names if name not in token)
        groups.setdefault(key, []).append(rank)
    return sorted(groups.values())


def test_random_splits_have_megatrons_groups():
    """Attention's generator has no experts, that of experts no context parallelism; the order string is one."""
    random = Random(7)
    seen = 0
    while seen < 40:
        tp, cp, dp, pp = (random.choice((1, 2, 4)) for _ in range(4))
        etp = random.choice((1, tp))
        stage = tp * cp * dp
        options = [ep for ep in (2, 4, 8) if stage % (ep * etp) == 0]
        if not options:
            continue
        ep = random.choice(options)
        split = Split(tp=tp, cp=cp, dp=dp, pp=pp, ep=ep, etp=etp)
        order = "tp-cp-ep-dp-pp"
        dense = {"tp": tp, "cp": cp, "dp": dp, "pp": pp}
        experts = {"tp": etp, "ep": ep, "dp": stage // (ep * etp), "pp": pp}
        found = rank_groups(split, experts=True)
        for name in ("tp", "cp", "dp", "pp"):
            assert sorted(map(sorted, found[name])) == by_order(dense, order, {name})
        assert sorted(map(sorted, found["dp and cp"])) == by_order(dense, order, {"dp", "cp"})
        for name in ("tp", "ep", "dp"):
            assert sorted(map(sorted, found[f"expert {name}"])) == by_order(experts, order, {name})
        assert by_order(experts, order, {"pp"}) == sorted(found["pp"])
        swapped = rank_groups(split, experts=True, swapped=True)
        assert sorted(map(sorted, swapped["pp"])) == by_order(dense, "tp-cp-ep-pp-dp", {"pp"})
        seen += 1
