from hypothesis import settings

settings.register_profile("p2smt", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("p2smt")
