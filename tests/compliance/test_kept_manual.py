"""docs/proof.md names every table whose rows are kept, and no other."""

import re
from collections import Counter

from casino.embedded.places import CLONE
from compliance.trail.kept import kept_models


def test_the_page_names_each_table_once() -> None:
    """By the triggers on the models: whoever keeps a further table says so to auditors."""
    page = (CLONE / "docs" / "proof.md").read_text()
    [table] = re.findall(r"^\| what \| tables \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)

    named = Counter(re.findall(r"`(\w+)`", table))

    assert named == Counter(model._meta.db_table for model in kept_models())
