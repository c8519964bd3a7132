// The text as one node per paragraph, the masked text beside it, and what is painted over both.
import { countBelow } from "./offsets.js";
import { find, make } from "./dom.js";

const STATES = ["idle", "masked", "generalised", "kept", "unsure", "changed", "replaced", "shown", "cursor", "twin", "current"];
const lights = {};
let text = "";
let paragraphs = []; // {start, end, node}: the units of each paragraph in the original
let copies = []; // {node, key, painted, from, spans} of each paragraph of the masked text; none before it is first shown
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
    return { node: copy, key: "", painted: [], from: 0, spans: [] };
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
    const spans = []; // [start, end] in the original, [start, end] in the copy
    from = Math.max(from, start);
    copies[number].from = from;
    while (at < edits.length && edits[at][0] <= end && edits[at][0] >= start) {
      const [left, right, replacement] = edits[at];
      at += 1;
      if (left < from) continue;
      written += text.slice(from, left);
      painted.push([written.length, written.length + replacement.length]);
      spans.push([left, right, ...painted.at(-1)]);
      written += replacement;
      from = right;
    }
    if (from < end) written += text.slice(from, end);
    copies[number].spans = spans;
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

const findParagraph = (unit) => Math.max(0, countBelow(paragraphs, (one) => one.start <= unit) - 1);

// Where a unit of the original stands in its copy: behind what replaces it, if `isEnd`, or before.
function toCopy({ from, spans }, unit, isEnd) {
  const before = spans.findLast((span) => span[0] < unit + (isEnd ? 0 : 1));
  if (!before) return Math.max(0, unit - from);
  return unit < before[1] ? before[isEnd ? 3 : 2] : before[3] + unit - before[1];
}

// Paint in the masked text what stands for a place of the original.
export function paintTwin(span) {
  lights.twin.clear();
  const at = span ? findParagraph(span[0]) : -1;
  if (at < 0 || !copies.length || find("masked").hidden) return;
  const { node } = copies[at];
  const place = [toCopy(copies[at], span[0], false), toCopy(copies[at], Math.min(span[1], paragraphs[at].end), true)];
  const [startOffset, endOffset] = place.map((one) => Math.min(one, node.length));
  lights.twin.add(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
}

// The unit of the original for which the caret in the masked text stands.
export function readCopyCaret() {
  const { focusNode, focusOffset } = getSelection();
  const at = copies.findIndex((one) => one.node === focusNode);
  if (at < 0) return null;
  const span = copies[at].spans.findLast((one) => one[2] <= focusOffset);
  if (!span) return copies[at].from + focusOffset;
  return focusOffset <= span[3] ? span[0] : span[1] + focusOffset - span[3];
}

// Bring a place into view, and the same paragraph of the masked text beside it.
export function reveal(start, end) {
  const at = findParagraph(start);
  const pane = find("original");
  if (pane.hidden) {
    copies[at]?.node.parentElement.scrollIntoView({ block: "nearest" });
    return;
  }
  const box = pane.getBoundingClientRect();
  const block = paragraphs[at].node.parentElement.getBoundingClientRect();
  if (block.top < box.top + HEAD || block.bottom > box.bottom) paragraphs[at].node.parentElement.scrollIntoView({ block: "center" });
  const range = document.createRange();
  range.setStart(...locate(start));
  range.setEnd(...locate(end));
  const place = range.getBoundingClientRect();
  if (place.height && (place.top < box.top + HEAD || place.bottom > box.bottom)) pane.scrollTop += place.top - box.top - box.height / 3;
  align(pane, find("masked"), at);
}

const HEAD = 36; // the height of the name of a pane, which stays at its top

const getBlock = (pane, at) => (pane.id === "original" ? paragraphs : copies)[at]?.node.parentElement;

// Scroll a pane so that a paragraph stands as high as in the other.
function align(from, to, at) {
  const [one, other] = [getBlock(from, at), getBlock(to, at)];
  if (from.hidden || to.hidden || !one || !other) return;
  const shift = (block, pane) => block.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  to.scrollTop += shift(other, to) - shift(one, from);
}

// The pane in which a person scrolls takes the other along.
export function scrollTogether() {
  let leader = null;
  const panes = [find("original"), find("masked")];
  for (const pane of panes) {
    for (const kind of ["pointerenter", "wheel", "touchstart", "focusin"]) pane.addEventListener(kind, () => { leader = pane; }, { passive: true });
    pane.addEventListener("scroll", () => {
      if (pane !== leader) return;
      const top = pane.getBoundingClientRect().top + HEAD;
      const list = pane.id === "original" ? paragraphs : copies;
      const at = countBelow(list, (one) => one.node.parentElement.getBoundingClientRect().bottom <= top);
      align(pane, panes.find((one) => one !== pane), Math.min(at, list.length - 1));
    }, { passive: true });
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
