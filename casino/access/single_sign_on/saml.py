"""A login by SAML 2.0: a request by redirect, the answer by POST from the provider's page.

That POST comes from another site and without the session's cookie (SameSite). What it says is
verified where it arrives and kept in a signed cookie for the page that it is led on to, which has
the session and takes it only if this browser asked for it. What python3-saml leaves open, and a
thief of an assertion could use, is required here: an audience, a recipient, an end, and inside of
the signature the name of the request that it answers.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.conf import settings
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.settings import OneLogin_Saml2_Settings
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

from casino.access.single_sign_on.configuration import SamlProvider
from casino.access.single_sign_on.flow import Finished, Purpose, Refused
from casino.access.single_sign_on.identities import LONGEST_SUBJECT, Identity

_SALT: Final = "sabot: a verified assertion"
_COOKIE: Final = "sso_assertion"
_KEPT_FOR: Final = timedelta(minutes=2)
_STATE_PROVIDER: Final = "sabot-saml"
_CONFIRMATION: Final = "/samlp:Response/saml:Assertion/saml:Subject/saml:SubjectConfirmation"
_AUDIENCE: Final = "/samlp:Response/saml:Assertion/saml:Conditions/saml:AudienceRestriction"


def begin(request: HttpRequest, provider: SamlProvider, purpose: Purpose) -> str:
    """The provider's address for the browser."""
    auth = OneLogin_Saml2_Auth(_received(request), _settings_for(request, provider))
    address: str = auth.login(return_to="", force_authn=purpose.is_connection)
    _allauth_provider(request, provider).stash_redirect_state(
        request, purpose.process, data=purpose.kept, state_id=auth.get_last_request_id()
    )
    return address


def receive(request: HttpRequest, provider: SamlProvider, answer: HttpResponse) -> None:
    """Verifies what was posted and keeps it in the browser for ``finish``. Raises Refused."""
    own = _settings_for(request, provider)
    try:
        response = OneLogin_Saml2_Response(
            OneLogin_Saml2_Settings(own), request.POST.get("SAMLResponse", "")
        )
        response.is_valid(_received(request), raise_exceptions=True)
        subject = response.get_nameid_data()
        request_id = _answered_request(response, own["sp"])
    except Refused:
        raise
    except Exception as error:  # the library raises those of lxml, xmlsec and base64, too
        raise Refused("invalid_assertion", detail=str(error)) from error
    if subject.get("Format") != Names.NAMEID_PERSISTENT:
        found = f"found a name of the format {subject.get('Format')}; needed a persistent one"
        raise Refused("invalid_assertion", detail=found)
    if not 0 < len(subject["Value"]) <= LONGEST_SUBJECT:
        raise Refused("invalid_assertion", detail="the name of the person is too long")
    answer.set_cookie(
        f"{settings.COOKIE_PREFIX}{_COOKIE}",
        signing.dumps([provider.issuer, request_id, subject["Value"]], salt=_SALT),
        max_age=_KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def finish(request: HttpRequest, provider: SamlProvider) -> Finished:
    """Who the provider says it is, to the browser that asked for it. Raises Refused."""
    cookie = request.COOKIES.get(f"{settings.COOKIE_PREFIX}{_COOKIE}", "")
    try:
        issuer, request_id, subject = signing.loads(cookie, salt=_SALT, max_age=_KEPT_FOR)
        state = _allauth_provider(request, provider).unstash_redirect_state(request, request_id)
    except (signing.BadSignature, PermissionDenied) as error:
        raise Refused("unknown_state") from error
    if issuer != provider.issuer:
        raise Refused("other_issuer")
    return Finished(Identity(issuer, subject), Purpose.of(state))


def metadata_of(request: HttpRequest, provider: SamlProvider) -> bytes:
    """What the provider has to know of Sabot, as XML."""
    own = OneLogin_Saml2_Settings(_settings_for(request, provider), sp_validation_only=True)
    document: str | bytes = own.get_sp_metadata()
    return document if isinstance(document, bytes) else document.encode()


def _answered_request(response: OneLogin_Saml2_Response, own: Mapping[str, Any]) -> str:
    """The request that the signed assertion says it answers. Raises Refused.

    What stands outside of the assertion may be nobody's words: anybody can wrap a stolen one.
    """
    document = response.get_xml_document()
    confirmations = OneLogin_Saml2_XML.query(document, f"{_CONFIRMATION}/*")
    audiences = OneLogin_Saml2_XML.query(document, f"{_AUDIENCE}/saml:Audience")
    requests = {data.get("InResponseTo") for data in confirmations}
    recipients = {data.get("Recipient") for data in confirmations}
    if len(requests) != 1 or None in requests or requests != {response.get_in_response_to()}:
        raise Refused("unsolicited_assertion", detail="it answers no request of Sabot")
    if recipients != {own["assertionConsumerService"]["url"]}:
        raise Refused("invalid_assertion", detail=f"found the recipients {recipients}")
    if not all(data.get("NotOnOrAfter") for data in confirmations):
        raise Refused("invalid_assertion", detail="its confirmation has no end")
    if [OneLogin_Saml2_XML.element_text(audience) for audience in audiences] != [own["entityId"]]:
        raise Refused("invalid_assertion", detail="it has another audience, or none")
    return str(requests.pop())


def _received(request: HttpRequest) -> dict[str, Any]:
    return {
        "https": "on" if request.is_secure() else "off",
        "http_host": request.get_host(),
        "script_name": request.path,
        "get_data": {},
        "post_data": {},
    }


def _settings_for(request: HttpRequest, provider: SamlProvider) -> dict[str, Any]:
    consumer = request.build_absolute_uri(reverse("receive_assertion"))
    metadata = request.build_absolute_uri(reverse("saml_metadata"))
    return {
        "strict": True,
        "idp": provider.settings,
        "sp": {
            "entityId": provider.entity_id or metadata,
            "assertionConsumerService": {"url": consumer, "binding": Names.BINDING_HTTP_POST},
            "NameIDFormat": Names.NAMEID_PERSISTENT,
        },
        "security": {
            "wantAssertionsSigned": True,
            "wantNameId": True,
            "wantAttributeStatement": False,  # none is read
            "rejectDeprecatedAlgorithm": True,
            "requestedAuthnContext": False,
            "allowSingleLabelDomains": True,  # of a provider inside the house
            "metadataValidUntil": "",
            "metadataCacheDuration": "",
        },
    }


def _allauth_provider(request: HttpRequest, provider: SamlProvider) -> SAMLProvider:
    app = SocialApp(provider="saml", provider_id=_STATE_PROVIDER, name=provider.name)
    return SAMLProvider(request, app=app)
