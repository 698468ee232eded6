"""The schedule of Celery beat. Tasks only wake workers; the work is queued in PostgreSQL."""

from typing import Any, Final

from celery.schedules import crontab

from casino.workers.broker import WAKE_UP_SECONDS, is_rabbitmq

WAKE_UPS: Final = {
    "payouts.settle_rounds": 5.0,
    "payouts.reconcile": 30.0,
    "payouts.recheck_share": 10.0,
    "payouts.ingest_uploads": 30.0,
    "payouts.run_cases": 10.0,
    "payouts.follow_disputes": 60.0,
    "monitoring.count_dealing": 60.0,
    "impact.analyse": 30.0,
    "archive.rejudge": 30.0,
    "exports.build": 30.0,
    "exports.issue_certificates": 30.0,
    "exports.sign_dossiers": 30.0,
    "trail.append_to_log": 5.0,
    "trail.ask_witnesses": 5.0,
    "api.deliver_events": 5.0,
    "casino.make_list_files": 30.0,
    "casino.send_access_notices": 60.0,
    "notifications.follow_conditions": 15.0,
    "notifications.send_messages": 60.0,
}
"""The wake-up tasks, and how often beat sends each, in seconds."""

_AN_HOUR: Final = 3600
_EVERY_ROLE: Final = ("", "-feed", "-exporter", "-web")  # of hosts, by the ends of their queues

_AT_TIMES: Final = {
    "reconcile_nightly": {
        "task": "payouts.reconcile_nightly",
        "schedule": crontab(hour="3", minute="47"),
    },
    "close_days": {
        "task": "payouts.close_days",
        "schedule": crontab(hour="4-11", minute="7,37"),  # whenever the reconciliation is done
    },
    "exports_nightly": {
        "task": "exports.nightly",
        "schedule": crontab(hour="4-11", minute="17,47"),  # after the closing that it waits for
    },
    "monitor_nightly": {
        "task": "monitoring.nightly",
        "schedule": crontab(
            hour="5-8", minute="27"
        ),  # one evaluation a night; further calls do nothing
    },
    "api_sweep": {"task": "api.sweep", "schedule": crontab(minute="23")},
    "delete_old_drafts": {
        "task": "casino.delete_old_drafts",
        "schedule": crontab(hour="3", minute="27"),
    },
    "verify_audit_trail": {
        "task": "casino.verify_audit_trail",
        "schedule": crontab(hour="1", minute="17"),
    },
    "verify_schema": {"task": "casino.verify_schema", "schedule": crontab(hour="3", minute="7")},
    "months": {"task": "trail.make_months", "schedule": crontab(hour="3", minute="17")},
}


def beat_schedule(broker_url: str, *, queue: str) -> dict[str, dict[str, Any]]:
    """The schedule of beat; times of day are UTC."""
    options = {} if is_rabbitmq(broker_url) else {"expires": WAKE_UP_SECONDS}
    wake_ups = {
        task: {"task": task, "schedule": seconds, "options": options}
        for task, seconds in WAKE_UPS.items()
    }
    verify_releases = {
        f"verify_release{role}": {
            "task": "casino.verify_release",
            "schedule": crontab(hour="2", minute="47"),
            "options": {"queue": queue + role, "expires": _AN_HOUR},
        }
        for role in _EVERY_ROLE
    }
    return {**wake_ups, **_AT_TIMES, **verify_releases}
