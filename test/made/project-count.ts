import type { Page } from 'playwright-core';

/** Waits until the list of projects says that this one has so many sessions. */
export async function projectCount(page: Page, project: string, count: number): Promise<void> {
  const projects = page.getByRole('combobox', { name: 'Project', exact: true });
  await projects.click();
  await page.locator(`[data-option="${project}"]`).getByText(`${count} sessions`).waitFor();
  // Escape would close the message with *Undo*, too.
  await projects.click();
}
