import { expect } from 'vitest';
import { needing } from '../support/needing.ts';
import { at, findingsOn, type How, openScreen, useChromium } from '../support/screen.ts';
import { type Stage, until } from '../support/stage.ts';

/** The folder for the pictures of this test; none are made when it is left out. */
const PICTURES = process.env['STOCKBRIDGE_PICTURES'];
const logIn = useChromium();
/** The time before the words of a mark, in the zone of the browser. */
const ZONED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00: /;
const PRODUCT = 'entity?key=SB-0001&kind=product';

/** A product that is counted anew, ordered twice and given back once; the order that stays is shipped. */
async function open(): Promise<{ stage: Stage; order: string; cancelled: string }> {
  const stage = await openScreen();
  const { erp, marketplace } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '40');
  await stage.start();
  const available = () => Number(marketplace.productBySku('SB-0001').available);
  await until('it is on sale', () => marketplace.products().length > 0 && available() === 40);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.productBySku('SB-0001').id;
  const place = (quantity: string) => marketplace.placeOrder({ customer, items: [{ product, quantity }] }).number;
  const order = place('6');
  await until('the order is in the ERP', () => erp.control.findOrders(order).length === 1);
  const cancelled = place('10');
  await until('the other order is in the ERP', () => erp.control.findOrders(cancelled).length === 1);
  erp.control.setStock('SB-0001', '60');
  await until('more is on sale', () => available() === 44);
  marketplace.cancel(cancelled);
  await until('the units are given back', () => available() === 54);
  marketplace.transition(order, 'accept');
  const [inErp] = erp.control.findOrders(order);
  erp.control.shipOrder(inErp?.id ?? '');
  await until('the page knows that the order is fulfilled', async () =>
    (await stage.store().history.statuses('main', 'marketplace', order)).some(({ after }) => after === 'Fulfilled'),
  );
  return { stage, order, cancelled };
}

const WAYS = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const satisfies readonly How[];

needing('chromium').test(
  'the page of a product has a chart of its stock on both sides, and the page of an order its statuses, on a phone and on a wide screen',
  async () => {
    const { stage, order, cancelled } = await open();
    for (const how of WAYS) {
      const { page, told } = await logIn(stage, 'viewer', how);
      for (const [path, figure] of [
        [PRODUCT, 'figure.course'],
        [`entity?key=${order}&kind=order`, 'figure.life'],
      ] as const) {
        const what = `${path} at ${how.width}, ${how.colorScheme}`;
        await page.goto(at(stage, path));
        const drawn = page.locator(figure);
        const box = await drawn.locator('svg').boundingBox();
        expect.soft(box?.width, what).toBeLessThanOrEqual(720);
        expect.soft(await drawn.locator('details').getAttribute('open'), what).toBeNull();
        expect.soft(await findingsOn(page), what).toEqual([]);
        if (PICTURES !== undefined) {
          const name = `${figure.replace('figure.', '')}-${how.width}-${how.colorScheme}`;
          await drawn.screenshot({ path: `${PICTURES}/${name}.png` });
        }
      }
      expect(told).toEqual([]);
    }
    const { page } = await logIn(stage, 'viewer', WAYS[0]);
    await page.goto(at(stage, PRODUCT));
    const titles = await page.locator('figure.course g title').allTextContents();
    const marks = titles.map((title) => title.replace(ZONED, ''));
    expect(titles.filter((title) => !ZONED.test(title))).toEqual([]);
    expect(marks).toContain(`order ${order} reserves 6 units`);
    expect(marks).toContain(`order ${cancelled} gives 10 units back`);
    expect(marks).toContain(`order ${order} has taken 6 units`);
    // The units that the marketplace gives back itself need no write where it was looked at only afterwards.
    expect(marks.filter((mark) => mark.startsWith('written: ')).at(-1)).toMatch(/^written: [45]4$/);
    const described = await page.locator('#course-told').textContent();
    expect(described).toMatch(
      /^Buyers can take: 54, between \d+ and 54\. Available in the ERP: 54, between \d+ and 54\.$/,
    );
    await page
      .locator('figure.course g', { hasText: `${order} reserves` })
      .locator('.hit')
      .dispatchEvent('click');
    await page.waitForURL((url) => url.searchParams.get('kind') === 'order' && url.searchParams.get('key') === order);
    await page.goto(at(stage, PRODUCT));
    await page.locator('figure.course g', { hasText: 'written: 54' }).locator('.hit').last().dispatchEvent('click');
    await page.waitForURL((url) => url.searchParams.has('at'));
    expect(await page.locator('.line > li').first().innerText()).toMatch(/set the stock.*54/s);
    await page.goto(at(stage, `entity?key=${order}&kind=order`));
    expect(await page.locator('#life-told').textContent()).toMatch(
      /^Marketplace: Submitted, Accepted, Fulfilled\. ERP: (\w+, )*shipped\. $/,
    );
    expect(await page.locator('figure.life g title').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/ \+00:00: a write to the ERP: create order, written$/)]),
    );
  },
);
