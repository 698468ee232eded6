"""Texts of django-unfold, for translation into Italian."""

from typing import Final

from django.utils.translation import gettext_noop

UNFOLD_TEXTS: Final = (
    gettext_noop("After you've created a user, you’ll be able to edit more user options."),
    gettext_noop("All applications"),
    gettext_noop("Apply Filters"),
    gettext_noop("Cancel"),
    gettext_noop("Dark"),
    gettext_noop("Expand row"),
    gettext_noop("False"),
    gettext_noop("General"),
    gettext_noop("Go back"),
    gettext_noop("Light"),
    gettext_noop("Log out"),  # Django's Italian for it reads like *cancel the access*
    gettext_noop("More actions"),
    gettext_noop("Next"),
    gettext_noop("No results found"),
    gettext_noop("Previous"),
    gettext_noop(
        "Raw passwords are not stored, so there is no way to see this user’s password, but you can"
        ' change the password using <a href="{}" class="text-primary-600'
        ' dark:text-primary-500">this form</a>.'
    ),
    gettext_noop("Reset filters"),
    gettext_noop("Return to site"),
    gettext_noop("Run"),
    gettext_noop("Select action"),
    gettext_noop("Select action to run"),
    gettext_noop("Select all rows"),
    gettext_noop("Select record"),
    gettext_noop("System"),
    gettext_noop("This page yielded into no results. Create a new item or reset your filters."),
    gettext_noop("Toggle password visibility"),
    gettext_noop("True"),
    gettext_noop("Type to search"),
    gettext_noop("Welcome back to"),
    gettext_noop("You have been successfully logged out from the administration"),
)
"""Used by unfold's own pages; makemessages finds the texts here."""
