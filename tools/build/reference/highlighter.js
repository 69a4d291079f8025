// In JavaScript because the types of highlight.js bring those of the DOM into every program that imports them.
import highlighter from 'highlight.js/lib/common';

export function highlightedHtml(code, language) {
  return highlighter.highlight(code, { language }).value;
}
