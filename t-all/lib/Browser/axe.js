'use strict';

// The findings of axe-core by all rules of WCAG 2.0, 2.1 and 2.2, A and AA, and by rules of its own. It checks contrast
// only if asked to, and not in very large pages, because that takes most of its time. contrast.js checks those, too.

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
const APPEARANCE = ['color-contrast', 'link-in-text-block', 'target-size'];     // that colours and places can change

const LARGE = 4000;         // elements

function axeNode(id, { target, any, all, none }) {
  const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
  return `${id}: ${why}: ${target.flat(9).join(' ')}`;
}

// Takes the kind of rules: structure (all but contrast), or appearance. Only these rules run.
async function axeFindings(which) {
  const tooSlow = document.all.length < LARGE ? [] : ['color-contrast'];
  const [runOnly, rules] = which === 'appearance'
    ? [{ type: 'rule', values: APPEARANCE.filter(id => !tooSlow.includes(id)) }, {}]
    : [{ type: 'tag', values: TAGS }, { 'color-contrast': { enabled: false } }];
  const { violations, passes } = await axe.run(document, {
    runOnly, rules, resultTypes: ['violations'], preload: false,
  });
  const found = violations.flatMap(({ id, nodes }) => nodes.map(node => axeNode(id, node)));
  const isAny = !tooSlow.length || document.querySelector('a, summary');
  const fewest = which === 'appearance' ? (isAny ? 1 : 0) : 6;
  return passes.length >= fewest ? found : ['axe has checked hardly anything', ...found];
}
