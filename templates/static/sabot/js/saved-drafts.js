// Saves what is typed into a form with ``data-draft`` on the server, and fills it in again when the form is
// opened: after a closed tab, an ended session or a crash. The server deletes it when the form was saved.
(() => {
  "use strict";

  const ADDRESS = "/admin/drafts/";
  const PAUSE = 1000; // milliseconds without a key before a draft is saved

  class SavedDraft {
    constructor(form) {
      this.form = form;
      const action = form.getAttribute("action");
      this.name = action ? new URL(action, location).pathname : location.pathname;
      this.address = `${ADDRESS}?${new URLSearchParams({ form: this.name })}`;
      this.initial = this.content();
      this.saved = this.initial;
      const field = document.createElement("input"); // the server deletes the draft that it names
      Object.assign(field, { type: "hidden", name: "form_draft", value: this.name });
      form.append(field);
      for (const name of ["input", "change"]) form.addEventListener(name, () => this.plan());
      form.addEventListener("submit", () => clearTimeout(this.timer));
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "hidden" && this.timer) this.save();
      });
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

    // The answer to a submitted form has what was submitted, which is newer than any draft.
    async begin() {
      if (!document.querySelector("#drafts[data-submitted]")) return this.restore();
      this.initial = this.saved = "";
      return this.save();
    }

    async restore() {
      let draft;
      try {
        draft = await (await fetch(this.address, { redirect: "error" })).json();
      } catch {
        return;
      }
      const isTyped = this.content() !== this.initial || this.form.querySelector("[data-draft-is-back]");
      if (!draft.content || isTyped) return;
      window.formContent.fill(this.form, draft.content);
      clearTimeout(this.timer);
      this.timer = null;
      this.saved = this.content();
      if (this.saved !== this.initial) this.say(draft);
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
      window.formContent.fill(this.form, JSON.parse(this.initial));
      clearTimeout(this.timer);
      this.timer = null;
      this.saved = this.content();
      line.remove();
      await this.send("DELETE");
      this.form.querySelector("input:not([type=hidden]), select, textarea")?.focus();
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.querySelectorAll("form[data-draft]")) new SavedDraft(form).begin();
  });
})();
