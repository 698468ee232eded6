"""Codes of the feed and the trail in the words of the pages."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "ROUND_RECEIVED": gettext_lazy("Received"),
    "ROUND_HELD": gettext_lazy("Held"),
    "ROUND_SETTLED": gettext_lazy("Settled"),
    "ROUND_VOIDED": gettext_lazy("Voided by decision"),
    "ROUND_RESETTLED": gettext_lazy("Settled again"),
    "ROUND_RULED": gettext_lazy("Settled by a ruling"),
    "ROUND_IN_CASE": gettext_lazy("In a case"),
    "CASE_OPENED": gettext_lazy("Case opened"),
    "CASE_EVIDENCE_ADDED": gettext_lazy("Evidence added to a case"),
    "CASE_PROPOSED": gettext_lazy("Decision proposed"),
    "CASE_REFERRED": gettext_lazy("Decision put before the regulator"),
    "CASE_ALLOWED": gettext_lazy("Decision allowed by the regulator"),
    "CASE_REFUSED": gettext_lazy("Decision refused by the regulator"),
    "CASE_APPROVED": gettext_lazy("Decision approved"),
    "CASE_REJECTED": gettext_lazy("Decision rejected"),
    "CASE_WITHDRAWN": gettext_lazy("Case withdrawn"),
    "CASE_EXECUTED": gettext_lazy("Case executed"),
    "ROUND_DISPUTED": gettext_lazy("Disputed"),
    "DISPUTE_OPENED": gettext_lazy("Dispute opened"),
    "DISPUTE_FOUND": gettext_lazy("Round of a dispute judged anew"),
    "DISPUTE_EVIDENCE_ADDED": gettext_lazy("Evidence added to a dispute"),
    "DISPUTE_TAKEN": gettext_lazy("Dispute taken into review"),
    "DISPUTE_ASKED": gettext_lazy("Customer asked about a dispute"),
    "DISPUTE_ANSWERED": gettext_lazy("Customer answered about a dispute"),
    "DISPUTE_VERDICT_PROPOSED": gettext_lazy("Decision on a dispute proposed by a program"),
    "DISPUTE_UPHELD": gettext_lazy("Dispute upheld"),
    "DISPUTE_PARTLY_UPHELD": gettext_lazy("Dispute partly upheld"),
    "DISPUTE_REJECTED": gettext_lazy("Dispute rejected"),
    "DISPUTE_REMEDY_FAILED": gettext_lazy("Remedy of a dispute came to nothing"),
    "DISPUTE_CLOSED": gettext_lazy("Dispute closed"),
    "DISPUTE_ESCALATED": gettext_lazy("Dispute put before the outside body"),
    "DISPUTE_CONFIRMED": gettext_lazy("Dispute: confirmed by the outside body"),
    "DISPUTE_OVERTURNED": gettext_lazy("Dispute: overturned by the outside body"),
    "DISPUTE_REOPENED": gettext_lazy("Dispute reopened"),
    "DISPUTE_REMINDED": gettext_lazy("Reminder of a dispute"),
    "DISPUTE_TERM_SET": gettext_lazy("Term of disputes set"),
    "GOODWILL_CREDITED": gettext_lazy("Goodwill credited"),
    "PAID_OVER": gettext_lazy("Paid over"),
    "ROUND_REFUSED": gettext_lazy("Not settled: other rules"),
    "ROUND_CONFLICTED": gettext_lazy("Conflicting document"),
    "SHOE_OPENED": gettext_lazy("Shoe opened"),
    "DOCUMENT_QUARANTINED": gettext_lazy("Document quarantined"),
    "TABLE_REGISTERED": gettext_lazy("Table registered"),
    "FEED_UPLOADED": gettext_lazy("Feed uploaded"),
    "FEED_INGESTED": gettext_lazy("Uploaded feed ingested"),
    "REASON_ADDED": gettext_lazy("Reason added"),
    "REASON_CHANGED": gettext_lazy("Reason changed"),
    "LIST_IMPORTED": gettext_lazy("List imported"),
    "TABLE_CHANGED": gettext_lazy("Table changed"),
    "TABLE_SUSPENDED": gettext_lazy("Table suspended"),
    "TABLE_RESUMED": gettext_lazy("Table resumed"),
    "TABLE_IN_ALARM": gettext_lazy("Table in alarm"),
    "TABLES_WATCHED": gettext_lazy("Tables looked at by the monitor"),
    "LIMITS_DECIDED": gettext_lazy("Stake limits decided"),
    "WORK_ASSIGNED": gettext_lazy("Stuck work assigned"),
    "WORK_RESOLVED": gettext_lazy("Stuck work dealt with"),
    "ROUND_RETRIED": gettext_lazy("Tried again by hand"),
    "TASK_RETRIED": gettext_lazy("Task run again by hand"),
    "RECONCILED": gettext_lazy("Reconciled"),
    "DAY_CLOSED": gettext_lazy("Day closed"),
    "DAY_EXPORTED": gettext_lazy("Day exported"),
    "EXTRACT_EXPORTED": gettext_lazy("Extract exported"),
    "EXPORT_ASKED": gettext_lazy("Export asked for"),
    "BUNDLE_SIGNED": gettext_lazy("Bundle signed"),
    "BUNDLE_SET_ASIDE": gettext_lazy("Bundle set aside"),
    "BUNDLE_SENT": gettext_lazy("Bundle sent to the regulator"),
    "BUNDLE_RECEIVED": gettext_lazy("Bundle acknowledged by the regulator"),
    "BUNDLE_REFUSED": gettext_lazy("Bundle refused by the regulator"),
    "LOG_KEY_CHANGED": gettext_lazy("Key of the audit log changed"),
    "BUNDLE_DOWNLOADED": gettext_lazy("Bundle downloaded"),
    "DOSSIER_ISSUED": gettext_lazy("Dossier issued"),
    "DOSSIER_SIGNED": gettext_lazy("Dossier signed"),
    "DOSSIER_DOWNLOADED": gettext_lazy("Dossier downloaded"),
    "HOLD_PLACED": gettext_lazy("Legal hold placed"),
    "HOLD_LIFTED": gettext_lazy("Legal hold lifted"),
    "CERTIFICATE_ASKED": gettext_lazy("Certificate asked for"),
    "CERTIFICATE_ISSUED": gettext_lazy("Certificate issued"),
    "RULES_PUT_IN_FORCE": gettext_lazy("Rule set put in force"),
    "TAX_RATE_SET": gettext_lazy("Tax rate set"),
    "BONUS_WEIGHTS_SET": gettext_lazy("Weights of bonuses set"),
    "BONUS_WEIGHTS_APPROVED": gettext_lazy("Weights of bonuses approved"),
    "DOCUMENT_RETRIED": gettext_lazy("Document tried again by hand"),
    "LOGGED_IN": gettext_lazy("Logged in"),
    "LOGIN_FAILED": gettext_lazy("Login failed"),
    "LOCKED_OUT": gettext_lazy("Locked after failed logins"),
    "IDENTITY_CONFIRMED": gettext_lazy("Identity confirmed"),
    "RECOVERY_CODE_USED": gettext_lazy("Recovery code used"),
    "RECOVERY_CODES_MADE": gettext_lazy("Recovery codes made"),
    "FACTOR_ADDED": gettext_lazy("Second factor added"),
    "FACTOR_REMOVED": gettext_lazy("Second factor removed"),
    "FACTORS_RESET": gettext_lazy("Second factors reset"),
    "LOGGED_OUT": gettext_lazy("Logged out"),
    "SESSION_ENDED": gettext_lazy("Session ended"),
    "PASSWORD_CHANGED": gettext_lazy("Password changed"),
    "PASSWORD_RESET": gettext_lazy("Password reset"),
    "ACCOUNT_CREATED": gettext_lazy("Account created"),
    "ACCOUNT_CHANGED": gettext_lazy("Account changed"),
    "ACCOUNT_CLOSED": gettext_lazy("Account closed"),
    "ACCOUNT_REOPENED": gettext_lazy("Account opened again"),
    "ROLES_CHANGED": gettext_lazy("Roles changed"),
    "PAGE_VIEWED": gettext_lazy("Page viewed"),
    "API_KEY_ISSUED": gettext_lazy("API key issued"),
    "API_KEY_ROTATED": gettext_lazy("API key rotated"),
    "API_KEY_REVOKED": gettext_lazy("API key revoked"),
    "API_CALLED": gettext_lazy("API called"),
    "API_REFUSED": gettext_lazy("API refused a token"),
    "WEBHOOK_ADDED": gettext_lazy("Webhook added"),
    "WEBHOOK_ROTATED": gettext_lazy("Secret of a webhook rotated"),
    "WEBHOOK_REMOVED": gettext_lazy("Webhook removed"),
    "WEBHOOK_PINGED": gettext_lazy("Webhook tried"),
    "WEBHOOK_RESEND_ASKED": gettext_lazy("Dead letter sent again"),
    "WEBHOOK_RESUMED": gettext_lazy("Webhook started again"),
    "WEBHOOK_STOPPED": gettext_lazy("Webhook stopped"),
    "WEBHOOK_EVENT_DEAD": gettext_lazy("Event given up"),
}

_DECISIONS: Final[dict[str, str | Promise]] = {
    "H": gettext_lazy("hit"),
    "S": gettext_lazy("stand"),
    "D": gettext_lazy("double"),
    "Z": gettext_lazy("zap"),
}


ROLES: Final[dict[str, str | Promise]] = {
    "supervisor": gettext_lazy("Supervisor"),
    "payments": gettext_lazy("Payments"),
    "compliance": gettext_lazy("Compliance"),
    "auditor": gettext_lazy("Auditor"),
    "administrator": gettext_lazy("Administrator"),
}


def role_words(role: str) -> str:
    """A role of casino.roles; one that was made by hand as it is."""
    return str(ROLES.get(role, role))


def action_words(action: str) -> str:
    """An action of the trail; an unknown one as it is."""
    return str(ACTIONS.get(action, action))


def play_words(play: str) -> str:
    """The decisions of a hand in order, those of split hands apart; empty for no decision."""
    own, split, rest = play.partition("P")
    words = _decisions(own)
    if not split:
        return words
    first, _comma, second = rest.partition(",")
    stood = _("stand")
    halves = [
        f"{name}: {_decisions(text) or stood}" for name, text in (("a", first), ("b", second))
    ]
    return "; ".join(filter(None, [words, _("split"), *halves]))


def _decisions(text: str) -> str:
    return ", ".join(str(_DECISIONS.get(letter, letter)) for letter in text)
