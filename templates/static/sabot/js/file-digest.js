// Computes the SHA-256 of a chosen or dropped file in the browser, and compares it with the recorded one or
// enters it into a field (``data-into``). The file is not sent.
(() => {
  "use strict";

  const MOST_BYTES = 1e9; // WebCrypto takes a file as a whole

  const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  async function digestOf(file) {
    if (!window.crypto?.subtle || file.size > MOST_BYTES) return null;
    try {
      return hexOf(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    } catch {
      return null;
    }
  }

  async function check(box, file) {
    const { fileDigest, into, isSame, differs, computing, impossible } = box.dataset;
    const status = box.querySelector("[role=status]");
    delete status.dataset.result;
    status.textContent = computing;
    const digest = await digestOf(file);
    if (!digest) {
      status.textContent = impossible;
    } else if (into) {
      const field = document.getElementById(into);
      field.value = digest;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      status.textContent = "";
    } else {
      status.dataset.result = digest === fileDigest ? "same" : "different";
      status.textContent = digest === fileDigest ? isSame : `${differs} ${digest}`;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const box of document.querySelectorAll("[data-file-digest]")) {
      const input = box.querySelector("[type=file]"); // "input": upload.js stops "change"
      input.addEventListener("input", () => input.files[0] && check(box, input.files[0]));
      box.addEventListener("dragover", (event) => event.preventDefault());
      box.addEventListener("drop", (event) => {
        event.preventDefault();
        if (event.dataTransfer.files[0]) check(box, event.dataTransfer.files[0]);
      });
    }
  });
})();
