import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { kindOf } from '../../../src/erp/connectors.ts';
import { credentialOf } from '../../../src/http/credential.ts';
import { run } from '../../cli/capture.ts';
import { folderOf } from '../../config/folder.ts';
import { checkedErp } from '../../support/erp-check.ts';
import { topicPage } from '../../support/guide.ts';
import { startKontor } from './kontor.ts';

const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(topicPage('rest-example').text) ?? [];
const ENV = { MARKETPLACE_KEY: 'a-key', ERP_PASSWORD: 'a-key-of-kontor' };
const PRODUCTS = 450;

/** The file of the manual, with the address of this Kontor. */
async function written() {
  const kontor = await startKontor(PRODUCTS);
  onTestFinished(() => kontor.close());
  const path = folderOf({ 'stockbridge.yaml': '' });
  const file = path('stockbridge.yaml');
  writeFileSync(file, example.replace('https://kontor.example', kontor.url));
  return { kontor, file };
}

it('the REST system of the manual keeps every promise that can be tested there', { timeout: 120_000 }, async () => {
  const { kontor, file } = await written();
  const [account] = loadConfig(file, ENV).config.accounts;
  if (account === undefined) throw new Error('there is an account');
  const { section, capabilities } = account.erp;
  const { named, findings } = await checkedErp(
    (wire) =>
      kindOf(section).open(section, {
        credential: () => credentialOf(ENV.ERP_PASSWORD),
        dir: '/nowhere',
        now: Date.now,
        wire,
      }),
    capabilitiesOf(capabilities),
    { people: { ship: async (id) => kontor.ship(id) }, facts: { productCount: PRODUCTS } },
  );
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  const beyond =
    /-since$|^product-create$|^payment|^customer|^transports$|^shipped-short$|^cancel-picked$|^approved$|^lots$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});

it('the commands of the guide page about REST do what the page says', { timeout: 60_000 }, async () => {
  const { file } = await written();
  const at = (...args: string[]) => run([...args, '--config', file], ENV);
  expect(await at('config', 'check')).toMatchObject({ exitCode: 0 });
  expect((await at('erp', 'describe')).stdout).toContain('Kontor 7.2');
  const { stdout, exitCode } = await at('erp', 'try', 'products', '--limit', '2');
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain('A-0001');
});
