'use strict';

// Whether pictures say what the tables say: places are read back from the screen, by the ticks of the axis, and held
// against the numbers that stand in the page.

const ofRow = (what, row, more) => `${what}: "${shortened(titleOf(row))}"${more ? ', ' + more : ''}`;

// A bar goes from the line of the mean to the row's first number.
function barFindings(row, scale) {
  const bar = row.querySelector('rect.bar');
  const mean = row.querySelector('line.mean');
  if (!bar || !mean) return [ofRow('no bar, or no line of the mean', row)];
  const { left, right } = bar.getBoundingClientRect();
  const [begin, end] = Math.abs(left - centre(mean)) < Math.abs(right - centre(mean)) ? [left, right] : [right, left];
  const value = written(row.querySelector('td.number'));
  const apart = Math.abs(begin - centre(mean));
  return [
    ...(apart <= SLACK_PX ? [] : [ofRow('a bar that does not begin at the mean', row, `${pixels(apart)} px`)]),
    ...misplaced('bar', bar, end, scale, ...near(value)),
  ];
}

// Between what the ends of an interval are, by the two first numbers of a row: the second is the interval, or half of
// it in percent, which is a difference of logarithms. Undefined where there is none.
function endsOf(value, interval = '') {
  const ends = /^([\d.e+-]*\d)(?:-| to )(\d[\d.e+-]*)$/.exec(interval);
  if (ends) return [near(ends[1]), near(ends[2])];
  if (!/%$/.test(interval)) return undefined;
  const [least, most] = near(interval).map(percent => Math.exp(percent / 100));
  const [low, high] = near(value);
  return [[low / most, high / least], [low * least, high * most]];
}

function intervalFindings(row, scale) {
  const ends = endsOf(...[...row.querySelectorAll('td.number')].map(written));
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

// In a picture of gains, each dot is a number of copies: its index against that of the first.
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

// In a picture of a fleet each dot says what it is, and their number is the row's first.
function machineFindings(row, scale) {
  const dots = [...row.querySelectorAll('circle.machine')];
  const count = number(written(row.querySelector('td.number')));
  const isWhole = dots.length === count || row.querySelector('line.range') && dots.length < count;
  return [
    ...(isWhole ? [] : [ofRow(`${dots.length} dots for ${count} machines`, row)]),
    ...dots.flatMap(dot => misplaced('machine', dot, centre(dot), scale,
      ...near(/: ([\d.]+) times the median/.exec(dot.textContent)[1]))),
  ];
}

// In a picture of response times a bar goes from the row's first number to the second, and a line to the third.
function responseFindings(row, scale) {
  const [p50, p95, longest] = [...row.querySelectorAll('td.number')].map(written).map(text => near(text));
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

// In a picture of delays each bar says from where to where it goes, the line is at the mean, the dot at the longest.
function delayFindings(row, scale) {
  const numberOf = label => written(row.querySelector(`td.number[data-label="${label}"]`));
  const [mean, dot] = ['line.mean', 'circle.longest'].map(mark => row.querySelector(mark));
  return [
    ...[...row.querySelectorAll('rect.delay')].flatMap(bar => {
      const [, from, to] = /^(\S+) to (\S+) ns: \d+$/.exec(bar.textContent.trim());
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

// Nothing is drawn beyond the picture.
function strayFindings(row) {
  const picture = row.querySelector('td.picture > svg').getBoundingClientRect();
  return [...row.querySelectorAll('svg rect, svg circle, svg line')].filter(mark => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return Math.max(picture.left - left, right - picture.right, picture.top - top, bottom - picture.bottom) > SLACK_PX;
  }).map(mark => ofRow(`${selector(mark)} beyond its picture`, row));
}

function meanFindings(table, scale) {
  const sum = table.querySelector('tfoot td.number');
  const means = [...table.querySelectorAll('tbody tr:not(:has(rect.delay)) line.mean')];
  const [low, high] = table.querySelector('circle.pass') && sum ? near(written(sum)) : [1, 1];
  return means.flatMap(mean => misplaced('mean', mean, centre(mean), scale, low, high));
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

function rowFindings(row, scale, section) {
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
