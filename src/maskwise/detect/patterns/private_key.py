"""Keys and certificates in text armour (whole blocks, also cut off), public keys of SSH with their comment."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_BREAK = r"(?:\s|\\[nrt]){1,8}"  # also the escapes of a block inside JSON
_LAST = r"[A-Za-z0-9+/]{1,15}={0,2}(?=[ \t]*(?:\r?\n|\Z)|\\n|\")"
_LINE = rf"(?:[A-Za-z0-9+/=]{{16,200}}|[A-Z][A-Za-z-]{{2,20}}:[ ][^\n\\]{{0,120}}|{_LAST})"
_BASE64 = r"[A-Za-z0-9+/]{20,4000}={0,3}"
_COMMENT = (
    r"(?:[ \t]{1,4}(?:[\w.+-]{1,64}@[\w.-]{1,253}\w|[^\s\"'<>]{1,64}(?=[ \t]{0,4}(?:\r?\n|\Z))))?"
)
_BLOCK = "MIIExampleNotARealKey" * 3

FAMILY = Family(
    name="private_key",
    rules=(
        Rule(
            name="secret_private_key",
            type=EntityType.CODE,
            # Up to the line that ends the block; a block without one goes on while its lines do.
            regex=r"-{4,5}[ ]?(?i:BEGIN (?!PGP SIGNED)[A-Z0-9 ]{3,40}?)-{4,5}"
            rf"(?:[^-]{{0,20000}}+(?:-(?!---)[^-]{{0,2000}}+){{0,40}}+-{{4,5}}[ ]?(?i:END [A-Z0-9 ]{{3,40}}?)-{{4,5}}"
            rf"|(?:{_BREAK}{_LINE}){{0,400}}+)",
            triggers=("-----begin ", "---- begin "),
            opens=True,
            score=0.95,
            certain=True,
        ),
        Rule(
            name="secret_public_key",
            type=EntityType.CODE,
            regex=rf"(?<![\w-])(?i:ssh|ecdsa|sk)-[a-z0-9@.-]{{2,40}}[ ]{{1,4}}{_BASE64}(?!\w){_COMMENT}",
            triggers=("ssh-", "ecdsa-sha2", "sk-ssh", "sk-ecdsa"),
            opens=True,
            certain=True,
            check=lambda surface: "AAAA" in surface,
        ),
        Rule(
            name="secret_fingerprint",
            type=EntityType.CODE,
            regex=r"(?:SHA256:[A-Za-z0-9+/]{43}=?|(?:MD5:)?[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){15,31})(?![\w:])",
            triggers=("sha256:", "md5:", "fingerprint"),
            reach=120,
            certain=True,
        ),
    ),
    positive=(
        (
            f"key:\n-----BEGIN PRIVATE KEY-----\n{_BLOCK}\n{_BLOCK}\nabc=\n-----END PRIVATE KEY-----\nend",
            (f"-----BEGIN PRIVATE KEY-----\n{_BLOCK}\n{_BLOCK}\nabc=\n-----END PRIVATE KEY-----",),
        ),
        (
            f'"key": "-----BEGIN RSA PRIVATE KEY-----\\n{_BLOCK}\\n-----END RSA PRIVATE KEY-----\\n"',
            (f"-----BEGIN RSA PRIVATE KEY-----\\n{_BLOCK}\\n-----END RSA PRIVATE KEY-----",),
        ),
        (
            f"-----BEGIN OPENSSH PRIVATE KEY-----\n{_BLOCK}\n{_BLOCK}\n\nHere it was cut.",
            (f"-----BEGIN OPENSSH PRIVATE KEY-----\n{_BLOCK}\n{_BLOCK}",),
        ),
        (
            f"-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{_BLOCK}\n-----END EC PRIVATE KEY-----",
            (
                f"-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{_BLOCK}\n-----END EC PRIVATE KEY-----",
            ),
        ),
        (
            f"-----BEGIN CERTIFICATE-----\n{_BLOCK}\n-----END CERTIFICATE-----",
            (f"-----BEGIN CERTIFICATE-----\n{_BLOCK}\n-----END CERTIFICATE-----",),
        ),
        (
            f"ssh-ed25519 AAAAC3Nza{_BLOCK} ana@laptop.example.org\nnext",
            (f"ssh-ed25519 AAAAC3Nza{_BLOCK} ana@laptop.example.org",),
        ),
        (f"ssh-rsa AAAAB3Nza{_BLOCK}== anas-laptop", (f"ssh-rsa AAAAB3Nza{_BLOCK}== anas-laptop",)),
        (
            f"ecdsa-sha2-nistp256 AAAAE2Vj{_BLOCK} was added",
            (f"ecdsa-sha2-nistp256 AAAAE2Vj{_BLOCK}",),
        ),
        (f"SHA256:{'aBc0' * 10}xyz matches", (f"SHA256:{'aBc0' * 10}xyz",)),
        ("MD5:" + ":".join(["0a"] * 16), ("MD5:" + ":".join(["0a"] * 16),)),
    ),
    negative=(
        "-----Original Message-----",
        "----- BEGIN -----",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHello",
        "use ssh-keygen to make one",
        "ssh-rsa keys are old",
        "the SHA256: of the file",
    ),
)
