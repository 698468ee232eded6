"""Persons, keys and the database of histories in which honest and forged decisions mix.

Giulia is dishonest: she has a connection with every role of the database, and signs with her own
keys, with keys that she registers in others' names, and with lost ones. Lorenzo and Anna use the
services alone. What is true of keys and signatures is noted here, whatever the rows say.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from hypothesis import strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from compliance.signatures.assertions import InvalidAssertion
from compliance.signatures.manage_keys import SigningKeyError
from compliance.signatures.models import DecisionSignature
from compliance.signatures.queries import KeyNotInForce
from compliance.signatures.signature_verifier import DecidedRow, NotEntitled
from compliance.signatures.signed_text import decision_text, text_of_record
from compliance.signatures.software_key import SoftwareKey
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from compliance.trail.steps import StepError
from payouts.cases.models import CaseHalt
from payouts.integrity.models import IntegrityStop
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from tests.attacks.forgeries import key_of, signed
from tests.attacks.keys.test_forged_steps import signer_of
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import KEY
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import signing

ANNA: Final = signing("Anna Riva", 5)
DISHONEST: Final = "Giulia"
PERSONS: Final = {DISHONEST: GIULIA, "Lorenzo": LORENZO, "Anna": ANNA}
HONEST: Final = tuple(PERSONS.keys() - {DISHONEST})
ROLES_OF: Final = {
    DISHONEST: ("payments", "administrator"),
    "Lorenzo": ("supervisor", "compliance"),
    "Anna": ("compliance",),
}
"""All may approve cases and keys. Giulia may not resume settlement, nor sign or send bundles."""
NAMES: Final = {**PERSONS, "Nobody": Actor("Nobody Known", 777)}
"""In whose name rows are forged."""
DAY: Final = timedelta(hours=25)
"""Longer than the decision delay."""

persons: Final = strategies.sampled_from(list(PERSONS))
everybody: Final = strategies.permutations(list(PERSONS))
honest: Final = strategies.sampled_from(sorted(HONEST))
roles: Final = strategies.sampled_from([role.value for role in (*[DatabaseRole.WEB] * 4, *ROLES)])
"""Mostly of the one that may write decisions."""
numbers: Final = strategies.integers(0, 5)
_LATEST: Final = 2
hands: Final = strategies.integers(0, 3)
"""How a forged row is signed: see ``Histories.write_record``."""
days_ago: Final = strategies.sampled_from([0, 0, 3])


@dataclass
class Key:
    """A signing key, and what is true of it."""

    holder: str
    pair: SoftwareKey
    is_first: bool = False
    is_true: bool = True
    """Whether its holder has it, and not Giulia in their name."""
    confirmed: dict[str, datetime] = field(default_factory=dict)
    """When honest persons other than its holder approved it."""
    is_revoked: bool = False

    @property
    def id(self) -> str:
        """As in the database."""
        return hashlib.sha256(self.pair.public.cose).hexdigest()

    def counts(self, at: datetime) -> bool:
        """Whether two persons other than its holder confirmed it; Giulia confirms every key."""
        if self.is_revoked or not self.is_true:
            return False
        begun = [when for when in self.confirmed.values() if when + settings.DECISION_DELAY <= at]
        return self.is_first or len(begun) >= (2 if self.holder == DISHONEST else 1)


def first_keys() -> list[Key]:
    """The keys of the persons, which the host approved."""
    return [Key(who, key_of(person), is_first=True) for who, person in PERSONS.items()]


class Histories(RuleBasedStateMachine):
    """Three persons with keys, and what they signed."""

    prepare: ClassVar[Callable[[], str]]
    happened: ClassVar[Counter[str]]
    """How often each attempt was made, and how it ended."""

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.keys = first_keys()
        self.honest: set[tuple[object, ...]] = set()
        """What honest persons signed."""
        self._known: set[UUID] = set()
        self._sound: set[UUID] = set()
        """Records that were signed with a key that counted then."""

    @initialize()
    def begin(self) -> None:
        """Two settled rounds, two cases and some bundles; the keys of this process."""
        type(self).prepare()
        for person in PERSONS.values():
            signer_of(person).approve()
        self._note_signatures()

    @rule()
    def wait(self) -> None:
        """A day passes; the log receives what was recorded."""
        self.log()
        self.now += DAY

    def log(self) -> None:
        """The log receives what was recorded, a second later."""
        append_to_log(KEY, now=self.now)

    def actor(self, who: str) -> Actor:
        """The person, who signs with the latest of the own keys that counts."""
        own = [key for key in self.keys if key.holder == who and key.is_true]
        in_force = [key for key in own if key.counts(self.now)]
        return PERSONS[who]._replace(signer=(in_force or own)[-1].pair)

    def do(self, what: str, action: Callable[[], Any]) -> bool:
        """Whether it was done; False if it was refused in words, or by the database."""
        try:
            with transaction.atomic():
                action()
        except (
            *(StepError, SigningKeyError, KeyNotInForce, InvalidAssertion),
            *(NotEntitled, DatabaseError),
        ) as error:
            self.happened[f"{what}: {type(error).__name__}"] += 1
            return False
        self.happened[f"{what}: done"] += 1
        self._note_signatures()
        return True

    def write(self, what: str, role: str, action: Callable[[], Any]) -> bool:
        """Writes rows with the rights of a role, in one transaction."""

        def write() -> None:
            run(f"SET LOCAL ROLE {role_name(DatabaseRole(role))}")
            action()

        return self.do(f"{what} by {role}", write)

    def write_record(self, row: DecidedRow, who: str, hand: int) -> None:
        """The audit record of a forged row.

        Unsigned (0), signed with Giulia's key under the number of theirs (1), or with the latest
        (2) or first (3) of the keys in their name that she has, if there is one.
        """
        own, theirs = self._hers(DISHONEST), [key for key in self.keys if key.holder == who]
        if hand == 0:
            actor = NAMES[who]
            record_entry(row.entry, at=row.at, actor=Actor(actor.name, actor.user_id))
        elif hand == 1:
            signed(row, own[0].pair, key_id=(theirs or own)[0].id)
        else:
            key = (self._hers(who) or own)[-1 if hand == _LATEST else 0]
            signed(row, key.pair, key_id=key.id)

    def forgers(self, order: list[str], by: int) -> list[tuple[str, int]]:
        """Two of these in whose names rows are forged, and by which hand.

        Those first whose keys Giulia has, if she signs with them; she always signs for herself.
        """
        if by > 1:
            order = sorted(order, key=lambda who: not self._hers(who))
        return [(who, max(by, who == DISHONEST)) for who in order[:2]]

    def _hers(self, who: str) -> list[Key]:
        """The keys in the person's name with which Giulia can sign."""
        theirs = [key for key in self.keys if key.holder == who]
        return [key for key in theirs if who == DISHONEST or not key.is_true or key.is_revoked]

    def at(self, ago: int) -> datetime:
        """The time so many days ago."""
        return self.now - timedelta(days=ago)

    def is_sound(self, row: DecidedRow) -> bool:
        """Whether its record was signed with a key that two other persons had confirmed."""
        text = decision_text(row.entry, at=row.at, actor=Actor(row.actor, row.actor_user_id))
        records = AuditRecord.objects.filter(pk__in=self._sound, subject=row.entry.subject)
        return any(text_of_record(record) == text for record in records)

    def require_two(self, rows: Iterable[DecidedRow], *signed_by_honest: object) -> None:
        """Two persons signed these rows with keys that count, and an honest one signed this."""
        assert signed_by_honest in self.honest, signed_by_honest
        persons = {row.actor_user_id for row in rows if self.is_sound(row)}
        assert len(persons) > 1, [row.entry for row in rows]

    def work(self, action: Callable[[], Any], *, halts: bool) -> None:
        """Lets workers work; money stays where it is before two persons have resumed."""
        is_stopped = self._is_stopped() or (halts and self._is_halted())
        before = _money()
        action()
        assert not is_stopped or _money() == before, "money moved while it was stopped"

    def _is_stopped(self) -> bool:
        """Whether not both honest persons, who alone may, have resumed settlement."""
        needed = {("stop", pk, who) for pk in _keys(IntegrityStop) for who in HONEST}
        return not needed <= self.honest

    def _is_halted(self) -> bool:
        """Whether no honest person has resumed cases, with Giulia or another."""
        for halt in CaseHalt.objects.prefetch_related("steps"):
            sound = [step for step in halt.steps.all() if self.is_sound(step)]
            if len(sound) < len(PERSONS) - 1 or ("halt", halt.pk) not in self.honest:
                return True
        return False

    def _note_signatures(self) -> None:
        """Which new signatures were made with a key that counts now."""
        new = DecisionSignature.objects.exclude(pk__in=self._known)
        in_force = {key.id for key in self.keys if key.counts(self.now)}
        for record, key in new.values_list("record_id", "key_id"):
            self._known.add(record)
            if key in in_force:
                self._sound.add(record)


def run(statement: str) -> None:
    """Runs a statement of SQL."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _keys(model: Any) -> list[Any]:
    return list(model.objects.values_list("pk", flat=True))


def _money() -> tuple[int, int]:
    return Settlement.objects.count(), Transfer.objects.count()
