"""Honest and forged decisions in any order, with each role of the database."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest
from django.conf import settings

from casino.access.verification import verify_roles
from compliance.exports.services import bundle_steps, download_bundle
from compliance.signatures import signature_verifier
from compliance.signatures.signature_verifier import SignatureVerifier
from payouts import verify_resumption
from payouts.cases import run_cases
from payouts.cases.models import CaseHalt
from payouts.integrity.models import IntegrityStop
from payouts.settlement import sweep
from tests.casino.api.exports.export_programs import made
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.lost_logs import give_role
from tests.conftest import NewTemplate
from tests.decisions.forging import NAMES, PERSONS, ROLES_OF, Histories, first_keys
from tests.decisions.forging_bundles import BUNDLES, Bundles
from tests.decisions.forging_cases import Cases, open_cases
from tests.decisions.forging_keys import Keys
from tests.decisions.forging_stops import Stops
from tests.documents import baccarat_round, lines
from tests.fresh_copies import fresh_copies
from tests.histories.drawn_histories import explore
from tests.repetitions import repeated

_HISTORIES = repeated(200)
_TO_FIND = 200
_STEPS = 40
_OTHERS: Final = ["Lorenzo", "Nobody", "Giulia", "Anna"]
"""An order of names: the first two are not Giulia's."""
_WITH_GIULIA: Final = ["Giulia", "Lorenzo", "Nobody", "Anna"]


class Forging(Cases, Keys, Bundles, Stops):
    """Decisions of every kind."""


class _Guard(NamedTuple):
    """What is verified: its place and name, what replaces it, and a history that needs it."""

    place: Any
    name: str
    other: Any
    history: Callable[[Forging], object]


def _is_right(*_: object, **__: object) -> bool:
    return True


def _circle(world: Forging) -> None:
    world.forge_circle(order=_OTHERS)
    world.forge_decision(number=0, like=1, order=_OTHERS, by=2, ago=0)


def _first_key(world: Forging) -> None:
    world.forge_first_key(role="web", order=_OTHERS)
    world.forge_decision(number=0, like=1, order=_WITH_GIULIA, by=3, ago=0)


def _lost_key(world: Forging) -> None:
    world.lose(number=1, who="Anna")
    world.forge_decision(number=0, like=1, order=_WITH_GIULIA, by=3, ago=0)


def _bundle(world: Forging) -> None:
    world.forge_bundle(number=1, order=_OTHERS, by=0, ago=0)


def _stop(world: Forging) -> None:
    world.play()
    world.stop()
    world.settle()


def _resumption(world: Forging) -> None:
    _stop(world)
    world.forge_resumptions(kind=IntegrityStop, order=["Anna", "Lorenzo"], by=0, ago=0)


def _resumption_of_cases(world: Forging) -> None:
    world.forge_decision(number=1, like=1, order=_OTHERS, by=0, ago=0)
    world.propose(number=0, who="Giulia")
    world.approve(number=0, who="Lorenzo")
    world.forge_resumptions(kind=CaseHalt, order=["Anna", "Lorenzo"], by=0, ago=0)
    world.execute()


def _resumption_by_giulia(world: Forging) -> None:
    _stop(world)
    for who in ("Giulia", "Lorenzo"):
        world.resume(who=who)
    world.settle()


def _own_role(world: Forging) -> None:
    world.forge_role(role="web", action="ACCESS_APPROVED", hand=2, ago=3)
    _resumption_by_giulia(world)


def _stopped_case(world: Forging) -> None:
    world.stop()
    world.propose(number=0, who="Giulia")
    world.approve(number=0, who="Lorenzo")
    world.execute()


_GUARDS: Final = {
    "keys": _Guard(SignatureVerifier, "_require_approved", _is_right, _circle),
    "first keys": _Guard(settings, "SIGNING_KEY_ROOTS", ["any"], _first_key),
    "lost keys": _Guard(
        signature_verifier, "_require_logged_before_revocation", _is_right, _lost_key
    ),
    "bundles": _Guard(bundle_steps, "require_two_signatures", _is_right, _bundle),
    "files of bundles": _Guard(download_bundle, "require_two_signatures", _is_right, _bundle),
    "resumptions": _Guard(verify_resumption, "_is_signed", _is_right, _resumption),
    "resumptions of cases": _Guard(
        verify_resumption, "_is_signed", _is_right, _resumption_of_cases
    ),
    "roles": _Guard(SignatureVerifier, "require_entitled", _is_right, _resumption_by_giulia),
    "decisions about roles": _Guard(verify_roles.DecidedRoles, "_is_decided", _is_right, _own_role),
    "settlement": _Guard(sweep, "may_settle", _is_right, _stop),
    "cases": _Guard(run_cases, "may_settle", _is_right, _stopped_case),
}


@pytest.fixture(autouse=True)
def _world(
    new_template: NewTemplate,
    casino_template: str,
    empty_database: str,
    worker_id: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """Histories begin with three persons whose keys the host approved."""
    happened: Counter[str] = Counter()
    monkeypatch.setattr(settings, "SIGNING_KEY_ROOTS", [key.id for key in first_keys()])
    template = new_template("forging", _fill, template=casino_template)
    with fresh_copies(template, name=f"forging_{worker_id}") as prepare:
        monkeypatch.setattr(Histories, "prepare", staticmethod(prepare), raising=False)
        monkeypatch.setattr(Histories, "happened", happened, raising=False)
        yield
    for what, times in sorted(happened.items()):
        sys.stdout.write(f"{times:>7,} {what}\n")


def _fill() -> None:
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()
    for number in BUNDLES:
        made(number)
    for name, person in PERSONS.items():
        give_role(person, *ROLES_OF[name])
    give_role(NAMES["Nobody"], "supervisor")  # so that false keys alone stop such a person
    open_cases()


def _begun() -> Forging:
    world = Forging()
    world.begin()
    return world


@pytest.mark.slow
class TestForgedDecisions:
    @pytest.mark.timeout(1200)
    def test_move_no_money(self) -> None:
        """Nothing is paid, sent or resumed that two persons did not sign, one of them honest."""
        explore(Forging, histories=_HISTORIES, steps=_STEPS)

    @pytest.mark.parametrize("machine", [Cases, Bundles])
    def test_would_move_money_without_the_verification(
        self, machine: type[Histories], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The drawn histories of a subject find it if rows are believed."""
        monkeypatch.setattr(SignatureVerifier, "verify_row", _is_right)
        with pytest.raises(AssertionError):
            explore(machine, histories=_TO_FIND, steps=_STEPS, shrinks=False)

    @pytest.mark.parametrize("guard", _GUARDS)
    def test_notice_each_guard(self, guard: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A history that is right with the guard is found to be wrong without it."""
        place, name, other, history = _GUARDS[guard]
        history(_begun())
        monkeypatch.setattr(place, name, other)
        world = _begun()
        with pytest.raises(AssertionError):
            history(world)
