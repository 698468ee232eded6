"""A bundle as programs are told of it."""

from typing import Any
from urllib.parse import quote

from compliance.exports.bundle.files import files_in, opened
from compliance.exports.chain import Standing
from compliance.exports.models import BundleStep
from payouts.api.rounds.told import moment


def bundle_told(standing: Standing) -> dict[str, Any]:
    """What it is of, how far it has come, the digests by which it is chained."""
    bundle, scope = standing.bundle, standing.bundle.scope
    previous = bundle.previous_digest
    address = f"/api/v1/exports/{bundle.number}"
    return {
        "id": bundle.number,
        "first_day": scope.first_day.isoformat(),
        "last_day": scope.last_day.isoformat(),
        "kind": bundle.kind,
        "contents": bundle.contents,
        "game": scope.game or None,
        "table": scope.table or None,
        "rules": scope.rules or None,
        "customer": scope.customer or None,
        "status": standing.stage.value,
        "supersedes": bundle.supersedes_id,
        "superseded_by": standing.successor,
        "manifest_sha256": bytes(bundle.manifest_digest).hex(),
        "previous_sha256": None if previous is None else bytes(previous).hex(),
        "bytes": bundle.size,
        "built_at": moment(bundle.built_at),
        "links": {"self": address, "download": f"{address}/download"},
    }


def whole_bundle_told(standing: Standing) -> dict[str, Any]:
    """The same with what persons did about it, and the files in it."""
    bundle, file = standing.bundle, opened(standing.bundle)
    address = f"/api/v1/exports/{bundle.number}/files"
    return {
        **bundle_told(standing),
        "steps": [_step(one) for one in standing.steps],
        "file": file.state,
        "files": [
            {
                "name": one.name,
                "bytes": one.size,
                "sha256": one.sha256,
                "rows": one.rows,
                "link": f"{address}/{quote(one.name)}",
            }
            for one in files_in(bundle, file.manifest)
        ],
    }


def _step(step: BundleStep) -> dict[str, Any]:
    return {
        "action": step.action,
        "at": moment(step.at),
        "actor": step.actor,
        "reference": step.reference or None,
        "on_day": None if step.on_day is None else step.on_day.isoformat(),
        "note": step.note or None,
    }
