// A card that is dragged, by mouse or finger, onto a pile.

const FAR = 8;

export function draggable(handle, sheet, onDrop) {
  let start = null;
  const target = (event) =>
    document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((e) => e.closest("[data-drop]"))
      .find(Boolean);
  const light = (found) => {
    for (const lit of document.querySelectorAll(".over")) lit.classList.remove("over");
    if (found) found.classList.add("over");
  };
  const end = () => {
    start = null;
    sheet.classList.remove("dragged");
    sheet.style.transform = "";
    light(null);
  };
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("button, input, a, select")) return;
    start = { x: event.clientX, y: event.clientY };
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.hypot(x, y) < FAR && !sheet.classList.contains("dragged")) return;
    sheet.classList.add("dragged");
    sheet.style.transform = `translate(${x}px, ${y}px) scale(.6) rotate(-1deg)`;
    light(target(event));
  });
  handle.addEventListener("pointerup", (event) => {
    const found = start && sheet.classList.contains("dragged") ? target(event) : null;
    end();
    if (found) onDrop(found.dataset.drop);
  });
  handle.addEventListener("pointercancel", end);
}
