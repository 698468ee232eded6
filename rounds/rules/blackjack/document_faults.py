"""Faults of documents of the blackjack family that no single field shows (detail 9)."""

from collections.abc import Iterable, Iterator, Sequence

from rounds.rules.blackjack.bets import INSURANCE, MAIN, ClassifiedBets, classify_bets, seat_of
from rounds.rules.blackjack.declaration import BlackjackGame, Seating
from rounds.rules.facts import Bet, Round
from rounds.rules.rule_set import DocumentFault

Numbered = tuple[int, Bet]


def find_document_fault(game: BlackjackGame, dealt: Round) -> DocumentFault | None:
    """The first fault of the document, None for a valid one."""
    if _is_plain(game, dealt.bets):
        return None
    classified = classify_bets(game, dealt)
    counting = [(n, bet) for n, bet in enumerate(dealt.bets) if classified.voids[n] is None]
    faults = [*_second_bets(counting), *_insured_chips(dealt.bets, classified)]
    if game.seating is Seating.OWNED:
        faults += _second_owners(counting)
    if game.seating is Seating.ONE_PLAYER:
        faults += _second_players(counting)
    return next(iter(faults), None)


def _is_plain(game: BlackjackGame, bets: Sequence[Bet]) -> bool:
    """A fast check that is true of most valid documents and of no invalid one."""
    if game.seating is Seating.ONE_PLAYER and len({bet.player for bet in bets}) > 1:
        return False
    kinds = [bet.kind for bet in bets]
    if INSURANCE in kinds:
        return False
    if kinds.count(MAIN) <= 1:
        return True
    mains = [bet for bet in bets if bet.kind == MAIN]
    if len({(bet.player, bet.box) for bet in mains}) < len(mains):
        return False
    owned = [bet.box for bet in mains if not bet.behind]
    return game.seating is not Seating.OWNED or len(set(owned)) == len(owned)


def _second_bets(counting: Iterable[Numbered]) -> Iterator[DocumentFault]:
    """A player has one main bet and one insurance on a box."""
    taken = set()
    for number, bet in counting:
        if bet.kind in {MAIN, INSURANCE}:
            place = bet.kind, seat_of(bet)
            if place in taken:
                found = f"a second {bet.kind} bet of {bet.player!r} on box {bet.box}"
                yield DocumentFault(f"bets[{number}]", found, "one of a player on a box")
            taken.add(place)


def _second_owners(counting: Iterable[Numbered]) -> Iterator[DocumentFault]:
    """A box has one owner."""
    owners: dict[int | None, str] = {}
    for number, bet in counting:
        if bet.kind == MAIN and not bet.behind:
            owner = owners.setdefault(bet.box, bet.player)
            if owner != bet.player:
                found = f"{bet.player!r} on box {bet.box}, which is {owner!r}'s"
                yield DocumentFault(f"bets[{number}].player", found, "one owner a box")


def _second_players(counting: Iterable[Numbered]) -> Iterator[DocumentFault]:
    """The table has one player."""
    players: list[str] = []
    for number, bet in counting:
        players.append(bet.player)
        if bet.player != players[0]:
            found = f"{bet.player!r} beside {players[0]!r}"
            yield DocumentFault(f"bets[{number}].player", found, "one player a round")


def _insured_chips(bets: Sequence[Bet], classified: ClassifiedBets) -> Iterator[DocumentFault]:
    """Golden chips cannot be insured, even of a void bet (detail 40)."""
    mains = {seat_of(bet): bet for bet in bets if bet.kind == MAIN} | dict(classified.mains)
    for number, bet in enumerate(bets):
        if bet.kind == INSURANCE and seat_of(bet) in mains and mains[seat_of(bet)].golden:
            found = f"insurance of a golden chip on box {bet.box}"
            yield DocumentFault(f"bets[{number}]", found, "insurance of cash bets only")
