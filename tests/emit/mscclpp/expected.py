"""What a goal asks of numbers, for files that run in place on one reduction group."""

import json

import numpy as np
from frontend.mscclpp.executor import run

from p2smt.collective import Collective
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.mscclpp.plan import parse_mscclpp
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Refuted


def verdict(text, goal):
    rooted = {"root": 0} if goal.from_root or goal.to_root else {}
    plan = parse_mscclpp(text.encode(), "plan.json", AskedGoal(collective=goal, **rooted))
    return judge(plan) if isinstance(plan, VerificationPlan) else Refuted(plan)


def runs_right(text, goal, seed, length=1, runs=2, dtype="int64"):
    """Whether every run ends with what the goal says, with garbage wherever a GPU has nothing to give."""
    random, gpus = np.random.default_rng(seed), json.loads(text)["gpus"]
    whole = max(gpus[0]["input_chunks"], gpus[0]["output_chunks"]) * length
    given = [random.integers(-1000, 1000, (len(gpus), whole)).astype(dtype) for _ in range(runs)]
    found = run(text, given, length, seed)
    return all(_right(own, after, goal, whole // len(gpus)) for own, after in zip(given, found, strict=True))


def _right(given, found, goal, shard):
    blocks = [slice(gpu * shard, (gpu + 1) * shard) for gpu in range(len(given))]
    total = given.sum(axis=0)
    match goal:
        case Collective.ALL_REDUCE:
            return all((one == total).all() for one in found)
        case Collective.REDUCE_SCATTER:
            return all((one[block] == total[block]).all() for one, block in zip(found, blocks, strict=True))
        case Collective.REDUCE:
            return bool((found[0] == total).all())
        case Collective.BROADCAST:
            return all((one == given[0]).all() for one in found)
        case Collective.ALL_GATHER:
            wanted = np.concatenate([own[block] for own, block in zip(given, blocks, strict=True)])
            return all((one == wanted).all() for one in found)
