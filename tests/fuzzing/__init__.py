"""Coverage-guided fuzzing of what reads strangers' bytes (docs/contributor/fuzzing.md)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
