"""Export bundles as JSON."""

from typing import Any
from urllib.parse import quote

from casino.api.representation import timestamp
from compliance.exports.bundle.stored_file import files_in, inspect_file
from compliance.exports.bundle_chain import BundleStatus
from compliance.exports.models import BundleStep


def bundle_to_json(bundle_status: BundleStatus) -> dict[str, Any]:
    """The scope, the status and the digests of a bundle, as lists return them."""
    bundle, scope = bundle_status.bundle, bundle_status.bundle.scope
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
        "status": bundle_status.stage.value,
        "supersedes": bundle.supersedes_id,
        "superseded_by": bundle_status.successor,
        "manifest_sha256": bytes(bundle.manifest_digest).hex(),
        "previous_sha256": None if previous is None else bytes(previous).hex(),
        "bytes": bundle.size,
        "built_at": timestamp(bundle.built_at),
        "links": {"self": address, "download": f"{address}/download"},
    }


def bundle_details_to_json(bundle_status: BundleStatus) -> dict[str, Any]:
    """The same with the steps that people took, and the files."""
    bundle, file = bundle_status.bundle, inspect_file(bundle_status.bundle)
    address = f"/api/v1/exports/{bundle.number}/files"
    return {
        **bundle_to_json(bundle_status),
        "steps": [_step_to_json(step) for step in bundle_status.steps],
        "file": file.state,
        "files": [
            {
                "name": entry.name,
                "bytes": entry.size,
                "sha256": entry.sha256,
                "rows": entry.rows,
                "link": f"{address}/{quote(entry.name)}",
            }
            for entry in files_in(bundle, file.manifest)
        ],
    }


def _step_to_json(step: BundleStep) -> dict[str, Any]:
    return {
        "action": step.action,
        "at": timestamp(step.at),
        "actor": step.actor,
        "reference": step.reference or None,
        "on_day": None if step.on_day is None else step.on_day.isoformat(),
        "note": step.note or None,
    }
