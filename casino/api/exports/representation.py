"""Export bundles, as the API returns them."""

from urllib.parse import quote

from casino.api.client.shapes import exports as shapes
from compliance.exports.bundle.stored_file import files_in, inspect_file
from compliance.exports.bundle_chain import BundleStatus
from compliance.exports.models import BundleStep


def export_summary(bundle_status: BundleStatus) -> shapes.ExportSummary:
    """The scope, the status and the digests of a bundle, as lists return them."""
    bundle, scope = bundle_status.bundle, bundle_status.bundle.scope
    previous = bundle.previous_digest
    address = f"/api/v1/exports/{bundle.number}"
    return shapes.ExportSummary(
        id=bundle.number,
        first_day=scope.first_day,
        last_day=scope.last_day,
        kind=bundle.kind,
        contents=bundle.contents,
        game=scope.game or None,
        table=scope.table or None,
        rules=scope.rules or None,
        customer=scope.customer or None,
        status=bundle_status.stage.value,
        supersedes=bundle.supersedes_id,
        superseded_by=bundle_status.successor,
        manifest_sha256=bytes(bundle.manifest_digest).hex(),
        previous_sha256=None if previous is None else bytes(previous).hex(),
        bytes=bundle.size,
        built_at=bundle.built_at,
        links=shapes.ExportLinks(self=address, download=f"{address}/download"),
    )


def export_details(bundle_status: BundleStatus) -> shapes.ExportDetails:
    """The same with the steps that people took, and the files."""
    bundle, file = bundle_status.bundle, inspect_file(bundle_status.bundle)
    address = f"/api/v1/exports/{bundle.number}/files"
    return shapes.ExportDetails(
        **vars(export_summary(bundle_status)),
        steps=tuple(_step(step) for step in bundle_status.steps),
        file=file.state,
        files=tuple(
            shapes.ExportFile(
                name=entry.name,
                bytes=entry.size,
                sha256=entry.sha256,
                rows=entry.rows,
                link=f"{address}/{quote(entry.name)}",
            )
            for entry in files_in(bundle, file.manifest)
        ),
    )


def _step(step: BundleStep) -> shapes.ExportStep:
    return shapes.ExportStep(
        action=step.action,
        at=step.at,
        actor=step.actor,
        reference=step.reference or None,
        on_day=step.on_day,
        note=step.note or None,
    )
