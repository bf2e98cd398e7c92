"""SQL functions that a user's SELECT may call."""

# What SQL may call: nothing that builds large values from small ones, touches files or tells of the machine.
FUNCTIONS = frozenset(
    (
        "abs",
        "avg",
        "coalesce",
        "count",
        "first_value",
        "glob",
        "iif",
        "ifnull",
        "instr",
        "json_array_length",
        "json_extract",
        "lag",
        "last_value",
        "lead",
        "length",
        "like",
        "lower",
        "max",
        "min",
        "nullif",
        "rank",
        "round",
        "row_number",
        "substr",
        "sum",
        "total",
        "trim",
        "typeof",
        "upper",
        "->",
        "->>",
    )
)
