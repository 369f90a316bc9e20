'use strict';

// Findings about charts outside of tables: the strip of published indexes, bars of parts, small multiples, timelines.

const ofFigure = (what, figure) => `${what}: ${named(figure)}`;

// Takes one's own number in the words of a strip, and published indexes. Returns ranges with two digits: for both ends
// of its interval, and for its tick. A floor ends between its tick and the fastest published index.
function endsOfWords(words, published) {
  const [, floor] = /^this result: (at least \S+) .*among /.exec(words) || [];
  if (floor) {
    const range = indexRange(floor);
    return [range, [range[0], Math.max(range[1], ...published)], range];
  }
  const [, about, low, high] = /^this result: (?:about (\S+)|(\S+) to (\S+)) among /.exec(words) || [];
  const [begin, end] = [about || low, about || high].map(text => text && knownAt(text, 2));
  return [begin, end, begin && [begin[0], end[1]]];
}

// Takes the dot of a published index; returns the index as text, or undefined.
const publishedIndex = dot => (/: ([\d,.]+)$/.exec(written(dot)) || [])[1];

// Returns the headline's item of the index of one copy, { value, half, classic }: the number, or undefined if it is a
// range, half of its interval, and the index of the classic report.
function ownNumber(figure) {
  const items = [...figure.parentElement.querySelectorAll('.numbers > li')];
  const item = items.find(li => /index, 1 copy$/.test(written(li)) && li.querySelector('.value, h1'));
  if (!item) return undefined;
  const value = item.querySelector('.value, h1');
  const [, half] = /\u00b1(\S+ %)/.exec(written(value)) || [];
  const section = document.querySelector(item.querySelector('a').getAttribute('href'));
  const [classic] = foldedTables(section, CLASSIC).flatMap(table =>
    [...table.querySelectorAll('tfoot > tr')].map(row => labelled(row, /^Index$/)));
  return {
    value: value.classList.contains('vague') ? undefined : knownAt(written(value.querySelector('strong') || value)),
    half,
    classic: classic ? near(classic) : undefined,
  };
}

// Published indexes leave out passes, so one's own interval is drawn up to the classic index.
function ownFindings(figure, scale, words, published) {
  const [tick, interval] = ['line.own', 'rect.own'].map(mark => figure.querySelector(mark));
  const own = ownNumber(figure);
  const [begin, end, place] = endsOfWords(words, published);
  if (!tick || !interval || !own || !begin) return [ofFigure('no tick, interval or number of this result', figure)];
  const { left, right } = interval.getBoundingClientRect();
  const pale = figure.querySelector('rect.pale');
  const machine = pale && pale.getBoundingClientRect();
  const isWithin = !pale || centre(tick) >= machine.left - SLACK_PX && centre(tick) <= machine.right + SLACK_PX;
  const found = [
    ...(isWithin ? [] : [ofFigure('own tick beyond the pale interval', figure)]),
    ...misplaced('own tick', tick, centre(tick), scale, ...(own.value || place)),
    ...misplaced('begin of the own interval', interval, left, scale, ...begin),
    ...misplaced('end of the own interval', interval, right, scale, ...end),
  ];
  if (!own.value) return found;
  const [low, high] = own.half ? endsOfHalf(own.value, own.half) : [own.value, own.value];
  const [least, most] = own.classic || high;
  return [...found,
    ...misplaced('begin of the own interval', interval, left, scale, ...low),
    ...misplaced('end of the own interval', interval, right, scale, Math.max(high[0], least), Math.max(high[1], most))];
}

// Each label has a line down to the dot of its machine. Labels do not overlap each other, or the marks of this result.
function labelFindings(figure, dots) {
  const [texts, leaders] = ['text.label', 'line.leader'].map(mark => [...figure.querySelectorAll(mark)]);
  if (!texts.length || texts.length !== leaders.length) return [ofFigure('not a line for each label', figure)];
  const boxes = texts.map(text => text.getBoundingClientRect());
  const own = [...figure.querySelectorAll('.own, rect.pale')].map(mark => mark.getBoundingClientRect());
  return texts.flatMap((text, place) => {
    const x = centre(leaders[place]);
    const box = boxes[place];
    const { bottom } = leaders[place].getBoundingClientRect();
    const isOnDot = dots.some(dot => Math.abs(centre(dot) - x) <= SLACK_PX && Math.abs(middle(dot) - bottom) <= 2);
    const isAbove = x >= box.left - SLACK_PX && x <= box.right + SLACK_PX;
    const other = boxes.findIndex((at, number) => number > place && at.left < box.right && at.right > box.left
      && at.top < box.bottom - SLACK_PX && at.bottom > box.top + SLACK_PX);
    const isInBar = own.some(mark => mark.left < box.right && mark.right > box.left
      && mark.top < box.bottom - SLACK_PX);
    return [
      ...(isInBar ? [said('a label in a bar', text)] : []),
      ...(isOnDot ? [] : [said('a label that leads to no dot', text)]),
      ...(isAbove ? [] : [said('a label beside its line', text)]),
      ...(other < 0 ? [] : [said('a label on another', text, `"${written(texts[other])}"`)]),
    ];
  });
}

// A strip of several results has a dot for each.
function severalFindings(figure, count) {
  const { length } = figure.querySelectorAll('circle.own');
  return length === count ? [] : [ofFigure(`${length} dots for ${count} results`, figure)];
}

function stripFindings(figure) {
  const [picture, axis] = figure.querySelectorAll('svg');
  const words = picture.getAttribute('aria-label').replace(/\s/g, ' ');
  const scale = scaleOf(axis);
  if (!scale.place) return scale.findings;
  const dots = [...figure.querySelectorAll('circle.machine')];
  const [, count] = / among (\d+) published ones$/.exec(words) || [];
  const [, several] = /^(\d+) results? among /.exec(words) || [];
  const published = dots.map(publishedIndex).filter(Boolean).map(number);
  return [
    ...scale.findings,
    ...(several ? severalFindings(figure, Number(several)) : ownFindings(figure, scale, words, published)),
    ...(dots.length === Number(count) ? [] : [ofFigure(`${dots.length} dots for ${count} published indexes`, figure)]),
    ...dots.flatMap(dot => {
      const index = publishedIndex(dot);
      return index ? misplaced('machine', dot, centre(dot), scale, ...near(index))
        : [ofFigure('a dot without a number', figure)];
    }),
    ...labelFindings(figure, [...dots, ...figure.querySelectorAll('circle.own')]),
    ...strayMarks(picture).map(mark => ofFigure(`${selector(mark)} beyond its picture`, figure)),
  ];
}

const figureFindings = () => [...document.querySelectorAll('figure')].filter(element => isShown(element))
  .flatMap(figure => figure.querySelector('svg.axis') ? stripFindings(figure)
    : figure.querySelector('.timelines') ? timelinesFindings(figure)
      : figure.querySelector('.multiples') ? multiplesFindings(figure)
        : figure.querySelector('.keys') ? [] : [said('a figure of what kind', figure)]);
