"""The roles of the database, and what each may do with each table.

Every process connects as a role that can do its own work and nothing else. ``TABLES`` is the one
declaration: the command ``grant_database_roles`` grants it, ``verify_schema`` compares the database
with it, and a test fails until a new table is in it. A table that is not in it is nobody's.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

import pgtrigger
from django.apps import apps
from django.conf import settings
from django.db.models import Model


class DatabaseRole(StrEnum):
    """A role of the database; its name there is ``role_name``."""

    WEB = "web"
    """Pages, list files and API. It stores what people and programs hand over; moves no money."""
    WORKER = "worker"
    """Settles, posts, executes approved cases, reconciles, signs the audit log."""
    FEED = "feed"
    """``manage.py ingest`` and uploaded files: the facts of rounds."""
    EXPORTER = "exporter"
    """Builds and signs bundles, dossiers and certificates."""
    READER = "reader"
    """Reads, without accounts and sessions: replica, reports, the regulator."""
    SIEM = "siem"
    """Sends the audit log to the SIEM. It reads the log and writes its cursor, nothing else."""


ROLES: Final = tuple(DatabaseRole)
"""The roles: those of the columns of ``TABLES``, in their order, then those of ``FEW_TABLES``."""

RIGHTS: Final[Mapping[str, str]] = {"r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE"}
"""The letters of ``TABLES``, which are those of psql's ``\\dp``."""

TABLES: Final = """
                                    web   worker  feed  exporter  reader

    people and their access
    auth_group                      r     r       .     .         r
    auth_group_permissions          r     r       .     .         .
    auth_permission                 r     r       .     .         .
    auth_user                       raw   r       .     .         .
    auth_user_groups                rad   r       .     .         r
    auth_user_user_permissions      r     r       .     .         .
    account_emailaddress            r     .       .     .         .
    account_emailconfirmation       .     .       .     .         .
    axes_accessattempt              rawd  .       .     .         .
    axes_accessattemptexpiration    rawd  .       .     .         .
    axes_accessfailurelog           .     .       .     .         .
    axes_accesslog                  .     .       .     .         .
    casino_accessdecision           ra    r       .     .         r
    casino_accessevent              ra    r       .     .         r
    casino_accessnotice             raw   rw      .     .         .
    casino_accessrequest            ra    r       .     .         r
    casino_directoryaccount         rawd  r       .     .         r
    casino_directorymembership      ra    r       .     .         r
    casino_earlierroles             r     r       .     .         r
    casino_loginfailure             rawd  .       .     .         .
    casino_opensession              rawd  .       .     .         .
    siem_siemcursor                 r     r       r     r         r
    notifications_channelchoice     raw   r       .     .         .
    notifications_message           ra    rawd    .     .         .
    notifications_notification      raw   rawd    .     .         .
    notifications_quiethours        rawd  r       .     .         .
    django_admin_log                ra    .       .     .         .
    django_content_type             r     r       r     r         r
    django_session                  .     .       .     .         .
    mfa_authenticator               rawd  .       .     .         .
    socialaccount_socialaccount     rad   .       .     .         .
    socialaccount_socialapp         .     .       .     .         .
    socialaccount_socialtoken       rd    .       .     .         .
    signatures_decisionsignature    ra    r       r     r         r
    signatures_earlierdecision      r     r       r     r         r
    signatures_signingkey           ra    r       r     r         r
    signatures_signingkeystep       ra    r       r     r         r

    the audit trail and its log
    trail_auditbatch                ra    ra      ra    ra        r
    trail_auditrecord               ra    ra      ra    ra        r
    trail_loggedbatch               r     ra      r     r         r
    trail_loggap                    r     ra      r     r         r
    trail_logkey                    r     ra      r     r         r
    trail_lognode                   r     ra      r     r         r
    trail_pendingbatch              ra    rad     ra    ra        r
    trail_pendingrow                ra    rad     ra    ra        r
    trail_sandboxstart              r     r       r     r         r
    trail_treehead                  r     ra      r     r         r

    tables and their rules
    rounds_stakelimit               ra    r       r     r         r
    rounds_stakelimitset            ra    r       r     r         r
    rounds_table                    raw   r       r     r         r
    rounds_tablesuspension          ra    r       r     r         r
    rounds_earliertable             r     r       r     r         r
    rounds_earlierruleset           r     r       r     r         r
    rounds_signaturerequirement     ra    r       r     r         r
    rounds_studiokey                ra    r       r     r         r
    rounds_studiokeystep            ra    r       r     r         r
    certification_weightset         ra    r       r     r         r
    certification_weightsetapproval ra    r       r     r         r

    facts of rounds, and the documents that brought them
    rounds_bet                      ra    r       ra    r         r
    rounds_conflictingdocument      ra    r       ra    r         r
    rounds_customer                 ra    r       ra    r         r
    rounds_openconflict             rad   r       ra    r         r
    rounds_openquarantine           rad   r       ra    r         r
    rounds_quarantineddocument      ra    r       ra    r         r
    rounds_queuedround              raw   rwd     ra    r         r
    rounds_round                    ra    r       ra    r         r
    rounds_roundname                ra    r       ra    r         r
    rounds_roundvideo               ra    r       .     r         r
    rounds_shoeopening              ra    r       ra    r         r
    rounds_signedbatch              ra    r       ra    r         r
    rounds_signedchunk              ra    r       ra    r         r
    payouts_feedanswers             r     r       raw   r         r
    payouts_feedchunk               rad   r       rd    .         .
    payouts_feedsignatures          ra    r       r     r         r
    payouts_feedupload              raw   r       rw    r         r

    money
    payouts_account                 r     raw     .     r         r
    payouts_betsettlement           r     ra      .     r         r
    payouts_dailybets               r     raw     .     r         r
    payouts_dailyrounds             r     raw     .     r         r
    payouts_goodwillcredit          r     ra      .     r         r
    payouts_payover                 r     ra      .     r         r
    payouts_settlement              r     ra      .     r         r
    payouts_transfer                r     ra      .     r         r
    rounds_storedruling             r     ra      .     r         r
    rounds_validation               r     ra      .     r         r

    decisions of persons, and their execution
    payouts_case                    ra    ra      .     r         r
    payouts_caseevidence            ra    ra      .     r         r
    payouts_casehalt                r     ra      .     r         r
    payouts_casehaltstep            ra    r       .     r         r
    payouts_caseplan                ra    r       .     r         r
    payouts_caseround               ra    ra      .     r         r
    payouts_caserun                 ra    rw      .     r         r
    payouts_casestep                ra    ra      .     r         r
    payouts_casework                ra    rw      .     r         r
    payouts_reason                  ra    r       .     r         r
    payouts_customernote            ra    r       .     .         r
    payouts_dispute                 ra    r       .     r         r
    payouts_disputeevidence         ra    r       .     r         r
    payouts_disputefinding          ra    r       .     r         r
    payouts_disputereminder         r     ra      .     r         r
    payouts_disputeremedy           ra    r       .     r         r
    payouts_disputestep             ra    ra      .     r         r
    payouts_disputeterm             ra    r       .     r         r
    payouts_evidenceshare           ra    r       .     r         r
    payouts_verdictproposal         ra    r       .     r         r
    payouts_integritystop           r     ra      .     r         r
    payouts_integritystopstep       ra    r       .     r         r
    payouts_legalhold               ra    r       .     r         r
    payouts_legalholdlift           ra    r       .     r         r
    payouts_listimport              raw   r       .     .         .
    backoffice_formdraft            rawd  rd      .     .         .
    backoffice_listfile             rawd  .       .     .         .
    backoffice_listfilepart         rad   .       .     .         .
    backoffice_savedview            rawd  .       .     .         .

    the books
    payouts_dayclosing              ra    ra      .     r         r
    rounds_closedday                ra    ra      r     r         r
    payouts_recheckhour             r     raw     .     r         r
    payouts_reconciledifference     r     ra      .     r         r
    payouts_reconcilepart           ra    raw     .     r         r
    payouts_reconcilerun            ra    raw     .     r         r

    exceptions
    payouts_failingtask             raw   raw     raw   raw       r
    payouts_stuckworkstep           ra    r       r     r         r

    programs that call the API
    api_apikey                      ra    r       .     .         r
    api_deadletter                  r     ra      .     .         r
    api_givenanswer                 ra    rd      .     .         .
    api_keyrevocation               ra    r       .     .         r
    api_keysecret                   ra    r       .     .         r
    api_keyuse                      raw   r       .     .         r
    api_spentrate                   raw   rd      .     .         .
    api_webhook                     ra    r       .     .         r
    api_webhookchange               ra    r       .     .         r
    api_webhookorder                raw   rw      .     .         r
    api_webhookremoval              ra    r       .     .         r
    api_webhooksecret               ra    r       .     .         r
    api_webhookstate                raw   rw      .     .         r

    for the regulator
    exports_bundle                  r     r       .     ra        r
    exports_bundlestep              ra    r       .     ra        r
    exports_certificaterun          ra    r       .     rw        r
    exports_dossier                 ra    r       .     r         r
    exports_dossiersignature        r     r       .     ra        r
    exports_exportrun               ra    r       .     raw       r
    exports_replaylink              ra    r       .     .         r
    exports_replaylinkopening       ra    r       .     .         r
    exports_replaylinkrevocation    ra    r       .     .         r
    exports_rulecertificate         r     r       .     ra        r
    exports_taxrate                 ra    r       .     r         r

    the monitor
    monitoring_countedbooks         r     rawd    .     r         r
    monitoring_countedday           r     rawd    .     r         r
    monitoring_countedhour          r     rawd    .     r         r
    monitoring_dailycards           r     rawd    .     r         r
    monitoring_dailyevidence        r     rawd    .     r         r
    monitoring_dailyoccurrence      r     rawd    .     r         r
    monitoring_dailyoutcome         r     rawd    .     r         r
    monitoring_dailyreturn          r     rawd    .     r         r
    monitoring_dailyvoids           r     rawd    .     r         r
    monitoring_dealingerror         r     rawd    .     r         r
    monitoring_hourlydealing        r     rawd    .     r         r
    monitoring_hourlylatency        r     rawd    .     r         r
    monitoring_look                 r     ra      .     r         r
    monitoring_watch                r     ra      .     r         r
    monitoring_watchalarm           r     ra      .     r         r
    monitoring_watchlook            r     ra      .     r         r
"""

FEW_TABLES: Final[Mapping[DatabaseRole, Mapping[str, str]]] = {
    DatabaseRole.SIEM: {
        "trail_auditrecord": "r",
        "trail_auditbatch": "r",
        "trail_loggedbatch": "r",
        "trail_loggap": "r",
        "trail_treehead": "r",
        "siem_siemcursor": "raw",
    },
}
"""The rights of roles that use so few tables that they have no column of ``TABLES``."""

SEQUENCES: Final[Mapping[str, str]] = {
    "rounds_arrival": "rounds_queuedround",
    "trail_batch": "trail_auditbatch",
}
"""Sequences that statements name, with the table whose writers may use them. Those of identity
columns need no right."""

FUNCTIONS: Final[Mapping[str, frozenset[DatabaseRole]]] = {
    "trail_make_partition": frozenset({DatabaseRole.WORKER}),
}
"""The functions that run with the rights of the owner, with the roles that may call them."""


def role_name(role: DatabaseRole) -> str:
    """The name of a role in the database: all of an installation begin alike."""
    return f"{settings.DATABASE_ROLE_PREFIX}{role}"


@cache
def table_rights() -> Mapping[str, Mapping[DatabaseRole, tuple[str, ...]]]:
    """The rights of each role on each table.

    Raises ValueError for a line that is not a table with five columns of letters.
    """
    lines = [line.split() for line in TABLES.splitlines()[2:] if "   " in line.strip()]
    return {table: _rights_in(table, columns) for table, *columns in lines}


def rights_of(role: DatabaseRole, table: str) -> tuple[str, ...]:
    """The rights of a role on a table; none on a table that is not declared."""
    return table_rights().get(table, {}).get(role, ())


def is_append_only(model: type[Model]) -> bool:
    """Whether a trigger rejects DELETE on the model's table."""
    triggers = getattr(model._meta, "triggers", ())
    return any(
        isinstance(trigger, pgtrigger.Protect) and trigger.operation == pgtrigger.Delete
        for trigger in triggers
    )


def managed_models() -> list[type[Model]]:
    """The models with a table of their own."""
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]


def _rights_in(table: str, columns: list[str]) -> dict[DatabaseRole, tuple[str, ...]]:
    in_columns = [role for role in ROLES if role not in FEW_TABLES]
    if len(columns) != len(in_columns):
        raise ValueError(f"found {len(columns)} columns for {table}; needed {len(in_columns)}")
    letters = dict(zip(in_columns, columns, strict=True))
    letters |= {role: tables.get(table, ".") for role, tables in FEW_TABLES.items()}
    return {
        role: tuple(RIGHTS[letter] for letter in letters[role] if letter != ".") for role in ROLES
    }
