'use strict';

// Findings about pictures that differ from the tables. Values are read back from the places on the screen, by the ticks
// of the axis, and compared with the numbers in the page.

const ofRow = (what, row, more) => `${what}: "${shortened(titleOf(row))}"${more ? ', ' + more : ''}`;

// A bar goes from the line of the mean to the row's value.
function barFindings(row, scale) {
  const bar = row.querySelector('rect.bar');
  const mean = row.querySelector('line.mean');
  if (!bar || !mean) return [ofRow('no bar, or no line of the mean', row)];
  const { left, right } = bar.getBoundingClientRect();
  const [begin, end] = Math.abs(left - centre(mean)) < Math.abs(right - centre(mean)) ? [left, right] : [right, left];
  const value = valueOf(row);
  const apart = Math.abs(begin - centre(mean));
  return [
    ...(apart <= SLACK_PX ? [] : [ofRow('a bar that does not begin at the mean', row, `${pixels(apart)} px`)]),
    ...misplaced('bar', bar, end, scale, ...near(value)),
  ];
}

// Returns the ends of the interval of a row, each as the range that rounding allows, or undefined without an interval.
// The row has half of the interval in percent, which is a difference of logarithms, or both ends of a change in
// percent, or both ends.
function endsOf(row) {
  const half = labelled(row, /^\u00b1$/);
  if (half !== undefined) return half ? endsOfHalf(valueOf(row), half) : undefined;
  const verdict = labelled(row, /^Verdict$/);
  if (verdict !== undefined) return endsOfChange(verdict);
  const [, interval = ''] = [...row.querySelectorAll('td.number')].map(written);
  const ends = /^([\d.e+-]*\d)(?:-| to )(\d[\d.e+-]*)$/.exec(interval);
  return ends ? [near(ends[1]), near(ends[2])] : undefined;
}

function endsOfHalf(value, half) {
  const [least, most] = near(half).map(percent => Math.exp(percent / 100));
  const [low, high] = near(value);
  return [[low / most, high / least], [low * least, high * most]];
}

// A change such as "4.0 % slower (3.1 to 4.9 %)", "inconclusive (-12 to +51 %)" or "2.40 times as fast (2.30 to 2.50
// times)".
function endsOfChange(verdict) {
  const [, first, second, unit] = /\(([-+]?[\d.]+) to ([-+]?[\d.]+) (%|times)\)/.exec(verdict) || [];
  if (!unit) return undefined;
  const sign = /slower/.test(verdict) ? -1 : 1;
  const ratio = text => unit === 'times' ? near(text)
    : [-1, 1].map(side => 1 + sign * (Number(text) + side * rounding(text)) / 100);
  const sorted = [first, second].map(text => ratio(text).sort((a, b) => a - b));
  return sorted.sort((a, b) => a[0] - b[0]);
}

function intervalFindings(row, scale) {
  const ends = endsOf(row);
  const interval = row.querySelector('line.interval');
  if (!interval && !ends) return [];
  if (!interval || !ends) return [ofRow('an interval in the table or in the picture only', row)];
  const { left, right } = interval.getBoundingClientRect();
  const isOpen = interval.classList.contains('open');
  return [
    ...misplaced('begin of the interval', interval, left, scale, ends[0][0], isOpen ? Infinity : ends[0][1]),
    ...misplaced('end of the interval', interval, right, scale, isOpen ? 0 : ends[1][0], ends[1][1]),
  ];
}

function passFindings(row, scale, passes, baselines) {
  const title = titleOf(row);
  const dots = [...row.querySelectorAll('circle.pass')];
  if (!passes.get(title) || !baselines.get(title)) return passes.has(title) ? [] : [ofRow('no passes', row)];
  const rates = passes.get(title);
  if (dots.length !== rates.length) return [ofRow(`${dots.length} dots for ${rates.length} passes`, row)];
  const factor = 10 / number(baselines.get(title));
  return dots.flatMap((dot, place) =>
    misplaced(`pass ${place + 1}`, dot, centre(dot), scale, ...near(rates[place]).map(rate => rate * factor)));
}

// In a picture of scaling, each dot is a number of copies, at its index divided by that of the first number.
function countFindings(row, scale, indexes) {
  const dots = [...row.querySelectorAll('circle.count')];
  const known = indexes.get(titleOf(row));
  if (!dots.length || !known) return [];
  const [first, ...others] = known.map(text => near(text));
  const values = others.filter(([low]) => !Number.isNaN(low));
  if (values.length !== dots.length) return [ofRow(`${dots.length} dots for ${values.length} numbers of copies`, row)];
  return dots.flatMap((dot, place) => misplaced('gain', dot, centre(dot), scale, values[place][0] / first[1],
    values[place][1] / first[0]));
}

// In a picture of a fleet, the text of each dot has its machine and value. The title of the page has the number of
// machines. There are fewer dots if some machines lack the test, or if only those that stand out are dots.
function machineFindings(row, scale) {
  const dots = [...row.querySelectorAll('circle.machine')];
  const count = number(/^(\d+) machines/.exec(written(document.querySelector('h1')))[1]);
  const mayLack = row.querySelector('line.range') || /missing/.test(written(row.closest('section')));
  const isWhole = dots.length === count || mayLack && dots.length < count;
  return [
    ...(isWhole ? [] : [ofRow(`${dots.length} dots for ${count} machines`, row)]),
    ...dots.flatMap(dot => misplaced('machine', dot, centre(dot), scale,
      ...near(/: ([\d.]+) times the median/.exec(dot.textContent)[1]))),
  ];
}

// In a picture of response times a bar goes from p50 to p95, and a line to the longest response.
const RESPONSES = [/^p50$/, /^p95$/, /^Max$/];

function responseFindings(row, scale) {
  const [p50, p95, longest] = RESPONSES.map(label => labelled(row, label)).map(text => text && near(text));
  const [bar, tail, dot] = ['rect.bar', 'line.tail', 'circle.response'].map(mark => row.querySelector(mark));
  if (!bar || !tail || !longest) return [ofRow('no bar, no line, or no number for it', row)];
  const [along, beyond] = [bar, tail].map(mark => mark.getBoundingClientRect());
  return [
    ...misplaced('begin of the bar', bar, along.left, scale, ...p50),
    ...misplaced('end of the bar', bar, along.right, scale, ...p95),
    ...misplaced('begin of the line', tail, beyond.left, scale, ...p95),
    ...misplaced('end of the line', tail, beyond.right, scale, ...longest),
    ...misplaced('the longest', dot, centre(dot), scale, ...longest),
  ];
}

// In a picture of delays, the text of each bar has its ends; the line is at the mean, and the dot at the longest delay.
function delayFindings(row, scale) {
  const numberOf = label => written(row.querySelector(`td.number[data-label="${label}"]`));
  const [mean, dot] = ['line.mean', 'circle.longest'].map(mark => row.querySelector(mark));
  return [
    ...[...row.querySelectorAll('rect.delay')].flatMap(bar => {
      const [, from, to] = /^(\S+) to (\S+) ns: [\d,]+$/.exec(written(bar));
      const { left, right } = bar.getBoundingClientRect();
      return [
        ...(from === '0' ? [] : misplaced('begin of a bar', bar, left, scale, ...digits(from))),
        ...misplaced('end of a bar', bar, right, scale, ...digits(to)),
      ];
    }),
    ...(mean ? misplaced('mean', mean, centre(mean), scale, ...digits(numberOf('Mean ns'))) : []),
    ...(dot ? misplaced('the longest', dot, centre(dot), scale, ...near(numberOf('Max ns'))) : []),
  ];
}

// No mark is drawn outside its picture.
function strayFindings(row) {
  const picture = row.querySelector('td.picture > svg').getBoundingClientRect();
  return [...row.querySelectorAll('svg rect, svg circle, svg line')].filter(mark => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return Math.max(picture.left - left, right - picture.right, picture.top - top, bottom - picture.bottom) > SLACK_PX;
  }).map(mark => ofRow(`${selector(mark)} beyond its picture`, row));
}

// The line of the mean is at 1, or at one of the sums at the foot of the table.
function meanFindings(table, scale) {
  const sums = [...table.querySelectorAll('tfoot tr:has(td.number)')].map(row => near(valueOf(row)));
  const places = table.querySelector('circle.pass') && sums.length ? sums : [[1, 1]];
  const means = [...table.querySelectorAll('tbody tr:not(:has(rect.delay)) line.mean')];
  return means.flatMap(mean => {
    const found = places.map(([low, high]) => misplaced('mean', mean, centre(mean), scale, low, high));
    return found.some(none => !none.length) ? [] : found[0];
  });
}

function tableFindings(table) {
  const axis = table.querySelector('thead svg.axis');
  if (!axis || !axis.getBoundingClientRect().width) return [said('a picture without an axis', table)];
  const scale = scaleOf(axis);
  if (!scale.place) return scale.findings;
  return [...scale.findings, ...meanFindings(table, scale),
    ...[...table.querySelectorAll('tbody > tr, tfoot > tr')].flatMap(row =>
      rowFindings(row, scale, table.closest('section') || document.body))];
}

// A row without a picture is that of a test without a score or an index, of calls that share a row, or of responses of
// which a number is unknown or 0.
const hasNothingToDraw = row => row.querySelector('td.missing') !== null || labelled(row, /^(Index|Mean ns)$/) === ''
  || RESPONSES.some(label => /^[-0]$/.test(labelled(row, label)));

function rowFindings(row, scale, section) {
  if (!row.querySelector('td.picture > svg')) return hasNothingToDraw(row) ? [] : [ofRow('no picture', row)];
  const has = mark => row.querySelector(mark) !== null;
  const isSum = row.parentElement.localName === 'tfoot';
  if (row.closest('table').querySelector('rect.delay')) return [...delayFindings(row, scale), ...strayFindings(row)];
  if (has('circle.response')) return [...responseFindings(row, scale), ...strayFindings(row)];
  return [
    ...(has('circle.machine') ? machineFindings(row, scale) : intervalFindings(row, scale)),
    ...(has('circle.machine') || isSum && !has('rect.bar') ? [] : barFindings(row, scale)),
    ...(has('circle.pass') ? passFindings(row, scale, passesOf(section), baselinesOf(section)) : []),
    ...(has('circle.count') ? countFindings(row, scale, indexesOf(section)) : []),
    ...strayFindings(row),
  ];
}

const picturedTables = () => [...document.querySelectorAll('table.chart')].filter(element => isShown(element));

const pictureFindings = () => [...new Set(picturedTables().flatMap(tableFindings))];

const marksSeen = () => picturedTables().flatMap(table =>
  [...table.querySelectorAll('tbody rect.bar, tbody circle')]).length;
