"""Something in a schedule changed at random: a step's kind, chunks, count, dependency or place, a peer, a channel."""

from xml.etree import ElementTree

KINDS = ["nop", "s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re"]


def mutated(text, random):
    """The file with one change, which may make no schedule of it."""
    algo = ElementTree.fromstring(text)
    blocks = [tb for gpu in algo for tb in gpu if len(tb)]
    tb = random.choice(blocks)
    change = random.choice(["step", "step", "place", "wait", "peer", "proto"])
    if change == "step":
        _change(random.choice(list(tb)), random)
    elif change == "place":
        _move(tb, random)
    elif change == "wait":
        waiting = [one for block in blocks for one in block if one.get("depid") != "-1"] or list(tb)
        _wait_elsewhere(random.choice(waiting), random)
    elif change == "peer":
        name = random.choice(["send", "recv", "chan"])
        tb.set(name, str(random.randrange(-1, len(algo) if name != "chan" else 3)))
    else:
        algo.set("proto", random.choice(["Simple", "LL", "LL128"]))
    for number, one in enumerate(tb):
        one.set("s", str(number))
    return ElementTree.tostring(algo, encoding="unicode")


def _change(step, random):
    """Another kind, chunk, buffer or count, or a report more or less."""
    side = random.choice(["src", "dst"])
    match random.choice(["kind", "chunk", "buffer", "count", "report"]):
        case "kind":
            step.set("type", random.choice(KINDS))
        case "chunk":
            step.set(f"{side}off", str(int(step.get(f"{side}off")) + random.choice([-1, 1])))
        case "buffer":
            step.set(f"{side}buf", random.choice("ios"))
        case "count":
            step.set("cnt", str(int(step.get("cnt")) + random.choice([-1, 1])))
        case _:
            step.set("hasdep", str(1 - int(step.get("hasdep"))))


def _move(tb, random):
    """A step less, twice, or before the one before it."""
    steps = list(tb)
    at = random.randrange(len(steps))
    match random.choice(["less", "twice", "before"]):
        case "less":
            del steps[at]
        case "twice":
            steps.insert(at, ElementTree.fromstring(ElementTree.tostring(steps[at])))
        case _:
            steps[at - 1], steps[at] = steps[at], steps[at - 1]
    tb[:] = steps


def _wait_elsewhere(step, random):
    """A dependency forgotten, or on an earlier or a later step."""
    if random.random() < 0.5:
        step.set("depid", "-1")
        step.set("deps", "-1")
    else:
        step.set("deps", str(max(0, int(step.get("deps")) + random.choice([-1, 1]))))
