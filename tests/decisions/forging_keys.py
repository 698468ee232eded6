"""Keys: enrolled, confirmed and revoked by persons, and written past the services by Giulia."""

from typing import Any, Final

from hypothesis import strategies
from hypothesis.stateful import precondition, rule

from compliance.signatures.manage_keys import approve_key, register_key, revoke_key
from compliance.signatures.models import SigningKey, SigningKeyStep
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.record import Entry, record_entry
from tests.decisions.forging import (
    DISHONEST,
    NAMES,
    PERSONS,
    Histories,
    Key,
    days_ago,
    everybody,
    hands,
    honest,
    numbers,
    persons,
    roles,
)
from tests.signers import HOST

_MOST_KEYS: Final = 8
_FURTHER: Final = len(PERSONS)
"""The place of the first key that is not one of the host's."""

_others: Final = strategies.permutations([name for name in NAMES if name != DISHONEST])


class Keys(Histories):
    """Keys of persons, and false ones."""

    # Services.

    @precondition(lambda self: len(self.keys) < _MOST_KEYS)
    @rule(who=persons)
    def enrol(self, who: str) -> None:
        """Registers a further key of one's own."""
        key = Key(who, SoftwareKey.generate())
        public, credential = key.pair.public, key.pair.credential_id
        about: dict[str, Any] = {"public": public, "credential_id": credential, "label": "new"}
        if self.do("enrol", lambda: register_key(**about, at=self.now, actor=self.actor(who))):
            self.keys.append(key)

    @precondition(lambda self: len(self.keys) > _FURTHER)
    @rule(number=numbers, who=persons)
    def confirm(self, number: int, who: str) -> None:
        """Approves a key; honest persons do so only for the person who has it."""
        key = self.keys[_FURTHER + number % (len(self.keys) - _FURTHER)]
        about: dict[str, Any] = {"note": "seen in person", "at": self.now, "actor": self.actor(who)}
        is_done = (key.is_true or who == DISHONEST) and self.do(
            "confirm", lambda: approve_key(key_id=key.id, **about)
        )
        if is_done and who != DISHONEST:
            key.confirmed[who] = self.now

    @precondition(lambda self: len(self.keys) < _MOST_KEYS)
    @rule(order=everybody)
    def admit(self, order: list[str]) -> None:
        """Registers a further key, which both others approve."""
        further = len(self.keys) - _FURTHER
        self.enrol(order[0])
        if len(self.keys) - _FURTHER > further:
            for who in order[1:]:
                self.confirm(further, who)

    @precondition(lambda self: not any(key.is_revoked for key in self.keys))
    @rule(number=numbers, who=honest)
    def lose(self, number: int, who: str) -> None:
        """A key is lost, revoked and logged as such; then Giulia finds it."""
        key = self.keys[number % len(self.keys)]
        about: dict[str, Any] = {"note": "lost", "at": self.now, "actor": self.actor(who)}
        if key.is_true and self.do("revoke", lambda: revoke_key(key_id=key.id, **about)):
            key.is_revoked = True
            self.log()

    # Rows.

    @precondition(lambda self: len(self.keys) < _MOST_KEYS)
    @rule(role=roles, order=_others, by=hands, ago=days_ago)
    def forge_key(self, role: str, order: list[str], by: int, ago: int) -> None:
        """A key of Giulia's in another's name, with two approvals; in force at once."""
        key = Key(order[0], SoftwareKey.generate(), is_true=False)
        self.keys.append(key)

        def forge() -> None:
            row = _row(key, at=self.at(ago))
            for who, hand in self.forgers([*order[1:], DISHONEST], by):
                self._approve(row, who, hand, at=self.at(ago))

        if not self.write("key", role, forge):
            self.keys.remove(key)
        self.log()

    @precondition(lambda self: len(self.keys) < _MOST_KEYS - 1)
    @rule(order=_others)
    def forge_circle(self, order: list[str]) -> None:
        """Two keys in others' names, each approved by Giulia and with the other one."""
        pair = [Key(holder, SoftwareKey.generate(), is_true=False) for holder in order[:2]]
        self.keys += pair

        def forge() -> None:
            rows = [_row(key, at=self.now) for key in pair]
            for row, other in zip(rows, reversed(pair), strict=True):
                self._approve(row, DISHONEST, 2, at=self.now)
                self._approve(row, other.holder, 2, at=self.now)

        if not self.write("circle of keys", "web", forge):
            del self.keys[-len(pair) :]
        self.log()

    @precondition(lambda self: len(self.keys) < _MOST_KEYS)
    @rule(role=roles, order=_others)
    def forge_first_key(self, role: str, order: list[str]) -> None:
        """A key of Giulia's in another's name, as the host approves the first ones."""
        key = Key(order[0], SoftwareKey.generate(), is_true=False)

        def forge() -> None:
            row = _row(key, at=self.now)
            about: dict[str, Any] = {"at": self.now, "in_force_from": self.now, "actor": HOST.name}
            SigningKeyStep.objects.create(key=row, sequence=1, action="rooted", **about)

        if self.write("first key", role, forge):
            self.keys.append(key)

    @precondition(lambda self: len(self.keys) > _FURTHER)
    @rule(role=roles, number=numbers, who=strategies.sampled_from(list(NAMES)), hand=hands)
    def forge_approval(self, role: str, number: int, who: str, hand: int) -> None:
        """A further approval of a key, true or false, in anybody's name."""
        key = self.keys[_FURTHER + number % (len(self.keys) - _FURTHER)]
        row = SigningKey.objects.get(pk=key.id)
        self.write("approval", role, lambda: self._approve(row, who, hand, at=self.now))

    def _approve(self, key: SigningKey, who: str, hand: int, **at: Any) -> None:
        step = SigningKeyStep.objects.create(
            key=key,
            sequence=key.steps.count() + 1,
            action="approved",
            note="seen in person",
            in_force_from=at["at"],
            actor=NAMES[who].name,
            actor_user_id=NAMES[who].user_id,
            **at,
        )
        self.write_record(step, who, hand)


def _row(key: Key, **at: Any) -> SigningKey:
    holder = NAMES[key.holder]
    row = SigningKey.objects.create(
        id=key.id,
        person_id=holder.user_id or 0,
        person_name=holder.name,
        label="new",
        site=key.pair.public.site,
        credential_id=key.pair.credential_id,
        public_key=key.pair.public.cose,
        registered_at=at["at"],
    )
    registered = Entry("SIGNING_KEY_REGISTERED", row.subject, {**row.details, "name": row.label})
    record_entry(registered, actor=holder._replace(signer=None), **at)
    return row
