"""Permissions that follow from signed decisions about roles, whatever the rows of groups say."""

from casino.access.roles import roles_with
from casino.access.verification.verify_roles import DecidedRoles
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.trail.models import AuditRecord


class ProvenPermissions:
    """What persons may do by the roles that were decided; each decision is verified once."""

    def __init__(self, verifier: SignatureVerifier) -> None:
        self._roles = DecidedRoles(verifier)

    def has_permission(self, record: AuditRecord, permission: str) -> bool:
        """Whether the record's actor had such a role: when it was decided, and when it was logged.

        Else somebody who had a role once could date a decision back.
        """
        roles = roles_with(permission)
        return all(not roles.isdisjoint(decided) for decided in self._roles.roles_for(record))
