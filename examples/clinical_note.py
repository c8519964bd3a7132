"""Mask the identifiers of a clinical note under HIPAA's safe harbour and keep its medicine readable.

python examples/clinical_note.py
"""

from maskwise import sanitize

NOTE = """\
Patient: Rosalind Achterberg   MRN: 00471123   DOB: 03/05/1961
Phone: (555) 010-7788   Address: 12 Larch Lane, Springfield 62704

Seen on 14 March 2023 for type 2 diabetes. Metformin 500 mg twice daily. HbA1c 7.2 %.
"""

result = sanitize(NOTE, policy="hipaa-safe-harbor")
print(result.text)
