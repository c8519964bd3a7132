// Dialogs: the keys, the progress of the project, and the agreement of annotators.
import { draw, find, make, openDialog } from "./dom.js";
import { DEFAULTS, changeKey, nameKey, readKeys, resetKeys } from "./keys.js";
import { number, say } from "./texts.js";

export function showHelp(redraw) {
  const keys = readKeys();
  const rows = Object.keys(DEFAULTS).map((action) => {
    const input = make("input", { "aria-label": say("keyOf", { action: say(`do_${action}`) }), readonly: "" });
    input.value = keys[action];
    input.addEventListener("keydown", (event) => {
      if (["Tab", "Escape", "Shift"].includes(event.key)) return;
      event.preventDefault();
      const taken = changeKey(action, nameKey(event));
      if (taken) find("key-news").textContent = say("keyTaken", { action: say(`do_${taken}`) });
      else input.value = nameKey(event);
    });
    return make("li", {}, make("label", {}, make("span", { text: say(`do_${action}`) }), input));
  });
  const news = make("p", { id: "key-news", role: "status", class: "told" });
  const reset = make("button", { text: say("resetKeys"), click: () => { resetKeys(); redraw(); } });
  openDialog(say("help"), make("p", { text: say("helpStart") }), make("p", { text: say("helpText") }), news, make("ul", { class: "keys" }, ...rows), reset);
}

export function showProgress({ statuses, days }) {
  const heads = Object.keys(statuses).map((name) => make("th", { scope: "col", text: say(name) }));
  const cells = Object.values(statuses).map((count) => make("td", { text: number(count) }));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, make("tr", {}, ...cells)));
  const isBegun = days.some((day) => day[1] > 0);
  openDialog(say("progress"), table, isBegun ? drawPlot(days) : make("p", { class: "told", text: say("noneDone") }));
}

// The documents done at the end of each day.
function drawPlot(days) {
  const top = Math.max(1, ...days.map((day) => day[1]));
  const spot = (done, at) => [30 + (days.length > 1 ? (at * 340) / (days.length - 1) : 170), 95 - (done * 75) / top];
  const spots = days.map((day, at) => spot(day[1], at));
  const label = (x, y, text) => draw("text", { x, y }, text);
  const told = days.flatMap(([day, done], at) => {
    const isNamed = at === 0 || at === days.length - 1;
    const point = draw("circle", { cx: spots[at][0], cy: spots[at][1], r: 3 });
    return [point, label(spots[at][0], spots[at][1] - 6, number(done)), ...(isNamed ? [label(spots[at][0], 110, day)] : [])];
  });
  const name = say("plot", { days: days.map(([day, done]) => `${day}: ${done}`).join(", ") });
  const line = draw("path", { d: spots.map((one, at) => `${at ? "L" : "M"}${one.join(" ")}`).join("") });
  const axis = draw("line", { x1: 20, x2: 380, y1: 95, y2: 95 });
  const plot = draw("svg", { viewBox: "0 0 400 115", class: "plot", role: "img", "aria-label": name }, axis, line, ...told);
  return make("div", {}, make("h3", { text: say("plotTitle") }), plot);
}

export function showAgreement(rows) {
  const heads = ["attribute", "unit", "documents", "observed", "fleiss", "cohen", "alpha"];
  const cell = (value) => (Array.isArray(value) ? (value[0] === null ? "–" : `${value[0].toFixed(3)} [${value[1].toFixed(3)}, ${value[2].toFixed(3)}]`) : String(value));
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col", text: say(`head_${name}`) })));
  const body = rows.map((row) => make("tr", {}, ...heads.map((name) => make("td", { class: "figureCell", text: cell(row[name]) }))));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  const dialog = openDialog(say("agreement"), rows.length ? table : make("p", { class: "told", text: say("noAgreement") }));
  dialog.className = "wide";
}
