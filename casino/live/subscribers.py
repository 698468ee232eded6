"""Whether the sessions of open streams are still valid, with the same roles."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from casino.access.current_user import request_user
from casino.access.models import OpenSession
from casino.access.session_store import not_over
from casino.live.stream import Subscriber
from casino.live.topics import kinds_for


def subscriber_of(request: HttpRequest) -> Subscriber:
    """The logged-in person of a request, as the reader of a stream."""
    person = request_user(request)
    return Subscriber(
        request.session.session_key or "",
        person.pk,
        str(request.session.get(HASH_SESSION_KEY, "")),
        kinds_for(person),
    )


def valid_subscribers(subscribers: Iterable[Subscriber], *, at: datetime) -> set[Subscriber]:
    """Those whose session is open and whose roles and password are unchanged.

    Two queries for all, and two for each person's permissions.
    """
    distinct = set(subscribers)
    keys = {subscriber.session_key for subscriber in distinct}
    sessions = not_over(OpenSession.objects.filter(session_key__in=keys), at=at)
    open_keys = dict(sessions.values_list("session_key", "user_id"))
    people = {
        person.pk: (person.get_session_auth_hash(), kinds_for(person))
        for person in User.objects.filter(pk__in=set(open_keys.values()), is_active=True)
    }
    return {
        subscriber
        for subscriber in distinct
        if open_keys.get(subscriber.session_key) == subscriber.person_id
        and _is_unchanged(subscriber, people.get(subscriber.person_id))
    }


def _is_unchanged(subscriber: Subscriber, now: tuple[str, frozenset[str]] | None) -> bool:
    if now is None:
        return False
    auth_hash, kinds = now
    return constant_time_compare(auth_hash, subscriber.auth_hash) and kinds == subscriber.kinds
