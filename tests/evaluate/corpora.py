"""Small corpora made on the spot: a text, and for each annotator the phrases they marked."""

from maskwise.text import tab


def spans(text, *phrases):
    """Where phrases stand; `phrase@2` is the second time."""
    found = []
    for phrase in phrases:
        phrase, _, time = phrase.partition("@")
        at = -1
        for _ in range(int(time or 1)):
            at = text.index(phrase, at + 1)
        found.append((at, at + len(phrase)))
    return found


def mention(text, phrase, identifier="QUASI", entity=None, kind="MISC", **more):
    [(start, end)] = spans(text, phrase)
    return {
        "entity_type": kind,
        "start_offset": start,
        "end_offset": end,
        "span_text": text[start:end],
        "identifier_type": identifier,
        "entity_id": entity or phrase,
        **more,
    }


def document(text, doc_id="d", **layers):
    annotations = {name: {"entity_mentions": mentions} for name, mentions in layers.items()}
    return {"doc_id": doc_id, "text": text, "annotations": annotations}


def corpus(*documents):
    return tab.parse_corpus(list(documents))
