"""The words and patterns that tell a confidential attribute, beside the word lists of the bundle."""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.text.confidential import Confidential
from maskwise.text.word_lists import read_words

# Words of the lists that mostly say something else.
THINGS = frozenset(
    "roman greek paint virus injury shock stress burn bruise cold mainstream labour independent".split()
)

WORDS: Mapping[Confidential, tuple[str, ...]] = {
    Confidential.HEALTH: read_words("confidential_health"),
    Confidential.BELIEF: read_words("confidential_belief"),
    Confidential.POLITICS: read_words("confidential_politics"),
    Confidential.ETHNIC: read_words("confidential_ethnic"),
    Confidential.SEX: read_words("confidential_sex"),
}

TRIGGERS: Mapping[Confidential, tuple[str, ...]] = {
    Confidential.SEX: (
        *(
            "boyfriend",
            "girlfriend",
            "his husband",
            "her wife",
            "affair",
            "sex life",
            "sexual relations",
            "unfaithful",
        ),
        *("prostitut", "extramarital", "sexual orientation", "sexually"),
    ),
    Confidential.BELIEF: (
        "prays",
        "mosque every",
        "ramadan",
        "sabbath",
        "headscarf",
        "halal",
        "kosher",
        "goes to the mosque",
    ),
    Confidential.UNION: ("union", "shop steward", "unison", "teamsters"),
    Confidential.GENETIC: (
        "gene",
        "mutation",
        "dna",
        "hereditary",
        "karyotype",
        "carrier of",
        "paternity",
        "genome",
        "chromosom",
    ),
    Confidential.BIOMETRIC: (
        *(
            "fingerprint",
            "palm print",
            "palmprint",
            "iris scan",
            "retina",
            "voiceprint",
            "voice print",
            "facial image",
        ),
        *("facial recognition", "face template", "hand geometry", "face scan"),
    ),
    Confidential.CRIME: (
        *(
            "convict",
            "guilty",
            "accused of",
            "suspected of",
            "suspicion of",
            "charged with",
            "charge of",
            "arrested for",
        ),
        *(
            "arrested on",
            "sentenced",
            "criminal record",
            "prison for",
            "probation",
            "pre-trial detention",
            "confessed to",
        ),
        *(
            "fined for",
            "imprisonment",
            "served time",
            "years for",
            "months for",
            "prosecuted for",
            "embezzle",
        ),
    ),
}

_OFFENCE = (
    r"(?:theft|fraud|robbery|burglary|murder|manslaughter|assault|rape|extortion|possession|drink|drunk|driving"
    r"|drugs?"
    r"|embezzlement|shoplifting|arson|blackmail|bribery|smuggling|trafficking|kidnapping|perjury|forgery|terror\w*"
    r"|offence|offense|crime|tax evasion|stalking|abuse|having|membership|treason|espionage|violence|harassment)"
)
PATTERNS: Mapping[Confidential, re.Pattern[str]] = {
    Confidential.SEX: re.compile(
        r"\bhis (?:boyfriend|husband)\b|\bher (?:girlfriend|wife)\b|\b(?:had|having|has|have) an? (?:\w+ )?affair\b"
        r"|\bsex life\b|\bsexual relations\b|\bunfaithful\b|\b(?:as|is|was|became) an? prostitute\b|\bprostituted\b"
        r"|\bextramarital\b|\b(?:his|her|my|their) sexual orientation\b",
        re.IGNORECASE,
    ),
    Confidential.BELIEF: re.compile(
        r"\bprays\b|\bgoes to the mosque\b|\bmosque every\b|\b(?:fasts?|fasting) during Ramadan\b"
        r"|\bkeeps the Sabbath\b"
        r"|\bwears? (?:her |a |his )?headscarf\b|\b(?:asked for|eats? only) (?:halal|kosher)\b",
        re.IGNORECASE,
    ),
    Confidential.UNION: re.compile(
        r"\btrade[- ]union(?:ists?|[- ](?:member(?:ship)?|rep(?:resentative)?s?|activit(?:y|ies)|official"
        r"|delegate))?\b"
        r"(?! law)|(?<!credit )(?<!student )(?<!customs )(?<!rugby )\bunion (?:member(?:ship)?"
        r"|rep(?:resentative)?s?"
        r"|delegate|organi[sz]er|dues|activist|official|steward)\b|\b(?:is|was|elected|be|become|became"
        r"|as) (?:a )?shop"
        r" steward\b|\b(?:member|secretary|president|chair\w*|treasurer) of (?:the |a )?(?!European|Soviet"
        r"|Western|credit"
        r"|customs|student)(?:[\w'’]+ ){0,2}union\b|\b(?:joined|member of|belongs to) (?:the )?(?:UNISON|Unison"
        r"|Teamsters"
        r"|Unite)\b",
    ),
    Confidential.GENETIC: re.compile(
        r"\bcarr(?:y|ies|ied|ier of)\b[^.;,]{0,36}\b(?:gene|mutation|trait)\b(?: for [^.;,]{0,30})?"
        r"|\bcarrier of (?:the )?\w+"
        r"|\btested positive for the \w+ gene\b|\bgenetic test(?:ing)?\b(?! tool)(?=[^.]{0,40}\b(?:showed|came"
        r"|confirmed"
        r"|revealed|positive))|\bhereditary (?:\w+ )?(?:mutation|defect|disease|condition|disorder)\b"
        r"|\bgenetic (?:defect|disorder|condition|disease)\b"
        r"|\b(?:his|her|my|their|['’]s) (?:DNA|genome|karyotype|genes)\b|\bDNA profile\b"
        r"|\bconfirmed by a DNA test\b",
        re.IGNORECASE,
    ),
    Confidential.BIOMETRIC: re.compile(
        r"(?:\b(?:his|her|my|their|our)|['’]s) (?:\w+ )?(?:finger ?prints?|palm ?prints?|iris scan|voice ?print"
        r"|face"
        r" template|facial image|face scan|hand geometry|retinal? scan)\b"
        r"|\b(?:iris scan|voice ?print|facial image|retinal? scan|fingerprints?) (?:of"
        r"|identified) (?!the (?:cert|key))"
        r"|\bfingerprinted\b",
        re.IGNORECASE,
    ),
    Confidential.CRIME: re.compile(
        r"\bconvicted\b(?: (?:of|for) [^.;,]{0,40})?|\bguilty of\b|\bpleaded guilty\b|\bfound guilty\b"
        rf"|\b(?:accused|suspected|suspicion|charge|count) of (?:\w+ ){{0,4}}?{_OFFENCE}\b"
        rf"|\bcharged with (?:\w+ ){{0,3}}?{_OFFENCE}\b|\barrested (?:for|on)\b[^.;,]{{0,30}}"
        rf"|\bsentenced to\b[^.;,]{{0,30}}"
        rf"|\bcriminal record\b|\bprevious convictions?\b|\bin prison for\b|\bon probation\b"
        rf"|\bpre-trial detention\b"
        rf"|\bconfessed to (?:\w+ ){{0,3}}?{_OFFENCE}\b|\b(?:fined|prosecuted|indicted) for (?:\w+ ){{0,2}}?\w+\b"
        rf"|\bserved (?:time|\w+ (?:years|months)) for (?:\w+ ){{0,2}}?{_OFFENCE}\b",
        re.IGNORECASE,
    ),
}
