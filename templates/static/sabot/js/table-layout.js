// Replays a round card by card. Without JavaScript the page shows the finished round.
(() => {
  "use strict";

  const MILLISECONDS_PER_CARD = 700;

  class CardReplay {
    constructor(layout) {
      this.layout = layout;
      this.last = Number(layout.dataset.cards);
      this.slots = [...layout.querySelectorAll("[data-card]")];
      this.steps = [...layout.querySelectorAll("[data-step]")];
      this.count = layout.querySelector("[data-caption-count]");
      this.card = layout.querySelector("[data-caption-card]");
      this.playButton = layout.querySelector("[data-go=play]");
      this.timer = null;
      layout.addEventListener("click", (event) => this.onClick(event));
      document.addEventListener("keydown", (event) => this.onKey(event));
      this.show(this.last);
    }

    onClick(event) {
      const step = event.target.closest("[data-step]");
      const go = event.target.closest("[data-go]");
      if (step) {
        this.stop();
        this.show(Number(step.dataset.step));
      } else if (go) {
        this.go(go.dataset.go);
      }
    }

    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.documentElement.hasAttribute("data-no-single-keys")) return;
      const at = event.target;
      if (at.closest("input, select, textarea, [contenteditable]") || document.querySelector("dialog[open]")) return;
      if (event.key === " " && at.closest("button, a, summary")) return;
      const go = { ArrowLeft: "back", ArrowRight: "next", " ": "play" }[event.key];
      if (!go) return;
      event.preventDefault();
      this.go(go);
    }

    go(where) {
      if (where === "play") {
        this.playOrStop();
        return;
      }
      this.stop();
      this.show({ first: 0, back: this.at - 1, next: this.at + 1, last: this.last }[where]);
    }

    playOrStop() {
      if (this.timer) {
        this.stop();
        return;
      }
      if (this.at === this.last) this.show(0);
      this.playButton.setAttribute("aria-pressed", "true");
      this.timer = setInterval(() => {
        this.show(this.at + 1);
        if (this.at === this.last) this.stop();
      }, MILLISECONDS_PER_CARD);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.playButton.setAttribute("aria-pressed", "false");
    }

    show(number) {
      this.at = Math.min(Math.max(number, 0), this.last);
      for (const slot of this.slots) this.showSlot(slot);
      for (const hand of this.layout.querySelectorAll("[data-hand]")) this.showTotal(hand);
      for (const step of this.steps) {
        const number = Number(step.dataset.step);
        step.classList.toggle("is-dealt", number <= this.at);
        step.classList.toggle("is-current", number === this.at);
        if (number === this.at) {
          step.setAttribute("aria-current", "step");
          this.keepInView(step);
        } else {
          step.removeAttribute("aria-current");
        }
      }
      this.showCaption();
    }

    showSlot(slot) {
      const number = Number(slot.dataset.card);
      const hiddenUntil = Number(slot.dataset.hiddenUntil || 0);
      slot.classList.toggle("is-undealt", number > this.at);
      slot.classList.toggle("is-current", number === this.at);
      slot.classList.toggle("is-hidden", number <= this.at && this.at < hiddenUntil);
    }

    showTotal(hand) {
      const total = hand.querySelector("[data-total-of]");
      if (!total) return;
      const open = [...hand.querySelectorAll("[data-card]")].filter(
        (slot) => !slot.classList.contains("is-undealt") && !slot.classList.contains("is-hidden"),
      );
      total.textContent = open.length ? open.at(-1).dataset.total : "";
      total.parentElement.classList.toggle("is-empty", !open.length);
      const result = hand.querySelector("[data-result]");
      if (result) result.hidden = this.at < this.last;
    }

    showCaption() {
      const step = this.steps[this.at - 1];
      this.count.textContent = step
        ? this.count.dataset.captionCount.replace("%n", this.at).replace("%m", this.last)
        : this.count.dataset.captionNone;
      this.card.replaceChildren();
      if (!step) return;
      this.card.append(step.dataset.label + " ", step.querySelector("svg").cloneNode(true));
    }

    keepInView(step) {
      const box = step.closest(".scroll");
      const left = step.offsetLeft - box.clientWidth / 2;
      if (box.scrollWidth > box.clientWidth) box.scrollLeft = left;
    }
  }

  // Shows the bonus grid after a spin; selecting the same spin again shows the final grid.
  class SpinReplay {
    constructor(grid) {
      this.cells = [...grid.querySelectorAll("[data-spin]")];
      this.sections = [...grid.querySelectorAll("[data-full-at]")];
      this.buttons = [...grid.querySelectorAll("[data-show-spin]")];
      this.at = null;
      grid.addEventListener("click", (event) => {
        const button = event.target.closest("[data-show-spin]");
        if (button) this.show(Number(button.dataset.showSpin));
      });
      this.show(null);
    }

    show(spin) {
      this.at = spin === this.at ? null : spin;
      for (const cell of this.cells) {
        const number = Number(cell.dataset.spin);
        cell.classList.toggle("is-later", this.at !== null && number > this.at);
        cell.classList.toggle("is-now", number === this.at);
      }
      for (const section of this.sections) {
        const isFull = this.at === null || Number(section.dataset.fullAt) <= this.at;
        section.classList.toggle("is-full", isFull);
      }
      for (const button of this.buttons) {
        button.setAttribute("aria-pressed", String(Number(button.dataset.showSpin) === this.at));
      }
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const grid of document.querySelectorAll("[data-grid]")) new SpinReplay(grid);
    for (const layout of document.querySelectorAll("[data-table-layout]")) {
      if (layout.querySelector("[data-step]")) new CardReplay(layout);
    }
  });
})();
