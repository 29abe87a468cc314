// Looking into piles, at answers again, at files, and at people.

import { h, count, pileName, openDialog, closeDialog } from "./dom.js";
import { file, get } from "./api.js";
import { glance, table } from "./sample.js";

let acts = null;
export const setActs = (given) => {
  acts = given;
};

function choice(piles, label, without, onChoose) {
  const options = piles
    .filter((pile) => pile.number !== without)
    .map((pile) => h("option", { value: String(pile.number) }, pileName(pile)));
  const more = [
    h("option", { value: "new" }, "a new pile"),
    h("option", { value: "unsure" }, "none: unsure"),
  ];
  const select = h(
    "select",
    { "aria-label": label },
    h("option", { value: "" }, "move to …"),
    ...options,
    ...more,
  );
  select.addEventListener("change", () => {
    const { value } = select;
    if (value) onChoose(/^\d+$/.test(value) ? Number(value) : value);
  });
  return select;
}

function member(sample, cells, piles, pile, version) {
  const look = glance(sample);
  const values = cells
    ? cells
        .slice(0, 4)
        .map((cell) => cell[0] ?? "missing")
        .join(" · ")
    : "";
  return h(
    "li",
    {},
    h("span", { class: "who", dir: "auto" }, sample.name),
    look ? h("span", { class: "look" }, look) : h("span", { class: "values", dir: "auto" }, values),
    choice(piles, `Move ${sample.name} to another pile`, pile, async (to) => {
      await acts.act("move", { row: sample.row, pile: to, version });
      openPile(pile);
    }),
  );
}

function renaming(number, found) {
  const name = h("input", {
    type: "text",
    value: found.name,
    maxlength: "60",
    placeholder: `Pile ${number}`,
    "aria-label": "Name of the pile",
  });
  const form = h("form", { class: "row" }, name, h("button", { type: "submit" }, "Name it"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await acts.act("rename", { pile: number, name: name.value, version: found.version });
    openPile(number);
  });
  return form;
}

function merging(number, found, others) {
  if (!others.length) return null;
  const select = h(
    "select",
    { "aria-label": "Pile to merge with" },
    ...others.map((pile) => h("option", { value: String(pile.number) }, pileName(pile))),
  );
  const form = h(
    "form",
    { class: "row" },
    h("span", {}, "is the same as"),
    select,
    h("button", { type: "submit" }, "Merge"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const other = Number(select.value);
    await acts.act("merge", { pile: number, other, version: found.version });
    openPile(Math.min(number, other));
  });
  return form;
}

export async function openPile(number, first = 0) {
  const { piles } = acts.state();
  if (!piles.some((pile) => pile.number === number)) {
    closeDialog();
    return;
  }
  const found = await get("pile", { pile: number, first });
  const others = piles.filter((pile) => pile.number !== number);
  const rows = found.members.map((sample, k) =>
    member(sample, found.table?.cells[k + 1], piles, number, found.version),
  );
  const after = first + found.members.length;
  const next =
    after < found.size
      ? h("button", { type: "button", onclick: () => openPile(number, after) }, "Next samples")
      : null;
  const note =
    found.table && !glanceable(found)
      ? h("p", { class: "quietly" }, `Shown: ${found.table.columns.slice(0, 4).join(" · ")}`)
      : null;
  openDialog(
    `${pileName(found)}: ${count(found.size, "sample")}`,
    h("div", { class: "rows" }, renaming(number, found), merging(number, found, others)),
    note,
    h("ul", { class: "members" }, ...rows),
    next,
  );
}

const glanceable = (found) =>
  found.members.some((sample) => "image" in sample || "pixels" in sample || "text" in sample);

// An answer of a contradiction, to be given anew.
export async function openAnswer(link) {
  if (link.is_pair) {
    const say = (answer) =>
      h(
        "button",
        {
          type: "button",
          onclick: async () => {
            await acts.act("retell", { rows: link.rows, answer });
            closeDialog();
          },
        },
        answer,
      );
    const cells = await get("compare", { rows: link.rows.join(",") });
    openDialog(
      `${link.names[0]} and ${link.names[1]}`,
      h("p", {}, `You said: ${link.answer}. What is right?`),
      h("div", { class: "answers" }, say("same"), say("different"), say("unsure")),
      ...plainTable(cells, link.names),
    );
    return;
  }
  openCard(link.card ?? link.rows[0]);
}

const plainTable = (cells, names) =>
  table(
    { ...cells, total: Math.min(cells.columns.length, 12) },
    cells.cells.length > 1 ? 1 : null,
    names,
    { isOpen: false },
  ).filter(Boolean);

export async function openCard(row) {
  const found = await get("card", { row });
  const pile = found.piles.find((p) => p.number === found.pile);
  const where = pile ? `It lies on ${pileName(pile)}.` : "It lies on no pile.";
  openDialog(
    `Sample ${found.sample.name}`,
    h("p", {}, where),
    h(
      "div",
      { class: "row" },
      choice(found.piles, "Move it to another pile", found.pile, async (to) => {
        await acts.act("move", { row, pile: to, version: found.version });
        closeDialog();
      }),
    ),
    glance(found.sample),
    ...plainTable(found.table, ["this", ""]),
  );
}

// A browser does not show the reason if a file that it saves is refused.
async function takeHome(name, said) {
  said.textContent = "";
  try {
    const address = URL.createObjectURL(await file(`/export/${name}`));
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (error) {
    said.textContent = error.message;
  }
}

export function openFiles() {
  const files = [
    ["constraints.csv", "the pairs that the answers say: a, b, link"],
    ["labels.csv", "the pile of every sorted sample"],
    ["ranking.csv", "all features, best first, from all rows"],
    ["report.html", "one page with the ranking and what it rests on"],
    ["answers.jsonl", "the whole journal: time, seconds, person, what was shown"],
  ];
  const said = h("p", { role: "status" });
  const links = files.map(([name, text]) => {
    const link = h("a", { href: `/export/${name}`, download: name }, name);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      takeHome(name, said);
    });
    return h("li", {}, link, h("span", {}, text));
  });
  const input = h("input", { type: "file", accept: ".csv,text/csv", id: "import" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    const found = await acts.act("import", { text: await file.text() });
    said.textContent = found
      ? `${count(found.taken, "pair")} taken; those answered here already are left out.`
      : acts.trouble();
    // The same file, mended, is a change again.
    input.value = "";
  });
  openDialog(
    "Files",
    h("h3", {}, "Take home"),
    h("ul", { class: "files" }, ...links),
    h("h3", {}, "Bring along"),
    h("label", { for: "import" }, "Earlier pairs, a CSV file with the columns a, b, link"),
    input,
    said,
  );
}

// A card on which people differ, and a button for each answer that was given.
function disagreement(d, name, version) {
  const settle = (pile) => {
    const onclick = async () => {
      const goal = pile < 0 ? "new" : pile;
      await acts.act("move", { row: d.sample.row, pile: goal, version });
      openPeople();
    };
    return h("button", { type: "button", onclick }, name(pile));
  };
  const said = d.said.map((s) => `${s.person || "unnamed"} says ${name(s.pile)}`).join("; ");
  const choices = [...new Set(d.said.map((s) => s.pile))];
  return h(
    "li",
    { class: d.is_settled ? "done" : "" },
    h(
      "p",
      {},
      h("b", { dir: "auto" }, d.sample.name),
      `: ${said}.`,
      d.is_settled ? " Settled." : "",
    ),
    glance(d.sample),
    d.is_settled ? null : h("div", { class: "answers" }, ...choices.map(settle)),
  );
}

export async function openPeople() {
  const found = await get("people");
  const piles = new Map(acts.state().piles.map((pile) => [pile.number, pileName(pile)]));
  const name = (pile) => piles.get(pile) ?? "a pile of its own";
  const alpha =
    found.alpha === null
      ? "Not enough cards were given to two people yet."
      : `${found.same} of ${found.twice} cards that two people had got the same answer; Krippendorff's alpha is ${found.alpha.toFixed(2)} (1 is agreement, 0 is chance).`;
  const items = found.disagreements.map((d) => disagreement(d, name, found.version));
  openDialog(
    "People",
    h(
      "ul",
      { class: "names" },
      ...found.people.map((p) =>
        h("li", { dir: "auto" }, `${p.name || "unnamed"}: ${count(p.answers, "answer")}`),
      ),
    ),
    h("p", {}, alpha),
    items.length ? h("h3", {}, "Disagreements, settled by a person") : null,
    h("ul", { class: "differ" }, ...items),
  );
}

export function askName(onName) {
  const input = h("input", {
    type: "text",
    maxlength: "60",
    required: true,
    autocomplete: "nickname",
    "aria-label": "Your name",
  });
  const form = h("form", { class: "row" }, input, h("button", { type: "submit" }, "Begin"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    closeDialog();
    onName(input.value.trim());
  });
  openDialog(
    "Who are you?",
    h("p", {}, "Several people sort these samples. Your answers carry your name."),
    form,
  );
}
