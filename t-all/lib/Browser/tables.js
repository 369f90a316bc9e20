'use strict';

// The numbers in the tables of a page.

const PASSES = 'Every pass';

// Returns the rows of a table's body, { title, numbers, row } each. The numbers are texts.
function rowsOf(table) {
  return [...table.querySelectorAll('tbody > tr')].map(row => ({
    title: titleOf(row), numbers: [...row.querySelectorAll('td.number')].map(written), row,
  }));
}

// Returns the title of a row, without badges and remarks.
function titleOf(row) {
  const copy = row.querySelector('th').cloneNode(true);
  for (const badge of copy.querySelectorAll('*')) badge.remove();
  return written(copy);
}

// Returns a map from the titles of tests to values. A title that several tests have leads to undefined.
function byTitle(pairs) {
  const found = new Map();
  for (const [title, value] of pairs) found.set(title, found.has(title) ? undefined : value);
  return found;
}

// Returns the rates of the passes of each test of a section.
function passesOf(section) {
  const folded = [...section.querySelectorAll('details')].find(details =>
    written(details.querySelector('summary')) === PASSES);
  return byTitle([...(folded ? folded.querySelectorAll('table') : [])].map(table =>
    [written(table.caption), rowsOf(table).map(({ numbers }) => numbers[2]).filter(rate => rate !== undefined)]));
}

// Returns the text of the cell of a row whose heading matches, or undefined.
function labelled(row, heading) {
  const cell = [...row.querySelectorAll('td[data-label]')].find(({ dataset }) => heading.test(dataset.label));
  return cell && written(cell);
}

// Returns the number that a bar shows: the index, the ratio of two sides, or else the first number of the row.
function valueOf(row) {
  return labelled(row, /^Index$/) ?? labelled(row, /^\S+\/\S+$/) ?? written(row.querySelector('td.number'));
}

// Returns the baselines of the tests.
function baselinesOf(section) {
  const table = section.querySelector('table.chart');
  return byTitle(table ? rowsOf(table).map(({ title, row }) => [title, labelled(row, /^Baseline$/)]) : []);
}

// Returns the indexes of the tests for each number of copies.
function indexesOf(section) {
  const table = [...section.querySelectorAll('table')].find(({ caption }) => caption && /gain$/i.test(written(caption))
    && !/times/i.test(written(caption)));
  return byTitle(table ? rowsOf(table).map(({ title, numbers }) => [title, numbers.slice(0, -1)]) : []);
}
