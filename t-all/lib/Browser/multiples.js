'use strict';

// Findings about small pictures of scaling, one for each test: from left to right more copies, upwards the speed-up.

// Returns the ends of a line on the screen, [[x, y], [x, y]].
function endsOfLine(line) {
  const { left, top } = line.ownerSVGElement.getBoundingClientRect();
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map(name => line[name].baseVal.value);
  return [[left + x1, top + y1], [left + x2, top + y2]];
}

// Returns the scales of a panel, across and up. The value of a horizontal line stands above it.
function scalesOf(picture) {
  const ticks = [...picture.querySelectorAll('text.tick')];
  return [
    scaleThrough(picture, Math.log, ticks.filter(tick => !tick.matches('.up')), centre),
    scaleThrough(picture, Math.log, ticks.filter(tick => tick.matches('.up')),
      tick => endsOfLine(tick.previousElementSibling)[0][1]),
  ];
}

function placeFindingsOf(what, mark, [x, y], [across, up], copies, range) {
  return [...misplaced(`copies of the ${what}`, mark, x, across, copies, copies),
    ...misplaced(`speed-up of the ${what}`, mark, y, up, ...range)];
}

// A line begins at the fewest copies and goes through these places, [copies, range of the speed-up] each.
function throughFindings(what, panel, scales, fewest, ...places) {
  const pieces = [...panel.querySelectorAll(`line.${what}`)];
  if (pieces.length !== places.length) return [said(`${pieces.length} pieces of the ${what}`, panel)];
  const from = [[fewest, [1, 1]], ...places];
  return pieces.flatMap((piece, number) => endsOfLine(piece).flatMap((at, end) =>
    placeFindingsOf(what, piece, at, scales, ...from[number + end])));
}

function panelFindings(panel, fewest, most, indexes) {
  const [title, note] = [...panel.querySelectorAll('p')].map(written);
  const picture = panel.querySelector('svg');
  const scales = scalesOf(picture);
  if (!scales[0].place || !scales[1].place) return scales.flatMap(({ findings }) => findings);
  const points = [...panel.querySelectorAll('circle.point')];
  const places = points.map(point => {
    const [, copies, times] = /^(\d+) cop\S+ (\S+) times$/.exec(written(point)) || [];
    return times && [number(copies), near(times)];
  });
  const words = points.map(written).join(', ');
  if (!points.length || places.includes(undefined)) return [said('a point without a number, or none', panel)];
  const gains = gainsOf(title, fewest, indexes);
  const hasGains = gains.length === points.length;
  const times = /(\S+ times)$/.exec(words)[1];
  const ideal = most / fewest;
  return [
    ...scales.flatMap(({ findings }) => findings),
    ...points.flatMap((point, place) =>
      placeFindingsOf('point', point, [centre(point), middle(point)], scales, ...places[place])),
    ...(hasGains ? points.flatMap((point, place) => placeFindingsOf('gain', point, [centre(point), middle(point)],
      scales, gains[place].copies, gains[place].range))
      : gains.length ? [said(`${points.length} points for ${gains.length} numbers of copies`, panel)] : []),
    ...throughFindings('curve', panel, scales, fewest, ...places),
    ...throughFindings('ideal', panel, scales, fewest, [most, [ideal, ideal]]),
    ...(picture.getAttribute('aria-label').replace(/\s/g, ' ') === words ? [] : [said('words of other points', panel)]),
    ...(note.startsWith(`${times}, `) ? [] : [said('a note with another speed-up', panel)]),
    ...strayMarks(picture).map(mark => said(`${selector(mark)} beyond its picture`, panel)),
  ];
}

function multiplesFindings(figure) {
  const fewest = copiesIn(written(figure.querySelector('figcaption')));
  const indexes = indexesOfRuns();
  const most = Math.max(...indexes.keys());
  return [...figure.querySelectorAll('.multiples > li')].flatMap(panel =>
    panelFindings(panel, fewest, most, indexes));
}
