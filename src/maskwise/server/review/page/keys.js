// Which key does what. A person can change every key; the choice stays in this browser.

export const DEFAULTS = {
  next: "j", previous: "k", unsure: "u", shown: "b", mask: "m", unmask: "x", accept: "a", acceptAll: "A", follow: "p",
  level: "g", replacement: "r", reason: "e", scope: "o", direct: "d", quasi: "q", none: "n", confidential: "c",
  link: "l", split: "s", unmark: "Delete", wordRight: "ArrowRight", wordLeft: "ArrowLeft", extend: "Shift+ArrowRight",
  shrink: "Shift+ArrowLeft", find: "/", undo: "z", redo: "y", view: "v", order: "t", stepOn: ".", stepBack: ",",
  draft: "w", save: "Shift+Enter", release: "R", layer: "L", difference: "D", agreement: "G", assign: "N",
  export: "X", progress: "P", help: "?",
  type1: "1", type2: "2", type3: "3", type4: "4", type5: "5", type6: "6", type7: "7", type8: "8",
};
const PLACE = "maskwise.keys";

export function readKeys() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(PLACE) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function changeKey(action, key) {
  const keys = readKeys();
  const taken = Object.keys(keys).find((other) => keys[other] === key && other !== action);
  if (taken) return taken;
  localStorage.setItem(PLACE, JSON.stringify({ ...keys, [action]: key }));
  return null;
}

export const resetKeys = () => localStorage.removeItem(PLACE);

export function nameKey(event) {
  const isNamed = event.key.length > 1;
  return (isNamed && event.shiftKey ? "Shift+" : "") + event.key;
}

// Calls `act` with the action of a key, unless the person types into a field or a dialog is open.
export function listen(act) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    // A field keeps the focus for a moment after its dialog was closed; a key then is meant for the text.
    if (event.target.matches("input, select, textarea") && !event.target.closest("dialog:not([open])")) return;
    const name = nameKey(event);
    const keys = readKeys();
    const action = Object.keys(keys).find((one) => keys[one] === name);
    if (!action) return;
    event.preventDefault();
    act(action);
  });
}
