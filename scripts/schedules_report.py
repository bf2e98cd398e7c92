"""What the judgement of schedules says: figures as they are printed, and notes of the kept report."""

NOTES = """`*`: what was chosen takes more than 5 % longer than the fastest.

On one machine of two cores, with real-time priority (`chrt -r 1`): beside other work a collective takes up to ten
times as long. Every turn runs schedules in an order of its own, drawn at random; nothing is sent for 5 ms before each.
Nothing was fitted to these points. All settings were known, and five tables before this one; the last of 380 points
was 0.068 off, 90 % of its choices were right, and of its packaged loops with matrix products 6 of 7 hid half.

Files update in place, and table and rates are of one day: rates of 2 ranks are medians over four starts, two of them
around their tails, of 4 ranks over two, of others of one, all before their settings. Two things were measured twice.
Tails of 2 ranks: at 100 Mb/s they took up to 1.5 times as long the first time; the second counts, as was settled
before it began. All of 3 to 8 ranks: the first time threads kept a core for 100 ms, which real-time priority does by
default, so that ranks which share cores computed one after the other, in probes too; scripts refuse that now, and
slices are of 4 ms. Of 2 ranks, with a core each, they still were of 100 ms. With all first measurements 409 points
were 0.103 off, 87 % of the choices were right (by rates with the later starts 0.104 and 81 %); with the second of
tails, of 4 ranks too, 0.083, 91 %, and 12 of 17 loops hid half.

What the model has since the last table: probes of calls repeat them for longer than a slice, so that ranks which share
cores do so in probes as in loops; a call took half as long before, at 4 ranks. And in loops what a contraction reads
again takes longer, as others have had the caches meanwhile: 1.2 to 1.6 times, fitted to loops of 8 and of 16 chunks of
a program that is none of these.

Loops are those that are predicted to gain more than 5 %, the tuner's too; the last table had packaged ones alone, of
which two are left here. Of what loops with matrix products are to hide, most is hidden, in all; in seven of eight
settings the loop that the tuner has first hides more than half. The others are of MLP: with 64 rows, where 3 % are won
of 9; an all-reduce in 8 chunks at 400 Mb/s; and two of 4 ranks on two cores, one of which takes 12 % longer than
stages in turn. Of Adam's loops most hide less than predicted, as stages in turn took less: 386 ms of 463, and 95 of
107.

Of seven choices that are wrong five are of small tensors, up to 2^14, and take 0.1 to 0.9 ms more; one is LAMB's at
2^17, all of whose slices took 5 to 20 % longer than predicted, and one attention's among 4 ranks. Where hosts have two
or four ranks, sums level by level are 1.4 to 1.6 times as fast as the program as it is.
"""


def text(found: dict[str, object]) -> str:
    """The figures, as they are printed."""
    of = ", ".join(f"{name} {each:.2f}" for name, each in found["mean_ln_of"].items())
    loops, products, parts, shards = (found[name] for name in ("overlaps", "products", "slices", "sharded"))
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
        ("of these with matrix products", products, "half"),
        ("sliced messages beside whole ones", parts, "enough"),
        ("optimizers on slices beside whole", shards, "faster"),
    ):
        if each["pairs"]:
            held = {
                "half": "hide at least half of what is predicted",
                "enough": "are at least 0.8 k",
                "faster": "are faster",
            }[more]
            lines.append(
                f"  {words}: {each['measured']:.2f}x, {each['predicted']:.2f}x; {each[more]} of {each['pairs']} {held}"
            )
            if more == "half":
                lines.append(f"    together they hide {each['hidden']:.0%} of it")
    if found["frames"]:
        least, middle, most = (f"{each:.3f}" for each in found["frames"])
        lines.append(f"bytes on the busiest card over the model's: {least} to {most}, median {middle}")
    return "\n".join(lines)
