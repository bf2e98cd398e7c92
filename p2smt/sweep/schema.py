"""The tables of a store as commented SQL; the comments are kept in the file (`.schema` in sqlite3).

Two runs of a sweep yield equal tables except `runs` and `claims`, which record the processes that work on the
store.
"""

FORMAT = 5
"""Version of the tables, stored as the file's `user_version`."""

APPLICATION = 0x70327374
"""Value of the file's `application_id`: "p2st" in ASCII."""

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
  algorithm TEXT NOT NULL,  -- carries: auto, ring, tree, nvls, nvls_tree, collnet_direct, collnet_chain, pat, gloo
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
  wire_seconds REAL,  -- what the network takes at least on it, whatever program runs
  allreduce_best_matrix TEXT,  -- placement on which that is fastest
  allreduce_best_seconds REAL,
  worst_matrix TEXT,  -- placement whose best program is slowest
  worst_seconds REAL,
  speedup REAL,  -- allreduce_seconds / best_seconds; NULL where nothing takes time, as the next two
  speedup_over_allreduce REAL,  -- allreduce_best_seconds / best_seconds
  placement_spread REAL,  -- worst_seconds / best_seconds
  above_wire REAL,  -- best_seconds / wire_seconds - 1; NULL where nothing has to be carried
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
  wire_seconds REAL NOT NULL,
  PRIMARY KEY (key, number)
) STRICT, WITHOUT ROWID""",
    "jobs": """\
CREATE TABLE jobs (  -- one row per job: a model on a system under a split
  key TEXT PRIMARY KEY,  -- SHA-256 of `job`
  model TEXT NOT NULL,  -- such as llama-70b
  system TEXT NOT NULL,  -- name of the system, free text; empty for bare levels
  levels TEXT NOT NULL,  -- such as node:8,gpu:8, outermost first
  sizes TEXT NOT NULL,  -- such as 8x8
  devices INTEGER NOT NULL,
  split TEXT NOT NULL,  -- such as tp:8,pp:4,dp:2
  tp INTEGER NOT NULL,
  pp INTEGER NOT NULL,
  dp INTEGER NOT NULL,
  cp INTEGER NOT NULL,
  ep INTEGER NOT NULL,
  chunks INTEGER NOT NULL,  -- of layers in a stage
  zero INTEGER NOT NULL,  -- ZeRO stage
  sequence_parallel INTEGER NOT NULL,  -- 0, 1
  recompute INTEGER NOT NULL,  -- 0, 1
  batch INTEGER NOT NULL,  -- sequences of a step
  micro_batch INTEGER NOT NULL,
  sequence INTEGER NOT NULL,  -- tokens
  algorithm TEXT NOT NULL,  -- as in problems
  max_instructions INTEGER NOT NULL,
  memory INTEGER NOT NULL,  -- bytes that a device needs, by formula
  device_memory INTEGER,  -- bytes that it has; NULL: not known
  fits INTEGER,  -- 0, 1, NULL: not known
  bubble REAL NOT NULL,  -- how long stages wait for each other, as a part of the time that they compute
  step_seconds REAL,  -- of a whole step, computing included, in the usual order; NULL: not predicted for the system
  status TEXT NOT NULL,  -- as in problems
  reason TEXT NOT NULL,
  placements INTEGER NOT NULL,  -- that were priced
  best_matrix TEXT,  -- the fastest placement, the usual one if it is as fast; NULL from here on without one
  best_words TEXT,  -- such as tp inside the node; pp, dp across nodes
  best_order TEXT,  -- that gives it, as p2smt mesh reads it; NULL: none does
  best_seconds REAL,  -- of communication per step, sends between stages included
  sends_seconds REAL,  -- of these the sends
  wire_seconds REAL,  -- what the network takes at least for all of it, whatever programs run
  usual_matrix TEXT,  -- of the frameworks' usual order; NULL: it is no placement here
  usual_seconds REAL,
  loss REAL,  -- usual_seconds / best_seconds - 1
  worst_matrix TEXT,
  worst_seconds REAL,
  environment TEXT NOT NULL REFERENCES environments (id),
  job TEXT NOT NULL  -- the resolved job as canonical JSON
) STRICT, WITHOUT ROWID""",
    "job_placements": """\
CREATE TABLE job_placements (  -- one row per placement of a job
  key TEXT NOT NULL REFERENCES jobs (key) ON DELETE CASCADE,
  number INTEGER NOT NULL,  -- fastest first, from 0
  matrix TEXT NOT NULL,  -- one row per axis (pp, dp, ep, cp, tp), one factor per level
  words TEXT NOT NULL,
  seconds REAL NOT NULL,  -- sends included
  sends_seconds REAL NOT NULL,
  wire_seconds REAL NOT NULL,
  communicators INTEGER NOT NULL,  -- that a device is in
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
CREATE TABLE claims (  -- problems and jobs that a run is solving; not compared
  key TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id)
) STRICT, WITHOUT ROWID""",
}

COMPARED = ("problems", "placements", "jobs", "job_placements", "environments")
"""Tables that are equal after every run of a sweep."""


def described() -> str:
    """Return all tables with their columns, as SQL with comments."""
    return "".join(f"{sql};\n\n" for sql in TABLES.values()).rstrip("\n") + "\n"
