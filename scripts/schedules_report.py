"""What the judgement of schedules says: figures as they are printed, and notes of the kept report."""

NOTES = """`*`: what was chosen takes more than 5 % longer than the fastest.

Rates were measured half an hour before schedules and the program as it is, on one machine of two cores, with real-time
priority and slices of a millisecond (`chrt -r`): beside other work, or where one of gloo's threads spins for a message
whose buffer is not there yet, a collective takes up to ten times as long. Every turn runs schedules in an order of its
own, drawn at random. Nothing was fitted to these points, and the model was not changed after they were seen. In the
table before this one (72 %, times 0.081 off after the model had been changed with it in sight, 2.7 % behind) cards of
the laboratory cut what hosts handed them into frames, at the expense of the ranks' cores; hosts hand them shorter
pieces now (`p2smt/run/lab/commands.py`).

Five choices are wrong. Of pipelines among 4 and 8 ranks at 100 Mb/s and of the short MLP's tail, loops over chunks are
priced too low or too high by a quarter to a third; of Adam with 4,096 elements among 4 ranks and 65,536 among 8, the
all-reduce is priced within 2 % of what fuses behind a reduce-scatter, and takes 5 to 15 % longer.
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
        least, middle, most = (f"{each:.3f}" for each in found["frames"])
        lines.append(f"bytes on the busiest card over the model's: {least} to {most}, median {middle}")
    return "\n".join(lines)
