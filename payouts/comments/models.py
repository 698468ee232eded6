"""Comments of staff. They decide nothing; decisions are steps of cases and disputes."""

from functools import reduce
from operator import or_
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.cases.models import Case
from payouts.disputes.models import Dispute
from rounds.models import Customer, Round

KINDS: Final = ("customer", "round", "case", "dispute")
"""What a comment can be about: the names of its foreign keys."""


def _only(kind: str) -> models.Q:
    """That a comment is about this kind of record and no other."""
    return models.Q(**{f"{name}__isnull": name != kind for name in KINDS})


class Comment(models.Model):
    """What a person wrote about a record, for the other staff. Never changed or deleted.

    A comment that withdraws an earlier one gives the reason; both texts stay. The table has the
    name of the notes about customers, which it began with: the log attests its rows by it.
    """

    customer = models.ForeignKey(
        Customer,
        models.PROTECT,
        null=True,
        related_name="comments",
        db_index=False,
        verbose_name=_("customer"),
    )
    round = models.ForeignKey(
        Round,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
        verbose_name=_("round"),
    )
    case = models.ForeignKey(
        Case,
        models.PROTECT,
        null=True,
        related_name="comments",
        db_index=False,
        verbose_name=_("case"),
    )
    dispute = models.ForeignKey(
        Dispute,
        models.PROTECT,
        null=True,
        related_name="comments",
        db_index=False,
        verbose_name=_("dispute"),
    )
    withdraws = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="withdrawal", verbose_name=_("withdraws")
    )
    text = models.TextField(_("comment"))
    mentions = ArrayField(models.BigIntegerField(), verbose_name=_("mentions"), db_default=[])
    """The accounts of the people whom the text names."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        db_table = "payouts_customernote"
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        triggers = [*append_only("comment"), attested_rows("comment")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(text=""), name="customer_note_says_something"
            ),
            models.CheckConstraint(
                condition=reduce(or_, map(_only, KINDS)), name="comment_is_about_one_record"
            ),
        ]
        indexes = [
            models.Index(fields=["customer", "-id"], name="note_by_customer"),
            *(
                models.Index(
                    fields=[kind, "-id"],
                    name=f"comment_by_{kind}",
                    condition=models.Q(**{f"{kind}__isnull": False}),
                )
                for kind in ("round", "case", "dispute")
            ),
            models.Index(fields=["actor_user_id", "-id"], name="comment_by_author"),
            GinIndex(fields=["mentions"], name="comment_by_mention"),
        ]
        default_permissions = ("view",)
        permissions = [("write_comment", "Can write comments")]

    @property
    def kind(self) -> str:
        """Which of ``KINDS`` it is about."""
        return next(kind for kind in KINDS if getattr(self, f"{kind}_id") is not None)
