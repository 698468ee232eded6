// Leaves a page once its session has ended, so that nobody reads it on an unattended screen (OWASP ASVS 5, 14.3.1),
// and says so two minutes earlier, with a button that extends the session (WCAG 2.2, 2.2.1).
(() => {
  "use strict";

  const WARNING_S = 120;
  const LONGEST_PAUSE_S = 120; // within which a session that was ended elsewhere is noticed without a stream
  const FORBIDDEN = 403;

  class SessionEnd {
    constructor(notice) {
      Object.assign(this, { notice, timer: null, text: notice.querySelector("span"), button: notice.querySelector("button") });
      this.button.addEventListener("click", () => this.look({ Accept: "text/html" }));
      this.wait(LONGEST_PAUSE_S / 2);
    }

    wait(seconds) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), 1000 * seconds);
    }

    async look(headers = { Accept: "application/json" }) {
      let status;
      try {
        const response = await fetch(this.notice.dataset.status, { headers, redirect: "error" });
        if (response.status === FORBIDDEN) return this.leave();
        status = await response.json();
      } catch {
        return this.wait(LONGEST_PAUSE_S); // offline, or the server is away: it will tell later
      }
      this.tell(status);
      const next = status.seconds > WARNING_S ? status.seconds - WARNING_S : status.seconds + 1;
      return this.wait(Math.min(next, LONGEST_PAUSE_S));
    }

    tell({ seconds, can_be_extended: isUnused }) {
      const { unused, whole } = this.notice.dataset;
      this.notice.hidden = seconds > WARNING_S;
      this.button.hidden = !isUnused;
      this.text.textContent = this.notice.hidden ? "" : isUnused ? unused : whole;
    }

    // What was shown goes at once, even if the login page does not come.
    leave() {
      const after = new URLSearchParams({ next: location.pathname + location.search });
      document.body.replaceChildren();
      location.replace(`${this.notice.dataset.login}?${after}`);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const notice = document.getElementById("session-end");
    if (!notice) return;
    const end = new SessionEnd(notice);
    document.addEventListener("sabot:stream-ended", () => end.look());
    window.addEventListener("pageshow", ({ persisted }) => persisted && end.look());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && end.look());
  });
})();
