'use strict';

// Findings about the layout of a page on its screen or paper.

const WIDE_PX = 960;        // the width of a wide screen
const UNBROKEN = 16;        // characters of a word that has room in the first column
const BLOCK = /^(?:block|list-item|table-cell|table-caption|flex|grid|flow-root|inline-block)$/;

// Parts of an element that scrolls may have any width.
function isInScroller(element) {
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (scrolls(getComputedStyle(at))) return true;
  }
  return false;
}

// Returns a finding for each innermost element that sticks out.
function stickingOut(width, elements) {
  const isOut = ({ width: across, left, right }) => across && (left < -SLACK_PX || right > width + SLACK_PX);
  const out = new Map();
  for (const element of elements) {
    const box = [...element.getClientRects()].find(isOut);
    if (!box) continue;
    out.set(element, box);
    out.delete(element.parentElement);
  }
  return [...out].map(([element, box]) =>
    said('sticks out of the page', element, `${pixels(box.left)} to ${pixels(box.right)} px`));
}

function tooWide(width, elements, mayScroll) {
  const root = document.documentElement;
  return [
    ...(root.scrollWidth > width ? [`scrolls: the page is ${root.scrollWidth} px wide, not ${width}`]
      : root.scrollWidth > root.clientWidth ? [`scrolls: ${root.scrollWidth} px in ${root.clientWidth}`] : []),
    ...(window.innerWidth > width ? [`zoomed out: ${window.innerWidth} px are shown, not ${width}`] : []),
    ...stickingOut(width, mayScroll ? elements.filter(element => !isInScroller(element)) : elements),
  ];
}

function scrollers(elements) {
  const isFull = at => at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight;
  return elements.filter(element => scrolls(getComputedStyle(element)) && isFull(element)).map(element =>
    said('scrolls by itself', element, `${element.scrollWidth} px in ${element.clientWidth}`));
}

// Returns the elements that cut off the text of an element, and the box that it should stay in. known keeps the
// answers.
function boundsOf(element, known) {
  if (known.has(element)) return known.get(element);
  const around = element === document.body ? { cutters: [], block: element } : boundsOf(element.parentElement, known);
  const style = getComputedStyle(element);
  const isDrawn = element instanceof SVGElement;
  const isBlock = isDrawn ? element.localName === 'svg' && clips(style) : BLOCK.test(style.display);
  const cutters = scrolls(style) ? [] : clips(style) ? [...around.cutters, element] : around.cutters;
  const bounds = { cutters, block: isBlock ? element : around.block };
  known.set(element, bounds);
  return bounds;
}

function cutOff({ element, box }, { cutters, block }) {
  const found = [];
  for (const cutter of cutters) {
    const limit = cutter.getBoundingClientRect();
    const by = Math.max(limit.left - box.left, box.right - limit.right, limit.top - box.top, box.bottom - limit.bottom);
    if (by > SLACK_PX) found.push(said('cut off', element, `${pixels(by)} px, by ${named(cutter)}`));
  }
  const own = block.getBoundingClientRect();
  const beyond = Math.max(own.left - box.left, box.right - own.right);
  if (beyond > SLACK_PX) found.push(said('runs out of its box', element, `${pixels(beyond)} px, of ${named(block)}`));
  return found;
}

// Goes through the texts from top to bottom, and keeps only those that can still overlap.
function overlaps(texts) {
  const found = [];
  let near = [];
  for (const text of [...texts].sort((a, b) => a.box.top - b.box.top)) {
    near = near.filter(other => other.box.bottom > text.box.top + SLACK_PX);
    for (const other of near) {
      if (other.element === text.element) continue;
      const across = Math.min(text.box.right, other.box.right) - Math.max(text.box.left, other.box.left);
      const down = Math.min(text.box.bottom, other.box.bottom) - text.box.top;
      if (across <= SLACK_PX || down <= SLACK_PX) continue;
      found.push(said('overlap', other.element, said('and', text.element, `${pixels(across)} x ${pixels(down)} px`)));
    }
    near.push(text);
  }
  return found;
}

// Shows the page in another font.
function useFont(name) {
  document.body.style.fontFamily = `"${name}", sans-serif`;
}

// Returns each word in an element, with the places of the lines that it is in. A pattern says what a word is.
function linesOfWords(element, pattern = /(?<!\S)[\p{L}\p{N}]+(?!\S)/gu) {
  const found = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const match of walker.currentNode.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, match.index);
      range.setEnd(walker.currentNode, match.index + match[0].length);
      found.push({ word: match[0], tops: new Set([...range.getClientRects()].map(box => Math.round(box.top))) });
    }
  }
  return found;
}

// The first column has room for a name: a word that is not long stays in one line. On a wide screen, so does the name
// of a machine, also at its hyphens, except in small print.
function brokenNames(elements) {
  const headings = elements.filter(element => element.matches('table:not(.facts) th[scope=row]'));
  return headings.filter(heading => linesOfWords(heading).some(({ word, tops }) =>
    word.length <= UNBROKEN && tops.size > 1)).map(heading => said('breaks within a word', heading))
    .concat(headings.filter(heading => innerWidth >= WIDE_PX && heading.matches('table:not(.small) .short')
      && linesOfWords(heading, /\S+/g).some(({ tops }) => tops.size > 1))
      .map(heading => said('breaks within a name', heading)));
}

// Takes the width of the page, and whether parts of it may scroll by themselves.
function layoutFindings(width, mayScroll) {
  const elements = shownElements();
  const texts = shownTexts();
  const known = new Map();
  return [...new Set([
    ...tooWide(width, elements, mayScroll),
    ...(mayScroll ? [] : scrollers(elements)),
    ...brokenNames(elements),
    ...texts.flatMap(text => cutOff(text, boundsOf(text.element, known))),
    ...overlaps(texts.filter(({ element }) => !mayScroll || !isInScroller(element))),
  ])];
}
