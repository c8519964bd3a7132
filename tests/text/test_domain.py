"""The kind of a text is recognised by structure and words, and the user may say it instead."""

import pytest

from maskwise import Document, Sanitizer
from maskwise.policy import Policy
from maskwise.text.domain import Domain, get_domain, recognise_domain

TEXTS = {
    Domain.COURT: "The applicant appealed. The District Court dismissed the appeal and the Court of Cassation upheld "
    "the judgment. The applicant complained under Article 6 of the Convention about the length of the proceedings.",
    Domain.CLINICAL: "The patient presented with chest pain and fever. Lisinopril 10 mg daily was continued.",
    Domain.MAIL: "From: Ana Souza\nTo: Bo Berg\nSubject: lunch\n\nAre you free on Friday?",
    Domain.CHAT: "[09:41] ana_s: hi\n[09:42] bo: hello\n[09:43] ana_s: lunch?\n[09:44] bo: ok",
    Domain.BIOGRAPHY: "Ana Souza (born 3 May 1951) was a painter. She studied in Porto, and her career began there.",
    Domain.GENERAL: "The shop opens at nine. Please bring the receipt if you want to return the lamp.",
}


@pytest.mark.parametrize("domain", list(TEXTS))
def test_each_kind_is_recognised(domain):
    assert recognise_domain(TEXTS[domain]) is domain


def test_a_letter_with_a_greeting_and_a_closing_is_a_mail():
    assert recognise_domain("Dear Ms Lee,\n\nthe lamp broke.\n\nKind regards,\nAna") is Domain.MAIL


def test_an_empty_text_is_general():
    assert recognise_domain("") is Domain.GENERAL


def test_the_line_notes_the_kind_and_the_policy_overrides_it():
    text = TEXTS[Domain.MAIL]
    assert Sanitizer().sanitize(text).domain == "mail"
    policy = Policy.load("balanced").model_copy(update={"domain": Domain.COURT})
    assert Sanitizer(policy).sanitize(text).domain == "court"


def test_a_document_without_a_kind_has_none():
    assert get_domain(Document("x")) is None


def test_a_post_of_nobody_else_is_no_life():
    text = "studying for a degree at a university is brutal, props to everyone who does it"
    assert recognise_domain(text) is Domain.GENERAL


def test_a_life_may_name_its_subject_twice():
    text = "Bo Tolm (1898-1996), known as Brother Tolm, was a monk."
    assert recognise_domain(text) is Domain.BIOGRAPHY


def test_scores_named_after_people_and_species_are_clinical():
    assert recognise_domain("Is the Wells score better than the Geneva score?") is Domain.CLINICAL
    assert recognise_domain("How long to isolate for C. difficile?") is Domain.CLINICAL
