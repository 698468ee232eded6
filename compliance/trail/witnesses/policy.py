"""The witnesses that Sabot asks, and how many of them have to sign (C2SP tlog-policy).

The same file tells a verifier whom to believe. Pure, except for ``policy_in_force``.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from compliance.trail.witnesses.cosignatures import WitnessKey

_NOBODY: Final = "none"
_ON_THIS_MACHINE: Final = {"127.0.0.1", "localhost", "::1"}


class InvalidPolicy(ValueError):
    """The file names the wrong line, what was found and what is needed."""


class Witness(NamedTuple):
    """A witness, and where it takes checkpoints (C2SP tlog-witness); empty: it is not asked."""

    key: WitnessKey
    url: str


class _Group(NamedTuple):
    """So many of these witnesses and groups have to sign."""

    needed: int
    members: tuple["_Group | WitnessKey", ...]


@dataclass(frozen=True)
class WitnessPolicy:
    """Witnesses, and which of them make a quorum."""

    witnesses: tuple[Witness, ...]
    quorum: _Group

    @property
    def needs_witnesses(self) -> bool:
        """Whether a head needs any cosignature."""
        return self.quorum.needed > 0

    @property
    def smallest_quorum(self) -> int:
        """The fewest witnesses that make a quorum."""
        return _fewest(self.quorum)

    @property
    def may_split(self) -> bool:
        """Whether two histories can each have a quorum while no witness signs both."""
        return self.needs_witnesses and _may_split(self.quorum)

    @property
    def keys(self) -> dict[str, WitnessKey]:
        """The keys of the witnesses by their text."""
        return {str(witness.key): witness.key for witness in self.witnesses}

    def is_met(self, signers: Collection[WitnessKey]) -> bool:
        """Whether these witnesses make a quorum."""
        return _is_met(self.quorum, signers)


def policy_in_force() -> WitnessPolicy:
    """That of ``LOG_POLICY_FILE``; no witness without one. Raises InvalidPolicy."""
    return _parsed_once(settings.LOG_POLICY)


def parse_policy(text: str) -> WitnessPolicy:
    """The witnesses and the quorum of a policy file. Its logs are for verifiers. Raises."""
    parser = _Parser()
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.replace("\t", " ").split()
        if not words or words[0].startswith("#"):
            continue
        try:
            parser.take(words)
        except ValueError as error:
            raise InvalidPolicy(f"line {number}: {error}") from error
    if parser.quorum is None:
        raise InvalidPolicy("found no line quorum; needed one, as quorum NAME or quorum none")
    return WitnessPolicy(tuple(parser.witnesses), parser.quorum)


class _Parser:
    def __init__(self) -> None:
        self.witnesses: list[Witness] = []
        self.quorum: _Group | None = None
        self._named: dict[str, _Group | WitnessKey] = {}
        self._members: set[str] = set()

    def take(self, words: list[str]) -> None:
        match words:
            case ["log", _key] | ["log", _key, _]:
                pass
            case ["witness", name, key, *url] if len(url) <= 1:
                self._take_witness(name, key, *url)
            case ["group", name, needed, *members] if members:
                self._define(name, _Group(_number(needed, len(members)), self._group(members)))
            case ["quorum", name] if self.quorum is None:
                self.quorum = _Group(0, ()) if name == _NOBODY else _Group(1, (self._get(name),))
            case _:
                raise ValueError(
                    f"found {' '.join(words)}; needed log, witness, group or one quorum"
                )

    def _take_witness(self, name: str, text: str, url: str = "") -> None:
        key = WitnessKey.parse(text)
        if any(known.key.public_key == key.public_key for known in self.witnesses):
            raise ValueError(f"found the key of {name} twice; needed each witness once")
        if url and not _is_safe(url):
            raise ValueError(f"found {url}; needed an address with https://")
        self.witnesses.append(Witness(key, url.rstrip("/")))
        self._define(name, key)

    def _group(self, names: list[str]) -> tuple[_Group | WitnessKey, ...]:
        for name in names:
            if name in self._members:
                raise ValueError(f"found {name} twice; needed each as a member of one group")
            self._members.add(name)
        return tuple(map(self._get, names))

    def _define(self, name: str, what: _Group | WitnessKey) -> None:
        if name in self._named or name == _NOBODY:
            raise ValueError(f"found the name {name} again; needed another one")
        self._named[name] = what

    def _get(self, name: str) -> _Group | WitnessKey:
        if name not in self._named:
            raise ValueError(f"found {name}; needed a witness or group of a line above")
        return self._named[name]


def _number(text: str, most: int) -> int:
    words = {"any": 1, "all": most}
    needed = words.get(text) or (int(text) if text.isascii() and text.isdigit() else 0)
    if not 1 <= needed <= most:
        raise ValueError(f"found {text}; needed any, all, or a number from 1 to {most}")
    return needed


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in _ON_THIS_MACHINE
    return (parts.scheme == "https" and bool(parts.hostname)) or is_local


def _is_met(rule: _Group | WitnessKey, signers: Collection[WitnessKey]) -> bool:
    if isinstance(rule, WitnessKey):
        return rule in signers
    return sum(_is_met(member, signers) for member in rule.members) >= rule.needed


def _fewest(rule: _Group | WitnessKey) -> int:
    if isinstance(rule, WitnessKey):
        return 1
    return sum(sorted(map(_fewest, rule.members))[: rule.needed])


def _may_split(rule: _Group | WitnessKey) -> bool:
    """Whether two sets of witnesses without a common one can both meet the rule.

    A member that may split helps both sides, any other one of them.
    """
    if isinstance(rule, WitnessKey):
        return False
    both = sum(map(_may_split, rule.members))
    return len(rule.members) + both >= 2 * rule.needed


@cache
def _parsed_once(text: str) -> WitnessPolicy:
    return parse_policy(text or f"quorum {_NOBODY}")
