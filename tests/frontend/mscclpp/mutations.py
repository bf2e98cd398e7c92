"""Execution plans with something changed: an operation taken away, doubled, exchanged with the next, or renumbered."""

import json


def mutated(text, random):
    """One change of one threadblock."""
    plan = json.loads(text)
    ops = random.choice([block["ops"] for gpu in plan["gpus"] for block in gpu["threadblocks"]])
    at = random.randrange(len(ops))
    match random.choice(["take", "take", "double", "exchange", "index"]):
        case "take":
            del ops[at]
        case "double":
            ops.insert(at, ops[at])
        case "exchange":
            after = (at + 1) % len(ops)
            ops[at], ops[after] = ops[after], ops[at]
        case "index":
            parts = [part for op in ops for part in (*op.get("src_buff", ()), *op.get("dst_buff", ()))]
            if parts:
                part = random.choice(parts)
                part["index"] = max(0, part["index"] + random.choice([-1, 1]))
    return json.dumps(plan)
