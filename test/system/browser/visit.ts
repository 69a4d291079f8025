import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page, with what it asked for and complained about. */
export interface Visit {
  readonly page: Page;
  /** The addresses of everything that was requested, in order. */
  readonly requested: readonly string[];
  /** What the console shows: violations of the policy and errors of scripts among it. */
  readonly complaints: readonly string[];
  readonly end: () => Promise<void>;
}

/** Opens a page as a visitor who was never there. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requested, complaints, end: () => context.close() };
}
