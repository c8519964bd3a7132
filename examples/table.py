"""Mask a CSV file: every cell is read, and the layout stays.

python examples/table.py
"""

from maskwise.files import sanitize_file
from maskwise.sanitizer import Sanitizer

TABLE = b"""\
name,email,note
Ana Souza,ana.souza@example.org,Ana asked for an appointment in Porto
Piotr Wrona,piotr@example.net,paid on 3 May 2023
"""

masked = sanitize_file(Sanitizer("strict"), TABLE, "customers.csv")
print(masked.data.decode())
