"""The pages registered with Django's admin. Importing a module registers its models.

Second factors and e-mail addresses are unregistered: users manage their own on *Security*, and an
administrator can reset a lost phone, which is recorded.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin

from casino.backoffice.feed import intake
from casino.backoffice.ledger import ledger_lists
from casino.backoffice.people import user_admin
from casino.backoffice.reconciliation import reconciliations
from casino.backoffice.rounds import round_list
from casino.backoffice.tables import tables

__all__ = ["intake", "ledger_lists", "reconciliations", "round_list", "tables", "user_admin"]

admin.site.unregister([Authenticator, EmailAddress])
