import type { Locator } from 'playwright-core';

/** Opens a select of the page and chooses the option with this value. */
export async function chooseOption(select: Locator, value: string): Promise<void> {
  await select.click();
  await select
    .page()
    .locator(`[data-option=${JSON.stringify(value)}]`)
    .click();
}
