"""What the judgement of schedules says: figures as they are printed, and notes of the kept report."""

NOTES = """`*`: what was chosen takes more than 5 % longer than the fastest.

On one machine of two cores, with real-time priority and slices of 4 ms (`chrt -r`; the kernel has none shorter): beside
other work, or where one of gloo's threads spins for a message whose buffer is not there yet, a collective takes up to
ten times as long. Every turn runs schedules in an order of its own, drawn at random; nothing is sent for 5 ms before
each. Nothing was fitted to these points. Rates were measured half an hour before, small calls twice in a row ten
minutes before; all was frozen then, but the settings were known: two tables before this one, of the same settings, said
what the model lacked (77 %, 0.070 off, and 81 %, 0.063 off, where the table that was kept had 84 %, 0.095 off, of 32
settings of 2, 4 and 8 ranks). Rows of Adam with 2^24 elements are of the second of these. Of six settings on two hosts
four were measured.

What the model has since: what is begun is sent once its rank waits, where what sends has no core to itself (`late`); a
program takes something beside its calls (`start`); links in loops go by the bytes on them; cards have their burst whole
before a program. What emitted files have since: AllToAll and AllGather are messages that are awaited before any is
sent, which gloo's own are not.

Seven choices are wrong. Loops over chunks of the tails of MLP and attention are priced too low by up to a third: every
schedule has weights of its own here, which the others put out of the caches. Others are of a few milliseconds, and
5 to 20 % apart. Where hosts have two or four ranks, sums level by level are 1.4 to 1.5 times as fast as the program as
it is, as predicted.
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
