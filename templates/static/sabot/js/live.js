// Keeps pages current: one stream of topics for all tabs of a browser (server-sent events), and each page
// fetches itself again when something that it shows has changed. Lists say what is new and wait for a
// click, and so does a page on which somebody is writing. Without JavaScript or stream, pages stay as
// they were loaded.
(() => {
  "use strict";

  const SETTLE_MS = 600; // changes come in groups
  const LONGEST_PAUSE_MS = 300_000;
  const KEPT_MS = 30_000;
  const CHANNEL = "sabot-live";

  const kindOf = (topic) => topic.split(":")[0];
  const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

  // ---- the stream: one tab has it, by a lock, and passes the topics on to the others

  class Stream {
    constructor(address, since, tell) {
      Object.assign(this, { address, since, tell, recent: [], failures: 0 });
      this.channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
      this.channel?.addEventListener("message", ({ data }) => this.onMessage(data));
      this.channel?.postMessage({ since });
      if (navigator.locks && this.channel) navigator.locks.request(CHANNEL, () => this.lead());
      else this.lead();
    }

    onMessage({ topic, since }) {
      if (topic) this.tell(topic);
      else if (this.source) {
        const missed = this.recent.filter((event) => event.at > since);
        for (const event of missed) this.channel.postMessage({ topic: event.topic });
      }
    }

    async lead() {
      for (;;) {
        await this.listen();
        this.failures += 1;
        const pause = Math.min(2000 * 2 ** this.failures, LONGEST_PAUSE_MS);
        await wait(pause * (0.5 + Math.random() / 2));
      }
    }

    listen() {
      return new Promise((resolve) => {
        this.source = new EventSource(`${this.address}?since=${this.since}`);
        this.source.addEventListener("open", () => { this.failures = 0; });
        this.source.addEventListener("message", (event) => this.onEvent(Number(event.lastEventId), event.data));
        this.source.addEventListener("error", () => {
          this.source.close(); // reconnecting is ours: with longer and longer pauses
          document.dispatchEvent(new Event("sabot:stream-ended"));
          resolve();
        });
      });
    }

    onEvent(at, topic) {
      this.since = Math.max(this.since, at);
      this.recent = [...this.recent.filter((event) => event.at > at - KEPT_MS), { at, topic }];
      this.channel?.postMessage({ topic });
      this.tell(topic);
    }
  }

  // ---- what is shown

  class LivePage {
    constructor(element, words) {
      Object.assign(this, { element, words, timer: null, isEdited: false, next: null });
      this.topics = element.dataset.live.split(" ");
      element.addEventListener("input", () => { this.isEdited = true; });
    }

    // A topic without a name is any of its kind, on both sides.
    shows(topic) {
      const kind = kindOf(topic);
      if (kind === "*") return true;
      return this.topics.some((own) => own === topic || own === kind || (topic === `${kind}:` && kindOf(own) === kind));
    }

    onTopic(topic) {
      if (!this.shows(topic) || this.element.dataset.refresh) return; // refresh.js is at it
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), SETTLE_MS * (1 + Math.random()));
    }

    async look() {
      if (this.element.hasAttribute("data-live-ask")) return this.offer(this.words.changed);
      const next = await this.fetched();
      if (!next || next.textContent.replace(/\s+/g, " ") === this.text()) return null;
      this.next = next;
      if (this.element.hasAttribute("data-live-list")) {
        const changes = this.changesIn(next);
        return changes ? this.offer(this.words.rows.replace("{}", changes)) : null;
      }
      return this.isBusy() ? this.offer(this.words.changed) : this.show();
    }

    async fetched() {
      try {
        const response = await fetch(location.href, { redirect: "error" });
        if (!response.ok) return null;
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        return page.querySelector("[data-live]");
      } catch {
        return null; // logged out or offline: keep the current content
      }
    }

    text() {
      const copy = this.element.cloneNode(true);
      copy.querySelector(".live-offer")?.remove();
      return copy.textContent.replace(/\s+/g, " ");
    }

    isBusy() {
      const active = document.activeElement;
      const isWriting = this.element.contains(active) && active.matches("input, textarea, select");
      return this.isEdited || isWriting || Boolean(document.querySelector("dialog[open]"));
    }

    // How many rows of a list are new, different or gone; the larger number of both sides.
    changesIn(next) {
      const rows = (root) => [...root.querySelectorAll("tbody tr")].map((row) => row.textContent.replace(/\s+/g, " "));
      const [before, after] = [rows(this.element), rows(next)];
      const missing = (some, others) => some.filter((row) => !others.includes(row)).length;
      return Math.max(missing(after, before), missing(before, after));
    }

    offer(text) {
      let place = this.element.querySelector(".live-offer");
      if (!place) {
        place = document.createElement("div");
        place.className = "live-offer";
        place.setAttribute("role", "status");
        const button = document.createElement("button");
        button.type = "button";
        button.className = "button";
        button.textContent = this.words.show;
        button.addEventListener("click", () => this.accept());
        place.append(document.createElement("span"), button);
        this.element.prepend(place);
      }
      place.firstChild.textContent = text;
    }

    async accept() {
      const mayReload = this.element.hasAttribute("data-live-ask") && !this.isEdited;
      if (!mayReload) this.next ??= await this.fetched();
      if (this.next) this.show();
      else location.reload();
    }

    show() {
      const { element, next } = this;
      const links = () => [...element.querySelectorAll("a, button, summary")];
      const focused = links().indexOf(document.activeElement);
      const open = [...element.querySelectorAll("details")].map((details) => details.open);
      const written = this.isEdited ? fieldsOf(element).map((field) => [nameOf(field), field]) : [];
      element.innerHTML = next.innerHTML;
      for (const field of fieldsOf(element)) restore(field, written.find(([name]) => name === nameOf(field))?.[1]);
      if (next.dataset.refresh) element.dataset.refresh = next.dataset.refresh;
      [...element.querySelectorAll("details")].forEach((details, number) => { details.open = open[number] ?? details.open; });
      links()[focused]?.focus({ preventScroll: true });
      this.next = null;
      document.dispatchEvent(new Event("sabot:shown"));
      say(this.words.updated);
    }
  }

  const fieldsOf = (root) =>
    [...root.querySelectorAll("form[method=post] :is(input, textarea, select)")].filter(
      (field) => field.name && !["hidden", "file", "password"].includes(field.type),
    );
  const nameOf = (field) =>
    [field.form.getAttribute("action"), field.name, field.type === "radio" ? field.value : ""].join(" ");

  // What somebody has written stays where its form is still there.
  function restore(field, former) {
    if (!former) return;
    if (["checkbox", "radio"].includes(field.type)) field.checked = former.checked;
    else field.value = former.value;
  }

  function say(text) {
    const place = document.getElementById("live-said");
    if (!place) return;
    place.textContent = "";
    setTimeout(() => { place.textContent = text; }, 50); // a text that is the same is not read again
  }

  // ---- the numbers of the bell and the menu

  class Counts {
    constructor(address) {
      Object.assign(this, { address, timer: null });
    }

    onTopic() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), SETTLE_MS * (1 + Math.random()));
    }

    async look() {
      let counts;
      try {
        counts = await (await fetch(this.address, { redirect: "error" })).json();
      } catch {
        return; // logged out or offline: keep the current numbers
      }
      for (const place of document.querySelectorAll("[data-count]")) {
        const count = counts[place.dataset.count];
        if (count) this.show(place, count);
      }
    }

    show(place, { number, text, label }) {
      const bell = place.closest(".bell"), [seen, said] = place.children;
      place.hidden = !number;
      (seen ?? place).textContent = text;
      if (said) said.textContent = label;
      bell?.setAttribute("aria-label", label);
      (bell ?? place).title = label;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("live");
    if (!place || !window.EventSource) return;
    const page = document.querySelector("[data-live]");
    const counts = new Counts(place.dataset.counts);
    const shown = page ? new LivePage(page, place.dataset) : null;
    const tell = (topic) => {
      shown?.onTopic(topic);
      counts.onTopic();
    };
    new Stream(place.dataset.stream, Number(place.dataset.since), tell);
  });
})();
