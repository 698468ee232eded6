// Correction form: inserts a card between two others. Without JavaScript, cards are added at the end.
(() => {
  "use strict";

  const insertBefore = (button) => {
    const row = button.closest("li");
    const copy = row.cloneNode(true);
    for (const field of copy.querySelectorAll("select")) field.value = "";
    row.before(copy);
    copy.querySelector("select").focus();
  };

  document.addEventListener("DOMContentLoaded", () => {
    const rows = document.querySelector("[data-card-rows]");
    if (!rows) return;
    for (const button of rows.querySelectorAll("[data-insert]")) button.hidden = false;
    rows.addEventListener("click", (event) => {
      const button = event.target.closest("[data-insert]");
      if (button) insertBefore(button);
    });
  });
})();
