'use strict';

// Findings about timelines: from left to right the date (UTC), upwards the score or index, on a scale of each panel.

const DAY_S = 86400;
const MINUTE_S = 60;

// Returns the day of a date, or the minute of a date with a time of day, as a range, in seconds since 1970.
function rangeOf(date) {
  const [day, clock] = date.split(' ');
  const begin = Date.parse(clock ? `${day}T${clock}Z` : day) / 1000;
  return [begin, begin + (clock ? MINUTE_S : DAY_S)];
}

// Returns whether the text of a tick is the begin of a year, a month, a day or a minute.
function isDate(text, seconds) {
  const date = new Date(seconds * 1000).toISOString();
  return [date, date.slice(5)].some(whole =>
    whole.startsWith(text) && /^(?:-01)*T00:00:00/.test(whole.slice(text.length)))
    || date.slice(11).startsWith(`${text}:00`);
}

function isRound(text, value) {
  const [low, high] = knownAt(text) || [];
  return low <= value * 1.001 && high >= value * 0.999;
}

// Returns both scales of a panel.
function scalesOfTimeline(picture) {
  const ticks = [...picture.querySelectorAll('text.tick')];
  const across = scaleThrough(picture, seconds => seconds, ticks.filter(tick => !tick.matches('.up')), centre, isDate);
  const up = scaleThrough(picture, Math.log, ticks.filter(tick => tick.matches('.up')),
    tick => endsOfLine(tick.previousElementSibling)[0][1], isRound);
  return { across, up, findings: [...across.findings, ...up.findings, ...tickOverlaps(ticks)] };
}

// No text of a tick is on another one.
function tickOverlaps(ticks) {
  const boxes = ticks.map(tick => tick.getBoundingClientRect());
  return ticks.flatMap((tick, number) => boxes.slice(0, number).some(other => {
    const box = boxes[number];
    return Math.min(box.right, other.right) - Math.max(box.left, other.left) > SLACK_PX
      && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > SLACK_PX;
  }) ? [said('a tick on another', tick)] : []);
}

// Returns whether a point is at the highest or the lowest place because its value is beyond the scale.
function isAtEdge(y, range, up, [top, bottom]) {
  const [low, high] = range.map(up.place);
  return Math.abs(y - top) <= SLACK_PX && high < top || Math.abs(y - bottom) <= SLACK_PX && low > bottom;
}

// The title of a point begins with its date and its value.
function runFindings(point, { across, up }, edges) {
  const [, date, text] = /^(\d{4}-\d\d-\d\d(?: \d\d:\d\d)?): (.*), /.exec(written(point)) || [];
  const range = text && knownAt(text);
  if (!range) return [said('a point without its date and value', point)];
  const isOutside = point.matches('.poor, .outlier') && isAtEdge(middle(point), range, up, edges);
  return [
    ...misplaced('date of the point', point, centre(point), across, ...rangeOf(date)),
    ...(isOutside ? [] : misplaced('value of the point', point, middle(point), up, ...range)),
  ];
}

// An interval belongs to the point at its place, and goes through it.
function intervalOfRunFindings(interval, points) {
  const { top, bottom } = interval.getBoundingClientRect();
  const isOn = points.some(point => Math.abs(centre(point) - centre(interval)) <= SLACK_PX
    && middle(point) >= top - SLACK_PX && middle(point) <= bottom + SLACK_PX);
  return isOn ? [] : [said('an interval without its point', interval)];
}

// A step has its value, and goes from one point to another.
function stepFindings(step, points, up) {
  const value = number(step.dataset.value);
  const ends = endsOfLine(step);
  return [
    ...ends.flatMap(([, y]) => misplaced('value of the step', step, y, up, value, value)),
    ...ends.flatMap(([x]) => points.some(point => Math.abs(centre(point) - x) <= SLACK_PX) ? []
      : [said('a step that ends at no point', step)]),
  ];
}

// The title of a vertical line begins with its date, and the page says more about this date in a list.
function eventFindings(line, { across }, known) {
  const [, date] = /^(\d{4}-\d\d-\d\d(?: \d\d:\d\d)?): \S/.exec(written(line)) || [];
  if (!date) return [said('a vertical line without its date', line)];
  const picture = line.ownerSVGElement.getBoundingClientRect();
  const { top, bottom } = line.getBoundingClientRect();
  const isWhole = Math.abs(top - picture.top) <= SLACK_PX && Math.abs(bottom - picture.bottom) <= SLACK_PX;
  return [
    ...misplaced('date of the event', line, endsOfLine(line)[0][0], across, ...rangeOf(date)),
    ...(isWhole ? [] : [said('a vertical line that is not as high as its picture', line)]),
    ...(known.has(date) ? [] : [said('an event that the page does not list', line)]),
  ];
}

// Takes a panel, and the dates that lists of the page begin with.
function timelineFindings(panel, known) {
  const picture = panel.querySelector('svg');
  const scales = scalesOfTimeline(picture);
  if (!scales.across.place || !scales.up.place) return scales.findings;
  const [points, intervals, steps, events, links] = ['circle.run', 'line.interval', 'line.step', 'line.event', 'a']
    .map(mark => [...panel.querySelectorAll(mark)]);
  const drawn = [...points.map(middle), ...steps.map(step => endsOfLine(step)[0][1])];
  const edges = [Math.min(...drawn), Math.max(...drawn)];
  return [
    ...scales.findings,
    ...(points.length ? [] : [said('a panel without points', panel)]),
    ...points.flatMap(point => runFindings(point, scales, edges)),
    ...intervals.flatMap(interval => intervalOfRunFindings(interval, points)),
    ...steps.flatMap(step => stepFindings(step, points, scales.up)),
    ...events.flatMap(line => eventFindings(line, scales, known)),
    ...links.flatMap(link => written(document.querySelector(link.getAttribute('href'))).startsWith(written(link)) ? []
      : [said('a link to another change', link)]),
    ...strayMarks(picture).map(mark => said(`${selector(mark)} beyond its picture`, panel)),
  ];
}

function timelinesFindings(figure) {
  const listed = [...document.querySelectorAll('p[id], li')].filter(item => !item.querySelector('svg')).map(written);
  const known = new Set(listed.map(text => (/^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?/.exec(text) || [])[0]));
  return [...figure.querySelectorAll('.timelines > li')].flatMap(panel => timelineFindings(panel, known));
}
