// What the page shows and who looks at it. The other modules share it.
import { find } from "./dom.js";
import { say } from "./texts.js";

export const SCOPES = ["occurrence", "document", "batch"];

export const state = {
  me: null, queue: [], model: null, layer: "",
  scope: "document", view: "side", order: "unsure",
  cursor: null, // selected words that are no mention, in units
  first: null, // the first of two entities to link
  reason: "", // for the next decision
  given: "", // the last reason, offered again
  found: "",
  risk: null, // what the crowd said last
  last: null, // what the last edit changed
};

export const isAnnotating = () => state.me.mode === "annotate";
export const leads = () => state.me.role !== "annotator";
export const isOwn = () => !isAnnotating() || state.layer === state.me.name || (state.layer === "adjudicated" && leads());

export function pathOf(id = state.model.id) {
  const layer = isAnnotating() ? `/layers/${encodeURIComponent(state.layer)}` : "";
  return `/api/documents/${id}${layer}`;
}

const ALARMS = ["failed", "conflict", "shownFirst"];

export function tell(key, values) {
  find("news").textContent = say(key, values);
  find("news").classList.toggle("alarm", ALARMS.includes(key));
}

export async function run(work) {
  try {
    await work();
  } catch (error) {
    tell("failed", { why: error.message });
  }
}
