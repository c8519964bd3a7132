// The buttons of the page. Whatever has a key can be clicked too, and each button shows its key.
import { find, make } from "./dom.js";
import { readKeys } from "./keys.js";
import { TYPES } from "./model.js";
import { SCOPES, isAnnotating, leads, state } from "./state.js";
import { say } from "./texts.js";

const DECIDE = ["mask", "unmask", "accept", "follow", "level", "replacement", "reason"];
const SELECTED = ["mask", "unmask"]; // what can be decided about words that are no mention
const IDENTIFIERS = { direct: "DIRECT", quasi: "QUASI", none: "NONE" };

export function makeAction(name, act, label = say(`do_${name}`)) {
  const key = readKeys()[name];
  const shown = key ? [" ", make("kbd", { "aria-hidden": "true", text: key })] : [];
  const fields = { "data-action": name, "aria-keyshortcuts": key, class: name === "save" ? "main" : null, click: () => act(name) };
  return make("button", fields, label, ...shown);
}

export function listTools() {
  const names = ["save", "undo", "redo", "find", ...(isAnnotating() ? ["stepBack", "stepOn"] : ["unsure", "acceptAll", "view"])];
  if (isAnnotating()) names.push("layer", ...(state.me.hidden_draft ? ["draft"] : []), ...(leads() ? ["difference", "agreement"] : []));
  names.push("release", ...(state.me.role === "manager" ? ["assign"] : []), ...(leads() ? ["export"] : []), "progress", "help");
  return names;
}

export function showTools(act) {
  find("tools").setAttribute("aria-label", say("tools"));
  find("tools").replaceChildren(...listTools().map((name) => makeAction(name, act)));
}

// What can be done to the current mention, in groups. It is made once; `updateActions` follows the text.
export function showActions(act, choose) {
  const types = TYPES.map((kind, at) => makeAction(`type${at + 1}`, act, say(`type_${kind}`)));
  const scopes = listScopes().map((name) => make("button", { "data-scope": name, text: say(`scope_${name}`), click: () => choose(name) }));
  const identifiers = Object.keys(IDENTIFIERS).map((name) => makeAction(name, act));
  const others = ["link", "split", ...(isAnnotating() ? ["confidential", "unmark"] : [])].map((name) => makeAction(name, act));
  const groups = [
    ...(isAnnotating() ? [] : [makeGroup("decision", DECIDE.map((name) => makeAction(name, act)))]),
    makeGroup("scopeName", scopes), makeGroup("type", types), makeGroup("identifier", identifiers), makeGroup("entity", others),
  ];
  find("actions").replaceChildren(...groups);
}

export const listScopes = () => (isAnnotating() ? SCOPES.slice(0, 2) : SCOPES);

function makeGroup(label, buttons) {
  const group = make("div", { class: "group", role: "group", "aria-label": say(label), "data-group": label }, ...buttons);
  return make("section", {}, make("h3", { text: say(label) }), group);
}

export function updateActions(model) {
  const { mark, entity } = model;
  const isSelected = Boolean(state.cursor);
  find("actions").hidden = !mark && !isSelected;
  const type = isSelected ? null : mark?.type ?? entity?.type;
  const identifier = isSelected ? null : mark?.identifier ?? entity?.identifier;
  for (const button of find("actions").querySelectorAll("button")) {
    const { action, scope } = button.dataset;
    if (scope) press(button, scope === state.scope);
    else if (action.startsWith("type")) press(button, TYPES[action.slice(4) - 1] === type);
    else if (action in IDENTIFIERS) press(button, IDENTIFIERS[action] === identifier);
    const group = button.parentElement.dataset.group;
    const isShown = !isSelected || ["type", "scopeName"].includes(group) || SELECTED.includes(action);
    if (button.hidden === isShown) button.hidden = !isShown;
    const section = button.parentElement.parentElement;
    section.hidden = isSelected && ["identifier", "entity"].includes(group);
  }
}

function press(button, isPressed) {
  if (button.getAttribute("aria-pressed") !== String(isPressed)) button.setAttribute("aria-pressed", isPressed);
}

export function showLegend() {
  const names = isAnnotating() ? ["masked", "kept"] : ["masked", "generalised", "kept", "unsure", "changed"];
  const items = names.map((name) => make("li", {}, make("span", { class: `paint-${name}`, text: say(`legend_${name}`) })));
  find("legend").replaceChildren(...items);
}
