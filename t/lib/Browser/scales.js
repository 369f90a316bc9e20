'use strict';

// Places on the screen and the values that they stand for.

const number = text => Number(String(text).replace(/[\s%]/g, ''));

const centre = element => {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
};

// How many digits behind the point a number has: half of the last one is the most that rounding has changed.
const rounding = text => 0.5 * 10 ** -(/[.](\d+)/.exec(text) || [0, ''])[1].length;

// A scale by its ticks, { place(value), findings }.
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

// Where a mark is, against a value that is known but for its rounding.
function misplaced(what, mark, x, scale, low, high) {
  const [least, most] = [scale.place(low), scale.place(high)];
  if (x >= least - SLACK_PX && x <= most + SLACK_PX) return [];
  const expected = `${pixels(least)} to ${pixels(most)}`;
  return [`${what}: ${named(mark)}, at ${pixels(x)} px, not ${expected}, "${shortened(titleOf(mark.closest('tr')))}"`];
}

// A number as text: between what it was rounded from.
const near = (text, add = rounding(text)) => [Math.max(number(text) - add, Number.MIN_VALUE), number(text) + add];

// One with three digits that count.
const digits = text => near(text, number(text) * 0.005);
