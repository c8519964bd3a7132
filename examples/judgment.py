"""Mask a judgment so that courts, law and countries stay readable, with true but less specific replacements.

python examples/judgment.py
"""

from maskwise import sanitize

JUDGMENT = """\
The case originated in an application (no. 48213/11) against the Republic of Finland lodged with the Court under
Article 34 of the Convention by a Finnish national, Mr Aarne Kivilahti ("the applicant"), on 3 May 2011. The applicant
was represented by Ms T. Rautio, a lawyer practising in Tampere. He was born in 1961 and lives in Nokia.
"""

result = sanitize(JUDGMENT, policy="court", protect="Aarne Kivilahti")
print(result.text)
