"""Rounds stored without a settlement, for tests."""

from rounds.arrival import Arrival
from rounds.booking_day import open_books
from rounds.documents import read_documents
from rounds.services.sort_documents import NewRound, SortedBatch, sort_documents
from rounds.services.store import store_documents
from tests.casino_in_play import NOW, STUDIO
from tests.documents import baccarat_round, lines

OTHER_DIGEST = bytes(range(32))


def new_round(reference: str) -> NewRound:
    """A round that is about to be stored."""
    [batch] = read_documents(lines(baccarat_round(reference)))
    [new] = sort_documents(batch, arrival=Arrival(NOW)).arrivals
    assert isinstance(new, NewRound)
    return new


def store(new: NewRound) -> None:
    """Stores the round as it is."""
    store_documents(
        SortedBatch(arrivals=[new]),
        signature=None,
        source="old feed",
        books=open_books(at=NOW),
        at=NOW,
        actor=STUDIO,
    )
