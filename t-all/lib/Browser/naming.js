'use strict';

// Names of elements in findings, and which elements can be seen.

const SLACK_PX = 1;         // that a box may stick out, or overlap
const SHOWN = 50;           // characters of a text that a finding quotes

const pixels = number => Math.round(number * 10) / 10;

const shortened = text => text.length > SHOWN ? text.slice(0, SHOWN).toWellFormed() + '...' : text;

function written(element) {
  return element.textContent.replace(/\s+/g, ' ').trim();
}

function selector(element) {
  const classes = [...element.classList].map(name => '.' + name).join('');
  return element.localName + (element.id ? '#' + element.id : '') + classes;
}

// Returns the name of an element, with its parent and the table, fold or section around both.
function named(element) {
  const parts = [selector(element)];
  const parent = element.parentElement;
  if (parent && parent !== document.body) parts.unshift(selector(parent));
  const around = parent && parent.parentElement && parent.parentElement.closest('table, details, section');
  if (around) parts.unshift(selector(around));
  return parts.join(' > ');
}

function said(what, element, more) {
  const text = written(element);
  return `${what}: ${named(element)}${text ? ` "${shortened(text)}"` : ''}${more ? ', ' + more : ''}`;
}

const scrolls = style => /auto|scroll/.test(style.overflowX + style.overflowY);
const clips = style => style.overflowX !== 'visible' || style.overflowY !== 'visible';

// Returns whether an element is for screen readers only: clipped away, or in a box of a pixel. known keeps the answers.
function isForReadersOnly(element, known) {
  if (!element || element === document.body) return false;
  if (!known.has(element)) known.set(element, isHidden(element) || isForReadersOnly(element.parentElement, known));
  return known.get(element);
}

function isHidden(element) {
  const style = getComputedStyle(element);
  if (style.position !== 'absolute') return false;
  if (/^inset\((?:50|100)%/.test(style.clipPath)) return true;
  const box = element.getBoundingClientRect();
  return clips(style) && box.width <= 1 && box.height <= 1;
}

function isShown(element, known = new Map()) {
  return element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })
    && !isForReadersOnly(element, known);
}

function shownElements() {
  const known = new Map();
  return [...document.body.querySelectorAll('*')].filter(element => isShown(element, known));
}

// Returns all texts that can be seen, { element, box } for each of their lines.
function shownTexts() {
  const found = [];
  const known = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.data.trim() || /^(?:script|style|title|desc)$/.test(element.localName)) continue;
    if (!isShown(element, known)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width >= 1 && box.height >= 1) found.push({ element, box });
    }
  }
  return found;
}

// Opens or closes all folds.
function openAll(isOpen) {
  for (const details of document.querySelectorAll('details')) details.open = isOpen;
}
