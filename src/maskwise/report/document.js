"use strict";
const spans = Array.from(document.querySelectorAll(".text a"));
const panel = document.getElementById("evidence");
const form = document.querySelector(".filters");
let current = null;
let same = [];

// The evidence of a span: a copy of its entity's card, beside the span.
function show(span) {
  if (span === current || span.classList.contains("off")) return;
  hide();
  const card = document.getElementById(span.hash.slice(1));
  if (!card) return;
  current = span;
  panel.replaceChildren(...Array.from(card.childNodes, (node) => node.cloneNode(true)));
  panel.className = card.className.replace("card", "");
  panel.hidden = false;
  span.setAttribute("aria-describedby", "evidence");
  same = spans.filter((each) => each.hash === span.hash);
  same.forEach((each) => each.classList.add("same"));
  const at = span.getBoundingClientRect();
  const below = at.bottom + 8 + panel.offsetHeight <= innerHeight;
  panel.style.top = `${Math.max(8, below ? at.bottom + 8 : at.top - 8 - panel.offsetHeight)}px`;
  panel.style.left = `${Math.max(8, Math.min(at.left, innerWidth - panel.offsetWidth - 8))}px`;
}

function hide() {
  if (!current) return;
  current.removeAttribute("aria-describedby");
  same.forEach((each) => each.classList.remove("same"));
  panel.hidden = true;
  current = null;
}

const spanOf = (event) => (event.target instanceof Element ? event.target.closest(".text a") : null);

document.addEventListener("mouseover", (event) => {
  const span = spanOf(event);
  if (span) show(span);
  else if (!panel.contains(event.target) && !document.activeElement.closest(".text a")) hide();
});
document.addEventListener("focusin", (event) => (spanOf(event) ? show(spanOf(event)) : hide()));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});
document.addEventListener("click", (event) => {
  const span = spanOf(event);
  if (!span) return;
  const card = document.getElementById(span.hash.slice(1));
  hide();
  card.closest("details").open = true; // then the link goes to the card
});

// Only what passes the filters is coloured, explained and reached with Tab.
function filter() {
  const types = new Set(Array.from(form.querySelectorAll("[name=type]:checked"), (box) => box.value));
  const by = form.querySelector("[name=by]").value;
  let shown = 0;
  hide();
  for (const span of spans) {
    const judges = span.dataset.by;
    const judged = by === "" || (by === "-" ? judges === "" : judges.split(" ").includes(by));
    const on = judged && types.has(span.classList[0]);
    span.classList.toggle("off", !on);
    span.tabIndex = on ? 0 : -1;
    const card = document.getElementById(span.hash.slice(1));
    if (card) card.hidden = !on;
    shown += on;
  }
  form.querySelector("output").textContent = `${shown / 2} of ${spans.length / 2} spans shown`;
}
form.addEventListener("change", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();

// Both texts scroll together: the block at the top of one is brought to the top of the other.
function follow(from, to) {
  const blocks = from.children;
  const top = from.scrollTop;
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle].offsetTop <= top) low = middle;
    else high = middle - 1;
  }
  const here = blocks[low];
  const there = to.children[low];
  const share = here.offsetHeight ? (top - here.offsetTop) / here.offsetHeight : 0;
  to.scrollTop = Math.round(there.offsetTop + share * there.offsetHeight);
}
for (const columns of document.querySelectorAll(".columns")) {
  const [left, right] = columns.querySelectorAll(".text");
  let leader = left;
  for (const [from, to] of [[left, right], [right, left]]) {
    for (const name of ["wheel", "pointerdown", "touchstart", "keydown", "focusin", "mouseenter"]) {
      from.addEventListener(name, () => (leader = from), { passive: true });
    }
    from.addEventListener("scroll", () => {
      if (leader === from) requestAnimationFrame(() => follow(from, to));
      if (!document.activeElement.closest(".text a")) hide();
    }, { passive: true });
  }
}

addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => (each.open = true)));
