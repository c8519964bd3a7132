"""The language of a text, offline: by its script, and among languages of Latin script by its small words.

Small words (articles, prepositions, pronouns) make up a third of any prose and differ from language to
language, so a
few dozen of each settle a text of ten words. The libraries that do more were looked at: lingua weighs 100 MB, langid's
models are pickles, and detectors by letter frequency err on short texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.text.document import Document

KEY = "language"  # of a document's metadata
ENGLISH = "en"
UNKNOWN = "und"  # as in BCP 47
READ = 4_096  # characters that are looked at
LEAST = 3  # small words that settle a language
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"\S*(?:://|@|\.\w+/)\S*")

_SMALL: Mapping[str, frozenset[str]] = {
    code: frozenset(word for word in words.split() if len(word) > 1)
    for code, words in {
        "en": "the of and to in is was that it for on with as at by he she his her be are this have has had "
        "from not or an "
        "but they you we my your i am were will would can there which who what when do does did been if so me "
        "him them "
        "our their its about into than then all no up out just after before please could should how where why",
        "de": "der die das und ist ich nicht ein eine einen dem den des mit für auf zu sich von im am als auch "
        "es an werden "
        "aus er hat dass sie nach wird bei einer um noch wie war haben sind wir uns mein meine meinen ihr ihre "
        "ihren mich "
        "mir bitte oder aber wenn über durch vor zum zur hiermit wurde kann diese dieses dieser unter",
        "fr": "le la les de des du et est un une je vous que qui dans pour pas sur au aux avec ne se ce il elle "
        "nous son sa "
        "ses mon ma mes votre vos notre par plus ont été être sont cette mais ou où leur leurs comme fait très "
        "bien merci "
        "tout même dans sans sous aussi",
        "es": "el la los las de del y es en que un una por con para no se su sus lo al como más pero le ha está "
        "han son fue "
        "este esta yo mi mis usted nos nuestro nuestra muy sin sobre también ser tiene entre cuando hasta desde "
        "todo donde "
        "si porque qué gracias nuestra",
        "it": "il lo gli la le di del della dei delle e è un una che in per con non si su al alla da dal sono "
        "ha come più ma "
        "anche io mi mio mia suo sua questo questa nel nella ho hanno era essere stato molto grazie vi ci noi "
        "voi lei "
        "loro tra fra quando perché",
        "pt": "o os as de do da dos das e é um uma que em no na nos nas por para com não se seu sua ao à mais "
        "como mas foi "
        "são está eu meu minha você nós isso esta este muito também já tem ser quando até sobre obrigado "
        "obrigada pelo "
        "pela ou entre sem",
        "nl": "de het een en van ik is niet dat in te op aan met voor er maar om hem dan zijn was ze zo haar "
        "heb u hij mijn "
        "naar bij ook uit nog kan wel geen deze dit die door over wij ons onze uw je jij wordt werd hebben "
        "heeft als of",
        "pl": "i w na z do nie się że jest to jak o ale po za co od przez dla tym jego jej są był była było być "
        "tylko już czy "
        "oraz ten ta pan pani proszę ja mój moja nasz ich który która które lub przed bardzo mnie",
        "sv": "och i att det som en på är av för med den till inte om ett han hon de har jag var men sig så "
        "från vi kan när "
        "min mitt mina du er din din hade ska skulle eller också efter vid blev",
        "da": "og i at det som en på er af for med den til ikke om et han hun de har jeg var men sig så fra vi "
        "kan når min "
        "mit mine du jer din havde skal skulle eller også efter ved blev hvad hvor denne",
        "nb": "og i at det som en på er av for med den til ikke om et han hun de har jeg var men seg så fra vi "
        "kan når min "
        "mitt mine du dere din hadde skal skulle eller også etter ved ble hva hvor denne",
        "fi": "ja on ei se että hän oli mutta kun joka minä sinä me te he niin kuin tai myös ole ovat olen "
        "minun sinun "
        "hänen tämä nämä jos vain nyt olla mitä missä koska sekä jo vielä kanssa",
        "cs": "a je se na v že to s z do o k i jako ale jsem jsou byl byla bylo za po by pro ve tak už jen při "
        "od nebo také "
        "který která které já můj moje náš jeho její prosím není být aby co jsme",
        "ro": "și în de la cu pe este un o nu că să se din care pentru mai dar sunt a fost am ai au el ea noi "
        "lui ei sau "
        "după prin către",
        "hu": "a az és hogy nem is egy ez meg volt de van csak már el azt még ki én ő mi vagy lesz kell mint ha "
        "be fel",
        "tr": "ve bir bu da de için ile çok ne daha gibi var olarak ben sen biz o ama en kadar sonra mi mı değil",
        "id": "yang dan di ke dari ini itu untuk dengan tidak ada akan pada juga saya kamu dia kita sudah bisa",
    }.items()
}
# The first character of these scripts that is found says which language cannot be English.
_SCRIPTS = (
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_FOREIGN = re.compile(r"[^\x00-\u024f\u2000-\u2fff]")

NAMES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "pl": "Polish",
    "sv": "Swedish",
    "da": "Danish",
    "nb": "Norwegian",
    "fi": "Finnish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "id": "Indonesian",
    "ru": "a language in Cyrillic script",
    "el": "Greek",
    "ar": "a language in Arabic script",
    "he": "Hebrew",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
    "hi": "a language in Devanagari",
    "th": "Thai",
    "und": "an unknown language",
}


def is_small_word(word: str, language: str) -> bool:
    """Whether a word is an article, a preposition or the like in that language."""
    return word.lower() in _SMALL.get(language, frozenset())


def get_language(document: Document) -> str:
    """The language that the line noted for a document; English where nobody looked."""
    return str(document.metadata.get(KEY, ENGLISH))


def recognise_language(text: str) -> str:
    """Return the code of the language (ISO 639-1). A text with too few small words counts as English.

    >>> recognise_language("Bitte bestätigen Sie mir den Eingang, und zwar für die ganze Woche.")
    'de'
    """
    text = text[:READ]
    letters = sum(map(len, _WORD.findall(text)))
    if letters and len(_FOREIGN.findall(text)) * 2 > letters:
        return next((code for code, script in _SCRIPTS if script.search(text)), UNKNOWN)
    words = [word.lower() for word in _WORD.findall(_ADDRESS.sub(" ", text)) if len(word) > 1]
    english = sum(map(_SMALL[ENGLISH].__contains__, words))
    if english * 5 > len(words):  # most texts: no other language is asked
        return ENGLISH
    scores = {code: sum(map(small.__contains__, words)) for code, small in _SMALL.items()}
    best = max(scores, key=lambda code: scores[code])
    is_settled = scores[best] >= LEAST and scores[best] > 1.5 * english
    return best if is_settled and scores[best] * 8 > len(words) else ENGLISH
