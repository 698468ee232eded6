"""Interpretations of [ZAP] Zappit Blackjack."""

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
        title=gettext_noop("When the dealer's blackjack is detected"),
        question=gettext_noop(
            "The dealer has one card face down. The sheet does not state whether it is checked"
            " before the plays."
        ),
        readings=(
            Reading(
                gettext_noop("Before the plays, under an Ace and under a ten"),
                gettext_noop(
                    "A play against a blackjack holds the round; no raise can be lost to a"
                    " blackjack."
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
        why=gettext_noop(
            "A game server knows both cards and has no reason to accept raises on a lost hand."
            " Detail 27 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="after-a-zap",
        places=(
            Place("ZAP", "Regole"),
            Place("ZAP", "Azioni del giocatore"),
        ),
        title=gettext_noop("Plays of a zapped hand"),
        question=gettext_noop(
            "A zap comes before any other play. The sheet does not state whether the new hand can"
            " be doubled, split or zapped again."
        ),
        readings=(
            Reading(
                gettext_noop("Hit, stand or double; no split, no second zap"),
                gettext_noop(
                    "The game returns 98.71 percent of the initial stake, 98.82 per unit staked."
                ),
            ),
            Reading(
                gettext_noop("A pair can also be split"),
                gettext_noop("98.88 percent per unit staked."),
            ),
            Reading(
                gettext_noop("Only hit and stand"),
                gettext_noop("No printed rule excludes the double."),
            ),
        ),
        why=gettext_noop(
            "A split must be the first play of a hand, a zap cannot follow another play, and a"
            " double is excluded only after a hit."
        ),
    ),
    Ambiguity(
        key="zap-of-split-hands",
        places=(Place("ZAP", "Regole"),),
        title=gettext_noop("Zap after a split"),
        question=gettext_noop(
            "A hand can zap if its first two cards are a hard 15 to 18 and it has made no other"
            " play. A split hand has two cards and has itself made no play."
        ),
        readings=(
            Reading(
                gettext_noop("Not allowed"),
                gettext_noop("A zap after a split holds the round."),
            ),
            Reading(
                gettext_noop("Allowed, without doubling"),
                gettext_noop("The game would return 98.88 percent of the initial stake."),
            ),
        ),
        why=gettext_noop(
            "Only the first two cards dealt are initial cards, as the sheet says for blackjack. The"
            " split was a play of the hand."
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
                gettext_noop("Allowed, except for split Aces"),
                gettext_noop("Each hand can be doubled once."),
            ),
            Reading(
                gettext_noop("Forbidden"),
                gettext_noop("Such a play would hold the round."),
            ),
        ),
        why=gettext_noop(
            "A double is excluded only after a hit, and plays after a split only for Aces."
        ),
    ),
    Ambiguity(
        key="thirteen-cards",
        places=(Place("ZAP", "Regole"),),
        title=gettext_noop("A hand of thirteen cards"),
        question=gettext_noop(
            "Such a hand stands automatically. The sheet does not state whether it wins, and"
            " whether split hands count the same way."
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
                gettext_noop("Like the Charlie of [MFB], which this sheet does not have."),
            ),
        ),
        why=gettext_noop(
            "The sheet says stand. The feed contract (detail 26) treats split hands the same."
        ),
    ),
    Ambiguity(
        key="insurance-in-every-hand",
        places=(Place("ZAP", "Assicurazione"),),
        title=gettext_noop("Whether insurance is offered in every hand"),
        question=gettext_noop(
            "Insurance is offered with an Ace face up; the last sentence says that it can be placed"
            " in every hand of the game. Its amount is half of the current bet, which a double"
            " could have raised."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Only with an Ace face up, on up to three hands, for half of the initial stake"
                ),
                gettext_noop("Any other insurance holds the round."),
            ),
            Reading(
                gettext_noop("With any card face up"),
                gettext_noop("Without an Ace or a ten, insurance could not win."),
            ),
        ),
        why=gettext_noop(
            "The declared 92.60 percent is that of an Ace face up with six decks, 288/311."
            " Insurance is offered before the plays, when the current bet is the initial one."
        ),
    ),
    Ambiguity(
        key="greatest-initial-stake",
        places=(Place("ZAP", "Disclaimer"),),
        title=gettext_noop("Scope of the limit of 100.00"),
        question=gettext_noop(
            "The initial bet of a hand is at most 100.00. The sheet does not state whether a higher"
            " stake is rejected, and by whom."
        ),
        readings=(
            Reading(
                gettext_noop("It is a table limit on the initial stake; a round above it is held"),
                gettext_noop("100.00 can be doubled and split to 400.00."),
            ),
            Reading(
                gettext_noop("It includes raises"),
                gettext_noop("A hand above 50.00 could not be doubled."),
            ),
        ),
        why=gettext_noop(
            "The sheet says initial. Table limits are checked when a round is received (feed"
            " contract, detail 14)."
        ),
    ),
    Ambiguity(
        key="zappit-return-not-reproduced",
        places=(Place("ZAP", "Disclaimer"),),
        title=gettext_noop("The declared return of 98.87 percent for the base game"),
        question=gettext_noop(
            "No interpretation of the printed rules gives exactly the declared return."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The printed rules apply; the certificate states that the declared return is"
                    " not reproduced"
                ),
                gettext_noop("98.71 percent of the initial stake, 98.82 per unit staked."),
            ),
            Reading(
                gettext_noop("Split hands can zap but not double"),
                gettext_noop("98.8775 percent of the initial stake."),
            ),
            Reading(
                gettext_noop("Zapped pairs can be split"),
                gettext_noop("98.8766 percent per unit staked."),
            ),
        ),
        why=gettext_noop(
            "Two different interpretations come close, so neither is proven. Rules are not adapted"
            " to match a figure."
        ),
    ),
)
