// Keyboard shortcuts: Ctrl K focuses the search, J and K move through the rows of a list, Enter opens
// one, ? lists the keys. An element with data-key is clicked by that key. Keys that are pressed without
// Ctrl can be switched off in this browser, for people who dictate (WCAG 2.2, 2.1.4).
(() => {
  "use strict";

  const isTyping = (element) => element.closest("input, select, textarea, [contenteditable]");

  function moveFocus(step) {
    const links = [
      ...document.querySelectorAll(
        "table.rows tbody :is(td:first-child, td.select-cell + td) a, #result_list tbody th a",
      ),
    ];
    if (!links.length) return;
    const focused = links.indexOf(document.activeElement);
    const next = focused < 0 ? (step > 0 ? 0 : links.length - 1) : focused + step;
    links[Math.min(Math.max(next, 0), links.length - 1)].focus();
  }

  const switched = "sabot-single-keys";
  let singleKeys = true;
  try {
    singleKeys = localStorage.getItem(switched) !== "off";
  } catch {
    // Storage is unavailable: the keys work.
  }
  const show = () => {
    document.documentElement.toggleAttribute("data-no-single-keys", !singleKeys);
  };
  show();

  function switchKeys(isOn) {
    singleKeys = isOn;
    show();
    try {
      localStorage.setItem(switched, isOn ? "on" : "off");
    } catch {
      // Until the page is left.
    }
  }

  const help = () => document.getElementById("keys-help");

  document.addEventListener("keydown", (event) => {
    if (help()?.open) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      const find = document.getElementById("find");
      if (!find) return;
      event.preventDefault();
      find.focus();
      find.select();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeys) return;
    if (event.key === "?") help()?.showModal();
    if (event.key === "j") moveFocus(1);
    if (event.key === "k") moveFocus(-1);
    if (/^[a-z]$/i.test(event.key)) {
      document.querySelector(`[data-key="${event.key.toLowerCase()}"]:not([disabled])`)?.click();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-opens-help]")) help().showModal();
    if (event.target === help()) help().close(); // beside the dialog's contents
    const button = event.target.closest("button.expand");
    if (button) {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      document.getElementById(button.getAttribute("aria-controls")).hidden = open;
    }
    for (const menu of document.querySelectorAll("details.user-menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-single-keys]")) switchKeys(event.target.checked);
    if (!event.target.matches("[data-select-all]")) return;
    for (const input of document.querySelectorAll("td.select-cell input")) {
      input.checked = event.target.checked;
    }
  });

  // A click elsewhere closes the views and columns of a list.
  document.addEventListener("click", (event) => {
    for (const tool of document.querySelectorAll("details.list-tool[open]")) {
      if (!tool.contains(event.target)) tool.open = false;
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const input of document.querySelectorAll("[data-single-keys]")) input.checked = singleKeys;
    for (const row of document.querySelectorAll("tr.explanation")) row.hidden = true;
  });

  // A printout shows all explanations; afterwards they are collapsed again.
  let collapsed = [];
  window.addEventListener("beforeprint", () => {
    collapsed = [...document.querySelectorAll("tr.explanation[hidden]")];
    for (const row of collapsed) row.hidden = false;
  });
  window.addEventListener("afterprint", () => {
    for (const row of collapsed) row.hidden = true;
  });
})();
