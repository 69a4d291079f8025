// In JavaScript because the types of highlight.js bring those of the DOM into every program that imports them.
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

highlighter.registerLanguage('sh', bash);
highlighter.registerLanguage('json', json);
highlighter.registerLanguage('python', python);
highlighter.registerLanguage('ts', typescript);

export function highlightedHtml(code, language) {
  return highlighter.highlight(code, { language }).value;
}
