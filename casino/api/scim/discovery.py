"""/ServiceProviderConfig, /ResourceTypes and /Schemas; every other address."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from scim2_models import (
    ForbiddenException,
    Meta,
    NotFoundException,
    NotImplementedException,
    Resource,
)

from casino.api.scim.queries import list_document
from casino.api.scim.resources import CONFIG, PROVIDER
from casino.api.scim.views import OF_DIRECTORIES, ScimView


class ConfigView(ScimView):
    """What the service supports."""

    required_scopes = {"GET": OF_DIRECTORIES}

    def get(self, request: Request) -> HttpResponse:
        """The configuration."""
        config = CONFIG.model_copy(deep=True)
        location = f"{self.root}/ServiceProviderConfig"
        config.meta = Meta(resource_type="ServiceProviderConfig", location=location)
        return self.answer(config)


class DescriptionsView(ScimView):
    """The resource types, or the schemas. They cannot be filtered (RFC 7644, 4)."""

    required_scopes = {"GET": OF_DIRECTORIES}
    kind: ClassVar[str]
    descriptions: ClassVar[Iterable[Resource[Any]]]

    def get(self, request: Request, key: str | None = None) -> HttpResponse:
        """All of them, or one."""
        if key is None and "filter" in request.query_params:
            raise ForbiddenException(detail=_("filter: needed none at this address"))
        found = [self._located(each) for each in self.descriptions if key in (None, each.id)]
        if key is None:
            dumped = [self.dump(each) for each in found]
            return Response(list_document(dumped, total=len(dumped), start=1))
        if not found:
            known = ", ".join(str(each.id) for each in self.descriptions)
            text = _("id: found %(found)s; needed one of %(known)s")
            raise NotFoundException(detail=text % {"found": key[:60], "known": known})
        return self.answer(found[0])

    def _located(self, description: Resource[Any]) -> Resource[Any]:
        located = description.model_copy(deep=True)
        location = f"{self.root}/{self.kind}s/{description.id}"
        located.meta = Meta(resource_type=self.kind, location=location)
        return located


class ResourceTypesView(DescriptionsView):
    """The resource types."""

    kind = "ResourceType"
    descriptions = PROVIDER.resource_types


class SchemasView(DescriptionsView):
    """The schemas."""

    kind = "Schema"
    descriptions = PROVIDER.schemas


class SearchView(ScimView):
    """Not supported: a search over several kinds of resources."""

    required_scopes = {"POST": OF_DIRECTORIES}

    def post(self, request: Request) -> HttpResponse:
        """Refused."""
        text = _(".search: needed GET, with a filter, at /Users or /Groups")
        raise NotImplementedException(detail=text)


class NowhereView(ScimView):
    """Every other address."""

    required_scopes = dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), OF_DIRECTORIES)

    def get(self, request: Request) -> HttpResponse:
        """Not found."""
        text = _("path: found %(found)s; needed one below /scim/v2: %(known)s")
        known = "Users, Groups, ServiceProviderConfig, ResourceTypes, Schemas"
        raise NotFoundException(detail=text % {"found": request.path[:200], "known": known})

    post = put = patch = delete = get
