// Completes @names in a text: ``data-mentions`` names the element with the people. Arrows choose, Enter or Tab
// takes the name, Escape closes the list.
(() => {
  "use strict";

  const MOST = 8;
  const TYPED = /(^|[^\w@.+-])@([\w@.+-]*)$/;

  class Mentions {
    constructor(field, people) {
      this.field = field;
      this.people = people;
      this.matches = [];
      this.chosen = 0;
      this.list = document.createElement("ul");
      Object.assign(this.list, { className: "mention-list", hidden: true, id: `${field.id || "text"}-mentions` });
      this.list.setAttribute("role", "listbox");
      field.after(this.list);
      // A text of several lines may not be a combobox: it stays a text box that names its list.
      const state = { "aria-autocomplete": "list", "aria-controls": this.list.id };
      Object.entries(state).forEach(([name, value]) => field.setAttribute(name, value));
      field.addEventListener("input", () => this.suggest());
      field.addEventListener("keydown", (event) => this.press(event));
      field.addEventListener("blur", () => this.close());
      this.list.addEventListener("mousedown", (event) => this.click(event)); // before the field loses the focus
    }

    typed() {
      return TYPED.exec(this.field.value.slice(0, this.field.selectionStart));
    }

    suggest() {
      const typed = this.typed();
      const start = typed ? typed[2].toLowerCase() : "";
      const fits = (text) => text.toLowerCase().split(/\s/).some((word) => word.startsWith(start));
      const isTyping = typed && document.activeElement === this.field; // not where a draft is filled in
      this.matches = isTyping ? this.people.filter(({ name, label }) => fits(name) || fits(label)).slice(0, MOST) : [];
      this.chosen = 0;
      this.show();
    }

    show() {
      this.list.replaceChildren(...this.matches.map(({ name, label }, index) => {
        const item = document.createElement("li");
        const user = document.createElement("span");
        user.textContent = `@${name}`;
        item.append(label, " ", user);
        item.id = `${this.list.id}-${index}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(index === this.chosen));
        return item;
      }));
      const isOpen = this.matches.length > 0;
      this.list.hidden = !isOpen;
      if (isOpen) this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.chosen}`);
      else this.field.removeAttribute("aria-activedescendant");
    }

    close() {
      this.matches = [];
      this.show();
    }

    press(event) {
      if (!this.matches.length) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        this.chosen = (this.chosen + step + this.matches.length) % this.matches.length;
        this.show();
      } else if (event.key === "Escape") this.close();
      else if (["Enter", "Tab"].includes(event.key) && !event.shiftKey) this.take(this.matches[this.chosen]);
      else return;
      event.preventDefault();
      event.stopPropagation(); // the page has keys of its own
    }

    click(event) {
      event.preventDefault();
      const item = event.target.closest("li");
      if (item) this.take(this.matches[[...this.list.children].indexOf(item)]);
    }

    take({ name }) {
      const end = this.field.selectionStart;
      const start = end - this.typed()[2].length;
      this.field.setRangeText(`${name} `, start, end, "end");
      this.close();
      this.field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("textarea[data-mentions]")) {
      const people = document.getElementById(field.dataset.mentions);
      if (people) new Mentions(field, JSON.parse(people.dataset.people));
    }
  });
})();
