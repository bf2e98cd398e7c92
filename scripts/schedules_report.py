"""What the judgement of schedules says: figures as they are printed, and notes of the kept report."""

NOTES = """`*`: what was chosen takes more than 5 % longer than the fastest.

On one machine of two cores, with real-time priority and slices of 4 ms (`chrt -r`; the kernel has none shorter): beside
other work, or where one of gloo's threads spins for a message whose buffer is not there yet, a collective takes up to
ten times as long. Every turn runs schedules in an order of its own, drawn at random; nothing is sent for 5 ms before
each. Nothing was fitted to these points; their files do not update in place yet. Rates are medians over two or three
starts of all small programs (of 2 to 4 ranks two of the day and one of the day before, of more one each): messages
between two ranks take 44 ms in one start and 50 or 57 in another. By the rates of one start alone, with which schedules
were searched, 82 % of the choices were right, 0.071 off; by those of the last start, measured behind the table, 94 %,
0.062 off. All settings were known, and four tables before this one; the last had 85 %, 0.057 off.

What the model has since that one: chunks that lie in several places are copied, and results put into the whole; what a
contraction does not cut is read again for every chunk, and takes what its bytes take, in part beside the operations.
The loops of tails that it was too low by, by a third, are what was measured for that.

Five choices are wrong, four of them tails of MLP and attention, of 8 to 14 % more. MLP among 4 ranks in 16 chunks takes
49 ms where 38 are predicted, and 40 in 8 chunks: four ranks have two cores, and each turn costs more than probes tell;
so does a short pipeline in 16. It is the one of seven loops with matrix products that does not hide half of what is
predicted. Of 27 loops that are predicted to gain more than 5 %, 14 do; six that do not are Adam's between two ranks at
100 Mb/s, where what is whole took 6 to 9 % less than predicted by starts like those above. Where hosts have two or four
ranks, sums level by level are 1.4 to 1.7 times as fast as the program as it is.

Tails and pipelines were measured once more, tails at 100 and 400 Mb/s too, with files that update in place, on a day on
which the same machine's memory was three times as slow and its products took up to twice as long: schedules_slow.csv,
judged by rates of that day, of two ranks measured behind it too (`judge_schedules.py scripts/results/schedules_slow.csv
--rates scripts/results/schedule_rates_slow.json`). 101 points are 0.113 off, 10 choices of 13 right, of the three
predicted fastest one in all; the three that are wrong are of four ranks on two cores. Four loops are predicted to hide
products by more than 5 %, and all four hide all of it: products wait for memory there, and less is left to hide. Of a
first table of that day, with a third of the turns, four loops of six hid half; the other two were in 16 chunks.
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
            held = {"half": "hide at least half of what is predicted", "enough": "are at least 0.8 k",
                    "faster": "are faster"}[more]  # fmt: skip
            lines.append(f"  {words}: {each['measured']:.2f}x, {each['predicted']:.2f}x; {each[more]} of "
                         f"{each['pairs']} {held}")  # fmt: skip
    if found["frames"]:
        least, middle, most = (f"{each:.3f}" for each in found["frames"])
        lines.append(f"bytes on the busiest card over the model's: {least} to {most}, median {middle}")
    return "\n".join(lines)
