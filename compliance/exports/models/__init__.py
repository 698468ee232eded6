"""Models of the exports: bundles, their steps and sum trees, runs, certificates, dossiers."""

from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.exports.models.bundle import Bundle, BundleStep
from compliance.exports.models.certificate import CertificateRun, RuleCertificate
from compliance.exports.models.run import ExportRun
from compliance.exports.models.sum_tree import SumTree
from compliance.exports.models.tax import TaxRate
from compliance.exports.replay_links.models import (
    ReplayLink,
    ReplayLinkOpening,
    ReplayLinkRevocation,
)

__all__ = [
    "Bundle",
    "BundleStep",
    "CertificateRun",
    "Dossier",
    "DossierSignature",
    "ExportRun",
    "ReplayLink",
    "ReplayLinkOpening",
    "ReplayLinkRevocation",
    "RuleCertificate",
    "SumTree",
    "TaxRate",
]
