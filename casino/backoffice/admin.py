"""The pages registered with Django's admin. Importing a module registers its models.

Accounts have pages of their own (``casino.backoffice.people``). Second factors and e-mail addresses
have too: users manage theirs on *Security*, and administrators can reset a lost phone.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group, User

from casino.backoffice.customers import customers
from casino.backoffice.feed import intake
from casino.backoffice.ledger import ledger_lists
from casino.backoffice.reconciliation import reconciliations
from casino.backoffice.rounds import round_list
from casino.backoffice.tables import tables

__all__ = ["customers", "intake", "ledger_lists", "reconciliations", "round_list", "tables"]

admin.site.unregister([Authenticator, EmailAddress, Group, User])
admin.site.unregister([SocialAccount, SocialApp, SocialToken])
