"""What the judgement of schedules says: figures as they are printed, and notes of the kept report."""

FRAME = 1514 / 1448
NOTES = """`*`: what was chosen takes more than 5 % longer than the fastest.

Rates were measured four hours before schedules and the program as it is, on one machine of two cores, with real-time
priority and slices of a millisecond (`chrt -r`): beside other work, or where one of gloo's threads spins for a message
whose buffer is not there yet, a collective takes up to ten times as long. Every turn runs schedules in an order of its
own, drawn at random. The tuner's two of each setting are of the model as it was before these measurements; its choice
was within 5 % in 69 % then, and times 0.084 off. Since then, and after these points were seen, messages to the same
ranks share a card as those from the same ranks do, and links in loops take what they do for as many ranks as send: in
pipelines, what ranks are sent and what they gather had been taken for apart. Neither has a figure fitted to points.
"""


def text(found: dict[str, object]) -> str:
    """The figures, as they are printed."""
    of = ", ".join(f"{name} {each:.2f}" for name, each in found["mean_ln_of"].items())
    loops, parts, shards = found["overlaps"], found["slices"], found["sharded"]
    lines = [
        f"{found['points']} points of {found['settings']} settings; {found['wrong']} tensors wrong",
        f"mean |ln(predicted / measured)| {found['mean_ln']:.3f}: {of}",
        ", ".join(
            f"{words} {figure:.3f}"
            for words, figure in (
                ("with loops over chunks", found["mean_ln_in_chunks"]),
                ("without", found["mean_ln_whole"]),
            )
            if figure is not None
        ),
        f"the predicted fastest is the measured fastest, or within 5 %: {found['right']:.0%}; it takes "
        f"{found['behind']:.3f}x",
        f"  as long (geometric mean), at worst {found['lost']:.2f}x; of the two predicted fastest one is: "
        f"{found['right_of'][0]:.0%}, of three {found['right_of'][1]:.0%};",
        f"  the program as it is was fastest in {found['left']} settings, of which {found['left_right']} are right",
        "gains (geometric mean, measured and predicted):",
    ]
    for words, each, more in (
        ("overlap beside stages in turn", loops, "half"),
        ("sliced messages beside whole ones", parts, "enough"),
        ("optimizers on slices beside whole", shards, "faster"),
    ):
        if each["pairs"]:
            held = {"half": "hide at least half of what is predicted", "enough": "are at least 0.8 k",
                    "faster": "are faster"}[more]  # fmt: skip
            lines.append(f"  {words}: {each['measured']:.2f}x, {each['predicted']:.2f}x; {each[more]} of "
                         f"{each['pairs']} {held}")  # fmt: skip
    if found["frames"]:
        least, middle, most = found["frames"]
        lines.append(f"bytes on the busiest card over the model's: {least:.3f} to {most:.3f}, median {middle:.3f}; "
                     f"frames alone {FRAME:.3f}")  # fmt: skip
    return "\n".join(lines)
