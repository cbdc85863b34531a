import { readFileSync, writeFileSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { nameParts, programOf } from './parts.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

/* The screen of a stage below the path of a proxy, and Debian's Chromium, which opens it. */

export const TOKENS = { operator: 'an-operator-token', viewer: 'the-viewer-token' };
/** A proxy serves everything below this path. */
const PREFIX = '/trade/bridge';
/** The address of a page of any start of a stage. */
const OWN = new RegExp(`^http://127\\.0\\.0\\.1:\\d+${PREFIX}(?:[/?]|$)`);
/** The hostile text in every name that either side controls. */
export const HOSTILE = `"><script>alert(1)</script>' onmouseover=alert(1) {{7*7}} \u202e`;

/** A stage with a screen. It is not started. Brakes in the settings of the account are kept. */
export async function openScreen(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage(options);
  const tokens = `operator_token: ${TOKENS.operator}, viewer_token: ${TOKENS.viewer}`;
  const admin = `admin: { listen: 127.0.0.1:0, ${tokens}, base_path: ${PREFIX} }`;
  const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
  const isBraked = options.account?.includes('    brakes:') === true;
  writeFileSync(stage.configFile, isBraked ? yaml.replace(/ {4}brakes: \{ create.*\n/, '') : yaml);
  return stage;
}

/** The address of a page. */
export const at = (stage: Stage, path: string) => `${stage.app().adminUrl}${PREFIX}/${path}`;

export interface Watched {
  readonly page: Page;
  /** The page's messages in the console, with reports of its policy, and every request to another host. */
  readonly told: string[];
}

export interface How {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] });

/** Returns a function that logs somebody in with a new browser, which is closed at the end of the test. */
export function useChromium() {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (nameParts(['chromium']).length === 0) browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return async (stage: Stage, role: keyof typeof TOKENS, { width, ...how }: How): Promise<Watched> => {
    if (browser === null) throw new Error('there is no Chromium');
    const context = await browser.newContext({ viewport: { width, height: 900 }, ...how });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    page.on('pageerror', (error) => told.push(error.message));
    page.on('dialog', (dialog) => {
      told.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    // A page that stays open asks on while the stage is stopped.
    page.on('request', (request) => OWN.test(request.url()) || told.push(request.url()));
    await page.goto(at(stage, 'login?to=/orders'));
    await page.fill('[name=password]', TOKENS[role]);
    await page.click('main button');
    await page.waitForURL(at(stage, 'orders'));
    return { page, told };
  };
}

/** What makes the page hard to use as it stands: what axe finds, each with its place, and whether it is wider than the screen. */
export async function findingsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as never as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  const isWithin = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  const found = violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
  return isWithin === true ? found : [...found, 'it is wider than the screen'];
}

/** Takes a picture of the whole page for a person, where one is asked for by a folder in STOCKBRIDGE_PICTURES. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['STOCKBRIDGE_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
