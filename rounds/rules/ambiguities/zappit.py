"""Unclear points of [ZAP] Zappit Blackjack, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

ZAPPIT: Final = (
    Ambiguity(
        key="zappit-looks",
        places=(
            Place("ZAP", "Istruzioni di gioco"),
            Place("ZAP", "Assicurazione"),
        ),
        title=gettext_noop("When the dealer's blackjack is found"),
        question=gettext_noop(
            "The dealer has one card down. Whether it is looked at before the plays is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Before the plays, under an Ace and under a ten"),
                gettext_noop(
                    "A play against a blackjack holds the round; no raise can be lost to one."
                ),
            ),
            Reading(
                gettext_noop("Under an Ace only"),
                gettext_noop("Raises against a ten could be lost."),
            ),
            Reading(
                gettext_noop("Never"),
                gettext_noop("Insurance would be decided after the plays."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A game server knows both cards and has no reason to take raises on a hand that is"
            " lost. Detail 27 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="after-a-zap",
        places=(
            Place("ZAP", "Regole"),
            Place("ZAP", "Azioni del giocatore"),
        ),
        title=gettext_noop("What a zapped hand may do"),
        question=gettext_noop(
            "A zap comes before any other action. Whether the new hand may double, split a pair or"
            " zap again is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Hit, stand or double; no split, no second zap"),
                gettext_noop(
                    "The game returns 98.71 per cent of the initial stake, 98.82 per unit staked."
                ),
            ),
            Reading(
                gettext_noop("A pair may be split as well"),
                gettext_noop("98.88 per cent per unit staked."),
            ),
            Reading(
                gettext_noop("Nothing but hit and stand"),
                gettext_noop("Nothing printed takes the double away."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A split may only be a hand's first action, a zap may not follow another action, and a"
            " double is barred only after a hit."
        ),
    ),
    Ambiguity(
        key="zap-of-split-hands",
        places=(Place("ZAP", "Regole"),),
        title=gettext_noop("Zapping the hands of a split"),
        question=gettext_noop(
            "A hand may zap when its first two cards are a hard 15 to 18 and it has done nothing"
            " else. A split hand has two cards and has itself done nothing yet."
        ),
        readings=(
            Reading(
                gettext_noop("They cannot"),
                gettext_noop("A zap after a split holds the round."),
            ),
            Reading(
                gettext_noop("They can, and do not double"),
                gettext_noop("The game would return 98.88 per cent of the initial stake."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Only first cards that were dealt are initial cards, as the sheet says of blackjack;"
            " the split was an action of the hand."
        ),
    ),
    Ambiguity(
        key="double-after-split",
        places=(
            Place("ZAP", "Regole"),
            Place("ZAP", "Azioni del giocatore"),
        ),
        title=gettext_noop("Doubling after a split"),
        question=gettext_noop("The sheet neither allows nor forbids it."),
        readings=(
            Reading(
                gettext_noop("Allowed, but not with split Aces"),
                gettext_noop("Each hand may be doubled once."),
            ),
            Reading(
                gettext_noop("Forbidden"),
                gettext_noop("Such a play would hold the round."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A double is barred only after a hit, and actions after a split only for Aces."
        ),
    ),
    Ambiguity(
        key="thirteen-cards",
        places=(Place("ZAP", "Regole"),),
        title=gettext_noop("A hand of thirteen cards"),
        question=gettext_noop(
            "Such a hand stands by itself. Whether that wins it, and whether split hands count"
            " alike, is not said."
        ),
        readings=(
            Reading(
                gettext_noop("It only stands, split or not"),
                gettext_noop(
                    "It is compared with the dealer's hand; a fourteenth card holds the round."
                ),
            ),
            Reading(
                gettext_noop("It wins"),
                gettext_noop("As the Charlie of [MFB], which this sheet does not have."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The sheet says stand. The feed contract (detail 26) counts the hands of a split alike."
        ),
    ),
    Ambiguity(
        key="insurance-in-every-hand",
        places=(Place("ZAP", "Assicurazione"),),
        title=gettext_noop("Whether insurance is offered in every hand"),
        question=gettext_noop(
            "Insurance is first offered with an Ace up; the last sentence says that it may be"
            " placed in every hand of the game. Its amount is half of the current bet, which a"
            " double could have raised."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "With an Ace up only, on each of up to three hands, for half of the initial"
                    " stake"
                ),
                gettext_noop("Any other insurance holds the round."),
            ),
            Reading(
                gettext_noop("Whatever is up"),
                gettext_noop("Without an Ace or a ten nobody could win it."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The declared 92.60 per cent is that of an Ace up on six decks, 288/311. Insurance is"
            " offered before the plays, when the current bet is the initial one."
        ),
    ),
    Ambiguity(
        key="greatest-initial-stake",
        places=(Place("ZAP", "Disclaimer"),),
        title=gettext_noop("What the limit of 100.00 covers"),
        question=gettext_noop(
            "The initial bet of a hand is at most 100.00. Whether a stake above it is refused, and"
            " by whom, is not said."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "It is a limit of the table on the first stake; a round above it is held"
                ),
                gettext_noop("100.00 may be doubled and split to 400.00."),
            ),
            Reading(
                gettext_noop("It covers raises"),
                gettext_noop("A hand of more than 50.00 could not be doubled."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The sheet says initial. Table limits are looked up when a round is received (feed"
            " contract, detail 14)."
        ),
    ),
    Ambiguity(
        key="zappit-return-not-reproduced",
        places=(Place("ZAP", "Disclaimer"),),
        title=gettext_noop("The declared 98.87 per cent of the base game"),
        question=gettext_noop("No reading of the printed rules gives the declared return exactly."),
        readings=(
            Reading(
                gettext_noop(
                    "The printed rules hold; the certificate says that the figure is not reproduced"
                ),
                gettext_noop("98.71 per cent of the initial stake, 98.82 per unit staked."),
            ),
            Reading(
                gettext_noop("Split hands zap and do not double"),
                gettext_noop("98.8775 per cent of the initial stake."),
            ),
            Reading(
                gettext_noop("Zapped pairs split"),
                gettext_noop("98.8766 per cent per unit staked."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Two readings come close by different ways, so neither is proved; rules are not bent"
            " to fit a figure."
        ),
    ),
)
