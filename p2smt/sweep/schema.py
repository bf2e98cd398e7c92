"""The tables of a store, as SQL that explains itself; the comments are kept in the file (`.schema` in sqlite3).

Compared between two runs are `problems`, `placements` and `environments`; `runs` and `claims` say who works or has
worked on the store, and are different every time.
"""

FORMAT = 2
"""Version of the tables, kept as the file's `user_version`."""

APPLICATION = 0x70327374
"""The file's `application_id`: "p2st"."""

TABLES = {
    "problems": """\
CREATE TABLE problems (  -- one row per problem
  key TEXT PRIMARY KEY,  -- SHA-256 of `problem`
  system TEXT NOT NULL,  -- name of the system, free text; empty for bare levels
  levels TEXT NOT NULL,  -- such as node:4,gpu:16, outermost first
  sizes TEXT NOT NULL,  -- such as 4x16
  devices INTEGER NOT NULL,
  axes TEXT NOT NULL,  -- such as data:4,model:16
  reduce TEXT NOT NULL,  -- names of the axes reduced over, separated by commas
  goal TEXT NOT NULL,  -- all-reduce, reduce-scatter, all-gather, reduce, broadcast
  bytes INTEGER NOT NULL,  -- payload of every device: what goes in, for an all-gather what comes out
  dtype TEXT NOT NULL,
  algorithm TEXT NOT NULL,  -- what carries AllReduce: auto, ring, tree, gloo
  grammar TEXT NOT NULL,  -- full, paper
  max_instructions INTEGER NOT NULL,
  engine TEXT NOT NULL,  -- levels, bitvec, explicit
  hierarchy TEXT NOT NULL,  -- a, b, c, d
  collapse INTEGER NOT NULL,  -- 0, 1
  status TEXT NOT NULL,  -- ok: everything was found; stopped: only what the rest of the row says; error: nothing
  reason TEXT NOT NULL,  -- why stopped or in error: deadline, unknown with the solver's reason, a message
  placements INTEGER NOT NULL,
  programs INTEGER NOT NULL,  -- over all placements
  best_matrix TEXT,  -- placement of the fastest program; the first of several; NULL from here on without programs
  best_program TEXT,
  best_seconds REAL,  -- predicted, as all seconds; ten digits
  allreduce_seconds REAL,  -- the goal in one collective on the same placement
  allreduce_best_matrix TEXT,  -- placement on which that is fastest
  allreduce_best_seconds REAL,
  worst_matrix TEXT,  -- placement whose best program is slowest
  worst_seconds REAL,
  speedup REAL,  -- allreduce_seconds / best_seconds; NULL where nothing takes time, as the next two
  speedup_over_allreduce REAL,  -- allreduce_best_seconds / best_seconds
  placement_spread REAL,  -- worst_seconds / best_seconds
  environment TEXT NOT NULL REFERENCES environments (id),
  problem TEXT NOT NULL  -- the resolved problem as canonical JSON, every figure of its system included
) STRICT, WITHOUT ROWID""",
    "placements": """\
CREATE TABLE placements (  -- one row per placement of a problem
  key TEXT NOT NULL REFERENCES problems (key) ON DELETE CASCADE,
  number INTEGER NOT NULL,  -- in ascending order of the matrices, from 0
  matrix TEXT NOT NULL,  -- such as 2x2/2x8: one row per axis, one factor per level
  levels TEXT NOT NULL,  -- sizes of the synthesis hierarchy
  programs INTEGER NOT NULL,
  best_program TEXT,  -- NULL without programs
  best_seconds REAL,
  allreduce_seconds REAL NOT NULL,
  PRIMARY KEY (key, number)
) STRICT, WITHOUT ROWID""",
    "environments": """\
CREATE TABLE environments (  -- versions that solved problems
  id TEXT PRIMARY KEY,
  p2smt TEXT NOT NULL,
  z3 TEXT NOT NULL,
  numpy TEXT NOT NULL,
  python TEXT NOT NULL
) STRICT, WITHOUT ROWID""",
    "runs": """\
CREATE TABLE runs (  -- who works or has worked on the store; not compared
  id TEXT PRIMARY KEY,
  p2smt TEXT NOT NULL,
  machine TEXT NOT NULL,
  process TEXT NOT NULL,
  executor TEXT NOT NULL,
  started TEXT NOT NULL,  -- UTC
  seen REAL NOT NULL,  -- seconds since 1970 at which it was last heard of
  ended TEXT  -- UTC; NULL while it runs, or when it was killed
) STRICT, WITHOUT ROWID""",
    "claims": """\
CREATE TABLE claims (  -- problems that a run is solving; not compared
  key TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id)
) STRICT, WITHOUT ROWID""",
}

COMPARED = ("problems", "placements", "environments")
"""The tables that are the same after every run of a sweep."""


def described() -> str:
    """All tables with their columns, as SQL with comments."""
    return "".join(f"{sql};\n\n" for sql in TABLES.values()).rstrip("\n") + "\n"
