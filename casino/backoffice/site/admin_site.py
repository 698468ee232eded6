"""The site of the back office: django-unfold's, with the menu of ``menu.py``."""

from typing import Any, Final

from django.contrib.admin.apps import SimpleAdminConfig
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from unfold.sites import UnfoldAdminSite

from casino.backoffice.site.menu import shown_menu

_NOT_OFFERED: Final = frozenset({"app_list", "search", "view_on_site"})


class BackOfficeSite(UnfoldAdminSite):  # type: ignore[misc]  # django-unfold has no types
    """Part of every page, so it computes only what the pages show."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Without lists of models and the search in them: people have the menu and *Search*.

        Without the way from a row to its public page, which none has: an id of another form than
        the row's was a server error there.
        """
        urls: list[URLPattern | URLResolver] = super().get_urls()
        return [url for url in urls if getattr(url, "name", None) not in _NOT_OFFERED]

    def logout(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Ends the session, and has the browser forget what it has cached.

        Not what it has stored: keys of people who sign in this browser are there.
        """
        page: TemplateResponse = super().logout(request, extra_context)
        page.headers["Clear-Site-Data"] = '"cache"'
        return page

    def get_app_list(self, _request: HttpRequest, _app_label: str | None = None) -> list[Any]:
        """No models, which no page shows."""
        return []

    def get_sidebar_list(self, request: HttpRequest) -> list[Any]:
        """The menu."""
        return shown_menu(request)


class BackOfficeAdminConfig(SimpleAdminConfig):
    """Django's admin with this site; ``casino.urls`` loads the pages."""

    default_site = "casino.backoffice.site.admin_site.BackOfficeSite"
