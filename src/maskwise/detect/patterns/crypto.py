"""Addresses of crypto currencies: Bitcoin (Base58Check; Bech32, BIP 173 and BIP 350), Ethereum and its hashes."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_PREFIX = (3, 3, 0, 2, 3)  # "bc", spread as BIP 173 asks
_CHECKSUMS = (1, 0x2BC830A3)  # Bech32 and Bech32m


def _is_base58(surface: str) -> bool:
    from stdnum import bitcoin

    return bool(bitcoin.is_valid(surface))


def _is_bech32(surface: str) -> bool:
    from stdnum import bitcoin

    if surface not in (surface.lower(), surface.upper()):
        return False
    data = [_ALPHABET.index(sign) for sign in surface.lower()[3:]]
    return bitcoin.bech32_checksum([*_PREFIX, *data]) in _CHECKSUMS


FAMILY = Family(
    name="crypto",
    rules=(
        Rule(
            name="bitcoin",
            type=EntityType.CODE,
            regex=r"[13](?<!\w.)[1-9A-HJ-NP-Za-km-z]{25,34}+(?!\w)",
            shapes=(
                "1000000",
                *("1" + "0" * more + letter for more in range(6) for letter in "aB"),
            ),
            opens=True,
            certain=True,
            check=_is_base58,
        ),
        Rule(
            name="bitcoin_bech32",
            type=EntityType.CODE,
            regex=rf"\b(?i:bc1[{_ALPHABET}]{{11,87}}+)(?!\w)",
            triggers=("bc1",),
            opens=True,
            certain=True,
            check=_is_bech32,
            value=str.lower,
        ),
        Rule(
            name="ethereum",
            type=EntityType.CODE,
            regex=r"0[xX](?<!\w..)(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})(?!\w)",
            triggers=("0x",),
            opens=True,
            value=str.lower,
        ),
    ),
    positive=(
        ("sent to 18cYHG2DnMBKupyqg7e92J19MLVbujfAcU.", ("18cYHG2DnMBKupyqg7e92J19MLVbujfAcU",)),
        ("(3KLKBPKtXsNTk1MGjskfXEPENogMvzhWM5)", ("3KLKBPKtXsNTk1MGjskfXEPENogMvzhWM5",)),
        (
            "wallet: 17JdtoGuoDgwDRx8VZZ9buQ6DzZxf6M2wN, new",
            ("17JdtoGuoDgwDRx8VZZ9buQ6DzZxf6M2wN",),
        ),
        (
            "pay bc1qhmhkvdaq2qz8q90y4khs3ps68vrytuhv5z9wp8 now",
            ("bc1qhmhkvdaq2qz8q90y4khs3ps68vrytuhv5z9wp8",),
        ),
        (
            "BC1QHMHKVDAQ2QZ8Q90Y4KHS3PS68VRYTUHV5Z9WP8",
            ("BC1QHMHKVDAQ2QZ8Q90Y4KHS3PS68VRYTUHV5Z9WP8",),
        ),
        (
            "taproot bc1pnr66xpq4gewg3t5un7qucrseetesenrwaqjtwsue9xqgj0gdc6tq4jakhd",
            ("bc1pnr66xpq4gewg3t5un7qucrseetesenrwaqjtwsue9xqgj0gdc6tq4jakhd",),
        ),
        (
            "ether 0x0661b23e9697edbc8825be4565d2a1e42d1fb818!",
            ("0x0661b23e9697edbc8825be4565d2a1e42d1fb818",),
        ),
        (
            "0x11D60BF01A4FCBA7FC449FC855DE36F1258B9307 again",
            ("0x11D60BF01A4FCBA7FC449FC855DE36F1258B9307",),
        ),
        (
            "hash 0xfa6c3084b4567fd4ef323fc8a8a4f2ddf53bef8128239b3621f0651d93694476",
            ("0xfa6c3084b4567fd4ef323fc8a8a4f2ddf53bef8128239b3621f0651d93694476",),
        ),
    ),
    negative=(
        "18cYHG2DnMBKupyqg7e92J19MLVbujfAc2",
        "3KLKBPKtXsNTk1MGjskfXEPENogMvzhWM2",
        "bc1qhmhkvdaq2qz8q90y4khs3ps68vrytuhv5z9wpq",
        "bc1pnr66xpq4gewg3t5un7qucrseetesenrwaqjtwsue9xqgj0gdc6tq4jakhq",
        "0x0661b23e9697edbc8825be4565d2a1e42d1fb81",
        "0x1234",
        "bc1 is a prefix",
        "1111111111111111111111111111",
    ),
)
