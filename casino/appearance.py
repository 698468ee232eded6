"""How the operator's pages look: django-unfold's settings."""

from typing import Any, Final

UNFOLD: Final[dict[str, Any]] = {
    "SITE_TITLE": "Sabot",
    "SITE_HEADER": "Sabot",
}
