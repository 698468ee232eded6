"""A step of two persons who resume what a failed check has stopped: the same for each stop."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _


class ResumptionStep(models.Model):
    """Proposed by the first person, resumed by the second; each gives a reason."""

    class Action(models.TextChoices):
        """The action taken."""

        PROPOSED = "proposed", _("Resumption proposed")
        RESUMED = "resumed", _("Resumed")

    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        abstract = True


def resumed_by_another(table: str, *, stop: str) -> pgtrigger.Trigger:
    """The trigger of a table of such steps: the second person is another one. ``stop_id`` links."""
    return pgtrigger.Trigger(
        name=f"{stop}_resumed_by_another",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        condition=pgtrigger.Q(new__action="resumed"),
        func=f"""
                    IF NOT EXISTS (SELECT FROM {table} AS before
                                    WHERE before.{stop}_id = NEW.{stop}_id
                                      AND before.action = 'proposed'
                                      AND before.actor_user_id <> NEW.actor_user_id
                                      AND lower(before.actor) <> lower(NEW.actor)) THEN
                        RAISE EXCEPTION '{stop} %: found no proposal of another person than %',
                            NEW.{stop}_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
    )


def in_two_steps(stop: str) -> models.CheckConstraint:
    """The constraint of such a table: two steps, each with a reason."""
    return models.CheckConstraint(
        condition=models.Q(sequence__in=[1, 2]) & ~models.Q(note=""),
        name=f"{stop}_resumed_in_two_steps",
    )
