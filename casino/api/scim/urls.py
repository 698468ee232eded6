"""Addresses of SCIM, below ``/scim/v2/``."""

from typing import Final

from django.urls import URLPattern, path, re_path

from casino.api.scim import discovery
from casino.api.scim.groups import GroupsView, GroupView
from casino.api.scim.users import UsersView, UserView

urlpatterns: Final[list[URLPattern]] = [
    path("Users", UsersView.as_view(), name="scim_users"),
    path("Users/<str:key>", UserView.as_view(), name="scim_user"),
    path("Groups", GroupsView.as_view(), name="scim_groups"),
    path("Groups/<str:key>", GroupView.as_view(), name="scim_group"),
    path("ServiceProviderConfig", discovery.ConfigView.as_view(), name="scim_config"),
    path("ResourceTypes", discovery.ResourceTypesView.as_view(), name="scim_resource_types"),
    path("ResourceTypes/<str:key>", discovery.ResourceTypesView.as_view(), name="scim_type"),
    path("Schemas", discovery.SchemasView.as_view(), name="scim_schemas"),
    path("Schemas/<str:key>", discovery.SchemasView.as_view(), name="scim_schema"),
    path(".search", discovery.SearchView.as_view(), name="scim_search"),
    re_path(r"^[\s\S]*$", discovery.NowhereView.as_view()),
]
