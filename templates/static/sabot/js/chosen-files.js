// Chooses the files of a form again if it is shown again with an error: browsers empty file fields.
// From the choice until the next page they are in the browser's database, encrypted with the key that
// only pages of this user contain. They are chosen, never submitted.
(() => {
  "use strict";

  const DATABASE = "sabot-files";
  const ERRORS = "[data-unsaved], .field-errors, .field-error, [aria-invalid=true]";
  const FIELDS = "form[method=post] input[type=file][multiple]";

  const currentPage = () => location.pathname + location.search;
  const fields = () => [...document.querySelectorAll(FIELDS)];

  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  async function inStore(mode, act) {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("choices");
    const database = await settled(opening);
    try {
      return await settled(act(database.transaction("choices", mode).objectStore("choices")));
    } finally {
      database.close();
    }
  }

  const keyOf = (element) => {
    const raw = Uint8Array.from(atob(element.dataset.seal), (letter) => letter.charCodeAt(0));
    return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
  };

  async function store(element, field) {
    const key = await keyOf(element);
    const files = await Promise.all(
      [...field.files].map(async (file) => {
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const content = await file.arrayBuffer();
        return { name: file.name, type: file.type, iv, sealed: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, content) };
      }),
    );
    const choice = { page: currentPage(), files };
    await inStore("readwrite", (choices) => choices.put(choice, fields().indexOf(field)));
  }

  async function chooseAgain(element, field, choice) {
    const key = await keyOf(element);
    const transfer = new DataTransfer();
    for (const { name, type, iv, sealed } of choice.files) {
      const content = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed);
      transfer.items.add(new File([content], name, { type }));
    }
    field.files = transfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true })); // stored again, until it is sent
  }

  async function start(element) {
    const numbered = fields().map((field, number) => [field, number]);
    const choices = await Promise.all(
      numbered.map(([, number]) => inStore("readonly", (stored) => stored.get(number))),
    );
    await inStore("readwrite", (stored) => stored.clear());
    if (!document.querySelector(ERRORS)) return;
    for (const [field, number] of numbered) {
      const choice = choices[number];
      const isHere = choice && choice.page === currentPage();
      if (isHere && !field.files.length) await chooseAgain(element, field, choice);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const element = document.getElementById("drafts");
    if (!element || !window.crypto?.subtle || !window.indexedDB) return;
    const ready = start(element).catch(() => {}); // without the database files are chosen by hand
    document.addEventListener("change", (event) => {
      if (event.target.matches(FIELDS)) ready.then(() => store(element, event.target)).catch(() => {});
    }, true);
  });
})();
