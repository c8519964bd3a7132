// The text as one node per paragraph, the masked text beside it, and what is painted over both.
import { countBelow } from "./offsets.js";
import { find, make } from "./dom.js";

const STATES = ["masked", "generalised", "kept", "unsure", "changed", "replaced", "shown", "cursor", "current"];
const lights = {};
let text = "";
let paragraphs = []; // {start, end, node}: the units of each paragraph in the original
let copies = []; // {node, key, painted} of each paragraph of the masked text; none before it is first shown
let ranges = new Map(); // the painted range and the state of each mark

export function preparePaint() {
  STATES.forEach((name, at) => {
    lights[name] = new Highlight();
    lights[name].priority = at;
    CSS.highlights.set(name, lights[name]);
  });
}

export function showText(whole) {
  text = whole;
  paragraphs = [];
  copies = [];
  const left = document.createDocumentFragment();
  let start = 0;
  for (const line of whole.split("\n")) {
    const node = document.createTextNode(line);
    left.append(makeParagraph(node));
    paragraphs.push({ start, end: start + line.length, node });
    start += line.length + 1;
  }
  for (const name of STATES) lights[name].clear();
  ranges = new Map();
  find("original").replaceChildren(left);
  find("masked").replaceChildren();
}

function makeParagraph(node) {
  const paragraph = document.createElement("p");
  paragraph.className = "paragraph";
  paragraph.append(node);
  return paragraph;
}

// The masked text is made when somebody looks at it.
function makeCopies() {
  const right = document.createDocumentFragment();
  copies = paragraphs.map(({ node }) => {
    const copy = document.createTextNode(node.data);
    right.append(makeParagraph(copy));
    return { node: copy, key: "", painted: [] };
  });
  find("masked").replaceChildren(right);
}

function locate(unit) {
  const at = Math.max(0, countBelow(paragraphs, (one) => one.start <= unit) - 1);
  const { start, end, node } = paragraphs[at];
  return [node, Math.min(unit, end) - start];
}

function makeRange(start, end) {
  const [startContainer, startOffset] = locate(start);
  const [endContainer, endOffset] = locate(end);
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
}

// Paint marks {id, start, end, paint}. Only those that differ from what is painted are touched; `partial` leaves others.
export function paintMarks(marks, partial = false) {
  const seen = new Set();
  for (const mark of marks) {
    seen.add(mark.id);
    const old = ranges.get(mark.id);
    if (old && old.paint === mark.paint && old.start === mark.start && old.end === mark.end) continue;
    if (old) lights[old.paint].delete(old.range);
    const range = makeRange(mark.start, mark.end);
    lights[mark.paint].add(range);
    ranges.set(mark.id, { range, paint: mark.paint, start: mark.start, end: mark.end });
  }
  if (partial) return;
  for (const [id, old] of ranges) {
    if (seen.has(id)) continue;
    lights[old.paint].delete(old.range);
    ranges.delete(id);
  }
}

export function paintOne(name, span) {
  lights[name].clear();
  if (span) lights[name].add(makeRange(span[0], span[1]));
}

export function paintSpans(name, spans) {
  lights[name].clear();
  for (const [start, end] of spans) lights[name].add(makeRange(start, end));
}

// Write the masked text: `edits` are [start, end, replacement] in units, in order. Paragraphs that stay are not touched.
export function showMasked(edits) {
  if (!copies.length) makeCopies();
  let at = 0;
  let from = 0;
  paragraphs.forEach(({ start, end }, number) => {
    let written = "";
    const painted = [];
    from = Math.max(from, start);
    while (at < edits.length && edits[at][0] <= end && edits[at][0] >= start) {
      const [left, right, replacement] = edits[at];
      at += 1;
      if (left < from) continue;
      written += text.slice(from, left);
      painted.push([written.length, written.length + replacement.length]);
      written += replacement;
      from = right;
    }
    if (from < end) written += text.slice(from, end);
    rewrite(copies[number], written, painted);
  });
}

function rewrite(copy, written, painted) {
  const key = painted.join(" ");
  const { node } = copy;
  if (node.data === written && copy.key === key) return;
  if (node.data !== written) node.data = written;
  for (const range of copy.painted) lights.replaced.delete(range);
  copy.key = key;
  copy.painted = painted.map(([left, right]) => (
    new StaticRange({ startContainer: node, startOffset: left, endContainer: node, endOffset: right })));
  for (const range of copy.painted) lights.replaced.add(range);
}

// Bring a place into view in both panes.
export function reveal(start, end) {
  const at = Math.max(0, countBelow(paragraphs, (one) => one.start <= start) - 1);
  const { node } = paragraphs[at];
  for (const [pane, shown] of [[find("original"), node], [find("masked"), copies[at]?.node]]) {
    if (pane.hidden || !shown) continue;
    const box = pane.getBoundingClientRect();
    const block = shown.parentElement.getBoundingClientRect();
    if (block.top < box.top || block.bottom > box.bottom) shown.parentElement.scrollIntoView({ block: "nearest" });
  }
  const range = document.createRange();
  range.setStart(...locate(start));
  range.setEnd(...locate(end));
  const box = find("original").getBoundingClientRect();
  const place = range.getBoundingClientRect();
  if (place.height && (place.top < box.top || place.bottom > box.bottom)) {
    find("original").scrollTop += place.top - box.top - box.height / 3;
  }
}

function toUnit(node, offset) {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const block = element.closest("#original .paragraph");
  if (!block) return null;
  const at = [...find("original").children].indexOf(block);
  return paragraphs[at].start + (node.nodeType === Node.TEXT_NODE ? offset : 0);
}

// What the person selected with the mouse, in units; null for nothing.
export function readSelection() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const start = toUnit(range.startContainer, range.startOffset);
  const end = toUnit(range.endContainer, range.endOffset);
  return start === null || end === null || end <= start ? null : [start, end];
}

export function readCaret() {
  const selection = getSelection();
  return selection.focusNode ? toUnit(selection.focusNode, selection.focusOffset) : null;
}

// The word after or before a unit, as [start, end].
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}[\p{M}\u200d\ufe0f\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*/gu;

export function findWord(unit, forward) {
  let at = Math.max(0, countBelow(paragraphs, (one) => one.start <= unit) - 1);
  for (; at >= 0 && at < paragraphs.length; at += forward ? 1 : -1) {
    const { start, node } = paragraphs[at];
    const words = [...node.data.matchAll(WORD)].map((hit) => [start + hit.index, start + hit.index + hit[0].length]);
    const found = forward ? words.find((word) => word[0] >= unit) : words.findLast((word) => word[1] <= unit);
    if (found) return found;
  }
  return null;
}
