import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import * as z from 'zod';

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const OPTIONS = {
  runOnly: ALL,
  // Of what passes, axe then describes one element for each rule. Describing thousands took most of its time.
  resultTypes: ['violations'],
};

const report = z.object({
  violations: z.array(
    z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()) })) }),
  ),
});

/**
 * What axe finds on a page, against WCAG 2.2 AA and what axe recommends beyond it.
 * @param within a selector of the part to look at: the whole page takes seconds
 * @returns the name of each broken rule with the elements that break it
 */
export async function violations(page: Page, within = 'html'): Promise<string[]> {
  // What is shown only below the mouse, as it comes or goes, is not looked at.
  await page.mouse.move(0, 0);
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished))',
  );
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(file, 'utf8'));
  const call = `axe.run(${JSON.stringify(within)}, ${JSON.stringify(OPTIONS)})`;
  const found = report.parse(await page.evaluate(call));
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
