"""Find the key names of a company with a detector of your own; Maskwise masks them with all that it finds itself.

python examples/own_detector.py

The detector is a function that returns spans. To name a detector in a policy instead, see docs/extending.md.
"""

import re

from maskwise import Document, EntityType, Sanitizer

KEY = re.compile(r"\b(?:oak|elm|ash)/(?:one|two|three)\b")
NOTE = """\
Mr Piotr Wrona took key oak/two on 3 May 2023. Since then key oak/two is missing. Write to wrona@example.net.
"""


def find_keys(text: str) -> list[tuple[int, int, EntityType]]:
    return [(match.start(), match.end(), EntityType.CODE) for match in KEY.finditer(text)]


document = Document(NOTE, metadata={"given": find_keys(NOTE)})
result = Sanitizer().sanitize(document)
print(result.text)
