'use strict';

// What axe-core finds, by all rules of WCAG 2.0, 2.1 and 2.2, A and AA, and by its own. Contrast, which takes it most
// of the time, only when asked for, and not in very large pages, which have nothing that the others lack.

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

const LARGE = 4000;         // elements

function axeNode(id, { target, any, all, none }) {
  const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
  return `${id}: ${why}: ${target.flat(9).join(' ')}`;
}

async function axeFindings(withContrast) {
  const rules = { 'color-contrast': { enabled: withContrast && document.all.length < LARGE } };
  const { violations, passes } = await axe.run(document, {
    runOnly: { type: 'tag', values: TAGS }, rules, resultTypes: ['violations'], preload: false,
  });
  const found = violations.flatMap(({ id, nodes }) => nodes.map(node => axeNode(id, node)));
  return passes.length > 5 ? found : ['axe has checked hardly anything', ...found];
}
