// What the page knows of the open document. The server has the truth; this is its copy with units for offsets.
import { Offsets, countBelow } from "./offsets.js";

export const TYPES = ["PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC"];
const UNSURE = 0.5;

export class Model {
  constructor(raw) {
    this.text = raw.text;
    this.offsets = new Offsets(raw.text);
    this.entities = new Map();
    this.edits = new Map();
    this.current = -1;
    this.shown = [];
    this.take(raw);
  }

  // Take a whole description, with the text or without.
  take(raw) {
    this.entities = new Map(raw.entities.map((one) => [one.id, one]));
    this.edits = new Map();
    this.takeMarks(raw.marks);
    this.takeEdits(raw.edits, []);
    this.takeState(raw);
  }

  // Take what one edit changed.
  change(answer) {
    if (answer.gone === undefined) return this.take(answer);
    for (const name of answer.gone) this.entities.delete(name);
    for (const one of answer.entities) this.entities.set(one.id, one);
    if (answer.marks) this.takeMarks(answer.marks);
    this.takeEdits(answer.edits, answer.dropped);
    return this.takeState(answer);
  }

  takeState(raw) {
    for (const name of ["id", "name", "version", "kept", "undo", "redo", "status", "step", "layer", "pages", "task"]) {
      if (raw[name] !== undefined) this[name] = raw[name];
    }
    if (raw.shown) {
      this.shown = raw.shown.map(([start, end, entity, kind]) => (
        { start: this.offsets.toUnits(start), end: this.offsets.toUnits(end), entity, kind }));
    }
  }

  takeMarks(rows) {
    const isFirst = !this.marks;
    const chosen = this.marks?.[this.current]?.id;
    this.marks = rows.map(([id, start, end, entity, type, identifier, confidential]) => ({
      id, entity, type, identifier, confidential, from: start, to: end,
      start: this.offsets.toUnits(start), end: this.offsets.toUnits(end),
    }));
    this.of = new Map();
    this.marks.forEach((mark, at) => {
      if (!this.of.has(mark.entity)) this.of.set(mark.entity, []);
      this.of.get(mark.entity).push(at);
    });
    const kept = this.marks.findIndex((mark) => mark.id === chosen);
    this.current = kept >= 0 ? kept : Math.min(Math.max(this.current, isFirst ? -1 : 0), this.marks.length - 1);
  }

  takeEdits(rows, dropped) {
    for (const [start, end] of dropped) this.edits.delete(`${start} ${end}`);
    for (const row of rows) this.edits.set(`${row[0]} ${row[1]}`, row);
  }

  listEdits() {
    const rows = [...this.edits.values()].sort((one, other) => one[0] - other[0]);
    return rows.map(([start, end, text]) => [this.offsets.toUnits(start), this.offsets.toUnits(end), text]);
  }

  get mark() { return this.marks[this.current]; }
  get entity() { return this.mark && this.entities.get(this.mark.entity); }
  read(mark) { return this.text.slice(mark.start, mark.end); }
  nameEntity(id) { return this.of.has(id) ? this.read(this.marks[this.of.get(id)[0]]) : ""; }
  findMark(unit) { return this.marks.findIndex((mark) => mark.start <= unit && unit < mark.end); }
  findOverlapping(start, end) { return this.marks.findIndex((mark) => mark.start < end && start < mark.end); }
  // Places that keep a document from being approved.
  listNeeded() { return this.shown.filter((one) => one.kind === "open" || one.kind === "reason"); }
  listSpans(id) { return (this.of.get(id) ?? []).map((at) => [this.marks[at].start, this.marks[at].end]); }
  nextMark(unit) { return countBelow(this.marks, (mark) => mark.start < unit); }

  paintOf(mark) {
    const entity = this.entities.get(mark.entity);
    if (isIdle(entity)) return "idle";
    if (mark.identifier) return mark.identifier === "NONE" ? "kept" : "masked";
    if (isOpen(entity) && entity.action !== "keep") return "unsure";
    return { keep: "kept", generalise: "generalised", suppress: "masked" }[entity.action];
  }

  // Marks with what to paint: all, or those at some places.
  listPainted(places) {
    const chosen = places ? places.map((at) => this.marks[at]) : this.marks;
    return chosen.map((mark) => ({ id: mark.id, start: mark.start, end: mark.end, paint: this.paintOf(mark) }));
  }

  // The entities, those first about which the tool was unsure, or as the text has them.
  listEntities(order) {
    const names = [...this.of.keys()].filter((name) => !isIdle(this.entities.get(name)));
    if (order === "text") return names;
    const rate = (name) => (isOpen(this.entities.get(name)) ? this.entities.get(name).doubt : -1);
    return names.sort((one, other) => rate(other) - rate(one));
  }

  // The next place, or the one before, that somebody may want to look at; none at the ends.
  findBeside(step) {
    let at = this.current + step;
    while (at >= 0 && at < this.marks.length && isIdle(this.entities.get(this.marks[at].entity))) at += step;
    return at;
  }

  nextUnsure() {
    const names = this.listEntities("unsure").filter((name) => isOpen(this.entities.get(name)));
    const at = names.indexOf(this.mark?.entity);
    const name = names[(at + 1) % names.length];
    return name === undefined ? -1 : this.of.get(name)[0];
  }
}

// Nobody has said anything about it, and the tool was unsure.
export const isOpen = (entity) => Boolean(entity) && entity.doubt >= UNSURE && !entity.accepted && !entity.by;

// A word that only the risk may ask to mask, and that stays: nobody has to look at it.
export const isIdle = (entity) => Boolean(entity?.candidate) && entity.action === "keep" && !entity.accepted && !entity.by;
