// Keyboard of every page: Ctrl K finds a round, J and K walk through rows, Enter opens one; what has
// a key of its own (data-key, as C for correcting a round) is used by it.
(() => {
  "use strict";

  const isTyping = (element) => element.closest("input, select, textarea, [contenteditable]");

  function walk(step) {
    const links = [
      ...document.querySelectorAll(
        "table.rows tbody :is(td:first-child, td.mark + td) a, #result_list tbody th a",
      ),
    ];
    if (!links.length) return;
    const here = links.indexOf(document.activeElement);
    const next = here < 0 ? (step > 0 ? 0 : links.length - 1) : here + step;
    links[Math.min(Math.max(next, 0), links.length - 1)].focus();
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      const find = document.getElementById("find");
      if (!find) return;
      event.preventDefault();
      find.focus();
      find.select();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "j") walk(1);
    if (event.key === "k") walk(-1);
    if (/^[a-z]$/i.test(event.key)) {
      document.querySelector(`[data-key="${event.key.toLowerCase()}"]:not([disabled])`)?.click();
    }
  });

  document.addEventListener("click", (event) => {
    const why = event.target.closest("button.why");
    if (why) {
      const open = why.getAttribute("aria-expanded") === "true";
      why.setAttribute("aria-expanded", String(!open));
      document.getElementById(why.getAttribute("aria-controls")).hidden = open;
    }
    for (const menu of document.querySelectorAll("details.who[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-mark-all]")) return;
    for (const mark of document.querySelectorAll("td.mark input")) mark.checked = event.target.checked;
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const reason of document.querySelectorAll("tr.reason")) reason.hidden = true;
  });

  // On paper nothing can be opened: every reason stands there, and is closed again afterwards.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("tr.reason[hidden]")];
    for (const reason of closed) reason.hidden = false;
  });
  window.addEventListener("afterprint", () => {
    for (const reason of closed) reason.hidden = true;
  });
})();
