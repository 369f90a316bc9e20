'use strict';

// Findings about parts that a page must not have: parts that act, and parts that are fetched. Data is not a script.

// The icon of the tab is a picture in the page itself.
const ICON = 'link[rel="icon"][href^="data:image/svg+xml,"]';
const NEEDLESS = 'script:not([type="application/json"]), iframe, frame, object, embed, form, base, '
  + `link:not(${ICON}), img, audio, video, foreignObject, meta[http-equiv]`;
const FETCHED = /^(?:href|src|xlink:href|action|formaction|srcset|poster|background|data)$/i;
const ACTIVE = /^\s*(?:javascript|data|vbscript)\s*:/i;

// The address of the icon, and a text for programs that show a link to the page. Nothing follows that text.
const isData = (element, name) => name === 'href' && element.matches(ICON)
  || name === 'content' && element.matches('meta[property^="og:"]');

function attributeFindings(element) {
  return [...element.attributes].filter(({ name, value }) => !isData(element, name)
    && (/^on/i.test(name) || ACTIVE.test(value) || FETCHED.test(name) && !/^#./.test(value))).map(({ name, value }) =>
    said(`attribute ${name}="${shortened(value)}"`, element));
}

function contentFindings() {
  const needless = [...document.querySelectorAll(NEEDLESS)];
  return [
    ...needless.map(element => said('needless', element)),
    ...[...document.querySelectorAll('*')].flatMap(attributeFindings),
    ...(document.querySelectorAll('style').length === 1 ? [] : ['not one style sheet']),
    ...(document.compatMode === 'CSS1Compat' ? [] : ['quirks mode']),
    ...(document.querySelectorAll('h1').length === 1 && isShown(document.querySelector('h1')) ? [] : ['not one title']),
    ...(document.title.trim() ? [] : ['no title']),
  ];
}
