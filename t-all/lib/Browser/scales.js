'use strict';

// The values that places on the screen stand for, and numbers as they were before rounding.

const number = text => Number(String(text).replace(/[\s%,]/g, ''));

const centre = element => {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
};

// Returns the largest error of a rounded number: half of its last digit.
const rounding = text => 0.5 * 10 ** -(/[.](\d+)/.exec(text) || [0, ''])[1].length;

// Takes an axis; returns its scale by its ticks, { place(value), findings }.
function scaleOf(axis) {
  const along = axis.dataset.scale === 'log' ? Math.log : value => value;
  const scale = scaleThrough(axis, along, [...axis.querySelectorAll('text.tick')], centre);
  const known = ['log', 'linear'].includes(axis.dataset.scale) ? [] : [said('a scale of what kind', axis)];
  return { ...scale, findings: [...known, ...scale.findings] };
}

// Returns whether the text of a tick is its value.
const isNumber = (text, value) => Math.abs(number(text) - value) <= value * 0.005;

// The same by given ticks, a function from a tick to its place, and one that says whether a text is a value.
function scaleThrough(axis, along, marks, placeOf, isTextOf = isNumber) {
  const ticks = marks.map(tick =>
    ({ tick, value: number(tick.dataset.value), at: placeOf(tick), text: written(tick) }));
  if (ticks.length < 2) return { findings: [said('fewer than two ticks', axis)] };
  const [first, last] = [ticks[0], ticks[ticks.length - 1]];
  const slope = (last.at - first.at) / (along(last.value) - along(first.value));
  const place = value => first.at + slope * (along(value) - along(first.value));
  const wrong = ticks.filter(({ value, text, at }) =>
    !isTextOf(text, value) || !(Math.abs(place(value) - at) <= SLACK_PX));
  return { place, findings: wrong.map(({ tick, at }) => said('tick', tick, `at ${pixels(at)} px`)) };
}

// Returns a finding if a mark is not at its value, which lies between low and high because of rounding.
function misplaced(what, mark, at, scale, low, high) {
  const [least, most] = [scale.place(low), scale.place(high)].sort((one, other) => one - other);
  if (at >= least - SLACK_PX && at <= most + SLACK_PX) return [];
  const expected = `${pixels(least)} to ${pixels(most)}`;
  const row = mark.closest('tr');
  const around = row ? titleOf(row) : written(mark.closest('figure li, figure'));
  return [`${what}: ${named(mark)}, at ${pixels(at)} px, not ${expected}, "${shortened(around)}"`];
}

// Takes a number as text; returns the numbers between which it was before rounding.
const near = (text, add = rounding(text)) => [Math.max(number(text) - add, Number.MIN_VALUE), number(text) + add];

// The same for a number with three significant digits.
const digits = text => near(text, number(text) * 0.005);

const UNITS = { M: 1e6, G: 1e9 };

// The same for the number at the beginning of a text, such as "1.29 M KBps" or "651,000". Zeros at its end, after that
// many digits, may replace digits that are not known. Returns undefined if the text has no number.
function knownAt(text, fewest = 3) {
  const [, shown, unit] = /^(\d[\d,]*(?:[.]\d+)?(?:e[-+]?\d+)?)(?: ([MG])(?![\w/]))?/.exec(text) || [];
  if (shown === undefined) return undefined;
  const [plain, power = 0] = shown.replace(/,/g, '').split('e');
  const zeros = plain.includes('.') ? 0 : Math.min(/0*$/.exec(plain)[0].length, Math.max(0, plain.length - fewest));
  const add = rounding(plain) * 10 ** (zeros + Number(power));
  return near(shown, add).map(end => end * (UNITS[unit] || 1));
}

// Takes two ranges; returns the range of the first divided by the second.
const divided = ([low, high], [least, most]) => [low / most, high / least];
