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
        # Cards and plays are sound, the studio only credited something else.
        anomalies.PAYOUT_DIFFERS: (
            SuggestedRemedy.BY_THE_RULES,
            SuggestedRemedy.RELEASE,
            SuggestedRemedy.AS_DEALT,
            SuggestedRemedy.CORRECT,
        ),
        # Nothing of the round is misread: persons accept it as it was dealt.
        anomalies.STAKE_LIMITS: (SuggestedRemedy.AS_DEALT,),
        anomalies.SHOE_GAP: (SuggestedRemedy.AS_DEALT,),
        # Only how it arrived holds it: with that set aside it is judged like any other.
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
        # A card was misread as another, most often; else the decks are wrong and the cards stand.
        anomalies.TOO_MANY_COPIES: (SuggestedRemedy.CORRECT, SuggestedRemedy.AS_DEALT),
        # A card or a decision was not read, or read wrongly: the video shows it.
        anomalies.MISSING_CARD: (SuggestedRemedy.CORRECT,),
        anomalies.EXTRA_CARD: (SuggestedRemedy.CORRECT,),
        anomalies.ILLEGAL_PLAY: (SuggestedRemedy.CORRECT,),
        anomalies.RAISE_MISMATCH: (SuggestedRemedy.CORRECT,),
        anomalies.INSURANCE_NOT_OFFERED: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_MISSING: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_UNEARNED: (SuggestedRemedy.CORRECT,),
        anomalies.BONUS_GRID: (SuggestedRemedy.CORRECT,),
        anomalies.MULTIPLIER_CARDS: (SuggestedRemedy.CORRECT,),
        # What was staked is taken and is never corrected: only a void gives it back.
        anomalies.MAIN_BET_MISSING: (SuggestedRemedy.VOID,),
        anomalies.INSURANCE_AMOUNT: (SuggestedRemedy.VOID,),
    }
)
"""By anomaly the remedies, best first. A void is always possible, as the last resort."""


def suggested_remedy(codes: Collection[str]) -> SuggestedRemedy:
    """The best remedy for the first anomaly that also fits all others.

    An anomaly without an entry is settled as dealt or corrected.
    """
    ways = [
        SUGGESTED_REMEDIES.get(code, (SuggestedRemedy.AS_DEALT, SuggestedRemedy.CORRECT))
        for code in codes
    ]
    common = [way for way in (ways[0] if ways else ()) if all(way in other for other in ways)]
    return common[0] if common else SuggestedRemedy.VOID
