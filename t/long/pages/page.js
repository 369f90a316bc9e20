'use strict';

// What is wrong with the page that a browser shows: parts that act or are fetched, texts that are cut off, overlap or
// stick out, marks beyond their pictures, and what a reader must see without scrolling. axe-core tells the rest.

const SLACK_PX = 1;
const NEEDLESS = 'script:not([type="application/json"]), iframe, frame, object, embed, form, base, img, audio, video, '
  + 'foreignObject, meta[http-equiv], link:not([rel="icon"][href="data:,"])';
const FETCHED = /^(?:href|src|xlink:href|action|formaction|srcset|poster|background|data)$/i;

const written = element => element.textContent.replace(/\s+/g, ' ').trim().slice(0, 50);
const named = ({ localName, id, classList }) =>
  localName + (id && `#${id}`) + [...classList].map(name => `.${name}`).join('');
const said = (what, element, more = '') => `${what}: ${named(element)} "${written(element)}" ${more}`.trim();
const scrolls = style => /auto|scroll/.test(style.overflowX + style.overflowY);
const clips = style => style.overflowX !== 'visible' || style.overflowY !== 'visible';

function isClippedAway(element) {
  const style = getComputedStyle(element);
  if (style.position !== 'absolute') return false;
  const { width, height } = element.getBoundingClientRect();
  return /^inset\((?:50|100)%/.test(style.clipPath) || clips(style) && width <= 1 && height <= 1;
}

// Returns whether an element is for screen readers only.
const known = new WeakMap();
function isForReadersOnly(element) {
  if (!element || element === document.body) return false;
  if (!known.has(element)) known.set(element, isClippedAway(element) || isForReadersOnly(element.parentElement));
  return known.get(element);
}

const isShown = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  && !isForReadersOnly(element);
const shownElements = () => [...document.body.querySelectorAll('*')].filter(isShown);

// Returns all texts that can be seen, { element, box } for each of their lines.
function shownTexts() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.data.trim() || /^(?:script|style|title|desc)$/.test(element.localName) || !isShown(element)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width >= 1 && box.height >= 1) found.push({ element, box });
  }
  return found;
}

function around(element, isWanted) {
  const found = [];
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (scrolls(getComputedStyle(at))) return isWanted === scrolls ? [at] : found;
    if (isWanted(getComputedStyle(at))) found.push(at);
  }
  return found;
}

const isInScroller = element => around(element, scrolls).length > 0;

function beyond(box, limit) {
  return Math.max(limit.left - box.left, box.right - limit.right, limit.top - box.top, box.bottom - limit.bottom)
    > SLACK_PX;
}

function cutOff({ element, box }) {
  const own = clips(getComputedStyle(element)) && !scrolls(getComputedStyle(element)) ? [element] : [];
  return [...own, ...around(element, clips)].filter(cutter => beyond(box, cutter.getBoundingClientRect()))
    .map(cutter => said('cut off', element, `by ${named(cutter)}`));
}

// Goes through the texts from top to bottom, and keeps only those that can still overlap.
function overlaps(texts) {
  const found = [];
  let near = [];
  for (const { element, box } of [...texts].sort((a, b) => a.box.top - b.box.top)) {
    near = near.filter(other => other.box.bottom > box.top + SLACK_PX);
    found.push(...near.filter(other => other.element !== element
      && Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > SLACK_PX)
      .map(other => said('overlap', other.element, `and ${written(element)}`)));
    near.push({ element, box });
  }
  return found;
}

// Takes the width of the page, and whether parts of it may scroll by themselves.
function layoutFindings(width, mayScroll) {
  const elements = shownElements().filter(element => !mayScroll || !isInScroller(element));
  const texts = shownTexts().filter(({ element }) => !mayScroll || !isInScroller(element));
  const isOut = ({ left, right }) => left < -SLACK_PX || right > width + SLACK_PX;
  return [
    ...(document.documentElement.scrollWidth > width ? ['the page is wider than its screen'] : []),
    ...elements.filter(element => [...element.getClientRects()].some(box => box.width && isOut(box)))
      .map(element => said('sticks out', element)),
    ...(mayScroll ? [] : elements.filter(at => scrolls(getComputedStyle(at)) && at.scrollWidth > at.clientWidth))
      .map(element => said('scrolls by itself', element)),
    ...texts.flatMap(cutOff),
    ...overlaps(texts),
    ...[...document.querySelectorAll('svg')].filter(isShown).flatMap(svg =>
      [...svg.querySelectorAll('rect, circle, line')].filter(mark =>
        beyond(mark.getBoundingClientRect(), svg.getBoundingClientRect()))
        .map(mark => said('beyond its picture', mark))),
  ];
}

function contentFindings() {
  const isData = ({ localName }, name) => localName === 'link' && name === 'href' || localName === 'meta';
  return [
    ...[...document.querySelectorAll(NEEDLESS)].map(element => said('needless', element)),
    ...[...document.querySelectorAll('*')].flatMap(element => [...element.attributes]
      .filter(({ name, value }) => /^on/i.test(name)
        || !isData(element, name) && (/^\s*(?:javascript|data|vbscript)\s*:/i.test(value)
          || FETCHED.test(name) && !/^#./.test(value)))
      .map(({ name, value }) => said('attribute', element, `${name}="${value}"`))),
    ...(window.pwned === undefined ? [] : ['a script of the machine has run']),
    ...(document.querySelectorAll('h1').length === 1 && document.title.trim() ? [] : ['not one title']),
  ];
}

// The title, the numbers, the trust and the strip of published indexes are on the first screen.
function firstFindings(width, height) {
  return [...document.querySelectorAll('h1, .headline .value, .headline figure')]
    .filter(element => {
      const { left, right, bottom } = element.getBoundingClientRect();
      return left < 0 || right > width || bottom + scrollY > height;
    }).map(element => said('not on the first screen', element));
}

// Takes the kind of rules, colours or structure: that for colours is slow, and takes minutes for a very large page.
async function axeFindings(kind) {
  if (document.all.length > 4000) return [];
  const options = kind === 'colours' ? { runOnly: ['color-contrast'] }
    : { rules: { 'color-contrast': { enabled: false } } };
  const { violations } = await axe.run(document, { ...options, resultTypes: ['violations'], preload: false });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat(9).join(' ')}`));
}

const openAll = isOpen => document.querySelectorAll('details').forEach(details => { details.open = isOpen; });
