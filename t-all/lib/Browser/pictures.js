'use strict';

// Findings about charts in tables that differ from the numbers in the page. Values are read back from the places on the
// screen, by the ticks of the axis.

const ofRow = (what, row, more) => `${what}: "${shortened(titleOf(row))}"${more ? ', ' + more : ''}`;

// Returns findings about a mark across the axis, or about one that is missing.
function lineFindings(selector, what, row, scale, low, high = low) {
  const line = row.querySelector(selector);
  return line ? misplaced(what, line, centre(line), scale, low, high) : [ofRow(`no ${what}`, row)];
}

const meanFindings = (row, scale) => lineFindings('line.mean', 'mean', row, scale, 1);

// Returns findings about the large dots of a row, which have these ranges.
function pointFindings(row, scale, ...ranges) {
  const points = [...row.querySelectorAll('circle.point')];
  if (points.length !== ranges.length) return [ofRow(`${points.length} large dots, not ${ranges.length}`, row)];
  return points.flatMap((point, place) => misplaced('point', point, centre(point), scale, ...ranges[place]));
}

// Returns the ends of an interval, each as the range that rounding allows, by a value and half of the interval in
// percent, which is a difference of logarithms.
function endsOfHalf(value, half) {
  const [least, most] = near(half).map(percent => Math.exp(percent / 100));
  const [low, high] = value;
  return [[low / most, high / least], [low * least, high * most]];
}

// Returns the same by a change such as "4.0 % slower (3.1 to 4.9 %)", "inconclusive (-12 to +51 %)" or "2.40 times as
// fast (2.30 to 2.50 times)".
function endsOfChange(verdict) {
  const [, first, second, unit] = /\(([-+]?[\d.]+) to ([-+]?[\d.]+) (%|times)\)/.exec(verdict) || [];
  if (!unit) return undefined;
  const sign = /slower/.test(verdict) ? -1 : 1;
  const ratio = text => unit === 'times' ? near(text)
    : [-1, 1].map(side => 1 + sign * (Number(text) + side * rounding(text)) / 100);
  const sorted = [first, second].map(text => ratio(text).sort((a, b) => a - b));
  return sorted.sort((a, b) => a[0] - b[0]);
}

// Returns the same by the description of the picture.
function endsInWords(row) {
  const words = row.querySelector('td.picture > svg').getAttribute('aria-label');
  const [, low, high] = /95 % interval ([\d,.e+-]+) to ([\d,.e+-]+)/.exec(words.replace(/\s/g, ' ')) || [];
  return low && [low, high].map(text => knownAt(text, Infinity));
}

// Takes the ends by the numbers of the row, undefined if it has no interval, and the line of that interval.
function intervalFindings(row, scale, ends, interval = row.querySelector('line.interval')) {
  const inWords = endsInWords(row);
  if (!interval && !ends && !inWords) return [];
  if (!interval || !ends || !inWords) return [ofRow('an interval in the table, the words or the picture only', row)];
  const { left, right } = interval.getBoundingClientRect();
  const isOpen = interval.classList.contains('open');
  return [ends, inWords].flatMap(([begin, end]) => [
    ...misplaced('begin of the interval', interval, left, scale, begin[0], isOpen ? Infinity : begin[1]),
    ...misplaced('end of the interval', interval, right, scale, isOpen ? 0 : end[0], end[1]),
  ]);
}

// The interval of the machine is pale, and where its description says.
function repeatFindings(row, scale) {
  const pale = row.querySelector('line.pale');
  const words = row.querySelector('td.picture > svg').getAttribute('aria-label').replace(/\s/g, ' ');
  const [, low, high] = /of the machine ([\d,.e+-]+) to ([\d,.e+-]+)/.exec(words) || [];
  if (!pale && !low) return [];
  if (!pale || !low) return [ofRow('an interval of the machine in the words or the picture only', row)];
  const { left, right } = pale.getBoundingClientRect();
  return [
    ...misplaced('begin of the pale interval', pale, left, scale, ...knownAt(low, Infinity)),
    ...misplaced('end of the pale interval', pale, right, scale, ...knownAt(high, Infinity)),
  ];
}

// Intervals of ratios have their point in the middle, if they are whole.
function middleFindings(row, ...lines) {
  const point = row.querySelector('circle.point');
  return lines.filter(line => line && !line.classList.contains('open')
    && Math.abs(centre(line) - centre(point)) > SLACK_PX).map(() => ofRow('an interval beside its point', row));
}

// Takes the ends of the band of what is usual, as ranges; undefined if there is none.
function bandFindings(row, scale, ends) {
  const band = row.querySelector('rect.band');
  if (!band && !ends) return [];
  if (!band || !ends) return [ofRow(band ? 'a band without a reason' : 'no band', row)];
  const { left, right } = band.getBoundingClientRect();
  return [...misplaced('begin of the band', band, left, scale, ...ends[0]),
    ...misplaced('end of the band', band, right, scale, ...ends[1])];
}

// Returns findings about small dots that are not at the number in their description.
function describedFindings(what, row, scale, pattern) {
  return [...row.querySelectorAll(`circle.${what}`)].flatMap(dot => {
    const [, text] = pattern.exec(written(dot)) || [];
    return text ? misplaced(what, dot, centre(dot), scale, ...knownAt(text, Infinity))
      : [ofRow(`a ${what} without a number`, row)];
  });
}

// Returns the range of an index. That of a floor, "at least 590", was rounded down to two digits.
function indexRange(text) {
  const [, floor] = /^at least (.+)/.exec(text) || [];
  if (!floor) return knownAt(text);
  const [low, high] = knownAt(floor, 2);
  return [low, high + (high - low) / 2];
}

// In a picture of scores, the large dot is at the index. With two modes there are two, at their rates.
function scoreFindings(row, scale, { baselines, passes }) {
  const title = titleOf(row);
  const [index, half] = [/^Index$/, /^\u00b1$/].map(heading => labelled(row, heading));
  const factor = 10 / number(baselines.get(title));
  const rates = (labelled(row, /^Score$/) || '').split(', ').filter(mode => / in \d+ %$/.test(mode));
  const points = index ? [indexRange(index)] : rates.map(rate => knownAt(rate).map(end => end * factor));
  const isKnown = index || baselines.get(title);
  return [
    ...(isKnown ? pointFindings(row, scale, ...points) : []),
    ...(rates.length ? [] : intervalFindings(row, scale, half ? endsOfHalf(points[0], half) : undefined)),
    ...(rates.length ? [] : repeatFindings(row, scale)),
    ...(row.parentElement.localName === 'tfoot' ? [] : passFindings(row, scale, passes, baselines)),
  ];
}

// The band of a test of one copy ends at the limits of the published scores. They are null if a test has none, and
// undefined if no test is known by that title.
function publishedFindings(row, scale, { section, baselines, published }) {
  const title = titleOf(row);
  const isOfOne = /^1 copy$/.test(written(section.querySelector('h2')));
  if (!isOfOne || row.parentElement.localName === 'tfoot') return bandFindings(row, scale, undefined);
  const limits = published[title];
  if (limits === undefined || limits && !baselines.get(title)) return [];
  const ends = limits && limits.map(limit => divided([10 * limit, 10 * limit], near(baselines.get(title))));
  return bandFindings(row, scale, ends);
}

function passFindings(row, scale, passes, baselines) {
  const title = titleOf(row);
  const dots = [...row.querySelectorAll('circle.pass')];
  if (!passes.get(title) || !baselines.get(title)) return passes.has(title) ? [] : [ofRow('no passes', row)];
  const rates = passes.get(title);
  if (dots.length !== rates.length) return [ofRow(`${dots.length} dots for ${rates.length} passes`, row)];
  const factor = 10 / number(baselines.get(title));
  return [
    ...describedFindings('pass', row, scale, /^pass \d+: (\S+)$/),
    ...dots.flatMap((dot, place) =>
      misplaced(`pass ${place + 1}`, dot, centre(dot), scale, ...near(rates[place]).map(rate => rate * factor))),
  ];
}

// In a picture of scaling with two numbers of copies, the large dot is at the speed-up. Where the classic indexes are
// known, it is at their ratio.
function gainFindings(row, scale, { table, indexes }) {
  const [fewest, most] = [table.caption, table.querySelector('th.picture')].map(at => copiesIn(written(at)));
  const gains = row.parentElement.localName === 'tbody' ? gainsOf(titleOf(row), fewest, indexes) : [];
  return [
    ...meanFindings(row, scale),
    ...lineFindings('line.ideal', 'ideal', row, scale, most / fewest),
    ...pointFindings(row, scale, near(labelled(row, /^Times$/))),
    ...(gains.length ? pointFindings(row, scale, ...gains.map(({ range }) => range)) : []),
  ];
}

const copiesIn = text => number((/(\d+) cop/.exec(text) || [])[1]);

// Returns the speed-up of a test for each number of copies, { copies, range }, by the classic indexes of the runs.
// Returns nothing if that of the fewest copies is unknown.
function gainsOf(title, fewest, indexes) {
  const known = [...indexes].sort(([one], [other]) => one - other)
    .map(([copies, of]) => ({ copies, index: of.get(title) })).filter(({ index }) => index);
  if (!known.length || known[0].copies !== fewest) return [];
  const [first, ...others] = known.map(({ copies, index }) => ({ copies, range: near(index) }));
  return others.map(({ copies, range }) => ({ copies, range: divided(range, first.range) }));
}

// In a picture of a comparison, the large dot is the value of the second side divided by that of the first. Small dots
// above it are runs of the first side, those below it are runs of the second.
function ratioFindings(row, scale, { table }) {
  const [first, second] = [...row.querySelectorAll('td.number')].map(cell => knownAt(written(cell)));
  const words = row.querySelector('td.picture > svg').getAttribute('aria-label');
  const [, ratio] = /^ratio ([\d.e+-]+)/.exec(words) || [];
  if (!ratio) return [ofRow('no ratio in the words', row)];
  const legend = table.nextElementSibling;
  const [, percent] = /The pale band is ([\d.]+) % to each side of 1/.exec(legend ? written(legend) : '') || [];
  const limits = percent && [1 - percent / 100, 1 + percent / 100].map(limit => [limit, limit]);
  const [pale, interval] = ['pale', 'interval'].map(mark => row.querySelector(`line.${mark}`));
  return [
    ...meanFindings(row, scale),
    ...bandFindings(row, scale, limits),
    ...pointFindings(row, scale, knownAt(ratio, Infinity)),
    ...(first && second ? pointFindings(row, scale, divided(second, first)) : []),
    ...intervalFindings(row, scale, endsOfChange(labelled(row, /^Verdict$/)), pale || interval),
    ...middleFindings(row, pale, interval),
    ...describedFindings('run', row, scale, /^([\d.e+-]+)$/),
    ...sideFindings(row, scale, table),
  ];
}

const middle = element => {
  const { top, bottom } = element.getBoundingClientRect();
  return (top + bottom) / 2;
};

function runsOfSides(row) {
  const at = middle(row.querySelector('circle.point'));
  const runs = [...row.querySelectorAll('circle.run')];
  return [runs.filter(run => middle(run) < at), runs.filter(run => middle(run) > at)];
}

// All rows have the same number of runs of a side. The ratio of the sides lies between the extreme ratios of their
// runs.
function sideFindings(row, scale, table) {
  const sides = runsOfSides(row);
  const most = [...table.querySelectorAll('tr:has(circle.run):has(circle.point)')].map(runsOfSides);
  const counts = [0, 1].map(side => Math.max(0, ...most.map(runs => runs[side].length)));
  if (!sides[0].length && !sides[1].length) return [];
  if (sides.some((runs, side) => !runs.length || runs.length !== counts[side])) {
    return [ofRow(`${sides.map(runs => runs.length)} runs of the sides, not ${counts}`, row)];
  }
  const point = row.querySelector('circle.point');
  const one = centre(row.querySelector('line.mean'));
  const [above, below] = sides.map(runs => runs.map(centre));
  const from = one + Math.min(...below) - Math.max(...above) - 2 * SLACK_PX;
  const to = one + Math.max(...below) - Math.min(...above) + 2 * SLACK_PX;
  const at = centre(point);
  return at >= from && at <= to ? [] : [ofRow('runs of the sides at other ratios', row)];
}

const EDGES = [1e-3, 1e3];     // times the median, beyond which nothing is drawn

const withinEdges = value => Math.min(EDGES[1], Math.max(EDGES[0], value));

// In a ranking, a bar goes from the line at the median to the machine's value.
function placeFindings(row, scale) {
  const bar = row.querySelector('rect.bar');
  const mean = row.querySelector('line.mean');
  if (!bar || !mean) return [ofRow('no bar, or no line of the median', row)];
  const { left, right } = bar.getBoundingClientRect();
  const [begin, end] = Math.abs(left - centre(mean)) < Math.abs(right - centre(mean)) ? [left, right] : [right, left];
  const apart = Math.abs(begin - centre(mean));
  const change = labelled(row, /^of median$/);
  const range = [-1, 1].map(side => withinEdges(1 + (number(change) + side * rounding(change)) / 100));
  return [
    ...meanFindings(row, scale),
    ...(apart <= SLACK_PX ? [] : [ofRow('a bar that does not begin at the median', row, `${pixels(apart)} px`)]),
    ...misplaced('bar', bar, end, scale, ...range),
  ];
}

// In a picture of response times a bar goes from p50 to p95, and a line to the longest response.
const RESPONSES = [/^p50$/, /^p95$/, /^Max$/];

function responseFindings(row, scale) {
  const [p50, p95, longest] = RESPONSES.map(label => labelled(row, label)).map(text => text && near(text));
  const [bar, tail, dot] = ['rect.bar', 'line.tail', 'circle.response'].map(mark => row.querySelector(mark));
  if (!bar || !tail || !dot || !longest) return [ofRow('no bar, no line, no dot, or no number for it', row)];
  const [along, beyond] = [bar, tail].map(mark => mark.getBoundingClientRect());
  return [
    ...misplaced('begin of the bar', bar, along.left, scale, ...p50),
    ...misplaced('end of the bar', bar, along.right, scale, ...p95),
    ...misplaced('begin of the line', tail, beyond.left, scale, ...p95),
    ...misplaced('end of the line', tail, beyond.right, scale, ...longest),
    ...misplaced('the longest', dot, centre(dot), scale, ...longest),
  ];
}

// No mark is drawn outside its picture.
function strayMarks(picture) {
  const around = picture.getBoundingClientRect();
  return [...picture.querySelectorAll('rect, circle, line')].filter(mark => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return Math.max(around.left - left, right - around.right, around.top - top, bottom - around.bottom) > SLACK_PX;
  });
}

const strayFindings = row => strayMarks(row.querySelector('td.picture > svg')).map(mark =>
  ofRow(`${selector(mark)} beyond its picture`, row));

// The kinds of charts, by a heading of a column or of the picture. The first one that matches decides.
const KINDS = [
  [/^p95$/, [responseFindings]],
  [/^of median/, [placeFindings]],
  [/^Times$/, [gainFindings]],
  [/^Verdict$/, [ratioFindings]],
  [/^Index$/, [scoreFindings, publishedFindings]],
];

function findersOf(table) {
  const headings = [...table.querySelectorAll('thead th')].map(heading =>
    written(heading).slice(0, -written(heading.querySelector('svg') || heading).length) || written(heading));
  return (KINDS.find(([pattern]) => headings.some(heading => pattern.test(heading))) || [])[1];
}

function tableFindings(table, published) {
  const axis = table.querySelector('thead svg.axis');
  if (!axis || !axis.getBoundingClientRect().width) return [said('a picture without an axis', table)];
  const scale = scaleOf(axis);
  if (!scale.place) return scale.findings;
  const finders = findersOf(table);
  if (!finders) return [said('a picture of what kind', table)];
  const section = table.closest('section') || document.body;
  const known = { table, section, published, passes: passesOf(section), baselines: baselinesOf(section),
    indexes: indexesOfRuns() };
  return [...scale.findings, ...[...table.querySelectorAll('tbody > tr, tfoot > tr')].flatMap(row =>
    rowFindings(row, scale, finders, known))];
}

// A row without a picture is that of a test without a score or an index, of calls that share a row, or of responses of
// which a number is unknown or 0.
const hasNothingToDraw = (row, baselines) => row.querySelector('td.missing') !== null
  || labelled(row, /^Mean ns$/) === '' || labelled(row, /^of median$/) === ''
  || labelled(row, /^Index$/) === '' && !baselines.has(titleOf(row))
  || RESPONSES.some(label => /^[-0]$/.test(labelled(row, label)));

function rowFindings(row, scale, finders, known) {
  if (!row.querySelector('td.picture > svg')) {
    return hasNothingToDraw(row, known.baselines) ? [] : [ofRow('no picture', row)];
  }
  return [...finders.flatMap(find => find(row, scale, known)), ...strayFindings(row)];
}

const picturedTables = () => [...document.querySelectorAll('table.chart')].filter(element => isShown(element));

// Takes { title of a test => [low, high] or null }, the scores between which most published machines lie.
const pictureFindings = published => [...new Set([
  ...picturedTables().flatMap(table => tableFindings(table, published)),
  ...figureFindings(),
])];

const marksSeen = () => document.querySelectorAll('figure rect.part, figure circle').length + picturedTables()
  .flatMap(table => [...table.querySelectorAll('tbody rect.bar, tbody circle')]).length;
