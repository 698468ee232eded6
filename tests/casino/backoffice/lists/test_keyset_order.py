"""Pages of a list in another order than that of its key."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from casino.backoffice.site.keyset_paging import SIZE, KeysetPage, Order, page_of
from tests.casino.backoffice.conftest import person

pytestmark = pytest.mark.django_db

_FIRST = datetime(2026, 11, 10, 12, 0, tzinfo=UTC)
_USERS = 2 * SIZE + 20


def page(order: Order, **place: str) -> KeysetPage:
    """A page of the users."""
    query = QueryDict(mutable=True)
    query.update(place)
    return page_of(User.objects.all(), query, order)


def all_pages(order: Order) -> list[KeysetPage]:
    """From the first page to the last."""
    pages = [page(order)]
    while pages[-1].older_than is not None:
        pages.append(page(order, before=pages[-1].older_than))
    return pages


@pytest.fixture
def users() -> list[User]:
    """Every fourth has never logged in; of the others two each did so in the same minute."""
    User.objects.all().delete()
    return User.objects.bulk_create(
        User(
            username=f"user-{number:03}",
            last_login=None if number % 4 == 0 else _FIRST + timedelta(minutes=number // 2),
        )
        for number in range(_USERS)
    )


@pytest.mark.parametrize("field", ["last_login", "username", "pk"])
@pytest.mark.parametrize("is_descending", [False, True])
class TestPages:
    def test_have_every_row_once_in_order(
        self, users: list[User], field: str, *, is_descending: bool
    ) -> None:
        """Rows without a value are last in both directions."""
        order = Order(field, is_descending)

        found = [user for page in all_pages(order) for user in page.rows]

        known = [user for user in users if getattr(user, field) is not None]
        known.sort(key=lambda user: (getattr(user, field), user.pk), reverse=is_descending)
        unknown = sorted(
            (user for user in users if getattr(user, field) is None),
            key=lambda user: user.pk,
            reverse=is_descending,
        )
        assert found == known + unknown

    def test_lead_back_to_the_page_before(
        self, users: list[User], field: str, *, is_descending: bool
    ) -> None:
        """From the last page, which begins among rows without a value, to the first."""
        order = Order(field, is_descending)
        first, second, third = all_pages(order)

        assert page(order, after=third.newer_than).rows == second.rows
        assert page(order, after=second.newer_than).rows == first.rows
        assert first.newer_than is None


class TestAnInvalidPlace:
    @pytest.mark.parametrize("place", ["x", "~", "x~x", "a\0~1", "9" * 30 + "~1", "~9" + "9" * 30])
    @pytest.mark.parametrize("sort", ["name", "-login"])
    def test_is_no_error(self, client: Client, place: str, sort: str) -> None:
        """Addresses are typed and cut by people."""
        client.force_login(person("administrator"))

        answer = client.get("/admin/people/", {"sort": sort, "before": place})

        assert answer.status_code == 200
