"""The rules compiled by mypyc, as a package that an installation may use (`make compiled`)."""

from typing import Final

COMPILED_RULES: Final = "sabot-compiled-rules"
"""The name of the package."""
