import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Playwright's own 30 seconds are too short beside other work: what never happens ends with its test. */
export const PAGE_PATIENCE_MS = 180_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where this machine has a Chromium; undefined if none can be had. */
export function browserPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** `hosts`: names that point at this machine, as an attacker's name server would have it. */
export function openBrowser(path: string, hosts: string[] = []): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ');
  const args = ['--no-sandbox', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])];
  return chromium.launch({ executablePath: path, args });
}
