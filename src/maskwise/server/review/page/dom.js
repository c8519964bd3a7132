// Small helpers to build nodes. Nothing here or elsewhere parses HTML.

export const find = (id) => document.getElementById(id);

export function make(tag, fields = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name === "click") node.addEventListener("click", value);
    else if (name === "text") node.textContent = value;
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export function draw(tag, fields, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(fields)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A dialog with a title and a body; the focus returns to where it was.
export function openDialog(title, ...body) {
  const dialog = find("dialog");
  if (dialog.open) dialog.close();
  dialog.className = "";
  find("dialog-title").textContent = title;
  find("dialog-close").onclick = () => dialog.close();
  find("dialog-body").replaceChildren(...body);
  dialog.showModal();
  return dialog;
}

// Ask for one line of text. Resolves to null if the person gives up.
export function ask(title, value, save, hint = "") {
  return new Promise((resolve) => {
    const input = make("input", { id: "answer", "aria-label": title, maxlength: 2000, autocomplete: "off" });
    input.value = value;
    const told = hint ? [make("p", { text: hint })] : [];
    const form = make("form", { method: "dialog" }, ...told, input, make("button", { class: "main", text: save, type: "submit" }));
    const dialog = openDialog(title, form);
    dialog.className = "small";
    form.addEventListener("submit", (event) => { // the next key may follow at once, so nothing here waits
      event.preventDefault();
      resolve(input.value);
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(null), { once: true });
    input.focus();
    input.select();
  });
}
