"""Actions on exceptions are limited to the roles that may do them."""

import pytest
from django.test import Client

from payouts.stuck_work.steps import latest_step
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.stuck_work.stuck_pages import act, item, read
from tests.payouts.stuck_work.stuck_scenarios import (
    failing_task,
)


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["assign", "retry", "resolve"])
class TestAnAction:
    @pytest.mark.parametrize("role", ["auditor", "payments", "administrator"])
    def test_is_forbidden_to_auditors(self, client: Client, role: str, action: str) -> None:
        """No button, and 403."""
        work, looker = failing_task(), person(role)
        client.force_login(looker)
        client.cookies["django_language"] = "en"

        form = {"seen": 0, "owner": looker.pk, "note": "x"}
        answer = client.post(item(work, f"{action}/"), form)

        assert answer.status_code == 403
        assert latest_step(work) is None
        assert f"/{action}/" not in read(client, work)

    @pytest.mark.parametrize("role", ["supervisor", "compliance"])
    def test_is_allowed_to_permitted_roles(
        self, client: Client, broker: str, role: str, action: str
    ) -> None:
        """The step names the actor."""
        work, handler = failing_task(), person(role)
        client.force_login(handler)

        act(client, work, action, owner=handler.pk, note="x")

        step = latest_step(work)
        assert step is not None
        assert step.actor == role

    def test_leads_to_the_login_without_one(self, client: Client, action: str) -> None:
        """Nothing is done."""
        work = failing_task()

        answer = client.post(item(work, f"{action}/"), {"seen": 0, "note": "x"})

        assert answer.status_code == 302
        assert latest_step(work) is None

    def test_is_refused_from_another_site(self, action: str) -> None:
        """A form without a CSRF token is answered 403."""
        work = failing_task()
        client = Client(enforce_csrf_checks=True)
        client.force_login(person("supervisor"))

        answer = client.post(item(work, f"{action}/"), {"seen": 0, "note": "x"})

        assert answer.status_code == 403
        assert latest_step(work) is None

    def test_is_never_done_by_a_link(self, supervisor: Client, action: str) -> None:
        """GET is answered 405."""
        work = failing_task()

        assert supervisor.get(item(work, f"{action}/")).status_code == 405
        assert latest_step(work) is None
