"""Returns that the printed sheets declare, by rule set and bet kind.

No payout depends on them. Bets without a declared return are absent.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.returns.exact_returns import percent_text

PRINTED_PLACES: Final = 2
"""Every sheet prints returns in per cent with two decimals."""


class DeclaredReturn(NamedTuple):
    """The declared return of some bet kinds, with sheet and heading."""

    rules: str
    kinds: tuple[str, ...]
    per_million: int
    sheet: str
    heading: str

    @property
    def share(self) -> Fraction:
        """The return as a fraction of one."""
        return Fraction(self.per_million, 1_000_000)

    @property
    def percent(self) -> str:
        """As printed, without the per cent sign: ``"95.90"``."""
        return percent_text(self.share, places=PRINTED_PLACES)

    def is_printed_as(self, computed: Fraction) -> bool:
        """Whether a computed return rounds to the printed one."""
        return percent_text(computed, places=PRINTED_PLACES) == self.percent


_BJ: Final = ("BJ", "Vincita del giocatore")
_MFB: Final = ("MFB", "Ritorno al giocatore e tabelle dei pagamenti")
_QB: Final = ("QB", "Ritorno al giocatore")
_BAC: Final = ("BAC", "PERCENTUALE DI RESTITUZIONE (RTP)")
_ZAP: Final = ("ZAP", "Disclaimer")

DECLARED_RETURNS: Final = (
    DeclaredReturn("blackjack/1", ("main",), 992_800, *_BJ),
    DeclaredReturn("blackjack/1", ("perfect_pairs",), 959_000, *_BJ),
    DeclaredReturn("blackjack/1", ("21+3",), 963_000, *_BJ),
    DeclaredReturn("mega-fire-blaze-blackjack/1", ("main",), 995_500, *_MFB),
    DeclaredReturn("mega-fire-blaze-blackjack/1", ("mega_fire_blaze",), 974_700, *_MFB),
    DeclaredReturn("mega-fire-blaze-blackjack/1", ("player_pair", "dealer_pair"), 959_000, *_MFB),
    DeclaredReturn("mega-fire-blaze-blackjack/1", ("21+3",), 963_000, *_MFB),
    DeclaredReturn("quantum-blackjack/1", ("main",), 995_700, *_QB),
    DeclaredReturn("quantum-blackjack/1", ("player_pair",), 938_900, *_QB),
    DeclaredReturn("quantum-blackjack/1", ("21+3",), 953_800, *_QB),
    # The printed odds cannot give these two (readings, [BAC]); they are stored as printed.
    DeclaredReturn("baccarat/1", ("banker_pair",), 952_900, *_BAC),
    DeclaredReturn("baccarat/1", ("perfect_pair",), 952_600, *_BAC),
    DeclaredReturn("zappit-blackjack/1", ("main",), 988_700, *_ZAP),
    DeclaredReturn("zappit-blackjack/1", ("insurance",), 926_000, *_ZAP),
)
"""As printed, in parts per million."""


def declared_return(rules: str, kind: str) -> DeclaredReturn | None:
    """The declared return of a bet kind, or None."""
    return next(
        (
            declared
            for declared in DECLARED_RETURNS
            if declared.rules == rules and kind in declared.kinds
        ),
        None,
    )
