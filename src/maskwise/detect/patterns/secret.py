"""Passwords, tokens, cookies, one-time codes and PINs: what a label says is secret, whatever it looks like."""

from __future__ import annotations

import re

from maskwise.detect.patterns._labels import ASSIGNED, EDGE, list_literals, match_labelled
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_PASSWORDS = (
    *(
        "passwords?",
        "passwd",
        "passwort",
        "kennwort",
        "passord",
        "contraseña",
        "mot de passe",
        "wachtwoord",
        "hasło",
    ),
    *("passcode", "pwd", "pword", "lösenord", "пароль"),
)
_SHORT = ("pass", "pw", "parola", "senha", "login")
_PASSPHRASES = (
    "pass[ _-]?phrase",
    "seed[ _-]?phrase",
    "recovery[ _-]?phrase",
    "security[ _-]?answer",
    "mnemonic",
)
_TOKENS = (
    *(
        "api[ _-]?key",
        "apikey",
        "api[ _-]?token",
        "access[ _-]?key",
        "access[ _-]?key[ _-]?id",
        "secret[ _-]?key",
    ),
    *(
        "access[ _-]?token",
        "auth[ _-]?token",
        "refresh[ _-]?token",
        "id[ _-]?token",
        "bot[ _-]?token",
        "token",
    ),
    *(
        "client[ _-]?secret",
        "app[ _-]?secret",
        "shared[ _-]?secret",
        "secret",
        "private[ _-]?key",
        "signing[ _-]?key",
    ),
    *(
        "encryption[ _-]?key",
        "account[ _-]?key",
        "license[ _-]?key",
        "licence[ _-]?key",
        "product[ _-]?key",
    ),
    *(
        "session[ _-]?id",
        "session[ _-]?key",
        "session[ _-]?token",
        "sessionid",
        "jsessionid",
        "phpsessid",
        "sid",
    ),
    *(
        "csrf[ _-]?token",
        "xsrf[ _-]?token",
        "x-api-key",
        "x-auth-token",
        "credentials?",
        "signature",
        "sig",
    ),
)
# Before "code": a postal, area or dress code is no secret.
_CODES = (
    *(
        "verification",
        "confirmation",
        "security",
        "login",
        "log-in",
        "sign-in",
        "access",
        "activation",
        "one[ -]time",
    ),
    *(
        "authentication",
        "authenticator",
        "auth",
        "2fa",
        "mfa",
        "sms",
        "reset",
        "recovery",
        "backup",
        "entry",
        "door",
    ),
    *(
        "gate",
        "lock",
        "alarm",
        "safe",
        "unlock",
        "pairing",
        "pin",
        "otp",
        "your",
        "my",
        "the",
        "this",
    ),
)
# "Zip code" and "area code" are no secrets.
_NO_PLACE = "".join(
    rf"(?<!(?i:{word})[ -])"
    for word in (
        *("zip", "post", "postal", "area", "country", "dialling"),
        *(
            "cpt",
            "icd",
            "icd9",
            "icd10",
            "icd-9",
            "icd-10",
            "hcpcs",
            "dental",
            "procedure",
            "diagnosis",
        ),
    )
)
_DIGITS = r"(?<![\w.,])[0-9](?:[ -]?[0-9]){2,9}(?![\w%]|[.,:/][0-9])"
_DIGITS = r"(?<![\w.,])(?!(?:19|20)[0-9]{2}(?![\w-]))(?:[A-Z]{1,2}-)?[0-9](?:[ -]?[0-9]){2,9}(?![\w%]|[.,:/][0-9])"

# The value of an assignment: what stands in quotation marks, or one run of signs.
_VALUE = r"(?:(?<=[\"“‘'`])[^\"”’'`\n]{1,200}(?=[\"”’'`])|[^\s\"'`“”<>|,;]{3,200}(?<![.!?)\]}]))"
_AFTER_IS = (
    r"[\"“‘']?(?P<m>(?<=[\"“‘'])[^\"”’'\n]{1,80}(?=[\"”’'])|[^\s\"'“”<>]{4,80}(?<![.,;:!?)\]]))"
)
# "The password was changed": words that go on with a sentence.
_SENTENCE = frozenset(
    (
        "also always already been being both case-sensitive changed compromised correct easy empty enough expired for "
        "given hard hidden incorrect invalid just kept known long lost made missing mine needed never none only "
        "optional over random sent set shared short simple still stolen strong that their them then there this unknown "
        "used very weak what when where which with without wrong your secret safe good best more most less hashed"
    ).split()
)


def is_secret(surface: str) -> bool:
    """Whether the value of "token" or "key" is one: long, or with a digit or a sign among its letters."""
    telling = any(c.isdecimal() for c in surface) or (not surface.isalpha() and len(surface) > 7)
    mixed = (
        surface.lower() != surface and surface[1:].lower() != surface[1:] and not surface.isupper()
    )
    return len(surface) > 5 and (telling or mixed) and not surface.endswith("()")


def _is_password(surface: str) -> bool:
    low = surface.lower()
    return low not in _SENTENCE and not re.fullmatch(r"[a-z-]+(?:ed|ing|ly)", low)


def _is_assigned(surface: str) -> bool:
    """Whether anything was assigned: a row of asterisks or a hole of a template is no password."""
    return not re.fullmatch(r"[*•.xX#_-]+|\$\{.*\}?|\{\{.*|%\w+%?|<.*", surface)


def _list_triggers(words: tuple[str, ...]) -> tuple[str, ...]:
    return list_literals(word.removesuffix("s?") for word in words)


FAMILY = Family(
    name="secret",
    rules=(
        Rule(
            name="secret_password",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_PASSWORDS)})(?:[ ](?i:is|was))?{ASSIGNED}(?P<m>{_VALUE})",
            triggers=_list_triggers(_PASSWORDS),
            opens=True,
            score=0.95,
            certain=True,
            check=_is_assigned,
        ),
        Rule(
            name="secret_password",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_PASSWORDS)})(?:[ ](?i:is|was|ist|es|er|to|as)[ ]|[ ](?=[\"“‘'])){_AFTER_IS}",
            triggers=_list_triggers(_PASSWORDS),
            opens=True,
            check=_is_password,
        ),
        Rule(
            name="secret_password",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_SHORT)}){ASSIGNED}(?P<m>{_VALUE})",
            triggers=_SHORT,
            opens=True,
            check=is_secret,
        ),
        # mysql --password hunter2, curl -u ana:hunter2
        Rule(
            name="secret_password",
            type=EntityType.CODE,
            regex=r"-(?<![\w-]-)"
            r"(?:-(?:password|passwd|pass|token|secret|api-key)[= ]|-user[= ](?=\S+:)|[uU][ ](?=\S+:\S))"
            r"[\"']?(?P<m>[^\s\"'-][^\s\"']{2,200})",
            triggers=("--pass", "--token", "--secret", "--api-key", "--user", "-u "),
            opens=True,
            certain=True,
        ),
        Rule(
            name="secret_phrase",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_PASSPHRASES)})(?:{ASSIGNED}|[ ]is[ ]?:?[ ]?[\"“]?)"
            rf"(?P<m>[^\n\"”<>|]{{3,240}}(?<![\s.]))",
            triggers=list_literals(_PASSPHRASES),
            opens=True,
            certain=True,
        ),
        Rule(
            name="secret_token",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(sorted(_TOKENS, key=len, reverse=True))})(?:[ ](?i:is|was)[ ]?|(?={ASSIGNED}))"
            rf"(?:{ASSIGNED})?[\"'“]?(?P<m>{_VALUE.replace('|,;', '|,;&')})",
            triggers=_list_triggers(_TOKENS),
            opens=True,
            certain=True,
            check=is_secret,
        ),
        Rule(
            name="secret_header",
            type=EntityType.CODE,
            regex=r"(?i:(?:proxy-)?authorization)[\"']?[ ]?[:=][ ]?[\"']?"
            r"(?P<m>(?i:bearer|basic|token|negotiate|ntlm|apikey)[ ]{1,2}[^\s\"',;]{3,8000}"
            r"|(?i:digest|aws4-[a-z0-9-]+|oauth|hawk)[ ][^\n\r]{3,2000}|[^\s\"',;]{6,4000})",
            triggers=(
                "authorization:",
                "authorization :",
                "authorization=",
                'authorization":',
                "authorization':",
            ),
            opens=True,
            certain=True,
        ),
        Rule(
            name="secret_header",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:bearer|basic)[ ]{1,2}(?P<m>[A-Za-z0-9._~+/-]{12,8000}={0,2})(?!\w)",
            triggers=("bearer ", "basic "),
            opens=True,
            certain=True,
            check=lambda surface: any(map(str.isdecimal, surface)),
        ),
        Rule(
            name="secret_cookie",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:set-cookie2?|cookies?)[\"']?[ ]?[:=][ ]{0,3}[\"']?"
            r"(?P<m>[\w.$!#%&'*+^`|~-]{1,128}=[^\s;\"]{0,4000}"
            r"(?:;[ ]{0,2}[^\s;\"=]{1,128}(?:=[^;\r\n\"]{0,4000})?){0,60})",
            triggers=("cookie:", "cookie :", 'cookie":', "cookie=", "cookie2:", "cookies:"),
            reach=64,
            certain=True,
        ),
        Rule(
            name="secret_code",
            type=EntityType.CODE,
            regex=rf"{EDGE}{_NO_PLACE}(?i:(?:(?:{'|'.join(_CODES)})[ -]{{1,2}}){{1,3}}(?:pass)?codes?"
            r"|one[ -]time[ -]pass(?:word|code)?|otp|totp|tan|2fa|passcode|verification pin|code)(?![^\W\d_])"
            rf"(?:[ ](?i:is|are|was|number)|[\s\"'*|]{{0,3}}[:=|#])[\s:=|#\"'*-]{{0,20}}(?P<m>{_DIGITS})",
            triggers=(
                "code",
                "otp",
                "totp",
                "tan ",
                "tan:",
                "2fa",
                "one-time pass",
                "one time pass",
                "verification pin",
            ),
            reach=48,
            check=lambda surface: 4 <= sum(map(str.isdecimal, surface)) <= 10,
        ),
        # 482913 is your code; use 482913 to sign in
        Rule(
            name="secret_code",
            type=EntityType.CODE,
            regex=rf"(?P<m>{_DIGITS})[ ](?:(?i:is)[ ](?i:your|the)[ ](?:[\w-]{{1,40}}[ ]){{0,4}}"
            r"(?i:code|otp|pin|password|passcode)\b"
            r"|(?i:to|as)[ ](?i:your|sign|log|verify|confirm|unlock|authenticate|complete|reset)\b)",
            shapes=("1000", "100 100", "100-100"),
            needs="[0-9] (?i:is|to|as) ",
            reach=80,
            check=lambda surface: 4 <= sum(map(str.isdecimal, surface)) <= 10,
        ),
        Rule(
            name="secret_pin",
            type=EntityType.CODE,
            regex=match_labelled(
                (
                    "pin(?:[ -]?(?:code|number|no))?",
                    "puk",
                    "cvv2?",
                    "cvc2?",
                    "csc",
                    "cvn",
                    "card[ -]security[ -]code",
                ),
                r"(?<![\w.,])[0-9](?:[ ]?[0-9]){2,7}(?![\w%]|[.,:/][0-9])",
                r"(?![^\W\d_])\.?(?:[ ](?i:is|was|no\.?|number|code)){0,2}[\s:=#|\"'*(>-]{1,20}",
            ),
            triggers=(
                "pin",
                "puk",
                "cvv",
                "cvc",
                "csc",
                "cvn",
                "card security code",
                "card-security-code",
            ),
            opens=True,
        ),
    ),
    positive=(
        ("password = hunter2", ("hunter2",)),
        ("passwd: S3cret!pw.", ("S3cret!pw",)),
        ("pwd=correct-horse; next", ("correct-horse",)),
        ('{"userPassword": "blue sky 7", "x": 1}', ("blue sky 7",)),
        ("DB_PASSWORD=tr0ub4dor&3\nDB_HOST=db", ("tr0ub4dor&3",)),
        ("<password>hunter2</password>", ("hunter2",)),
        ("Password | hunter2", ("hunter2",)),
        ("my password is hunter2, sorry", ("hunter2",)),
        ('the password "open sesame" works', ("open sesame",)),
        ("I set the password to Rex2015!", ("Rex2015",)),
        ("mysql --password hunter2 -h db", ("hunter2",)),
        ("curl -u ana:hunter2 https", ("ana:hunter2",)),
        ("Passphrase: correct horse battery staple", ("correct horse battery staple",)),
        ("seed phrase is tiger lamp river moon", ("tiger lamp river moon",)),
        ("client_secret: 'n0t-real-at-all'", ("n0t-real-at-all",)),
        ("token=abc123def456&x=1", ("abc123def456",)),
        ("api key is 0a1b2c3d4e", ("0a1b2c3d4e",)),
        ("X-Api-Key: 0a1b2c3d4e", ("0a1b2c3d4e",)),
        ("JSESSIONID=0A1B2C3D4E; Path=/", ("0A1B2C3D4E",)),
        ("Authorization: Bearer not-a-real-token-1", ("Bearer not-a-real-token-1",)),
        ("authorization: Basic bm90OnJlYWw=", ("Basic bm90OnJlYWw=",)),
        ('-H "Authorization: Bearer abc.def.123"', ("Bearer abc.def.123",)),
        ("sent Bearer abcdef0123456789 along", ("abcdef0123456789",)),
        ("Set-Cookie: session=abc123; Path=/; HttpOnly", ("session=abc123; Path=/; HttpOnly",)),
        ("Cookie: sid=31d4; theme=dark\nHost: x", ("sid=31d4; theme=dark",)),
        ("Your code is 482913.", ("482913",)),
        ("verification code: 482-913", ("482-913",)),
        ("OTP: 482913", ("482913",)),
        ("482913 is your Example verification code", ("482913",)),
        ("Use 482913 to sign in", ("482913",)),
        ("G-482913 is your code", ("G-482913",)),
        ("PIN: 4711, CVV 123", ("4711", "123")),
        ("pin code is 0815", ("0815",)),
        ("door code: 4711#", ("4711",)),
    ),
    negative=(
        "CPT code: 40801, ICD-9 Code: 52833",
        "the password was changed in 2004",
        "password is required",
        "Password: ********",
        "password = ${DB_PASSWORD}",
        "a secret: nobody knew it",
        "token = parse()",
        "the secret is out",
        "postal code 12345",
        "the penal code is 1999",
        "area code 212",
        "a pin in 2004 maps",
        "pin 12 badges on",
        "cookie: chocolate",
        "basic instructions were given",
        "the signature is illegible",
        "pass: the bill was passed",
    ),
)
