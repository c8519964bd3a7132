"""A review as rows in TAB's format: what people decided is what `maskwise train` learns from."""

from __future__ import annotations

from maskwise.server.review.plans import Outlook
from maskwise.server.review.project import OpenDocument, ReviewProject
from maskwise.text import Document, IdentifierType, Provenance
from maskwise.text.tab import AnnotatedDocument, Annotation, Layer

REVIEWED = "reviewed"  # the name of the layer


def export_review(project: ReviewProject) -> list[AnnotatedDocument]:
    """All documents that are done, with one layer each."""
    found = []
    for number, _, _ in project.store.list_documents():
        if project.book.read(number)["status"] == "done":
            found.append(export_document(project.open(number)))
    return found


def export_document(opened: OpenDocument) -> AnnotatedDocument:
    """The document with its marks: what is masked is direct or quasi, what is kept is no mask."""
    document = Document(opened.whole.text, id=opened.stored.name)
    outlook = opened.outlook
    marks = sorted(outlook.state.marks.values(), key=lambda one: (one.start, one.end))
    annotations = []
    for mark in marks:
        mention = document.mention(mark.start, mark.end, mark.type, source=Provenance.ANNOTATOR)
        role = _find_role(outlook, mark.entity)
        status = outlook.state.facts[mark.entity].status
        annotations.append(Annotation(mention, role, mark.entity, mark.id, status))
    return AnnotatedDocument(document, (Layer(REVIEWED, tuple(annotations)),))


def _find_role(outlook: Outlook, entity: str) -> IdentifierType:
    if not outlook.decisions[entity].masked:
        return IdentifierType.NONE
    role = outlook.entities[entity].identifier
    return role if role is IdentifierType.DIRECT else IdentifierType.QUASI
