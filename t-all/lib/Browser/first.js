'use strict';

// Findings about what a reader must see without scrolling: title, numbers or verdicts, trust, and the strip.

// Takes the size of the screen.
function firstFindings(width, height) {
  const all = [...document.querySelectorAll('section[id]')].map(({ id }) => /^(run|pair)-/.exec(id)?.[1]);
  const headline = document.querySelector('.headline');
  const find = selector => headline ? [...headline.querySelectorAll(selector)] : [];
  const [numbers, trust, strip] = ['.value, h1', '.chip.trust', 'figure'].map(find);
  const isMissing = (found, what) => found.length ? [] : [`no ${what} on the first screen`];
  const hasIndex = document.querySelector('section[id^=run-] table.chart tfoot');
  const hasPlace = / published results for one copy(?! for each)/.test(headline ? written(headline) : '');
  return [
    ...(all.includes('pair') ? isMissing(numbers, 'verdict') : []),
    ...(hasIndex ? isMissing(numbers, 'number') : []),
    ...(all.includes('run') ? [...isMissing(find('*'), 'headline'), ...isMissing(trust, 'trust')] : []),
    ...(hasPlace ? isMissing(strip, 'strip') : []),
    ...[document.querySelector('h1'), ...numbers, ...trust, ...strip].flatMap(element => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const isIn = left >= 0 && right <= width && top + scrollY >= 0 && bottom + scrollY <= height;
      return isIn ? [] : [said('not on the first screen', element, `it ends at ${pixels(bottom + scrollY)} px`)];
    }),
  ];
}
