"""The tables that only grow: all of ours but those listed."""

from django.apps import apps

# What may change: work and documents that wait, tasks that fail, names of tables, how far a
# reconciliation, a case or an export has come, when a key was used and what it spent, answers for a
# month, sessions, failed logins, notices that are sent and acknowledged, which accounts a directory
# manages, and sums that follow from rows that may not.
_MUTABLE = {
    "trail_pendingbatch",
    "trail_pendingrow",
    "rounds_queuedround",
    "rounds_openquarantine",
    "rounds_openconflict",
    "payouts_failingtask",
    "payouts_caserun",
    "payouts_casework",
    "payouts_reconcilerun",
    "payouts_reconcilepart",
    "payouts_recheckhour",
    "payouts_listimport",
    "payouts_feedupload",
    "payouts_feedchunk",
    "payouts_feedsignatures",
    "payouts_feedanswers",
    "exports_exportrun",
    "exports_certificaterun",
    "api_keyuse",
    "api_givenanswer",
    "api_spentrate",
    "api_webhookstate",
    "api_webhookorder",
    "payouts_account",
    "rounds_table",
    "payouts_dailybets",
    "payouts_dailyrounds",
    "monitoring_countedday",
    "monitoring_countedbooks",
    "monitoring_countedhour",
    "monitoring_dailycards",
    "monitoring_dailyevidence",
    "monitoring_dailyoccurrence",
    "monitoring_dailyoutcome",
    "monitoring_dailyreturn",
    "monitoring_dailyvoids",
    "monitoring_dealingerror",
    "monitoring_hourlydealing",
    "monitoring_hourlylatency",
    "casino_opensession",
    "casino_loginfailure",
    "casino_accessnotice",
    "casino_directoryaccount",
    "siem_siemcursor",
}
_OURS = {
    "casino",
    "rounds",
    "payouts",
    "trail",
    "signatures",
    "exports",
    "monitoring",
    "certification",
    "api",
    "siem",
}
APPEND_ONLY = sorted(
    model._meta.db_table
    for model in apps.get_models()
    if model._meta.app_label in _OURS
    and model._meta.db_table not in _MUTABLE
    and not model._meta.proxy
)
