"""The names that Office Open XML itself uses: elements, attributes, values, styles, and fonts that many machines have.

Whatever is called otherwise is not written: text can hide in a name as well as in a value.
"""

from maskwise.io.vocabulary import read_words

ELEMENTS = read_words("ooxml_elements")
ATTRIBUTES = read_words("ooxml_attributes")
WORDS = read_words("ooxml_values")
STYLES = read_words("ooxml_styles")
FONTS = read_words("ooxml_fonts")
