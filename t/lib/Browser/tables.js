'use strict';

// The numbers that stand in the page.

const PASSES = 'Every pass';

// Rows of a table's body, { title, numbers } each: numbers as texts.
function rowsOf(table) {
  return [...table.querySelectorAll('tbody > tr')].map(row => ({
    title: titleOf(row), numbers: [...row.querySelectorAll('td.number')].map(written), row,
  }));
}

// What a row is about, without badges.
function titleOf(row) {
  const copy = row.querySelector('th').cloneNode(true);
  for (const badge of copy.querySelectorAll('*')) badge.remove();
  return written(copy);
}

// By the titles of tests; undefined where several have that title.
function byTitle(pairs) {
  const found = new Map();
  for (const [title, value] of pairs) found.set(title, found.has(title) ? undefined : value);
  return found;
}

// The rates of the passes of each test of a section.
function passesOf(section) {
  const folded = [...section.querySelectorAll('details')].find(details =>
    written(details.querySelector('summary')) === PASSES);
  return byTitle([...(folded ? folded.querySelectorAll('table') : [])].map(table =>
    [written(table.caption), rowsOf(table).map(({ numbers }) => numbers[2]).filter(rate => rate !== undefined)]));
}

// Their baselines.
function baselinesOf(section) {
  const tables = [...section.querySelectorAll('table')].filter(table =>
    [...table.querySelectorAll('thead th')].some(heading => written(heading) === 'Baseline'));
  return byTitle(tables.flatMap(rowsOf).map(({ title, numbers }) => [title, numbers[0]]));
}

// Their indexes, for each number of copies.
function indexesOf(section) {
  const table = [...section.querySelectorAll('table')].find(({ caption }) => caption && /gain$/i.test(written(caption))
    && !/times/i.test(written(caption)));
  return byTitle(table ? rowsOf(table).map(({ title, numbers }) => [title, numbers.slice(0, -1)]) : []);
}
