"""The checks of ``manage.py doctor``, in the order in which one repairs an installation.

To add one, write a function that returns a ``CheckResult`` and add it here.
"""

from collections.abc import Mapping
from typing import Final

from casino.operations.checks import archive, broker, database, encryption, host, keys, safety, siem
from casino.operations.checks import single_sign_on as sign_on
from casino.operations.checks.check_result import Check

CHECKS: Final[Mapping[str, Check]] = {
    "release": host.release_is_as_signed,
    "compiled rules": host.rules_are_those_here,
    "database": database.database_answers,
    "database version": database.database_version,
    "database encryption": encryption.database_is_encrypted,
    "database pool": database.pool_has_settings,
    "migrations": database.migrations_applied,
    "sandbox": database.sandbox_matches,
    "database roles": database.roles_exist,
    "guards": database.guards_match,
    "grants": database.grants_match,
    "clock": database.clock_agrees,
    "broker": broker.broker_answers,
    "workers": broker.workers_answer,
    "beat": broker.beat_is_alive,
    "rule sets": database.rule_sets_signed,
    "settlement stops": database.settlement_goes_on,
    "random share": database.share_is_verified,
    "first signing keys": keys.first_keys_are_named,
    "signing keys": keys.people_can_sign,
    "expiries": keys.nothing_expires_soon,
    "audit log": keys.log_is_signed,
    "end of the log": keys.log_is_whole,
    "witnesses": keys.witnesses_cosign,
    "log key": keys.log_key_is_readable,
    "siem": siem.events_are_sent,
    "single sign-on": sign_on.provider_is_usable,
    "certificate": host.certificate_is_there,
    "export folder": host.exports_can_be_stored,
    "archive bucket": archive.bucket_answers,
    "metrics folder": host.metrics_can_be_stored,
    "disk": host.disk_has_room,
    "mail": host.mail_is_sent,
    "virus scanner": host.scanner_answers,
    "debug pages": safety.debug_is_off,
    "software keys": safety.software_keys_are_off,
    "browser keys": safety.browser_keys_are_off,
    "clear text": encryption.settings_are_encrypted,
    "https": safety.https_is_required,
    "secret key": safety.secret_key_is_secret,
    "host names": safety.hosts_are_named,
    "webhooks": safety.webhooks_stay_outside,
}
"""Each check with its name."""
