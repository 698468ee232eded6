"""docs/proof.md lists exactly the tables with attested rows."""

import re
from collections import Counter

from casino.embedded.server_paths import CLONE
from compliance.trail.row_digests import attested_models


def test_the_page_names_each_table_once() -> None:
    """By the triggers of the models."""
    page = (CLONE / "docs" / "proof.md").read_text()
    [table] = re.findall(r"^\| what \| tables \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)

    named = Counter(re.findall(r"`(\w+)`", table))

    assert named == Counter(model._meta.db_table for model in attested_models())
