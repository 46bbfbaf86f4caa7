"""One hypothesis profile for all tests: repeatable, and without a clock."""

from hypothesis import settings

settings.register_profile("ntqr", deadline=None, derandomize=True, print_blob=True, max_examples=60)
settings.load_profile("ntqr")
