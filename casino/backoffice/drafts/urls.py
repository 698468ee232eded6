"""The URL of drafts."""

from typing import Final

from django.contrib import admin
from django.urls import path

from casino.backoffice.drafts.draft_page import show_drafts

DRAFTS: Final = path("drafts/", admin.site.admin_view(show_drafts), name="drafts")
