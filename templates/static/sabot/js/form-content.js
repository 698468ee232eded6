// The fields of a form as drafts contain them: name, type, choice and value. Passwords, codes, files, hidden
// fields and what stands outside the form (the chosen rows of a list) are no part of a draft.
(() => {
  "use strict";

  const SECRET_FIELDS = ["one-time-code", "current-password", "new-password"];
  const EXCLUDED_TYPES = ["password", "file", "hidden", "submit", "button", "image", "reset"];

  const isStored = (field) =>
    field.name &&
    field.form.contains(field) &&
    !EXCLUDED_TYPES.includes(field.type) &&
    !SECRET_FIELDS.some((word) => (field.autocomplete || "").includes(word)) &&
    !field.matches(".code-input");

  function valueOf(field) {
    if (["checkbox", "radio"].includes(field.type)) return field.checked;
    if (field.type === "select-multiple") return [...field.selectedOptions].map((option) => option.value);
    return field.value;
  }

  const fieldsOf = (form) => [...form.elements].filter(isStored);
  const isKept = (form) => fieldsOf(form).length > 0;

  function read(form) {
    return fieldsOf(form).map((field) => {
      const choice = field.type === "radio" ? field.value : "";
      return [field.name, field.type, choice, valueOf(field)];
    });
  }

  function fillField(field, value) {
    if (["checkbox", "radio"].includes(field.type)) {
      field.checked = value;
    } else if (field.type === "select-multiple") {
      for (const option of field.options) option.selected = value.includes(option.value);
    } else {
      field.value = value;
    }
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  }

  function fill(form, fields) {
    const remaining = fieldsOf(form);
    for (const [name, type, choice, value] of fields) {
      const index = remaining.findIndex(
        (field) => field.name === name && field.type === type && (type !== "radio" || field.value === choice),
      );
      if (index >= 0) fillField(remaining.splice(index, 1)[0], value);
    }
  }

  window.formContent = { isKept, read, fill };
})();
