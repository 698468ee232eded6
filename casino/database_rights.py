"""The rights of the roles of the database on the tables of this application and of libraries."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    auth_group                      r     r       .     .         r
    auth_group_permissions          r     r       .     .         .
    auth_permission                 r     r       .     .         .
    auth_user                       raw   r       .     .         .
    auth_user_groups                rad   r       .     .         r
    auth_user_user_permissions      r     r       .     .         .
    account_emailaddress            r     .       .     .         .
    account_emailconfirmation       .     .       .     .         .
    axes_accessattempt              rawd  .       .     .         .
    axes_accessattemptexpiration    rawd  .       .     .         .
    axes_accessfailurelog           .     .       .     .         .
    axes_accesslog                  .     .       .     .         .
    casino_accessdecision           ra    r       .     .         r
    casino_accessevent              ra    r       .     .         r
    casino_accessnotice             raw   rw      .     .         .
    casino_accessrequest            ra    r       .     .         r
    casino_directoryaccount         rawd  r       .     .         r
    casino_directorymembership      ra    r       .     .         r
    casino_earlierroles             r     r       r     r         r
    casino_loginfailure             rawd  .       .     .         .
    casino_opensession              rawd  .       .     .         .
    django_admin_log                ra    .       .     .         .
    django_content_type             r     r       r     r         r
    django_session                  .     .       .     .         .
    mfa_authenticator               rawd  .       .     .         .
    socialaccount_socialaccount     rad   .       .     .         .
    socialaccount_socialapp         .     .       .     .         .
    socialaccount_socialtoken       rd    .       .     .         .
"""
