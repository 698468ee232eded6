"""Whether this web host has the files of the archive."""

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from compliance.exports.bundle.signing import certificate_digests


def files_obstacle() -> str:
    """Why this host cannot read the archive; empty if it can."""
    if not Path(settings.ARCHIVE_FOLDER).is_dir():
        return _(
            "This web host has no folder of the archive. Give it the files, and set SABOT_ARCHIVE."
        )
    if not certificate_digests(Path(settings.EXPORT_KEY)):
        return _(
            "This web host has no certificate of the operator. Copy export.crt to the place that"
            " SABOT_EXPORT_KEY names; keep the key where it is."
        )
    return ""
