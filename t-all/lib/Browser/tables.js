'use strict';

// The numbers in the tables of a page.

const PASSES = 'Every pass';
const CLASSIC = 'Classic report';

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

// Returns the tables in the fold of a section with that title.
function foldedTables(section, title) {
  const folded = [...section.querySelectorAll('details')].find(details =>
    written(details.querySelector('summary')) === title);
  return [...(folded ? folded.querySelectorAll('table') : [])];
}

// Returns the rates of the passes of each test of a section.
function passesOf(section) {
  return byTitle(foldedTables(section, PASSES).map(table =>
    [written(table.caption), rowsOf(table).map(({ numbers }) => numbers[2]).filter(rate => rate !== undefined)]));
}

// Returns the text of the cell of a row whose heading matches, or undefined.
function labelled(row, heading) {
  const cell = [...row.querySelectorAll('td[data-label]')].find(({ dataset }) => heading.test(dataset.label));
  return cell && written(cell);
}

// Returns a column of the tables of indexes in the classic report of a section, by the titles of the tests.
function classicOf(section, heading) {
  const pairs = foldedTables(section, CLASSIC).flatMap(rowsOf)
    .map(({ title, row }) => [title, labelled(row, heading)]);
  return byTitle(pairs.filter(([, text]) => text !== undefined && /^\d/.test(text)));
}

const baselinesOf = section => classicOf(section, /^Baseline$/);

// Returns the classic indexes of the tests for each number of copies, a map of maps. If two runs have the same number
// of copies, the first one is used.
function indexesOfRuns() {
  const found = new Map();
  for (const section of document.querySelectorAll('section[id^=run-]')) {
    const [, copies] = /^(\d+) cop/.exec(written(section.querySelector('h2'))) || [];
    if (copies && !found.has(Number(copies))) found.set(Number(copies), classicOf(section, /^Index$/));
  }
  return found;
}
