import { expect } from 'vitest';
import { needing } from '../support/needing.ts';
import { at, findingsOn, openScreen, useChromium, type Watched } from '../support/screen.ts';

const logIn = useChromium();

/** The steps as they are shown, each in a line. */
async function stepsOf({ page }: Watched): Promise<string[]> {
  const steps = await page.locator('.first-day li').allInnerTexts();
  return steps.map((text) => text.replaceAll(/\s+/g, ' '));
}

needing('chromium').test(
  'the overview guides through the first day, without JavaScript, until the first plan is approved',
  async () => {
    const stage = await openScreen({ account: '    brakes: { create: { count: 1, percent: 1 } }' });
    stage.erp.control.seed(5);
    await stage.start(['admin']);
    const phone = await logIn(stage, 'operator', { width: 390, colorScheme: 'dark', javaScriptEnabled: false });
    await phone.page.goto(at(stage, ''));
    expect((await stepsOf(phone))[0]).toMatch(/Both sides answer \(under way\) 0 of 2$/);
    await stage.stop();
    await stage.sync();
    await stage.stop();
    await stage.start(['admin']);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      const seen = await logIn(stage, 'operator', { width, colorScheme });
      await seen.page.goto(at(stage, ''));
      const steps = await stepsOf(seen);
      expect(steps).toEqual([
        expect.stringMatching(/\(done\) 2 of 2$/),
        expect.stringMatching(/Catalogue read \(done\) (\d+) of \1 lists$/),
        expect.stringMatching(/Links decided \(done\) nothing to link$/),
        expect.stringMatching(/Plan approved \(your turn\) \d+ writes to look at$/),
        expect.stringMatching(/Live \(later\) comes last$/),
      ]);
      expect(await findingsOn(seen.page)).toEqual([]);
    }
    const store = stage.store();
    for (const { plan } of await store.brakes.open('main'))
      await store.brakes.approve({ id: plan.id }, { except: [], expiryMs: { main: 60_000 }, by: 'ann' });
    await stage.stop();
    await stage.start(['admin']);
    const after = await logIn(stage, 'viewer', { width: 1280, colorScheme: 'light' });
    await after.page.goto(at(stage, ''));
    expect(await stepsOf(after)).toEqual([]);
  },
  120_000,
);
