// Fills in again what was typed into a form and not stored: after a wrong code, an ended session, a closed tab or
// a crash. Each form brings its entries along when it is submitted, and the server keeps them unless they were
// stored; a form with ``data-draft`` is saved while somebody types, too. Drafts are never submitted by themselves.
(() => {
  "use strict";

  const PAUSE = 1000; // milliseconds without a key before a draft is saved

  class Draft {
    constructor(form, { owner, drafts }) {
      this.form = form;
      const action = new URL(form.getAttribute("action") || location.pathname, location);
      this.name = action.pathname + action.search;
      this.address = `${drafts}?${new URLSearchParams({ form: this.name })}`;
      this.initial = this.saved = this.content();
      this.add("draft_form", this.name);
      this.add("draft_owner", owner);
      const content = this.add("draft_content", "");
      form.addEventListener("submit", () => {
        clearTimeout(this.timer);
        this.timer = null; // leaving the page saves nothing more
        content.value = this.content();
      });
      if (!("draft" in form.dataset)) return;
      for (const name of ["input", "change"]) form.addEventListener(name, () => this.plan());
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "hidden" && this.timer) this.save();
      });
    }

    add(name, value) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      this.form.append(field);
      return field;
    }

    content() {
      return JSON.stringify(window.formContent.read(this.form));
    }

    plan() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), PAUSE);
    }

    async save() {
      clearTimeout(this.timer);
      this.timer = null;
      const content = this.content();
      if (content === this.saved) return;
      this.saved = content;
      const isEmpty = content === this.initial;
      await this.send(isEmpty ? "DELETE" : "POST", isEmpty ? undefined : content);
      this.form.dataset.draft = isEmpty ? "" : "saved";
    }

    async send(method, body) {
      const token = this.form.querySelector("[name=csrfmiddlewaretoken]").value;
      const headers = { "X-CSRFToken": token, "Content-Type": "application/json" };
      try {
        await fetch(this.address, { method, body, headers, keepalive: true, redirect: "error" });
      } catch {
        this.saved = null; // logged out or offline: tried again with the next key
      }
    }

    // A page that shows what was submitted has the same entries as the draft, and says nothing of it.
    restore(draft) {
      if (this.content() !== this.initial || JSON.stringify(draft.content) === this.initial) return;
      this.fill(draft.content);
      if (this.saved !== this.initial) this.say(draft);
    }

    fill(content) {
      window.formContent.fill(this.form, content);
      clearTimeout(this.timer);
      this.timer = null;
      this.saved = this.content();
    }

    say({ message, discard }) {
      for (let box = this.form.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
      const line = document.createElement("p");
      line.className = "draft-line";
      line.setAttribute("role", "status");
      line.dataset.draftRestored = "";
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "plain", textContent: discard });
      button.addEventListener("click", () => this.discard(line));
      line.append(message, " ", button);
      this.form.prepend(line);
    }

    async discard(line) {
      this.fill(JSON.parse(this.initial));
      line.remove();
      await this.send("DELETE");
      this.form.querySelector("input:not([type=hidden]), select, textarea")?.focus();
    }
  }

  function begin() {
    const place = document.getElementById("drafts");
    const isNew = (form) => !form.querySelector("[name=draft_form]") && window.formContent.isKept(form);
    const forms = place ? [...document.querySelectorAll("main form[method=post]")].filter(isNew) : [];
    return forms.map((form) => new Draft(form, place.dataset));
  }

  document.addEventListener("sabot:shown", begin); // with what was typed before
  document.addEventListener("DOMContentLoaded", async () => {
    const drafts = begin();
    if (!drafts.length) return;
    const names = new URLSearchParams(drafts.map(({ name }) => ["form", name]));
    const { drafts: address } = document.getElementById("drafts").dataset;
    try {
      const saved = await (await fetch(`${address}?${names}`, { redirect: "error" })).json();
      for (const draft of drafts) if (saved[draft.name]) draft.restore(saved[draft.name]);
    } catch {
      // Logged out or offline: the forms work without drafts.
    }
  });
})();
