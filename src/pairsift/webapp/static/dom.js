// Elements are made here, and text only ever goes in as text.

export const $ = (id) => document.getElementById(id);

export function h(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null));
}

export function svg(tag, given = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

// Ten colours; a pile keeps the one of its number.
export const colour = (pile) => `pile-${((pile - 1) % 10) + 1}`;

export const pileName = (pile) => pile.name || `Pile ${pile.number}`;

export function say(text) {
  $("live").textContent = text;
}

export function openDialog(title, ...children) {
  const dialog = $("dialog");
  const close = h(
    "button",
    { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() },
    "×",
  );
  // What the page says of the last act is hidden behind the dialog.
  const trouble = $("alerts").querySelector(".trouble")?.textContent;
  const said = trouble ? h("p", { class: "alert", role: "alert" }, trouble) : null;
  fill(
    dialog,
    h("header", {}, h("h2", { id: "dialog-title" }, title), close),
    h("div", { class: "inside" }, said, ...children),
  );
  if (!dialog.open) dialog.showModal();
}

export const closeDialog = () => $("dialog").close();
