"""TLS connections to the receivers of the SIEM: always verified, never without TLS."""

import ssl
from typing import Final, Protocol

from django.core.exceptions import ImproperlyConfigured

from compliance.trail.log.whole_log import WholeRecord

SECONDS: Final = 30.0
"""How long a receiver may take to connect, to read and to answer."""


class NotSent(Exception):
    """The receiver did not confirm the events, and may or may not have some of them."""


class Receiver(Protocol):
    """Where events are sent."""

    @property
    def name(self) -> str:
        """The key of its cursor."""

    def send(self, records: list[WholeRecord]) -> None:
        """Sends the events of these records, in order.

        Returns once the receiver has confirmed that it has all of them. Raises NotSent.
        """


def client_context(*, authority: str, certificate: str, key: str) -> ssl.SSLContext:
    """Verifies the receiver's name and certificate, and shows the client's if there is one.

    ``authority`` is a file of certificates in PEM; empty for those that the machine trusts. Raises
    ImproperlyConfigured for files that cannot be read.
    """
    try:
        context = ssl.create_default_context(cafile=authority or None)
        if certificate:
            context.load_cert_chain(certificate, key or None)
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(
            f"SIEM_CA_FILE, SIEM_CLIENT_CERTIFICATE, SIEM_CLIENT_KEY: found {error};"
            " needed readable files in PEM, the key that of the certificate"
        ) from error
    return context


def reason_of(error: Exception) -> str:
    """Why a connection failed, for people."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is refused, nothing was sent: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return f"no answer within {SECONDS:.0f} seconds"
    return f"{type(error).__name__}: {error}"
