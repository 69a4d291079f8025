import type { Contents } from '../contents.ts';
import type { Html } from '../html.ts';
import { html, raw } from '../html.ts';
import { commonSection } from './common.ts';
import { guideSection } from './guide.ts';
import { hero } from './hero.ts';
import { navigation } from './navigation.ts';
import { tagSection } from './section.ts';
import { tools } from './tools.ts';

/** The whole page. */
export function page(contents: Contents): Html {
  const { document, guides, sections, samples, common } = contents;
  const { title, summary } = document.info;
  return html`${raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${summary}" />
        <title>${title}: reference</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <script src="/docs/scheme.js"></script>
        <link rel="stylesheet" href="/docs/reference.css" />
        <script src="/docs/reference.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <div class="side">
          <header>
            <a class="brand" href="#content"
              ><img src="/docs/icon.svg" alt="" width="28" height="28" /><span>${title}</span></a
            >
            ${tools()}
            <details class="menu">
              <summary>Menu</summary>
              ${navigation(contents, 'Contents, in the menu')}
            </details>
          </header>
          <div class="sidebar">${navigation(contents, 'Contents')}</div>
        </div>
        <main id="content" tabindex="-1">
          ${hero(document)} ${guides.map(guideSection)} ${commonSection(document, common)}
          ${sections.map((section) => tagSection(document, section, samples, common.names))}
        </main>
      </body>
    </html> `;
}
