"""Random programs of additions and of conversions between them."""


def random_text(rng):
    """Summands, wholes and shards over 3 ranks, which depend on each other at random."""
    kinds, lines, made = {"replicated": [], "partial(+)": [], "sliced(0)": []}, [], 0
    for number in range(4):
        layout = rng.choice(list(kinds))
        lines.append(f"input x{number} : f32[6] {'' if layout == 'replicated' else layout}".rstrip())
        kinds[layout].append(f"x{number}")
    moves = [
        ("partial(+)", "replicated", "AllReduce({})"),
        ("partial(+)", "sliced(0)", "ReduceScatter({}, 0)"),
        ("sliced(0)", "replicated", "AllGather({}, 0)"),
        ("replicated", "partial(+)", "Keep({}, 0)"),
        ("replicated", "sliced(0)", "Slice({}, 0)"),
    ]
    while made < 24:
        if rng.random() < 0.5:
            before, after, form = rng.choice(moves)
            drawn = rng.choices(kinds[before]) if kinds[before] else []
        else:
            before = after = rng.choice(list(kinds))
            drawn, form = (rng.choices(kinds[before], k=2) if kinds[before] else []), "{} + {}"
        if drawn:
            lines.append(f"s{made} = {form.format(*drawn)}")
            kinds[after].append(f"s{made}")
            made += 1
    lines += [
        f"output {name} {layout if layout == 'partial(+)' else ''}".rstrip()
        for layout, many in kinds.items()
        for name in many
        if name.startswith("s")
    ]
    return "\n".join(["program drawn", "mesh r=3", *lines, ""])
