"""Addresses of exports and dossiers in the API."""

from typing import Final

from django.urls import URLPattern, path

from casino.api.certificates import views as certificates
from casino.api.dossiers import views as dossiers
from casino.api.exports import views as bundles

_DOSSIERS: Final = "disputes/<str:dispute>/dossiers"
_DOSSIER: Final = f"{_DOSSIERS}/<int:dossier>"
_EXPORT: Final = "exports/<int:export>"
_CERTIFICATE: Final = "certificates/<int:certificate>"

urlpatterns: Final[list[URLPattern]] = [
    path(_DOSSIERS, dossiers.DossiersView.as_view(), name="api_dossiers"),
    path(_DOSSIER, dossiers.DossierView.as_view(), name="api_dossier"),
    path(f"{_DOSSIER}/download", dossiers.DossierDownloadView.as_view(), name="api_dossier_whole"),
    path(f"{_DOSSIER}/<str:file>", dossiers.DossierFileView.as_view(), name="api_dossier_file"),
    path("exports", bundles.ExportsView.as_view(), name="api_exports"),
    path(_EXPORT, bundles.ExportView.as_view(), name="api_export"),
    path(f"{_EXPORT}/download", bundles.ExportDownloadView.as_view(), name="api_export_whole"),
    path(f"{_EXPORT}/files/<path:file>", bundles.ExportFileView.as_view(), name="api_export_file"),
    path("certificates", certificates.CertificatesView.as_view(), name="api_certificates"),
    path(_CERTIFICATE, certificates.CertificateView.as_view(), name="api_certificate"),
    path(
        f"{_CERTIFICATE}/<str:file>",
        certificates.CertificateFileView.as_view(),
        name="api_certificate_file",
    ),
]
