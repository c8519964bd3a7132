"""The words of OpenDocument that a text may keep: elements, attributes and what an attribute may say.

What is not listed here is nobody's to read, and is left out.
"""

from __future__ import annotations

import re
import unicodedata

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = {
    "office": _OASIS + "office:1.0",
    "style": _OASIS + "style:1.0",
    "text": _OASIS + "text:1.0",
    "table": _OASIS + "table:1.0",
    "draw": _OASIS + "drawing:1.0",
    "fo": _OASIS + "xsl-fo-compatible:1.0",
    "svg": _OASIS + "svg-compatible:1.0",
    "form": _OASIS + "form:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
PREFIXES = {address: prefix for prefix, address in SPACES.items()}


def _build_names(prefix: str, words: str) -> frozenset[str]:
    return frozenset(f"{prefix}:{word}" for word in words.split())


ELEMENTS = frozenset().union(
    _build_names(
        "office",
        "document-content document-styles font-face-decls styles automatic-styles master-styles body text forms "
        "annotation annotation-end",
    ),
    _build_names(
        "style",
        "style default-style page-layout page-layout-properties header-style footer-style header-footer-properties "
        "paragraph-properties text-properties section-properties table-properties table-column-properties "
        "table-row-properties table-cell-properties graphic-properties ruby-properties drop-cap tab-stops tab-stop "
        "background-image columns column column-sep footnote-sep list-level-properties list-level-label-alignment "
        "master-page header footer header-left footer-left header-first footer-first region-left region-center "
        "region-right font-face",
    ),
    _build_names(
        "text",
        "p h span a s tab line-break soft-page-break list list-item list-header numbered-paragraph section "
        "bookmark bookmark-start bookmark-end bookmark-ref reference-mark reference-mark-start reference-mark-end "
        "reference-ref note note-citation note-body note-ref sequence sequence-ref sequence-decls sequence-decl "
        "page-number page-count paragraph-count word-count character-count table-count image-count page-variable-get "
        "page-variable-set ruby ruby-base ruby-text hidden-paragraph "
        "alphabetical-index-mark alphabetical-index-mark-start alphabetical-index-mark-end user-index-mark "
        "user-index-mark-start user-index-mark-end toc-mark toc-mark-start toc-mark-end "
        "table-of-content table-of-content-source table-of-content-entry-template illustration-index "
        "illustration-index-source illustration-index-entry-template table-index table-index-source "
        "table-index-entry-template object-index object-index-source object-index-entry-template user-index "
        "user-index-source user-index-entry-template alphabetical-index alphabetical-index-source "
        "alphabetical-index-entry-template bibliography bibliography-source bibliography-entry-template index-body "
        "index-title index-title-template index-entry-span index-entry-text index-entry-chapter index-entry-tab-stop "
        "index-entry-page-number index-entry-link-start index-entry-link-end index-entry-bibliography "
        "index-source-styles index-source-style list-style list-level-style-number list-level-style-bullet "
        "list-level-style-image outline-style outline-level-style notes-configuration "
        "note-continuation-notice-forward note-continuation-notice-backward linenumbering-configuration "
        "linenumbering-separator bibliography-configuration page-sequence page",
    ),
    _build_names(
        "table",
        "table table-column table-columns table-header-columns table-column-group table-row table-rows "
        "table-header-rows table-row-group table-cell covered-table-cell title desc",
    ),
    _build_names(
        "draw",
        "frame text-box image a g rect line polyline polygon regular-polygon path circle ellipse connector caption "
        "measure custom-shape enhanced-geometry equation handle glue-point control marker gradient hatch opacity "
        "stroke-dash fill-image",
    ),
    _build_names("svg", "title desc linearGradient radialGradient stop"),
    _build_names(
        "form",
        "form text textarea password file formatted-text number date time fixed-text combobox item listbox option "
        "button image checkbox radio frame image-frame hidden grid column value-range generic-control",
    ),
    _build_names("dc", "creator"),
)

# Fields and wrappers of which the shown text stays, without what computes it.
UNWRAPPED = frozenset().union(
    _build_names(
        "text",
        "meta meta-field author-name author-initials initial-creator creator printed-by file-name template-name title "
        "subject keywords description user-defined user-field-get user-field-input variable-get variable-set "
        "variable-input text-input expression conditional-text placeholder database-display database-name "
        "database-row-number date time creation-date creation-time print-date print-time modification-date "
        "modification-time editing-cycles editing-duration chapter dde-connection measure drop-down execute-macro "
        "bibliography-mark table-formula sheet-name page-continuation object-count "
        "sender-firstname sender-lastname sender-initials sender-title sender-position sender-email "
        "sender-phone-private sender-fax sender-company sender-phone-work sender-street sender-city "
        "sender-postal-code sender-country sender-state-or-province",
    ),
)
CONTENT_CONTROL = (
    "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}content-control"
)

# Text that stands in no paragraph.
TEXTS = _build_names("svg", "title desc") | _build_names("table", "title desc")
TEXTS |= _build_names(
    "text",
    "index-title-template index-entry-span linenumbering-separator note-continuation-notice-forward "
    "note-continuation-notice-backward",
)

# Names by which one part of the document refers to another: neutral names take their place.
IDENTIFIERS = frozenset().union(
    _build_names(
        "style",
        "name parent-style-name next-style-name list-style-name master-page-name page-layout-name font-name "
        "font-name-asian font-name-complex leader-text-style style-name register-truth-ref-style-name",
    ),
    _build_names(
        "text",
        "name style-name cond-style-name visited-style-name ref-name id list-id continue-list master-page-name "
        "citation-style-name citation-body-style-name default-style-name main-entry-style-name index-name "
        "caption-sequence-name style-override",
    ),
    _build_names("table", "name style-name default-cell-style-name paragraph-style-name"),
    _build_names(
        "draw",
        "name style-name text-style-name id control start-shape end-shape chain-next-name fill-gradient-name "
        "fill-hatch-name fill-image-name opacity-name stroke-dash marker-start marker-end caption-id",
    ),
    _build_names("form", "name id for text-style-name"),
    _build_names("office", "name"),
    _build_names("xml", "id"),
)

# Attributes whose value people write.
WRITTEN = frozenset().union(
    _build_names("text", "string-value key1 key2 bullet-char prefix suffix"),
    _build_names("style", "num-prefix num-suffix leader-text"),
    _build_names("form", "label title value current-value"),
)

# Attributes of the look, whose value is made of words and measures of the format.
LOOKS = frozenset().union(
    _build_names(
        "fo",
        "background-color border border-bottom border-left border-right border-top break-after break-before clip color "
        "column-count column-gap end-indent font-size font-style font-variant font-weight height hyphenate "
        "hyphenation-keep hyphenation-ladder-count hyphenation-push-char-count hyphenation-remain-char-count "
        "keep-together keep-with-next letter-spacing line-height margin margin-bottom margin-left margin-right "
        "margin-top max-height max-width min-height min-width orphans padding padding-bottom padding-left "
        "padding-right padding-top page-height page-width space-after space-before start-indent text-align "
        "text-align-last text-indent text-shadow text-transform widows width wrap-option",
    ),
    _build_names(
        "style",
        "adjustment auto-text-indent auto-update background-transparency border-line-width border-line-width-bottom "
        "border-line-width-left border-line-width-right border-line-width-top cell-protect class color column-width "
        "contextual-spacing default-outline-level diagonal-bl-tr diagonal-bl-tr-widths diagonal-tl-br "
        "diagonal-tl-br-widths direction display distance distance-after-sep distance-before-sep dynamic-spacing "
        "editable family first-page-number flow-with-text font-family-generic font-family-generic-asian "
        "font-family-generic-complex font-independent-line-spacing font-pitch font-pitch-asian font-pitch-complex "
        "font-relief font-size-asian font-size-complex font-size-rel font-style-asian font-style-complex "
        "font-weight-asian font-weight-complex footnote-max-height glyph-orientation-vertical height horizontal-pos "
        "horizontal-rel join-border justify-single-word layout-grid-base-height layout-grid-base-width "
        "layout-grid-color layout-grid-display layout-grid-lines layout-grid-mode layout-grid-print "
        "layout-grid-ruby-below layout-grid-ruby-height layout-grid-snap-to layout-grid-standard-mode leader-color "
        "leader-style leader-type leader-width length letter-kerning line-break line-height-at-least line-spacing "
        "line-style lines list-level may-break-between-rows min-row-height mirror num-format num-letter-sync "
        "number-wrapped-paragraphs overflow-behavior page-number page-usage position print-orientation protect "
        "punctuation-wrap register-true rel-column-width rel-height rel-width repeat rotation-align rotation-angle "
        "row-height ruby-align ruby-position run-through scale-to script-type shadow shrink-to-fit "
        "snap-to-layout-grid style tab-stop-distance text-align-source text-autospace text-blinking text-combine "
        "text-emphasize text-line-through-color text-line-through-mode text-line-through-style "
        "text-line-through-type text-line-through-width text-outline text-overline-color text-overline-mode "
        "text-overline-style text-overline-type text-overline-width text-position text-rotation-angle "
        "text-rotation-scale text-scale text-underline-color text-underline-mode text-underline-style "
        "text-underline-type text-underline-width type use-optimal-column-width use-optimal-row-height "
        "use-window-font-color vertical-align vertical-pos vertical-rel width wrap wrap-contour wrap-contour-mode "
        "wrap-dynamic-threshold writing-mode writing-mode-automatic",
    ),
    _build_names(
        "svg",
        "cx cy fill-rule height offset r rx ry stop-color stop-opacity stroke-color stroke-linecap stroke-opacity "
        "stroke-width width x x1 x2 y y1 y2 font-size font-weight font-style",
    ),
    _build_names(
        "draw",
        "align angle auto-grow-height auto-grow-width blue border caption-angle caption-angle-type caption-escape "
        "caption-escape-direction caption-fit-line-length caption-gap caption-line-length caption-point-x "
        "caption-point-y caption-type color color-inversion color-mode concave contrast corner-radius corners cx cy "
        "decimal-places display distance dots1 dots1-length dots2 dots2-length end-angle end-color end-glue-point "
        "end-intensity escape-direction fill fill-color fill-hatch-solid fill-image-height fill-image-ref-point "
        "fill-image-ref-point-x fill-image-ref-point-y fill-image-width fit-to-contour fit-to-size gamma "
        "gradient-step-count green guide-distance guide-overhang handle-mirror-horizontal handle-mirror-vertical "
        "image-opacity kind line-distance line-skew luminance marker-end-center marker-end-width "
        "marker-start-center marker-start-width measure-align measure-vertical-align mirror-horizontal "
        "mirror-vertical opacity parallel placing red rotation secondary-fill-color shadow shadow-color "
        "shadow-offset-x shadow-offset-y shadow-opacity sharpness show-unit start-angle start-color start-glue-point "
        "start-intensity start-line-spacing-horizontal start-line-spacing-vertical stroke stroke-linejoin style "
        "end-line-spacing-horizontal end-line-spacing-vertical "
        "symbol-color text-rotate-angle textarea-horizontal-align textarea-vertical-align tile-repeat-offset unit "
        "wrap-influence-on-position z-index text-path-allowed",
    ),
    _build_names(
        "table",
        "align border-model display is-sub-table number-columns-repeated number-columns-spanned number-rows-repeated "
        "number-rows-spanned print protected use-banding-columns-styles use-banding-rows-styles "
        "use-first-column-styles use-first-row-styles use-last-column-styles use-last-row-styles visibility",
    ),
    _build_names(
        "text",
        "active alphabetical-separators anchor-page-number anchor-type animation animation-delay animation-direction "
        "animation-repeat animation-start-inside animation-steps animation-stop-inside bullet-relative-size c "
        "capitalize-entries caption-sequence-format combine-entries combine-entries-with-dash "
        "combine-entries-with-pp comma-separated consecutive-numbering continue-numbering copy-outline-levels "
        "count-empty-lines count-in-text-boxes display display-levels display-outline-level "
        "dont-balance-text-columns fixed footnotes-position ignore-case increment index-scope is-hidden "
        "is-list-header label-followed-by level line-break line-number list-level-position-and-space-mode "
        "list-tab-stop-position main-entry min-label-distance min-label-width note-class number-lines "
        "number-position numbered-entries offset outline-level page-adjust placeholder-type protected "
        "reference-format relative-tab-stop-position restart-numbering restart-on-page select-page sort-ascending "
        "sort-by-position space-before start-numbering-at start-value tab-ref use-caption use-chart-objects "
        "use-draw-objects use-floating-frames use-graphics use-index-marks use-index-source-styles "
        "use-keys-as-entries use-math-objects use-objects use-other-objects use-outline-level use-soft-page-breaks "
        "use-spreadsheet-objects use-tables bibliography-data-field",
    ),
    _build_names(
        "form",
        "auto-complete automatic-focus button-type current-selected current-state default-button delay-for-repeat "
        "disabled dropdown focus-on-click image-align image-position is-tristate max-length multi-line multiple "
        "orientation printable readonly repeat selected size spin-button state step-size tab-cycle tab-index "
        "tab-stop toggle visual-effect",
    ),
    _build_names("xlink", "type show actuate"),
    _build_names("office", "version"),
)

_WORDS = frozenset(
    "0 above active additional after alias alignment all alpha alphabetical always ampm and animated appear area "
    "around article as asian auto automatic avoid back background balanced baseline before begin below between "
    "bevel biggest black block body bold bolder book booktitle both bottom bounded bullet butt button capitalize "
    "caps cell center centered chapter char character checked circle clip collapsing color column columns complex "
    "concurrent condensed conference content contents continuous contour copy cubic current curve custom1 custom2 "
    "custom3 custom4 custom5 dash dashed dashes data decimal decorative default delimiter diamond direct direction "
    "disc discard disregard distribute document dot dots dotted double down drawing dynamic each edition editor "
    "element elements ellipse ellipsoid email embed embossed enclosed end endnote engraved entry even expanded "
    "external extra fade false field figure filter first fixed flat fo font foo footer footnote for force "
    "foreground form forward frame free from full gradient graphic greyscale groove group hand hanging hatch header "
    "heading hidden horizontal html hyphens iconic ideograph ignore image implicit inbook incollection increasing "
    "index inherit inline inproceedings inset inside institution invisible italic iterative journal justify keep "
    "label landscape last layout left letter letters level light lighter limit line linear lines link list listtab "
    "loop lowercase lr ltr luminance main manual margin marginalia margins mastersthesis max medium menu middle "
    "minimum mirrored misc miter mixed mode modern mono month more name named narrow never new next no none normal "
    "not note nothing number numbering oblique odd off on onLoad onRequest once ooo opposite optimal organizations "
    "other outline outset outside over overlap page pages paper paragraph parallel pen phdthesis pitch portrait "
    "position preserve preserving previous print printable proceedings proportional publisher push radial radio "
    "raised rect rectangle rectangular ref region reject remain repeat replace report reset restart ridge right rl "
    "roman round row rows ruby run same scale school screen script scroll section selected semi separate separating "
    "sequence series serif shape short shrink simple single size skip slant slash slide small smaller soft solid "
    "space spacing spheroid square standard start static stop stretch strict stripes stroke style sub submit "
    "successive sunken super swiss system tab table tb techreport template text thick thin through tick tiled time "
    "times title to top transparent triple true type uncapitalized unchecked underline unknown unpublished unsorted "
    "up upper uppercase url value variable vertical view visible volume watermark wave wide width with word words "
    "wrap write x year zero".split()
)
_NUMBER = r"[-+]?(?:\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})(?:cm|mm|in|inch|pt|pc|px|em|%|deg|grad|rad|\*)?"
    r"|#[0-9A-Fa-f]{6}|rect\(|\)|(?P<word>[A-Za-z]+\d?(?:-[A-Za-z]+\d?)*)"
)
_MEASURES = 4  # numbers of one value: the four sides of a border

_ENUMERATION = {
    "style:num-format": re.compile(r"|1|a|A|i|I|一, 二, 三, \.\.\.|[^\W\d_], [^\W\d_], [^\W\d_], \.\.\."),
    "svg:viewBox": re.compile(r"-?\d{1,5} -?\d{1,5} \d{1,5} \d{1,5}"),
    "draw:points": re.compile(r"(?:-?\d{1,5},-?\d{1,5}(?: |$))+"),
    "svg:d": re.compile(r"(?:[A-Ya-y](?![A-Za-z])|[zZ]|[ ,]|[-+]?\d{1,5}(?:\.\d{1,4})?(?![\d.]))*"),
    "draw:enhanced-path": re.compile(r"(?:[A-Z](?![a-z])|[ ,]|[?$]?f?-?\d{1,5}(?:\.\d{1,4})?(?![\d.]))*"),
    "draw:modifiers": re.compile(r"(?:-?\d{1,5}(?:\.\d{1,8})?(?: |$))+"),
    "draw:text-areas": re.compile(r"(?:[?$]?f?-?\d{1,5}(?: |$)|(?:logwidth|logheight|left|top|right|bottom)(?: |$))+"),
    "draw:handle-position": re.compile(r"(?:(?:[?$]f?\d{1,3}|-?\d{1,5}|left|top|right|bottom)(?: |$))+"),
    "draw:formula": re.compile(
        r"(?:[-+*/(), ]|\d{1,5}(?:\.\d{1,6})?(?![\d.])|[?]f\d{1,3}(?!\d)|[$]\d{1,2}(?!\d)"
        r"|\b(?:abs|sqrt|sin|cos|tan|atan2?|min|max|if|pi|left|top|right|bottom|width|height|logwidth|logheight|xstretch|ystretch|hasstroke|hasfill)\b)*"
    ),
    "draw:transform": re.compile(
        r"(?: ?(?:rotate|scale|translate|skewX|skewY|matrix) ?"
        r"\((?:-?\d{1,5}(?:\.\d{1,15})?(?:cm|mm|in|pt)?(?:[ ,]+|(?=\)))){1,6}\))+"
    ),
    "draw:type": re.compile(r"(?:ooxml-)?(?:rect|rectangle|ellipse|triangle|non-primitive|round-rectangle|diamond)"),
    "fo:language": re.compile(r"[a-z]{2,3}|none|zxx"),
    "fo:country": re.compile(r"[A-Z]{2}|none"),
    "fo:script": re.compile(r"[A-Z][a-z]{3}"),
    "office:version": re.compile(r"1\.\d"),
    "form:control-implementation": re.compile(
        r"(?:ooo:)?com\.sun\.star\.form\.component\.(?:Form|TextField|CommandButton|RadioButton|CheckBox|ListBox|ComboBox"
        r"|GroupBox|FixedText|GridControl|FileControl|HiddenControl|ImageControl|ImageButton|DateField|TimeField"
        r"|NumericField|CurrencyField|PatternField|FormattedField|ScrollBar|SpinButton|NavigationToolBar)"
    ),
}  # fmt: skip
_ENUMERATION |= {f"style:language-{s}": _ENUMERATION["fo:language"] for s in ("asian", "complex")}
_ENUMERATION |= {f"style:country-{s}": _ENUMERATION["fo:country"] for s in ("asian", "complex")}


def is_look(attribute: str, value: str) -> bool:
    """Whether an attribute, named with its usual prefix, says nothing but the look.

    >>> is_look("fo:border", "0.06pt solid #000000"), is_look("fo:border", "0.06pt Kowalczyk")
    (True, False)
    """
    if attribute in _ENUMERATION:
        return _ENUMERATION[attribute].fullmatch(value) is not None
    if attribute not in LOOKS:
        return False
    tokens = [
        _TOKEN.fullmatch(token) for token in re.split(r"[\s,]+|(?<=\()|(?=\))", value) if token
    ]
    if not all(tokens):
        return False
    numbers = [found for found in tokens if found and found["number"]]
    words = [
        word for found in tokens if found and found["word"] for word in found["word"].split("-")
    ]
    return len(numbers) <= _MEASURES and all(
        word.rstrip("23") in _WORDS or word in _WORDS for word in words
    )


_STYLES = frozenset(
    "abstract addressee anchor appendix bibliography body bold bullet bullets caps caption centered char character "
    "characters citation comment cont contents convert default definition document drawing drop embedded emphasis "
    "end endnote entry envelope even example figure first followed font footer footnote formula frame graphics "
    "hanging header heading html hyperlink illustration image indent index internet italic label labels landscape "
    "left line link list listlabel main marginalia name no normal note number numbering object odd ole outline page "
    "paragraph placeholder preformatted quotations quote reference right rubies salutation section sender separator "
    "shape signature source standard start strong style subtitle symbol symbols table teletype template text title "
    "user variable visited watermark web with without ww ww8num wwnum".split()
)
_AUTOMATIC = re.compile(
    r"(?:M?[PTRLN]|M?(?:fr|gr|dp|pm)|Sect|Table|Frame|Image|Section|Text|ce|co|ro|ta|f|name|control|WWNum|WW8Num"
    r"|ListLabel)\d{1,4}(?:z\d)?(?:\.(?:[A-Z]{1,2}|\d{1,3})?\d{0,4})?"
)
_ENCODED = re.compile(r"_([0-9a-f]{2,4})_")
_FONTS = frozenset(
    "arial|arial black|arial narrow|arial unicode ms|bitstream vera sans|book antiqua|bookman old style|calibri|"
    "calibri light|cambria|cambria math|candara|caladea|carlito|century gothic|century schoolbook|comic sans ms|"
    "consolas|constantia|corbel|courier|courier new|dejavu sans|dejavu sans mono|dejavu serif|droid sans fallback|"
    "franklin gothic book|freesans|freeserif|garamond|georgia|gentium basic|helvetica|impact|liberation mono|"
    "liberation sans|liberation sans narrow|liberation serif|linux libertine g|lohit devanagari|lucida console|"
    "lucida sans|lucida sans unicode|mangal|microsoft yahei|ms gothic|ms mincho|ms sans serif|nsimsun|noto sans|"
    "noto sans cjk sc|noto sans devanagari|noto sans mono|noto serif|noto serif cjk sc|open sans|opensymbol|"
    "palatino linotype|roboto|segoe ui|simsun|starsymbol|symbol|tahoma|times|times new roman|trebuchet ms|ubuntu|"
    "unifont|verdana|webdings|wingdings|wingdings 2|wingdings 3|serif|sans-serif|monospace|ms ゴシック|ms 明朝|"
    "ms pgothic|ms pmincho|batang|malgun gothic|meiryo|simhei|宋体|黑体|新細明體|맑은 고딕".split(
        "|"
    )
)


def is_name_of_format(name: str) -> bool:
    """Whether an office program gives this name by itself: `P1`, `Heading_20_1`, a common font."""
    plain = _ENCODED.sub(lambda found: chr(int(found[1], 16)), name)
    if is_font(plain.rstrip("0123456789")) and len(name) - len(name.rstrip("0123456789")) < 3:
        return True
    if _AUTOMATIC.fullmatch(plain):
        return True
    words = re.findall(r"[^\W\d_]+\d*|\d+|\S", plain)
    digits = sum(map(str.isdigit, plain))
    return digits <= 4 and all(
        w.casefold().rstrip("0123456789") in _STYLES or w.isdigit() or w == "." for w in words
    )


def is_font(family: str) -> bool:
    return unicodedata.normalize("NFKC", family).strip().strip("'\"").casefold() in _FONTS
