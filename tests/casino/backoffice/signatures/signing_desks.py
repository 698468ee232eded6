"""People who sign forms with an authenticator."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.people import actor_of
from tests.casino.backoffice.cases.case_forms import browser_of, named
from tests.casino.backoffice.second_factors import code_of
from tests.casino.backoffice.signatures.test_signed_forms import send
from tests.signers import FirstKey


class Desk:
    """A person with a browser and a security key in force."""

    def __init__(self, name: str, role: str) -> None:
        self.person: User = named(name, role)
        self.browser: Client = browser_of(self.person)
        self.key = FirstKey(actor_of(self.person))
        self.key.approve()

    def send(self, address: str, form: dict[str, Any], **changed: str) -> str:
        """Sends a signed form with a code of the phone; returns the next page."""
        with_code = {**form, "code": code_of(self.person)}
        return send(self.browser, address, with_code, self.key, **changed)
