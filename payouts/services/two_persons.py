"""Decisions on money: named, reasoned, and never taken alone."""

from datetime import datetime
from typing import NamedTuple

from compliance.trail.actor import Actor


class NotByTwo(Exception):
    """A decision on money that one person took alone, or of which one person is not named."""


class NoReason(Exception):
    """A decision on money without a word about why."""


class ByTwo(NamedTuple):
    """Who decided and when, who approved, and why; made by ``decided_by_two``."""

    actor: Actor
    approved_by: Actor
    reason: str
    at: datetime


def decided_by_two(*, actor: Actor, approved_by: Actor | None, reason: str, at: datetime) -> ByTwo:
    """The decision, if it is one of two persons and has a reason. Raises NotByTwo or NoReason."""
    if approved_by is None or not _name(actor) or not _name(approved_by):
        raise NotByTwo("found a decision of one; needed one who decides and one who approves")
    if _name(actor) == _name(approved_by) or _same_account(actor, approved_by):
        raise NotByTwo(f"found {actor.name} twice; needed two persons")
    if not reason.strip():
        raise NoReason("found no reason; needed one in words")
    return ByTwo(actor, approved_by, reason.strip(), at)


def _name(actor: Actor) -> str:
    return " ".join(actor.name.split()).casefold()


def _same_account(one: Actor, other: Actor) -> bool:
    return one.user_id is not None and one.user_id == other.user_id
