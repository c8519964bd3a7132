"""Invented letters, and what a run wrote."""

RULES = {"name": "rules", "detectors": [{"kind": "patterns"}, {"kind": "gazetteer"}]}
NAMES = ("Ana Souza", "Bruno Keller", "Ingrid Solberg", "Tomás Rivera")


def write_letter(number):
    name = NAMES[number % len(NAMES)]
    return f"Mr {name} wrote on {1 + number % 28} May 1971 from post{number}@example.org."


def list_outputs(folder):
    """The bytes of every output below a folder, by name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("_maskwise"):
            found[name] = path.read_bytes()
    return found
