"""The recogniser alone, in Presidio's registry and in its analyzer with a blank language model."""

import inspect
from contextlib import suppress

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, predefined_recognizers
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

from maskwise.errors import InputError
from maskwise.integrations.presidio import ENTITIES, SUBTYPES, TYPES, MaskwiseRecognizer
from maskwise.text import EntityType

TEXT = "Mr John Smith of Oslo wrote from john@mail.example.org. Smith cited Article 6."


class Blank(SpacyNlpEngine):
    """A language model that knows nothing, so that every result is ours."""

    def __init__(self):
        import spacy

        super().__init__(ner_model_configuration=NerModelConfiguration())
        self.nlp = {"en": spacy.blank("en")}


@pytest.fixture(scope="module")
def recogniser():
    return MaskwiseRecognizer()


@pytest.fixture(scope="module")
def analyzer(recogniser):
    registry = RecognizerRegistry(recognizers=[recogniser], supported_languages=["en"])
    return AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en"])


def shown(results):
    return {(TEXT[r.start : r.end], r.entity_type) for r in results}


def test_it_finds_all_mentions_under_presidios_names(recogniser):
    found = shown(recogniser.analyze(TEXT, [], None))
    assert found >= {("Mr John Smith", "PERSON"), ("Smith", "PERSON"), ("Oslo", "LOCATION")}
    assert ("john@mail.example.org", "EMAIL_ADDRESS") in found


def test_it_honours_the_filter(recogniser, analyzer):
    assert shown(recogniser.analyze(TEXT, ["LOCATION"], None)) == {("Oslo", "LOCATION")}
    assert shown(analyzer.analyze(TEXT, "en", entities=["EMAIL_ADDRESS"])) == {
        ("john@mail.example.org", "EMAIL_ADDRESS")
    }


def test_in_the_analyzer_with_explanations_that_quote_nothing(analyzer):
    results = analyzer.analyze(TEXT, "en", return_decision_process=True)
    assert ("Mr John Smith", "PERSON") in shown(results)
    for result in results:
        assert 0 < result.score <= 1
        assert result.recognition_metadata["recognizer_name"] == "MaskwiseRecognizer"
        assert (
            TEXT[result.start : result.end] not in result.analysis_explanation.textual_explanation
        )


def test_decided_leaves_out_what_the_policy_keeps():
    text = "Mr John Smith cited Article 6 of the Convention."
    everything, masked = (
        {(r.start, r.end) for r in MaskwiseRecognizer(decided=decided).analyze(text, [], None)}
        for decided in (False, True)
    )
    assert masked < everything
    assert (0, 13) in masked


def test_names_that_differ_from_ours_are_presidios():
    classes = [c for _, c in inspect.getmembers(predefined_recognizers, inspect.isclass)]
    known = {
        "PERSON",
        "LOCATION",
        "ORGANIZATION",
        "DATE_TIME",
        "NRP",
        "AGE",
    }  # of its language models
    for one in classes:
        with suppress(Exception):  # some need a service or a model
            known |= set(one().supported_entities)
    ours = {kind.value for kind in EntityType}
    assert {
        name for name in (*TYPES.values(), *SUBTYPES.values()) if name not in ours | known
    } == set()
    assert set(ENTITIES) == {*TYPES.values(), *SUBTYPES.values()}


def test_every_subtype_of_the_mapping_exists():
    from maskwise.detect.patterns import list_families

    rules = {rule.name for family in list_families() for rule in family.rules}
    listed = {"nationality", "ethnicity", "religion"}
    assert set(SUBTYPES) - rules - listed == set()


def test_what_it_cannot_do_is_told():
    with pytest.raises(InputError, match="reads English"):
        MaskwiseRecognizer(supported_language="de")
    with pytest.raises(InputError, match="finds no US_BANK_NUMBER"):
        MaskwiseRecognizer(supported_entities=["US_BANK_NUMBER"])


def test_it_is_made_by_configuration_as_others_are():
    made = MaskwiseRecognizer.from_dict(MaskwiseRecognizer(supported_entities=["PERSON"]).to_dict())
    assert made.supported_entities == ["PERSON"]
    assert shown(made.analyze(TEXT, ["PERSON", "LOCATION"], None)) == {
        ("Mr John Smith", "PERSON"),
        ("Smith", "PERSON"),
    }
