// What somebody typed into a form comes back when sending it led to login, or to a page of an error.
// It waits in the tab alone, sealed with a key that only this person's pages carry, and it is only
// filled in again, never sent. Passwords, codes, files and hidden fields are not kept.
(() => {
  "use strict";

  const PLACE = "sabot-draft";
  const MINUTES = 60;
  const SECRET = ["one-time-code", "current-password", "new-password"];
  const LEFT_OUT = ["password", "file", "hidden", "submit", "button", "image", "reset"];

  const here = () => location.pathname + location.search;
  const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

  function read() {
    try {
      return JSON.parse(sessionStorage.getItem(PLACE));
    } catch {
      return null;
    }
  }

  function write(draft) {
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(draft));
    } catch {
      // The browser keeps nothing: then nothing comes back.
    }
  }

  const forget = () => sessionStorage.removeItem(PLACE);

  const isKept = (field) =>
    field.name &&
    !LEFT_OUT.includes(field.type) &&
    !SECRET.some((word) => (field.autocomplete || "").includes(word)) &&
    !field.matches(".code-input");

  const forms = () => [...document.querySelectorAll("form[method=post]")];

  function valueOf(field) {
    if (["checkbox", "radio"].includes(field.type)) return field.checked;
    if (field.type === "select-multiple") return [...field.selectedOptions].map((one) => one.value);
    return field.value;
  }

  function typedInto(form) {
    const fields = [...form.elements].filter(isKept);
    return {
      form: forms().indexOf(form),
      action: form.getAttribute("action"),
      fields: fields.map((field) => [field.name, field.type, field.type === "radio" ? field.value : "", valueOf(field)]),
    };
  }

  function fill(field, value) {
    if (["checkbox", "radio"].includes(field.type)) field.checked = value;
    else if (field.type === "select-multiple") for (const one of field.options) one.selected = value.includes(one.value);
    else field.value = value;
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  }

  function fillAgain(typed) {
    const form = forms()[typed.form];
    if (!form || form.getAttribute("action") !== typed.action) return null;
    const left = [...form.elements].filter(isKept);
    for (const [name, type, choice, value] of typed.fields) {
      const at = left.findIndex(
        (field) => field.name === name && field.type === type && (type !== "radio" || field.value === choice),
      );
      if (at >= 0) fill(left.splice(at, 1)[0], value);
    }
    return form;
  }

  class Drafts {
    constructor(about) {
      this.about = about;
      this.number = 0;
      this.isSent = false;
      const raw = bytesOf(about.dataset.seal);
      this.key = crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
      for (const name of ["input", "change"]) {
        document.addEventListener(name, (event) => this.keep(event.target.form));
      }
      document.addEventListener("submit", (event) => this.sent(event.target));
    }

    // Sealed at every change and not when the form is sent: sealing takes a moment.
    async keep(form) {
      if (!form || form.method !== "post" || !forms().includes(form)) return;
      const number = ++this.number;
      const nonce = crypto.getRandomValues(new Uint8Array(12));
      const plain = new TextEncoder().encode(JSON.stringify(typedInto(form)));
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, await this.key, plain);
      if (number !== this.number) return;
      const { owner } = this.about.dataset;
      write({ page: here(), owner, at: Date.now(), nonce: textOf(nonce), sealed: textOf(sealed), isSent: this.isSent });
    }

    sent(form) {
      if (form.method !== "post") return;
      this.isSent = true;
      const draft = read();
      if (draft && draft.page === here()) write({ ...draft, isSent: true });
    }

    async giveBack(draft) {
      forget();
      let typed;
      try {
        const how = { name: "AES-GCM", iv: bytesOf(draft.nonce) };
        const plain = await crypto.subtle.decrypt(how, await this.key, bytesOf(draft.sealed));
        typed = JSON.parse(new TextDecoder().decode(plain));
      } catch {
        return; // sealed with a key that is not in force any more
      }
      const form = fillAgain(typed);
      if (!form) return;
      for (let at = form.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
      const words = document.createElement("p");
      words.className = "alert alert-amber";
      words.setAttribute("role", "status");
      words.dataset.draftIsBack = "";
      words.textContent = this.about.dataset.words;
      form.prepend(words);
    }
  }

  function begin() {
    const about = document.getElementById("drafts");
    const draft = read();
    if (!about) {
      // Login, or the page of an error: the form that was sent last did not get through.
      if (draft && draft.isSent) write({ ...draft, isBroken: true });
      return;
    }
    if (!window.crypto || !crypto.subtle) return;
    const drafts = new Drafts(about);
    if (!draft) return;
    const isOver = draft.owner !== about.dataset.owner || draft.at < Date.now() - MINUTES * 60_000;
    if (isOver || !draft.isBroken) forget();
    else if (draft.page === here()) drafts.giveBack(draft);
  }

  document.addEventListener("DOMContentLoaded", begin);
})();
