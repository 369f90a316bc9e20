'use strict';

// Findings about texts and marks with too little contrast (WCAG 2.2, 1.4.3 and 1.4.11), also in SVG and on paper.

const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;
const MARKS = 'svg rect, svg circle, svg line, svg path, svg polyline, svg polygon';
const DECORATION = '.grid, .band, .halo';    // what the dashed lines and the table say, too; what sets a line off

function colour(text) {
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
  return { channels: [red, green, blue], alpha };
}

// Returns the colour that results from painting one colour on another.
function painted({ channels, alpha }, below) {
  return channels.map((channel, place) => channel * alpha + below[place] * (1 - alpha));
}

// Returns the background colour of an element. known has those of other elements.
function backgroundOf(element, known) {
  if (!element) return [255, 255, 255];
  if (known.has(element)) return known.get(element);
  const own = colour(getComputedStyle(element).backgroundColor);
  const background = own.alpha === 1 ? own.channels : painted(own, backgroundOf(element.parentElement, known));
  known.set(element, background);
  return background;
}

function luminance(channels) {
  const [red, green, blue] = channels.map(channel => channel / 255).map(part =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// Returns the colour of a text, or the colour of a mark that has the best contrast.
function contrastOf(element, paints, known) {
  const background = backgroundOf(element, known);
  const style = getComputedStyle(element);
  return Math.max(0, ...paints.filter(paint => style[paint] !== 'none').map(paint => {
    const own = colour(style[paint]);
    const opacity = paint === 'color' ? 1 : Number(style[paint + 'Opacity']);
    return contrast(painted({ ...own, alpha: own.alpha * opacity }, background), background);
  }));
}

function leastOf(element) {
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  return size >= LARGE_PX || size >= LARGE_BOLD_PX && Number(style.fontWeight) >= 700 ? 3 : 4.5;
}

function contrastFindings() {
  const [known, knownShown] = [new Map(), new Map()];
  const texts = [...new Set(shownTexts().map(({ element }) => element))].map(element => ({ element,
    is: contrastOf(element, [element instanceof SVGElement ? 'fill' : 'color'], known), least: leastOf(element) }));
  const marks = [...document.querySelectorAll(MARKS)]
    .filter(mark => !mark.matches(DECORATION) && isShown(mark, knownShown))
    .map(element => ({ element, is: contrastOf(element, ['fill', 'stroke'], known), least: 3 }));
  return [...new Set([...texts, ...marks].filter(({ is, least }) => is < least).map(({ element, is, least }) =>
    said('contrast', element, `${is.toFixed(2)}, not ${least}`)))];
}
