"""The suggested remedy of a held round, by its anomalies."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from rounds.rules import anomalies


class SuggestedRemedy(TextChoices):
    """What a supervisor can do about a held round, with the button's label."""

    BY_THE_RULES = "by_the_rules", _("Open a case: settle by the rules")
    RELEASE = "release", _("Open a case: release and settle by the rules")
    AS_DEALT = "as_dealt", _("Open a case: settle as dealt")
    CORRECT = "correct", _("Correct from the video")
    VOID = "void", _("Open a case: void the round")


SUGGESTED_REMEDIES: Final[Mapping[str, tuple[SuggestedRemedy, ...]]] = MappingProxyType(
    {
        # Cards and plays are correct; only the studio's payout differs.
        anomalies.PAYOUT_DIFFERS: (
            SuggestedRemedy.BY_THE_RULES,
            SuggestedRemedy.RELEASE,
            SuggestedRemedy.AS_DEALT,
            SuggestedRemedy.CORRECT,
        ),
        # Nothing was misread: two persons accept the round as dealt.
        anomalies.STAKE_LIMITS: (SuggestedRemedy.AS_DEALT,),
        anomalies.SHOE_GAP: (SuggestedRemedy.AS_DEALT,),
        # Held only for its arrival: once released, it is evaluated like any other round.
        anomalies.LATE_ARRIVAL: (
            SuggestedRemedy.RELEASE,
            SuggestedRemedy.AS_DEALT,
            SuggestedRemedy.CORRECT,
        ),
        anomalies.UNSIGNED_SOURCE: (
            SuggestedRemedy.RELEASE,
            SuggestedRemedy.AS_DEALT,
            SuggestedRemedy.CORRECT,
        ),
        # Usually a card was misread; otherwise the decks are wrong and the cards are correct.
        anomalies.TOO_MANY_COPIES: (SuggestedRemedy.CORRECT, SuggestedRemedy.AS_DEALT),
        # A card or a decision is missing or was misread: the video shows it.
        anomalies.MISSING_CARD: (SuggestedRemedy.CORRECT,),
        anomalies.EXTRA_CARD: (SuggestedRemedy.CORRECT,),
        anomalies.ILLEGAL_PLAY: (SuggestedRemedy.CORRECT,),
        anomalies.RAISE_MISMATCH: (SuggestedRemedy.CORRECT,),
        anomalies.INSURANCE_NOT_OFFERED: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_MISSING: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_UNEARNED: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_GRID: (SuggestedRemedy.CORRECT,),
        anomalies.MULTIPLIER_CARDS: (SuggestedRemedy.CORRECT,),
        # Stakes are never corrected: only a void returns them.
        anomalies.MAIN_BET_MISSING: (SuggestedRemedy.VOID,),
        anomalies.INSURANCE_AMOUNT: (SuggestedRemedy.VOID,),
    }
)
"""By anomaly the remedies, best first. A void is always possible, as the last resort."""


def suggested_remedy(codes: Collection[str]) -> SuggestedRemedy:
    """The best remedy for the first anomaly that also fits all others.

    An anomaly without an entry is settled as dealt or corrected.
    """
    remedies = [
        SUGGESTED_REMEDIES.get(code, (SuggestedRemedy.AS_DEALT, SuggestedRemedy.CORRECT))
        for code in codes
    ]
    first = remedies[0] if remedies else ()
    common = (remedy for remedy in first if all(remedy in others for others in remedies))
    return next(common, SuggestedRemedy.VOID)
