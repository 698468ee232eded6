"""Items of the exceptions queue are assigned on their page."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.people import actor_of
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.steps import latest_step, steps_of
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.stuck_work.stuck_pages import act, me, read
from tests.casino_in_play import NOW
from tests.payouts.stuck_work.stuck_scenarios import (
    failing_task,
)


class TestTheOwner:
    def test_is_the_person_who_takes_it(self, supervisor: Client) -> None:
        """By one click."""
        work = failing_task()

        page = act(supervisor, work, "assign", owner=me().pk)

        step = latest_step(work)
        assert step is not None
        assert (step.owner, step.actor, step.actor_user_id) == (me(), "supervisor", me().pk)
        assert "Assigned to supervisor." in page

    def test_is_the_person_it_is_assigned_to_with_a_note(self, supervisor: Client) -> None:
        """Only people with the permission are offered."""
        work, other, looker = failing_task(), person("compliance"), person("auditor")

        offered = read(supervisor, work)
        page = act(supervisor, work, "assign", owner=other.pk, note="<i>your table</i>")

        assert f'<option value="{other.pk}"' in offered
        assert f'<option value="{looker.pk}"' not in offered
        assert "Assigned to compliance." in page
        assert "&lt;i&gt;your table&lt;/i&gt;" in page

    def test_may_have_an_account_id_over_999(self, supervisor: Client) -> None:
        """Ids have no thousands separators."""
        work = failing_task()
        late = User.objects.create_user("late", id=1_001_122, is_staff=True)
        late.groups.set(me().groups.all())
        give_phone(late)

        supervisor.cookies["django_language"] = "it"
        chosen = re.findall(r'<option value="([^"]+)">late<', read(supervisor, work))
        supervisor.force_login(late)
        offered = re.findall(r'name="owner" value="([^"]+)"', read(supervisor, work))

        assert (chosen, offered) == ([str(late.pk)], [str(late.pk)])

    def test_can_be_removed(self, supervisor: Client) -> None:
        """An item can be unassigned."""
        work = failing_task()
        act(supervisor, work, "assign", owner=me().pk)

        page = act(supervisor, work, "assign", owner="", seen=1)

        assert "The item is unassigned." in page

    def test_cannot_be_an_auditor(self, supervisor: Client) -> None:
        """A forged form is refused."""
        work, looker = failing_task(), person("auditor")

        page = act(supervisor, work, "assign", owner=looker.pk)

        assert "auditor has no permission for the exceptions queue." in page
        assert latest_step(work) is None

    def test_is_not_overwritten(self, supervisor: Client) -> None:
        """The second person sees the current owner."""
        work, first = failing_task(), person("compliance")
        assign_stuck_work(work=work, owner=first, seen=0, at=NOW, actor=actor_of(first))

        page = act(supervisor, work, "assign", owner=me().pk)

        assert "compliance already updated this item (Assigned, 21 Nov, 23:00:00)" in page
        assert "Assigned to compliance." in page
        assert [step.owner for step in steps_of(work)] == [first]

    @pytest.mark.parametrize("seen", ["", "x", "-1"])
    def test_needs_the_seen_step(self, supervisor: Client, seen: str) -> None:
        """A form without it is refused."""
        work = failing_task()

        act(supervisor, work, "assign", owner=me().pk, seen=seen)

        assert latest_step(work) is None
