"""Distributed tensor programs as torch source: the statements that every rank runs on its shards."""
