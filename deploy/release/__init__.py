"""Making a release: what ``make release`` puts beside the wheel."""
