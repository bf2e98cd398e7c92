"""XLA programs: HLO and StableHLO text."""
