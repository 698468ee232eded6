"""The pages that Django's admin shows of people and roles.

Second factors and addresses of e-mail have none, whatever django-allauth registers: people change
their own on *Security*, and an administrator may take a lost phone away, on record.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin

from casino.doors import people

__all__ = ["people"]

admin.site.unregister([Authenticator, EmailAddress])
