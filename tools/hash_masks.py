"""Hash the masks of every shipped policy over three corpora, to see whether a change of the code changes a mask.

    MASKWISE_DATA=../shared/data python tools/hash_masks.py [-o HASHES.json] [--against HASHES.json] [--documents N]

The corpora are TAB dev, the annotated biographies and the sixty invented documents of tests/data/domains. With
`--against`, the script names each policy and corpus whose hash differs from the file's, and exits with 1 if one does.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from maskwise.policy import list_shipped
from maskwise.sanitizer import Sanitizer

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("MASKWISE_DATA", ROOT.parent / "shared" / "data"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, help="where to write the hashes")
    parser.add_argument("--against", type=Path, help="hashes of an earlier run, to compare with")
    parser.add_argument(
        "--documents", type=int, help="read only the first documents of each corpus"
    )
    parser.add_argument("--policies", nargs="*", default=list_shipped(), help="policies to run")
    options = parser.parse_args()
    corpora = {name: texts[: options.documents] for name, texts in read_corpora()}
    found: dict[str, str] = {}
    for policy in options.policies:
        sanitizer = Sanitizer(policy)
        for name, texts in corpora.items():
            found[f"{policy} {name}"] = hash_masks(sanitizer, texts)
            print(
                f"{policy} {name}: {len(texts)} documents, {found[f'{policy} {name}'][:16]}",
                flush=True,
            )
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if options.against:
        known = json.loads(options.against.read_text("utf-8"))
        changed = [key for key in found if found[key] != known.get(key)]
        print("\n".join(f"changed: {key}" for key in changed) or "no mask changed")
        sys.exit(bool(changed))


def read_corpora() -> Iterator[tuple[str, list[str]]]:
    yield "tab-dev", read_texts(DATA / "tab" / "dev.json.gz")
    yield "biographies", read_texts(DATA / "wiki" / "annotated_dev.json.gz")
    invented = sorted((ROOT / "tests" / "data" / "domains").glob("*.json"))
    yield "invented", [text for path in invented for text in read_texts(path)]


def read_texts(path: Path) -> list[str]:
    if not path.exists():
        sys.exit(f"{path} is missing; name the data folder in MASKWISE_DATA")
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [document["text"] for document in json.loads(raw)]


def hash_masks(sanitizer: Sanitizer, texts: list[str]) -> str:
    """The SHA-256 of the masked texts and of every decision, in order."""
    digest = hashlib.sha256()
    for result in sanitizer.run(texts):
        digest.update(result.text.encode("utf-8", "surrogatepass"))
        for entity in result.entities:
            decision = result.plan.by_entity[entity.id]
            spans = [mention.span for mention in entity.mentions]
            digest.update(f"{entity.type} {spans} {decision.action} {decision.level}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
