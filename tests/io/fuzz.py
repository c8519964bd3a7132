"""A seeded mutator of files, and what must hold for whatever it makes."""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path

from hiding import holds
from samples import NAME

from maskwise import io
from maskwise.errors import MaskwiseError
from maskwise.files import sanitize_file
from maskwise.sanitizer import Sanitizer

INTERESTING = (
    b"\0",
    b"\xff",
    b"\xff\xfe",
    b'"',
    b"<",
    b"<!--",
    b"&#x110000;",
    b"\\ud800",
    b"]]>",
    b"--",
    b"\r\n",
    b"{" * 99,
)


def mutate(raw: bytes, rng: random.Random) -> bytes:
    """`raw` after one to eight small accidents."""
    data = bytearray(raw)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data) + 1)
        span = rng.choice((1, 1, 2, 8, 64))
        match rng.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case 1:
                del data[at : at + span]
            case 2:
                data[at:at] = data[at : at + span]
            case 3:
                data[at:at] = rng.choice(INTERESTING)
            case 4:
                data[at : at + span] = rng.randbytes(span)
            case 5:
                del data[max(at, len(data) // 2) :]
            case _:
                other = rng.randrange(len(data) + 1)
                data[at : at + span], data[other : other + span] = (
                    data[other : other + span],
                    data[at : at + span],
                )
    return bytes(data)


def mutate_package(raw: bytes, rng: random.Random) -> bytes:
    """A zip with accidents in one or two of its members, packed whole again; now and then in the zip itself."""
    if rng.random() < 0.2:
        return mutate(raw, rng)
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    for name in rng.sample(sorted(parts), rng.randint(1, 2)):
        parts[name] = mutate(parts[name], rng)
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def run(
    sanitizer: Sanitizer, raw: bytes, name: str, count: int, folder: Path, seed: int = 0
) -> Counter[str]:
    """Sanitise `count` mutants into `folder`; how each ended. Any error but ours, or a half-written file, raises.

    The oracle of the hiding places looks into each written file: a name that it finds is a leak.
    """
    ends: Counter[str] = Counter()
    change = mutate_package if raw.startswith(b"PK") else mutate
    for number in range(count):
        rng = random.Random(f"{seed} {name} {number}")
        target = folder / f"{number}-{name}"
        try:
            done = sanitize_file(sanitizer, change(raw, rng), name)
            io.write_file(target, done.data)
            ends["leaked" if holds(done.data, NAME) else "written"] += 1
        except MaskwiseError as error:
            ends[type(error).__name__] += 1
            assert not target.exists(), f"mutant {number} of {name}: an error and a file"
            ends["of more than one line"] += "\n" in str(error)
        except Exception as error:
            raise AssertionError(
                f"mutant {number} of {name} (seed {seed}): {type(error).__name__}"
            ) from error
    left = [path.name for path in folder.iterdir() if path.name.endswith(".part")]
    assert not left, f"half-written files of {name}: {len(left)}"
    return ends
