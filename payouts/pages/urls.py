"""Addresses of the pages that show rules and not rows."""

from django.urls import path

from payouts.pages.readings import page, show_readings, show_rule_set, show_rule_sets

urlpatterns = [
    path("readings/", page(show_readings), name="readings"),
    path("rule-sets/", page(show_rule_sets), name="rule_sets"),
    path("rule-sets/<path:name>/", page(show_rule_set), name="rule_set"),
]
