"""Mask a judgment so that courts, law and countries stay readable, with true but less specific replacements.

python examples/judgment.py
"""

from maskwise import sanitize

JUDGMENT = """\
On 3 May 2011 Mr Aarne Kivilahti, a Finnish citizen, brought application no. 48213/11 against Finland. He relies on
Article 34 of the Convention. His lawyer, Ms T. Rautio, has her office in Tampere. Mr Kivilahti, whose year of birth is
1961, still has his home in Nokia.
"""

result = sanitize(JUDGMENT, policy="court", protect="Aarne Kivilahti")
print(result.text)
