"""Interpretations of [BJ] Blackjack."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

LIVE_BLACKJACK: Final = (
    Ambiguity(
        key="look-under-ten",
        places=(
            Place("BJ", "Assicurazione"),
            Place("BJ", "Raddoppio, carta o stai"),
        ),
        title=gettext_noop("Whether the dealer peeks before the plays"),
        question=gettext_noop(
            "One passage has the dealer peek under an Ace and forbids it under a ten. Another lets"
            " players act after the dealer has checked for blackjack, without exception."
        ),
        readings=(
            Reading(
                gettext_noop("Under an Ace only"),
                gettext_noop("Under a ten, hands are played out. The game returns 99.29 percent."),
            ),
            Reading(
                gettext_noop("Under both"),
                gettext_noop(
                    "No raise can meet a dealer blackjack. The game returns 99.39 percent."
                ),
            ),
            Reading(
                gettext_noop("Never"),
                gettext_noop(
                    "Plays against an Ace would be lost too. The game returns 99.28 percent."
                ),
            ),
        ),
        why=gettext_noop(
            "The passage on insurance is the specific one and explicitly forbids the peek. The"
            " declared 99.28 is 0.01 below the computed 99.2926 of this interpretation and matches"
            " 99.2846 of the last one, which the sheet excludes. The certificate shows both."
        ),
    ),
    Ambiguity(
        key="all-lost-to-ten-up-blackjack",
        places=(
            Place("BJ", "Assicurazione"),
            Place("BJ", "Risultato"),
        ),
        title=gettext_noop("Raises against an undetected dealer blackjack"),
        question=gettext_noop(
            "With a ten face up, the dealer's blackjack appears only after doubles and splits. The"
            " sheet does not state whether raises are lost with the stake."
        ),
        readings=(
            Reading(
                gettext_noop("Everything staked on the hands is lost"),
                gettext_noop("10.00 doubled or split: 20.00 lost."),
            ),
            Reading(
                gettext_noop("Only the initial stake is lost"),
                gettext_noop("10.00 is returned. The game would return 99.39 percent."),
            ),
        ),
        why=gettext_noop(
            "No passage returns anything, and the return would be 0.1 above the declared one."
        ),
    ),
    Ambiguity(
        key="perfect-pair-without-name",
        places=(
            Place("BJ", "Vincite"),
            Place("BJ", "Coppie Perfette"),
        ),
        title=gettext_noop("The unnamed pair that pays 25:1"),
        question=gettext_noop(
            "The name of the best pair is missing in the list of pairs and in the pay table. Only"
            " its odds and an example of one suit are printed."
        ),
        readings=(
            Reading(
                gettext_noop("It is the pair of the same rank and suit"),
                gettext_noop("Perfect Pairs returns 95.90 percent."),
            ),
            Reading(
                gettext_noop("The line does not apply"),
                gettext_noop(
                    "A pair of one suit would pay nothing, and the return would drop by more than"
                    " 40 points."
                ),
            ),
        ),
        why=gettext_noop(
            "The example shows it, the other two lines leave no other case, and it gives exactly"
            " the declared return."
        ),
    ),
    Ambiguity(
        key="behind-side-bets",
        places=(
            Place("BJ", "Puntate secondarie"),
            Place("BJ", "Puntata alle Spalle (Bet Behind)"),
        ),
        title=gettext_noop("Side bets of customers betting behind"),
        question=gettext_noop(
            "Side bets accompany the main blackjack bet. The sheet does not state whether a bet"
            " behind is such a main bet."
        ),
        readings=(
            Reading(
                gettext_noop("It is"),
                gettext_noop(
                    "A side bet requires a main bet of the same player on the box, own or behind."
                ),
            ),
            Reading(
                gettext_noop("It is not"),
                gettext_noop("A side bet of a customer betting behind would hold the round."),
            ),
        ),
        why=gettext_noop("The sheet pays bets behind like ordinary bets and excludes nothing."),
    ),
    Ambiguity(
        key="behind-not-following",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind that does not follow a raise"),
        question=gettext_noop(
            "A customer betting behind can choose in advance not to raise with the owner. The sheet"
            " does not state which hand the bet then follows, nor what applies without a choice."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "It follows the first hand of a split, or the doubled hand with the initial"
                    " stake; without a choice it raises"
                ),
                gettext_noop("The stake is never divided."),
            ),
            Reading(
                gettext_noop("It follows both hands with half of the stake each"),
                gettext_noop("A stake of 0.05 could not be divided."),
            ),
            Reading(
                gettext_noop("It is void"),
                gettext_noop("The owner's decision would void the bets of other customers."),
            ),
        ),
        why=gettext_noop("The feed contract decides this (field `follows`)."),
    ),
    Ambiguity(
        key="behind-own-hand",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind on the customer's own hand"),
        question=gettext_noop(
            "The sheet says that this is not possible. It does not state what happens if a studio"
            " accepts such a bet."
        ),
        readings=(
            Reading(
                gettext_noop("Only that bet is void"),
                gettext_noop("Its stake is refunded, and the round is settled."),
            ),
            Reading(
                gettext_noop("The round is held"),
                gettext_noop(
                    "All other customers would have to wait for a decision about one bet."
                ),
            ),
        ),
        why=gettext_noop(
            "A bet that cannot be placed does not count. In the feed contract void bets do not hold"
            " a round."
        ),
    ),
    Ambiguity(
        key="behind-void-owner",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind an owner whose bet is void"),
        question=gettext_noop(
            "Bets behind are returned if the owner does not take part. The sheet does not mention"
            " an owner whose bet was void because it was late or because the connection was lost."
        ),
        readings=(
            Reading(
                gettext_noop("They are returned as well"),
                gettext_noop("There is no hand to follow."),
            ),
            Reading(
                gettext_noop("They are decided by the cards of the box"),
                gettext_noop("A hand without a player would have to be dealt."),
            ),
        ),
        why=gettext_noop("The feed contract decides this (detail 17)."),
    ),
    Ambiguity(
        key="absent-player-stands",
        places=(Place("BJ", "Politica sulle Disconnessioni"),),
        title=gettext_noop("Open bets of a disconnected customer"),
        question=gettext_noop(
            "Bets of a customer who loses the connection after betting has closed remain valid and"
            " are decided. The sheet does not state how an open hand is played."
        ),
        readings=(
            Reading(
                gettext_noop("The hand stands"),
                gettext_noop("The same applies to any hand without a decision in time."),
            ),
            Reading(
                gettext_noop("The hand is played by a fixed strategy"),
                gettext_noop("The house would decide for the customer."),
            ),
        ),
        why=gettext_noop("This is the sheet's own rule for missing decisions."),
    ),
    Ambiguity(
        key="cancelled-round-refund",
        places=(Place("BJ", "Gestione degli errori"),),
        title=gettext_noop("Bets returned by a cancelled round"),
        question=gettext_noop(
            "If the supervisor cannot resolve a round, it is cancelled and the initial bets are"
            " refunded. The sheet does not mention raises and insurance."
        ),
        readings=(
            Reading(
                gettext_noop("All stakes of the round are refunded"),
                gettext_noop("10.00 doubled and insured with 5.00: 25.00 is refunded."),
            ),
            Reading(
                gettext_noop("Only the initial stakes are refunded"),
                gettext_noop("The same customer would lose 15.00 because of a malfunction."),
            ),
        ),
        why=gettext_noop("No customer may be worse off after a cancelled round."),
    ),
)
