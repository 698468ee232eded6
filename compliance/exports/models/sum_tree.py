"""The sum trees of closed days."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.exports.sum_trees.merkle_sum_tree import node_of
from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


class SumTree(models.Model):
    """The sum tree of a game on a closed day. There is one, whatever bundles contain it.

    The secret hides from customers, and from whoever sees roots and paths, whose share a leaf is.
    It is not encrypted: who can read this table can read the bets, with their customers, beside it.
    """

    pk = models.CompositePrimaryKey("day", "game")
    day = models.DateField()
    game = models.CharField(max_length=64)
    secret = models.BinaryField(max_length=32)
    leaves = models.BigIntegerField()
    """How many, a power of two."""
    root = models.BinaryField(max_length=64)
    """The packed node: digest and sums."""
    branches = models.BinaryField()
    """The packed roots of its branches, from which and a bundle's leaves paths are computed."""

    class Meta:
        verbose_name = _("sum tree")
        verbose_name_plural = _("sum trees")
        triggers = [*append_only("sum_tree"), attested_rows("sum_tree", key="day,game")]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.game} {self.day}"

    def to_json(self) -> dict[str, str | int]:
        """Its representation in manifests and audit records."""
        digest, sums = node_of(bytes(self.root))
        return {"leaves": self.leaves, "root": digest.hex(), **sums._asdict()}
