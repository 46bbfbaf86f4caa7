"""For all tests: two hypothesis profiles, repeatable and without a clock, and bytecode that is kept."""

import os
import sys

from hypothesis import settings

for name, examples in (("few", 30), ("many", 150)):
    settings.register_profile(name, deadline=None, derandomize=True, print_blob=True, max_examples=examples)
settings.load_profile("few")

# Many tests start the command in a process of its own, which would compile the package each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
