"""People in letters of other languages: whom one greets, who signs, who says their name, and relatives.

"Liebe Ana,", "Hola Ana,", "Mit freundlichen Grüßen\\nAna Souza", "soy Ana", "mein Mann Bo".
"""

from __future__ import annotations

from maskwise.detect.patterns._shapes import UPPER
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_WORD = rf"[{UPPER}][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_PARTICLE = r"(?:von|van|de|del|della|di|da|do|dos|du|la|le|der|den|zu|ten|ter|af)"
_NAME = rf"{_WORD}(?:[ ](?:{_PARTICLE}[ ]){{0,2}}{_WORD}){{0,2}}"
_GREETINGS = (
    "liebe lieber hallo servus moin hola buenas querida querido estimada estimado bonjour bonsoir salut coucou chère"
    " cher ciao cara caro olá oi prezada prezado beste hoi dag hej hejsan kära käre kære kjære cześć witaj drogi droga"
    " ahoj milá milý hei moi rakas"
).split()
# What follows a greeting and is no name.
_NO_NAMES = (
    r"(?!(?i:frau|herrn?|damen|kolleg\w+|alle|zusammen|team|leute|kunde|kundin|madame|monsieur|tous|toutes|todos"
    r"|todas|tutti|señora?|señores|clientes?|equipo|equipe|allemaal|alla|wszystkim|pani|panie|państwo|an|und|je|nous"
    r"|vous|tu|el|la|los|le|les)(?!\w))"
)
_CLOSINGS = (
    "grüßen",
    "grüssen",
    "grüße",
    "gruß",
    "gruss",
    "cordialement",
    "salutations",
    "bisous",
    "bises",
    "saludos",
    "saludo",
    "atentamente",
    "abrazo",
    "abraço",
    "saluti",
    "cumprimentos",
    "atenciosamente",
    "groet",
    "groeten",
    "hälsningar",
    "hilsen",
    "hilsner",
    "terveisin",
    "pozdrawiam",
    "poważaniem",
    "pozdravem",
    "mfg",
    "vg",
    "lg",
)
_SAID = (
    r"mein Name ist|ich hei(?:ß|ss)e|me llamo|mi nombre es|je m['’]appelle|mon nom est|mi chiamo|il mio nome è"
    r"|chamo-me|me chamo|meu nome é|mijn naam is|ik heet|jag heter|jeg hedder|jeg heter|nazywam się|mam na imię"
    r"|jmenuji se|nimeni on|soy|sono|je suis|ich bin|ik ben|jag är|jeg er|jestem"
)
_KIN = (
    r"(?:[Mm]eine?[rmn]?|[Uu]nsere?[rmn]?)[ ](?:Mann|Frau|Sohn|Tochter|Bruder|Schwester|Vater|Mutter|Freundin|Freund"
    r"|Partnerin|Partner|Nachbarin|Nachbar|Chefin|Chef|Kollegin|Kollege|Enkelin|Enkel|Oma|Opa)"
    r"|(?:[Mm]i|[Nn]uestr[oa])[ ](?:marido|mujer|esposa|esposo|hij[oa]|herman[oa]|padre|madre|novi[oa]|amig[oa]"
    r"|jef[ea]|prim[oa]|ti[oa]|vecin[oa])"
    r"|(?:[Mm]on|[Mm]a|[Nn]otre)[ ](?:mari|femme|fils|fille|frère|sœur|soeur|père|mère|ami|amie|compagnon|compagne"
    r"|voisine?|cousine?|collègue|patron)"
    r"|(?:[Mm]io|[Mm]ia)[ ](?:marito|moglie|figlio|figlia|fratello|sorella|padre|madre|amic[oa]|zi[oa]|cugin[oa])"
    r"|(?:[Mm]eu|[Mm]inha)[ ](?:marido|mulher|esposa|filh[oa]|irmão|irmã|pai|mãe|amig[oa]|prim[oa])"
    r"|[Mm]ijn[ ](?:man|vrouw|zoon|dochter|broer|zus|vader|moeder|vriend|vriendin|collega)"
    r"|(?:[Mm]ój|[Mm]oja|[Mm]ojego|[Mm]ojej|[Mm]oją)[ ](?:mąż|żona|syn|córka|brat|siostra|ojciec|matka|kolega"
    r"|koleżanka|męża|żony|syna|córki|brata|siostry|żoną|córką)"
    r"|(?:[Mm]in|[Mm]itt)[ ](?:man|fru|son|dotter|bror|syster|kone|mann|sønn|søn|datter|søster|vän|ven|venn)"
)
_END = r"(?![\w’'-])"

FAMILY = Family(
    name="foreign_people",
    rules=(
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?:\A|\n|[.!] )[> \t]*(?i:{'|'.join(_GREETINGS)})[ ]{_NO_NAMES}(?P<m>{_NAME}){_END}"
            r"(?=[ ]?[,!.\n:–-]|[ ](?:und|et|y|e|i|og|och|en)[ ]|\Z)",
            triggers=tuple(f"{word} " for word in _GREETINGS),
            score=0.85,
        ),
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=rf"(?i:{'|'.join(_CLOSINGS)})[ \t]*[,.!]?[ \t]*\n[> \t\n]{{0,6}}(?P<m>{_NAME}){_END}"
            r"(?=[ \t]*(?:[,|(–\n]|\Z))",
            triggers=_CLOSINGS,
            score=0.85,
        ),
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?i:{_SAID})[ ]{_NO_NAMES}(?P<m>{_NAME}){_END}",
            triggers=(
                *("name ist ", "heiße ", "heisse ", "llamo ", "nombre es ", "appelle ", "nom est "),
                *(
                    "chiamo ",
                    "nome è ",
                    "chamo",
                    "nome é ",
                    "naam is ",
                    "heet ",
                    "heter ",
                    "hedder ",
                ),
                *("nazywam się ", "na imię ", "jmenuji se ", "nimeni on ", "soy ", "sono "),
                *("je suis ", "ich bin ", "ik ben ", "jag är ", "jeg er ", "jestem "),
            ),
            score=0.8,
        ),
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?:{_KIN})[ ](?P<m>{_WORD}){_END}",
            triggers=(
                *("mein", "unser", "mi ", "nuestr", "mon ", "ma ", "notre ", "mio ", "mia "),
                *("meu ", "minha ", "mijn ", "mój", "moj", "min ", "mitt "),
            ),
            score=0.8,
        ),
    ),
    positive=(
        ("Liebe Annegret,\nwie geht es", ("Annegret",)),
        ("Hola Maite, qué tal", ("Maite",)),
        ("Bonjour Solène,", ("Solène",)),
        ("Mit freundlichen Grüßen\nAnnegret Holzapfel", ("Annegret Holzapfel",)),
        ("Cordialement,\n\nSolène, secrétariat", ("Solène",)),
        ("Pozdrawiam\nGrażyna", ("Grażyna",)),
        ("soy Joaquín del taller", ("Joaquín",)),
        ("nazywam się Grażyna Lis", ("Grażyna Lis",)),
        ("Mein Mann Torsten und ich", ("Torsten",)),
        ("avec ma fille Maëlle hier", ("Maëlle",)),
    ),
    negative=(
        "Liebe Kolleginnen und Kollegen,",
        "Sehr geehrte Damen und Herren",
        "Hola a todos",
        "soy de Madrid",
        "ich bin müde",
        "Meine Frau ist krank",
    ),
)
