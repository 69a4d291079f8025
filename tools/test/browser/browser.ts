import { access } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the system's Chromium. */
export async function startBrowser(): Promise<Browser> {
  try {
    await access(executablePath);
  } catch {
    throw new Error(
      `There is no browser at ${executablePath}: install Debian's package «chromium», or name one in CHROMIUM_PATH.`,
    );
  }
  return chromium.launch({ executablePath, args: FLAGS });
}

export interface Look {
  readonly width: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** A tab of a browser, with what its page asked for and complained about. To open one for each page took longer. */
export class Tab {
  readonly page: Page;
  /** The addresses of everything that was requested since the visit began, in order. */
  readonly requested: string[] = [];
  /** What the console shows since then: violations of the policy and errors of scripts among it. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('request', (request) => this.requested.push(request.url()));
    page.on('console', (message) => this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await browser.newContext(options);
    return new Tab(await context.newPage());
  }

  async visit(url: string, { width, colorScheme = 'light' }: Look): Promise<void> {
    const { page } = this;
    // From one place of a page to another, nothing is loaded.
    await page.goto('about:blank');
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    this.requested.length = 0;
    this.complaints.length = 0;
    await page.goto(url);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
