"""The examples do things when they are imported, as a user's scripts do; tests run them elsewhere."""

collect_ignore_glob = ["examples/*.py"]
