import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { awayOf } from '../../src/use/away.ts';
import { needing } from '../support/needing.ts';
import { at, findingsOn, openScreen, takePicture, useChromium } from '../support/screen.ts';
import { until } from '../support/stage.ts';

const logIn = useChromium();
const FULL = { Orders: 'write', Products: 'write', Customers: 'write' } as const;
const BUTTON = { name: 'Try both sides again' };

async function isFitting(page: Page, what: string): Promise<void> {
  expect(await findingsOn(page), what).toEqual([]);
  await takePicture(page, what);
}

needing('chromium').test('a refused key is reported in the words of a shop, and retried with one click', async () => {
  const stage = await openScreen();
  stage.erp.control.seed(2);
  await stage.start();
  await stage.sync();
  const { marketplace } = stage;
  marketplace.keys.revoke(marketplace.key);
  const away = () => awayOf('main', stage.store());
  await until('the key is refused', async () => (await away())?.refuses === true);
  const { page } = await logIn(stage, 'operator', { width: 1280, colorScheme: 'light' });
  for (const path of ['', 'needs?state=alert']) {
    await page.goto(at(stage, path));
    expect(await page.locator('main').innerText()).toMatch(
      /The marketplace rejects our key\. Nothing is read or written there/,
    );
    expect(await page.getByRole('button', BUTTON).count(), path).toBe(1);
    expect(await page.locator('main').innerText(), path).not.toMatch(/stockbridge (doctor|jobs)/);
  }
  await page.goto(at(stage, ''));
  expect(await page.locator('h1').innerText()).toMatch(/the marketplace rejects our key since \d\d:\d\d:\d\d\./);
  await page.getByRole('button', BUTTON).click();
  expect(await page.locator('[role=status]').innerText()).toMatch(/^Not all is well: \d+ checks, 1 failed\./);
  const failed = page.locator('#fold-tried tbody tr').first();
  expect(await failed.innerText()).toMatch(/failed\s+marketplace products\.list .* the credentials are not accepted/);
  await isFitting(page, 'away-1280');
  await page.getByRole('button', BUTTON).click();
  expect(await page.locator('[role=alert]').innerText()).toMatch(/tried a moment ago: try again in \d+ s/);
  const phone = await logIn(stage, 'operator', { width: 390, colorScheme: 'dark' });
  await phone.page.goto(at(stage, ''));
  await isFitting(phone.page, 'away-390');
  const viewer = await logIn(stage, 'viewer', { width: 390, colorScheme: 'light' });
  await viewer.page.goto(at(stage, ''));
  expect(await viewer.page.getByRole('button', BUTTON).count()).toBe(0);
  expect(await viewer.page.locator('#fold-tried').count()).toBe(1);

  marketplace.keys.issue({ scheme: 'App', secret: marketplace.key, owner: 'brand', permissions: FULL });
  await until('the program goes on', async () => (await away()) === null);
  await until('the overview tells it no longer', async () => {
    await page.goto(at(stage, ''));
    return !(await page.locator('main').innerText()).includes('rejects our key');
  });
});
