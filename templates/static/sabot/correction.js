// Correcting a round: a card can be put in between two others. Without this script, at the end.
(() => {
  "use strict";

  const insertBefore = (button) => {
    const row = button.closest("li");
    const made = row.cloneNode(true);
    for (const field of made.querySelectorAll("select")) field.value = "";
    row.before(made);
    made.querySelector("select").focus();
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
