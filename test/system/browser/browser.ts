import { access } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
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
