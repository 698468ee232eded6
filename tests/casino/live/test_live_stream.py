"""Streams of topics, from a real gunicorn with real LISTEN and NOTIFY."""

import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.contrib.auth.models import Group, Permission
from pytest_django import Settings

from casino.access.models import OpenSession
from casino.access.roles import grant_roles
from casino.live.hub import MOST_OF_A_SESSION
from casino.live.topics import EVERYTHING, PERMISSIONS, is_for, kinds_for
from compliance.notifications.inbox import inbox_of
from compliance.trail.announcements import announce
from tests.casino.api.web_server import served
from tests.casino.backoffice.conftest import person
from tests.casino.live.streams import OpenStream, close_streams, cookie_of

_THREADS = 4


@pytest.fixture
def address(fresh_casino: str, tmp_path: Path, settings: Settings) -> Iterator[str]:
    """One process of the web server, whose sessions are signed as ours."""
    settings.SECRET_KEY, settings.SOFTWARE_KEYS, settings.VAR_DIR = "of this test", True, tmp_path
    with served(tmp_path, processes=1) as url:
        yield url
        close_streams()


@pytest.mark.slow
class TestAStream:
    def test_tells_what_the_roles_permit(self, address: str) -> None:
        """And what is in the own inbox, never in another's."""
        supervisor, administrator = person("supervisor"), person("administrator")
        stream = OpenStream(address, cookie_of(supervisor))
        other = OpenStream(address, cookie_of(administrator))

        announce(["access:user:1", "case:C-0001", inbox_of(supervisor.pk), inbox_of(0)])
        announce(["table:bac-1"])

        own = [stream.topic() for _ in range(3)]
        assert own == ["case:C-0001", inbox_of(supervisor.pk), "table:bac-1"]
        assert [other.topic() for _ in range(2)] == ["access:user:1", "table:bac-1"]

    def test_ends_with_the_session(self, address: str) -> None:
        """Within seconds, without another request of the browser."""
        stream = OpenStream(address, cookie_of(person("supervisor")))

        OpenSession.objects.all().delete()

        assert stream.ends()

    def test_ends_when_a_role_is_taken_away(self, address: str) -> None:
        """The browser then asks anew, and gets what the remaining roles permit."""
        someone = person("supervisor")
        someone.groups.add(Group.objects.get(name="payments"))
        cookie = cookie_of(someone)
        stream = OpenStream(address, cookie)

        someone.groups.remove(Group.objects.get(name="supervisor"))
        announce([f"access:user:{someone.pk}"])

        assert stream.ends()
        assert OpenStream(address, cookie).status == HTTPStatus.OK

    def test_ends_when_the_password_changes(self, address: str) -> None:
        """As every session of the person does."""
        someone = person("supervisor")
        stream = OpenStream(address, cookie_of(someone))

        someone.set_password("another shuffled shoe")
        someone.save()

        assert stream.ends()

    def test_requires_a_login(self, address: str) -> None:
        """Not the login page: a browser would take it for a stream."""
        assert OpenStream(address).status == HTTPStatus.FORBIDDEN

    def test_occupies_no_thread(self, address: str) -> None:
        """More streams than threads, and pages are still answered."""
        cookies = [cookie_of(person(role)) for role in ("supervisor", "payments", "compliance")]
        streams = [OpenStream(address, cookie) for cookie in cookies for _ in range(_THREADS)]

        with urlopen(f"{address}/api/v1/schema") as answer:
            status = answer.status
        announce(["round:r-1"])

        assert status == HTTPStatus.OK
        assert [stream.topic() for stream in streams] == ["round:r-1"] * len(streams)

    def test_gives_way_to_newer_ones_of_its_session(self, address: str) -> None:
        """A browser that opens streams without an end gets no more than its share."""
        cookie = cookie_of(person("supervisor"))
        oldest, *others = [OpenStream(address, cookie) for _ in range(MOST_OF_A_SESSION + 1)]

        announce(["round:r-1"])

        assert oldest.ends()
        assert {stream.topic() for stream in others} == {"round:r-1"}

    def test_begins_with_what_its_page_has_missed(self, address: str) -> None:
        """A page is built before its stream is open, and changes come in between."""
        cookie = cookie_of(person("supervisor"))
        first = OpenStream(address, cookie)
        built_at = int(time.time() * 1000)
        announce(["case:C-0001"])
        first.topic()

        late = OpenStream(address, cookie, since=built_at)
        too_late = OpenStream(address, cookie, since=1)

        assert (late.any_topic(), too_late.any_topic()) == ("case:C-0001", EVERYTHING)


class TestTopics:
    @pytest.mark.django_db
    def test_have_permissions_that_exist(self) -> None:
        """A mistyped permission would hide a topic from everybody."""
        grant_roles()
        known = {
            f"{app}.{name}"
            for app, name in Permission.objects.values_list("content_type__app_label", "codename")
        }

        assert set(PERMISSIONS.values()) - known == set()

    @pytest.mark.django_db
    def test_of_an_administrator_are_not_about_money(self) -> None:
        """The table of topics follows the roles of the pages."""
        kinds = kinds_for(person("administrator"))

        assert "access" in kinds
        assert not kinds & {"case", "dispute", "round", "bundle"}

    def test_of_others_inboxes_are_nobodys(self) -> None:
        """Also of a person whose roles permit everything."""
        everything = frozenset({*PERMISSIONS, "inbox"})

        assert not is_for("inbox:2", person_id=1, kinds=everything)
        assert not is_for("inbox:", person_id=1, kinds=everything)
