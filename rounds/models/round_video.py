"""References to the video of a round, added after the feed. Append-only."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models.round import Round

DIGEST_BYTES: Final = 32
LATEST_START: Final = 24 * 60 * 60
"""The largest start within a file, in seconds: a day."""


class RoundVideo(models.Model):
    """Where the recording of a round is, where in the file the round starts, and its digest.

    Never changed: a later row supersedes it, and also what the feed said (``Round.video``).
    """

    round = models.ForeignKey(
        Round,
        models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
        verbose_name=_("round"),
    )
    reference = models.CharField(_("reference"), max_length=2000)
    """An address or the key of a storage."""
    start_seconds = models.IntegerField(_("start in the file"))
    sha256 = models.BinaryField(max_length=DIGEST_BYTES)
    """The digest of the file."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("video of a round")
        verbose_name_plural = _("videos of rounds")
        triggers = [*append_only("round_video"), attested_rows("round_video")]
        constraints = [
            models.CheckConstraint(condition=~Q(reference=""), name="round_video_has_a_reference"),
            models.CheckConstraint(
                condition=Q(start_seconds__gte=0, start_seconds__lte=LATEST_START),
                name="round_video_starts_in_a_day",
            ),
        ]
        indexes = [models.Index(fields=["round", "-id"], name="video_by_round")]
        default_permissions = ("view",)
        permissions = [("add_video", "Can add the reference of a round's video")]
