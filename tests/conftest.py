from hypothesis import settings

settings.register_profile("p2smt", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("p2smt")

# Plans in Python are read by p2smt, not by pytest.
collect_ignore_glob = ["plans/*"]
