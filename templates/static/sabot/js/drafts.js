// Restores the content of a form if submitting it led to the login page, to an error page, or back with
// a message that nothing was saved.
// Drafts stay in the session storage of the tab, encrypted with a key that only pages of this user
// contain. They are filled in, never submitted. Passwords, codes, files and hidden fields are not stored.
(() => {
  "use strict";

  const STORAGE_KEY = "sabot-draft";
  const MAX_AGE_MINUTES = 60;

  const currentPage = () => location.pathname + location.search;
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

  function read() {
    try {
      return JSON.parse(sessionStorage.getItem(STORAGE_KEY));
    } catch {
      return null;
    }
  }

  function write(draft) {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
    } catch {
      // Storage is unavailable: no draft.
    }
  }

  const discard = () => sessionStorage.removeItem(STORAGE_KEY);

  const forms = () => [...document.querySelectorAll("form[method=post]")];

  function contentOf(form) {
    return {
      form: forms().indexOf(form),
      action: form.getAttribute("action"),
      fields: window.formContent.read(form),
    };
  }

  function restore(content) {
    const isSame = (form) => form && form.getAttribute("action") === content.action;
    const all = forms();
    const moved = content.action ? all.find(isSame) : null; // the page may have other forms by now
    const form = isSame(all[content.form]) ? all[content.form] : moved;
    if (!form) return null;
    window.formContent.fill(form, content.fields);
    return form;
  }

  class Drafts {
    constructor(element) {
      this.element = element;
      this.number = 0;
      this.isSent = false;
      const raw = bytesOf(element.dataset.seal);
      this.key = crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
      for (const name of ["input", "change"]) {
        document.addEventListener(name, (event) => this.store(event.target.form));
      }
      document.addEventListener("submit", (event) => this.markSent(event.target));
    }

    // Encryption is asynchronous, so drafts are stored at every change and not on submit.
    async store(form) {
      if (!form || form.method !== "post" || !forms().includes(form)) return;
      const number = ++this.number;
      const nonce = crypto.getRandomValues(new Uint8Array(12));
      const plain = new TextEncoder().encode(JSON.stringify(contentOf(form)));
      const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, await this.key, plain);
      if (number !== this.number) return;
      write({
        page: currentPage(),
        owner: this.element.dataset.owner,
        at: Date.now(),
        nonce: textOf(nonce),
        sealed: textOf(encrypted),
        isSent: this.isSent,
      });
    }

    markSent(form) {
      if (form.method !== "post") return;
      this.isSent = true;
      const draft = read();
      if (draft && draft.page === currentPage()) write({ ...draft, isSent: true });
    }

    async restore(draft) {
      discard();
      let content;
      try {
        const parameters = { name: "AES-GCM", iv: bytesOf(draft.nonce) };
        const plain = await crypto.subtle.decrypt(parameters, await this.key, bytesOf(draft.sealed));
        content = JSON.parse(new TextDecoder().decode(plain));
      } catch {
        return; // encrypted with a key that is no longer valid
      }
      const form = restore(content);
      if (!form) return;
      for (let box = form.closest("details"); box; box = box.parentElement.closest("details")) {
        box.open = true;
      }
      const message = document.createElement("p");
      message.className = "alert alert-amber";
      message.setAttribute("role", "status");
      message.dataset.draftIsBack = "";
      message.textContent = this.element.dataset.words;
      form.prepend(message);
    }
  }

  function start() {
    const element = document.getElementById("drafts");
    const draft = read();
    if (!element) {
      // Login page or error page: the submitted form was not processed.
      if (draft && draft.isSent) write({ ...draft, isBroken: true });
      return;
    }
    if (!window.crypto || !crypto.subtle) return;
    const drafts = new Drafts(element);
    if (!draft) return;
    const isExpired = draft.at < Date.now() - MAX_AGE_MINUTES * 60_000;
    const isUnsaved = draft.isBroken || (draft.isSent && document.querySelector("[data-unsaved]"));
    if (isExpired || draft.owner !== element.dataset.owner || !isUnsaved) discard();
    else if (draft.page === currentPage()) drafts.restore(draft);
  }

  document.addEventListener("DOMContentLoaded", start);
})();
