// The texts of the interface: one file per language.

export const LANGUAGES = { en: "English", de: "Deutsch" };
let known = {};

export async function loadTexts() {
  const asked = localStorage.getItem("maskwise.language") ?? navigator.language.slice(0, 2);
  const language = asked in LANGUAGES ? asked : "en";
  const response = await fetch(`/page/${language}.json`, { credentials: "same-origin" });
  known = await response.json();
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
  return language;
}

export function say(key, values = {}) {
  const text = known[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export const number = (value) => value.toLocaleString(document.documentElement.lang);
