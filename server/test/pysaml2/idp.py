"""A SAML identity provider of another maker (pysaml2), asked by lines of JSON on stdin: one answer a line."""
import base64
import json
import sys
from urllib.parse import parse_qs, urlparse

from saml2 import BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.saml import AUTHN_PASSWORD, NAME_FORMAT_URI, NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

SIGNED = {"sign_alg": SIG_RSA_SHA256, "digest_alg": DIGEST_SHA256}


def server(given):
    """An identity provider that knows one service by its metadata."""
    at = given["at"]
    config = IdPConfig()
    config.load({
        "entityid": at + "/metadata",
        "key_file": given["key"],
        "cert_file": given["cert"],
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "metadata": {"inline": [given["metadata"]]},
        "service": {"idp": {
            "endpoints": {
                "single_sign_on_service": [(at + "/sso", BINDING_HTTP_REDIRECT)],
                "single_logout_service": [(at + "/slo", BINDING_HTTP_REDIRECT)],
            },
            "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
            "want_authn_requests_signed": given.get("demandsSignatures", False),
        }},
    })
    return Server(config=config)


def asked(url):
    return {name: values[0] for name, values in parse_qs(urlparse(url).query).items()}


def checked(parse, url):
    """A request as it came by Redirect, with its signature looked at where there is one."""
    query = asked(url)
    rest = {"relay_state": query.get("RelayState"), "sigalg": query.get("SigAlg"), "signature": query.get("Signature")}
    return parse(query["SAMLRequest"], BINDING_HTTP_REDIRECT, **(rest if query.get("Signature") else {})), query


def sign_in(idp, given):
    request, query = checked(idp.parse_authn_request, given["url"])
    place = idp.response_args(request.message)
    who = NameID(format=NAMEID_FORMAT_PERSISTENT, text=given["nameId"])
    response = idp.create_authn_response(
        {"email": given["email"], "displayName": "Asha Rao", "groups": given["groups"]},
        in_response_to=place["in_response_to"], destination=place["destination"], sp_entity_id=place["sp_entity_id"],
        name_id=who, authn={"class_ref": AUTHN_PASSWORD}, sign_assertion=True, sign_response=given["signMessage"], **SIGNED)
    return {"SAMLResponse": base64.b64encode(str(response).encode()).decode(), "RelayState": query["RelayState"]}


def sign_out(idp, given):
    """The provider has somebody signed out."""
    who = NameID(format=NAMEID_FORMAT_PERSISTENT, text=given["nameId"])
    request_id, request = idp.create_logout_request(given["destination"], issuer_entity_id=given["sp"], name_id=who, sign=False)
    sent = idp.apply_binding(BINDING_HTTP_REDIRECT, str(request), given["destination"], "there", sign=True,
                             sigalg=SIG_RSA_SHA256)
    return {"url": dict(sent["headers"])["Location"], "id": request_id}


def signed_out(idp, given):
    """The service has signed somebody out, and asks for the same here."""
    request, query = checked(idp.parse_logout_request, given["url"])
    place = idp.response_args(request.message, [BINDING_HTTP_REDIRECT])
    response = idp.create_logout_response(request.message, [BINDING_HTTP_REDIRECT], sign=False)
    sent = idp.apply_binding(BINDING_HTTP_REDIRECT, str(response), place["destination"], query.get("RelayState", ""),
                             response=True, sign=True, sigalg=SIG_RSA_SHA256)
    return {"url": dict(sent["headers"])["Location"], "nameId": request.message.name_id.text}


def confirmed(idp, given):
    """The service's answer to a sign-out that began here."""
    query = asked(given["url"])
    answer = idp.parse_logout_request_response(query["SAMLResponse"], BINDING_HTTP_REDIRECT)
    return {"inResponseTo": answer.response.in_response_to, "status": answer.response.status.status_code.value}


WORK = {"signIn": sign_in, "signOut": sign_out, "signedOut": signed_out, "confirmed": confirmed}


def main():
    idp = None
    for line in sys.stdin:
        given = json.loads(line)
        try:
            if given["op"] == "open":
                idp = server(given)
                answer = {}
            else:
                answer = WORK[given["op"]](idp, given)
        except Exception as error:  # every fault is an answer
            answer = {"error": "%s: %s" % (type(error).__name__, error)}
        print(json.dumps(answer), flush=True)


main()
