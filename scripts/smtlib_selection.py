"""Paths of the scripts that `encodings/` keeps: one of every kind of query, the smallest that shows it.

`scripts/smtlib_files.py --write --all --folder F` writes the others too.
"""

_FOLDERS = {
    "examples": (
        "figure-3-a",
        "figure-3-b",
        "figure-4-a",
        "figure-4-a-first-instruction",
        "figure-4-b",
    ),
    "lemmas": (
        "all-gather-allowed-2",
        "all-gather-possible-2",
        "all-gather-result-2",
        "reduction-allowed-2",
        "scatter-even-2",
        "scattered-is-merged-2",
        "different-sets-differ-2",
        "empty-beside-merged-2",
        "fewer-rows-2",
        "no-overlap-not-along-2",
        "no-shared-row-along-2",
        "others-keep-2",
        "same-rows-not-along-2",
        "same-rows-same-sets-2",
        "start-and-goal-2",
        "status-by-inner-digits-2",
        "within-root-within-sets-2",
    ),
    "optimality": (
        "levels-2-below-48",
        "levels-2-below-49",
    ),
    "placements": (
        "4x16-axes-8-2-4-exponents",
        "4x16-axes-8-2-4-products",
        "4x16-axes-8-2-8-exponents",
        "8x8x8-axes-4-4-4-8-products-no-axis-split",
    ),
    "programs": (
        "levels-1-limit-5-full",
        "levels-2-agree-with-matrices-2x2-limit-5",
        "levels-2-limit-3-between-reduce-and-broadcast",
        "levels-2-limit-3-ends-with-reduce-scatter",
        "levels-2-limit-5-paper",
        "levels-3-limit-2-one-level-at-a-time",
        "matrices-2x2-limit-3-paper",
    ),
    "schedules": (
        "a-broadcast-of-the-roots-sum",
        "a-gather-of-the-scattered-sum",
        "a-gather-of-the-scattered-sum-possible",
        "a-sum-of-chunks",
        "what-is-sent-is-what-is-received",
    ),
    "sequences": (
        "after-reduce-scatter-4-members-8-chunks",
        "reduce-then-broadcast-is-all-reduce-4-members-8-chunks",
    ),
    "sums": (
        "all-reduce-adds-2-members-4-chunks",
        "overlap-adds-wrongly-2-members-2-chunks",
        "reduce-counts-3-members-6-chunks",
    ),
    "tensor": (
        "conversions",
        "conversions-possible",
        "lemma-2-sum-of-sums-base",
        "lemma-3-sum-of-sums-step",
        "lemma-3-sum-of-sums-step-possible",
        "rule-add",
        "rule-add-possible",
        "rule-mono",
    ),
    "triples": (
        "all-gather-applies-2-members-2-chunks",
        "all-gather-changes-4-members-8-chunks",
        "all-gather-gives-2-members-4-chunks",
        "all-gather-keeps-4-members-8-chunks",
        "all-gather-refuses-empty-3-members-6-chunks",
        "all-gather-refuses-nothing-else-3-members-6-chunks",
        "all-gather-refuses-shared-row-3-members-6-chunks",
        "all-gather-refuses-uneven-3-members-6-chunks",
        "all-reduce-refuses-different-rows-3-members-6-chunks",
        "all-reduce-refuses-overlap-3-members-6-chunks",
        "broadcast-refuses-less-at-root-3-members-6-chunks",
        "broadcast-refuses-no-change-3-members-6-chunks",
    ),
}

SELECTED = frozenset(f"{folder}/{name}.smt2" for folder, names in _FOLDERS.items() for name in names)
