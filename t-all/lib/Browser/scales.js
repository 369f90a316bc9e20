'use strict';

// The values that places on the screen stand for.

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
  const ticks = [...axis.querySelectorAll('text.tick')].map(tick =>
    ({ tick, value: number(tick.dataset.value), x: centre(tick), text: written(tick) }));
  if (ticks.length < 2) return { findings: [said('fewer than two ticks', axis)] };
  const [first, last] = [ticks[0], ticks[ticks.length - 1]];
  const slope = (last.x - first.x) / (along(last.value) - along(first.value));
  const place = value => first.x + slope * (along(value) - along(first.value));
  const wrong = ticks.filter(({ value, text, x }) =>
    !(Math.abs(number(text) - value) <= value * 0.005) || !(Math.abs(place(value) - x) <= SLACK_PX));
  const known = ['log', 'linear'].includes(axis.dataset.scale) ? [] : [said('a scale of what kind', axis)];
  return { place, findings: [...known, ...wrong.map(({ tick, x }) => said('tick', tick, `at ${pixels(x)} px`))] };
}

// Returns a finding if a mark is not at its value, which lies between low and high because of rounding.
function misplaced(what, mark, x, scale, low, high) {
  const [least, most] = [scale.place(low), scale.place(high)];
  if (x >= least - SLACK_PX && x <= most + SLACK_PX) return [];
  const expected = `${pixels(least)} to ${pixels(most)}`;
  return [`${what}: ${named(mark)}, at ${pixels(x)} px, not ${expected}, "${shortened(titleOf(mark.closest('tr')))}"`];
}

// Takes a number as text; returns the numbers between which it was before rounding.
const near = (text, add = rounding(text)) => [Math.max(number(text) - add, Number.MIN_VALUE), number(text) + add];

// The same for a number with three significant digits.
const digits = text => near(text, number(text) * 0.005);
