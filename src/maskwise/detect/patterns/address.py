"""Street addresses, post boxes and postcodes, and places that a word for a kind of place gives away."""

from __future__ import annotations

from maskwise.detect.patterns._places import HEAD, PLACES, TOWN
from maskwise.detect.patterns._shapes import (
    CAP,
    LETTER,
    PARTICLE,
    UPPER,
    match_leading,
    match_one_of,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import ADDRESS, ROAD_NUMBER

_STREETS = (
    "Street St Road Rd Avenue Ave Lane Drive Square Close Crescent Terrace Place Gardens Boulevard Blvd Row Mews "
    "Parade Quay Grove Highway Alley Walk Wharf"
).split()
_WEAK_STREETS = "Way Hill Park Green Rise View".split()  # only with a house number
# These tell a road by themselves; the shorter ones stand in many other words.
_LONG_STREETS = [word for word in _STREETS if len(word) > 3 and word != "Place"]
_LONG_WEAK_STREETS = ("Hill", "Park", "Green", "Rise")
_COMPOUND = (
    "strasse straße gasse weg platz allee gate gaten gata veien vegen gatan vägen plassen torget straat laan plein "
    "gracht kade singel katu tie utca vegur stræti gade vej väg steeg dreef damm ufer"
).split()
_PREFIXES = (
    "rue Rue Via calle Calle rua Rua avenida Avenida plaza Plaza piazza Piazza viale Viale corso Corso strada Strada "
    "ulitsa prospekt ul. ulica al. aleja os. bd. boulevard Boulevard avenue chemin quai paseo Paseo carrer "
    "impasse allée Travessa Praça Largo Alameda Beco Estrada Camino Ronda Vicolo Piazzale"
).split()
NUMBER = r"\d{1,5}(?:[A-Za-z]| (?:bis|ter)(?=,? [^\W\d_]))?(?:[-–/]\d{1,4}[A-Za-z]?)?"
_UK = r"(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[AC-FHKNPRTV-Y]\d[\dW] ?[AC-FHKNPRTV-Y\d]{4})"
_POSTCODE = (
    rf"(?:{_UK}|(?:[A-Z]{{1,2}}-)?\d{{2}}-\d{{3}}|\d{{4}} [A-Z]{{2}}(?!\w)|(?:[A-Z]{{1,3}}-)?\d{{4,6}}"
    rf"(?:-\d{{4}})?|[A-Z]{{2}} \d{{5}}(?:-\d{{4}})?)"
)
_SHORTENED = r"(?:(?:(?<=\bSt)|(?<=\bRd)|(?<=\bAve)|(?<=\bBlvd))\.)?"  # "Road." ends a sentence
TAIL = (
    rf"(?:,? (?:Flat|Apt\.?|Apartment|Unit|Suite|Block|Floor) ?\w{{1,4}})?(?:,? (?:{_POSTCODE} {TOWN}|{_UK}|"
    rf"(?<=, ){TOWN}(?:,? {_POSTCODE})?)){{0,3}}"
)


def end_with_space(words: str) -> tuple[str, ...]:
    """The words as triggers that stand before another word."""
    return tuple(f"{word} " for word in words.split())


FAMILY = Family(
    name="address",
    rules=(
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=(
                rf"(?:[Nn]o\.? ?|[Nn]umber )?(?<![\w.,/]){NUMBER},? (?:(?:St|Mt)\.? )?{CAP}(?: {CAP}){{0,3}}? "
                rf"{match_one_of(_STREETS + _WEAK_STREETS)}{_SHORTENED}(?!{LETTER}){TAIL}"
            ),
            triggers=(
                *(f" {word.lower()}" for word in (*_LONG_STREETS, "Place", *_LONG_WEAK_STREETS)),
                *(" row", " st.", " st,", " rd", " ave", " way,"),
            ),
            reach=96,
            score=0.9,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"{HEAD}(?: {CAP}){{0,2}}? {match_one_of(_LONG_STREETS)}"
            rf"(?: (?:North|South|East|West)(?!{LETTER}))?(?!{LETTER}| [{UPPER}])",
            triggers=tuple(f" {word.lower()}" for word in _LONG_STREETS),
            score=0.75,
        ),
        # "via dei Mille 12": in small letters an English word too, so the number must follow.
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?<!\w)(?:via|viale|corso|vicolo|largo|rue|calle|carrer|rua|ulica|ulice) "
            rf"(?:(?:dei|degli|delle|della|dello|del|dell['’]|de la|de l['’]|des|de|du|do|da|dos|das) ?)?"
            rf"{CAP}(?: {CAP}){{0,3}},? (?:n[.°º]? ?)?{NUMBER}(?!\w){TAIL}",
            triggers=end_with_space(
                "via viale corso vicolo largo rue calle carrer rua ulica ulice"
            ),
            opens=True,
            score=0.85,
        ),
        # "Ty Coch, Heol Fawr", "7 Sráid na Mara", "Carrera 7 # 45-10": the word for the road comes first
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?<!\w)(?:{NUMBER},? )?(?:(?:T[yŷ]|Plas|Bryn|Maes) {CAP}, )?(?:Heol|L[oô]n|Stryd|Ffordd|Sráid"
            rf"|Bóthar|Jalan|Jl\.?|Barangay|Brgy\.?|Sitio|Purok) (?:(?:na|an|y|yr|San|Santa) )?{CAP}(?: {CAP})?"
            rf"(?:,? (?:No\.? ?)?{NUMBER}(?!\w))?{TAIL}",
            triggers=(
                *end_with_space("heol lon lôn stryd ffordd sráid bóthar jalan jl. jl"),
                *end_with_space("barangay sitio purok"),
                "brgy",
            ),
            reach=48,
            score=0.8,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=r"(?<!\w)(?i:carrera|cra\.?|calle|cl\.?|avenida|av\.?|diagonal"
            r"|transversal|kr\.?) [0-9]{1,3}[A-Za-z]?"
            r"(?: (?i:bis|sur|norte|este|oeste))? ?(?:#|No\.?|n[°º]) ?[0-9]{1,3}[A-Za-z]? ?[-–] ?[0-9]{1,3}"
            r"(?:,? (?i:apto|apt|int|oficina|of|torre|casa|bloque)\.? ?[0-9A-Z]{1,5}){0,2}",
            triggers=(
                *end_with_space("carrera calle avenida diagonal transversal"),
                *("cra", "cl", "av", "kr"),
            ),
            opens=True,
            score=0.9,
        ),
        # "Tanner's Row": these words need a possessive before them.
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"{CAP}['’]s (?:Row|Hill|Way|Yard|Wharf|Corner|End|Green|Walk|Field|Croft)"
            rf"(?!{LETTER}| [{UPPER}])",
            triggers=tuple(
                f"{sign}s {word}"
                for sign in "'’"
                for word in "row hill way yard wharf corner end green walk field croft".split()
            ),
            reach=48,
            score=0.8,
        ),
        # "UNIT 5 DOVER IND. ESTATE", "Unit 7, Larch Business Park"
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?i:units?|suite|plot) [0-9A-Z]{{1,4}}(?:-[0-9A-Z]{{1,3}})?,? (?:{CAP}\.? ){{1,4}}?"
            rf"(?i:estate|park|centre|center|arcade|works|wharf|yard)(?!{LETTER}){TAIL}",
            triggers=("unit ", "units ", "suite ", "plot "),
            opens=True,
            score=0.85,
        ),
        # "H.No. 4-52/1, Gandhi Nagar", "House no. 7, Elm End"
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?:H\.? ?No|(?i:house|door|plot|flat) ?(?i:no|number))\.?:? ?[0-9][\w/-]{{0,10}},?"
            rf" {CAP}(?: {CAP}){{0,3}}{TAIL}",
            triggers=(
                "h.no",
                "h. no",
                "h.no.",
                "hno",
                "house no",
                "house number",
                "door no",
                "plot no",
                "flat no",
            ),
            opens=True,
            score=0.85,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"[{UPPER}](?<!\w.)\w{{2,24}}?{match_one_of([*_COMPOUND, 'str.'])}(?!{LETTER}) {NUMBER}(?!\d)"
            rf"{TAIL}|"
            rf"{CAP}(?:[- ]{CAP})? (?:Road|Strasse|Straße|Weg|Allee|Gate|Vei|utca|út|tér) \d{{1,4}}[a-zA-Z]?(?!\w)"
            rf"{TAIL}",
            triggers=(*_COMPOUND, "str.", " road ", " vei ", " út ", " tér "),
            reach=96,
            score=0.9,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"[{UPPER}](?<!\w.)\w{{2,24}}?(?:strasse|straße|gasse|gatan|gaten|straat|gracht)(?!\w)",
            triggers=("strasse", "straße", "gasse", "gatan", "gaten", "straat", "gracht"),
            score=0.8,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=(
                rf"(?:{NUMBER},? )?{match_leading(_PREFIXES)} "
                rf"(?:(?:{PARTICLE}|des |du |dei |delle |dell['’]|d['’]|l['’]){{1,2}})?{CAP}"
                rf"(?: (?:{PARTICLE})?{CAP}){{0,3}}(?:,? {NUMBER}(?:[/m. ]{{1,3}}\d{{1,3}})?(?!\w))?{TAIL}"
            ),
            triggers=tuple(f"{word.lower()} " for word in _PREFIXES),
            reach=96,
            score=0.85,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"(?:(?i:P\.? ?O\.? ?Box|Postboks|Postfach|Apartado|Boîte postale)|B\.P\.) \d{{1,6}}(?!\d){TAIL}",
            triggers=(
                " box ",
                "o. box",
                "postboks",
                "postfach",
                "apartado",
                "boîte postale",
                "b.p.",
            ),
            reach=80,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=rf"[A-Z](?<!\w.)(?:[A-Z]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{{2}}|-\d{{4,5}} {CAP}|[A-Z]-\d{{4,5}} "
            rf"{CAP}|\d[A-Z] \d[A-Z]\d|(?<=[AC-FHKNPRTV-Y])\d[\dW] (?=[A-Z\d]{{0,3}}\d)[AC-FHKNPRTV-Y\d]{{4}})"
            rf"(?!\w)",
            shapes=("A0", "AB0", "A00", "A-1000", "AB-1000"),
            opens=True,
            score=0.8,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=(
                rf"[,\n] ?(?P<m>(?<=, )(?!(?:1[5-9]|20)\d\d )\d{{4,5}} {TOWN}(?=[,.;)\n]|\Z)|[A-Z]{{2}} \d{{5}}"
                rf"(?:-\d{{4}})?(?!\w)|"
                rf"\d{{2}}-\d{{3}} {TOWN}|\d{{4}} [A-Z]{{2}} {TOWN})"
            ),
            shapes=(
                *(", 1000 A", ", 10000 A"),
                *(
                    start + code
                    for start in (",", ", ", " ", "  ")
                    for code in ("AB 10000", "10-100 A", "1000 AB A")
                ),
            ),
            opens=True,
            score=0.7,
        ),
        *PLACES,
        Rule(
            name=ROAD_NUMBER,
            type=EntityType.LOC,
            regex=r"[AEMBN]\d{1,4} (?:motorway|highway|road|autobahn)|(?:Route|Highway|Interstate) \d{1,4}(?!\w)",
            triggers=(
                " motorway",
                " highway",
                " road",
                " autobahn",
                "route ",
                "highway ",
                "interstate ",
            ),
            reach=24,
            score=0.8,
        ),
    ),
    positive=(
        ("He lives at 5 Elm Road.", ("5 Elm Road",)),
        ("lives at Ty Coch, Heol Fawr, now", ("Ty Coch, Heol Fawr",)),
        ("at 7 Sráid na Mara, he", ("7 Sráid na Mara",)),
        ("vive en Carrera 7 # 45-10, apto 302;", ("Carrera 7 # 45-10, apto 302",)),
        ("near Union Street West with", ("Union Street West",)),
        ("found in Tanner's Row, late", ("Tanner's Row",)),
        ("FROM: UNIT 5 DOVER IND. ESTATE\n", ("UNIT 5 DOVER IND. ESTATE",)),
        ("H.No. 4-52/1, Keldby Nagar and", ("H.No. 4-52/1, Keldby Nagar",)),
        ("residente in via dei Mille 12.", ("via dei Mille 12",)),
        ("It is at 5 Elm Rd. in town.", ("5 Elm Rd.",)),
        ("He lives at 12 High Street, London SW1A 1AA.", ("12 High Street, London SW1A 1AA",)),
        ("Elm Road 5, 4021 Stavanger", ("Elm Road 5, 4021 Stavanger",)),
        ("przy ul. Długa 12 w", ("ul. Długa 12",)),
        ("Hauptstrasse 5, 10115 Berlin", ("Hauptstrasse 5, 10115 Berlin",)),
        ("Send it to PO Box 12, please", ("PO Box 12",)),
        ("SEND IT TO PO BOX 4471", ("PO BOX 4471",)),
        ("111A Almond Road", ("111A Almond Road",)),
        ("No. 18 Quarry Lane, Morden", ("No. 18 Quarry Lane, Morden",)),
        ("postcode EC1A 1BB was", ("EC1A 1BB",)),
        ("at Storgaten 2a, 5003 Bergen", ("Storgaten 2a, 5003 Bergen",)),
        ("5 rue de la Paix, 75002 Paris", ("5 rue de la Paix, 75002 Paris",)),
        ("in Via Garibaldi 7", ("Via Garibaldi 7",)),
        ("Springfield, IL 62704", ("IL 62704",)),
        ("at Keldby Airport near Lake Orran", ("Keldby Airport", "Lake Orran")),
        ("the Tamar Bridge and the Orkla River", ("Tamar Bridge", "Orkla River")),
        ("in County of Elmshire and Brook County", ("County of Elmshire", "Brook County")),
        ("the province of Vallona", ("Vallona",)),
        ("in Kamberi village, Brusk district", ("Kamberi village", "Brusk district")),
        ("lives in Ostrava Dolna", ("Ostrava Dolna",)),
        ("a lawyer practising in Brell.", ("Brell",)),
        ("on the M6 motorway", ("M6 motorway",)),
        ("the Isle of Wenn", ("Isle of Wenn",)),
        ("12 Quay St, Galway H91 E2K8", ("12 Quay St, Galway H91 E2K8",)),
        ("code D6W XY00 there", ("D6W XY00",)),
        ("We lived in Keld, I'm told", ("Keld",)),
        ("chez sa tante, 7 bis rue des Lilas", ("7 bis rue des Lilas",)),
        ("Hlíðarstræti 23", ("Hlíðarstræti 23",)),
        ("walked along Mill Lane to Market Square", ("Mill Lane", "Market Square")),
    ),
    negative=(
        "the District Court of the province",
        "a street in the village",
        "Tanner's Court of Appeal",
        "flew via Paris in 1998",
        "Unit 5 has a car park",
        "In Street v. Moss the court",
        "The river rose. The Region decided.",
        "5 years and 12 months",
        "the state of the art",
        "he was born in 1950",
        "a road accident in an English county",
        "in May, 1834 Albany burned.",
        "lives in a house",
        "the Road Traffic Act",
        "On 5 May 1999 he left",
    ),
)
