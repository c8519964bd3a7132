"""Small words and scripts tell the language; a text that is too short counts as English."""

import pytest

from maskwise import Sanitizer
from maskwise.text.language import NAMES, recognise_language

SENTENCES = {
    "en": "The lamp that we bought from you was broken when it came to us.",
    "de": "Die Lampe, die wir bei Ihnen gekauft haben, war kaputt, als sie zu uns kam.",
    "fr": "La lampe que nous avons achetée chez vous était cassée dans son carton.",
    "es": "La lámpara que compramos en su tienda llegó rota y no se puede usar.",
    "it": "La lampada che abbiamo comprato da voi è arrivata rotta e non si accende.",
    "pt": "A lâmpada que comprámos na sua loja chegou partida e não se pode usar.",
    "nl": "De lamp die wij bij u hebben gekocht was kapot en wij willen het geld terug.",
    "pl": "Lampa, którą kupiliśmy, nie działa i nie wiem, co z tym zrobić, bo to był prezent dla mnie.",
    "sv": "Lampan som vi köpte av er var trasig när den kom till oss och jag vill ha pengarna.",
    "da": "Lampen, som vi købte hos jer, var i stykker, og jeg ved ikke, hvad vi skal gøre af den.",
    "fi": "Lamppu oli rikki kun se tuli ja minä en tiedä mitä tehdä, koska se oli lahja.",
    "cs": "Lampa, kterou jsme koupili, byla rozbitá a já nevím, co s tím, protože to byl dárek pro ni.",
    "ru": "Лампа была разбита, и мы хотим вернуть деньги.",
}


@pytest.mark.parametrize("code", list(SENTENCES))
def test_sentences_tell_their_language(code):
    found = recognise_language(SENTENCES[code])
    assert found == code or {found, code} == {"da", "nb"}
    assert found in NAMES


@pytest.mark.parametrize(
    "text", ["", "Ana Souza", "4711", "Ticket 12: Kafka", "Invoice 2023 ref AB-12"]
)
def test_a_text_without_small_words_counts_as_english(text):
    assert recognise_language(text) == "en"


def test_a_german_letter_keeps_its_sentences_and_loses_its_names_dates_and_codes():
    text = (
        "Sehr geehrte Frau Steinmetz,\n\nich habe Ihr Schreiben vom 30. September 2023 erhalten. "
        "Der Vertrag wurde gekündigt, und die Wohnung ist leer. Das Geld geht auf DE89 3704 0044 0532 0130 00."
        "\n\nMit freundlichen Grüßen\nJürgen Falk"
    )
    result = Sanitizer().sanitize(text)
    assert result.language == "de"
    assert "German" in result.language_note
    for secret in ("Steinmetz", "30. September 2023", "0532", "Falk"):
        assert secret not in result.text
    for sentence in (
        "ich habe Ihr Schreiben vom",
        "Der Vertrag wurde gekündigt, und die Wohnung ist leer.",
    ):
        assert sentence in result.text


def test_english_has_no_note():
    assert Sanitizer().sanitize("Mr Lee left.").language_note == ""
