"""Names of the functions of spreadsheets. A formula that calls another needs a macro, which no output holds."""

from maskwise.io.vocabulary import read_words

FUNCTIONS = read_words("spreadsheet_functions")

# Names that programs give to ranges.
RANGES = frozenset(
    f"_xlnm.{name}"
    for name in "Print_Area Print_Titles _FilterDatabase Criteria Extract Database Sheet_Title Consolidate_Area".split()
)
