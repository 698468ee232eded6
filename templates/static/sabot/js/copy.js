// Buttons that copy the text of another element.
(() => {
  "use strict";

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const from = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(from.textContent.trim());
      button.querySelector("span").textContent = button.dataset.copied;
    } catch {
      getSelection().selectAllChildren(from); // no clipboard without HTTPS: select the text instead
    }
  });
})();
