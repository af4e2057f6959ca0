"use strict";
// Elements of a page, and its texts.

const SVG = "http://www.w3.org/2000/svg";
const byId = id => document.getElementById(id);

function make(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}

function element(parent, name, className, text) {
  const created = document.createElement(name);
  if (className) created.className = className;
  if (text !== undefined) created.textContent = text;
  parent.appendChild(created);
  return created;
}

function button(parent, name, action, id) {
  const created = element(parent, "button", "", name);
  created.type = "button";
  if (id) created.id = id;
  created.onclick = action;
  return created;
}

// A text with its values: `{0}` is the place of the first.
function fill(template, ...values) {
  return template.replace(/\{(\d)\}/g, (_, n) => values[n]);
}

// Writes the texts that the elements name.
function nameElements(texts) {
  for (const named of document.querySelectorAll("[data-text]")) named.textContent = texts[named.dataset.text];
  for (const named of document.querySelectorAll("[data-label]")) {
    named.setAttribute("aria-label", texts[named.dataset.label]);
    if (named.localName === "button") named.title = texts[named.dataset.label];
  }
}
