import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError, describe as described } from '../../src/config/problem.ts';
import { folderOf, LEAST } from './folder.ts';

/** The section of an account of the least configuration, with another seller. */
function brand(sellerId: number, changes: (text: string) => string = (text) => text): string {
  const { main } = (parse(LEAST) as { accounts: { main: { marketplace: object } } }).accounts;
  return changes(stringify({ ...main, marketplace: { ...main.marketplace, seller_id: sellerId } }));
}

const MAIN = `accounts_from: brands\n${LEAST}`;

function load(files: Record<string, string>, env: Record<string, string> = {}) {
  const at = folderOf(files);
  return { loaded: () => loadConfig(at('stockbridge.yaml'), env), at };
}

function errors(files: Record<string, string>): string {
  const { loaded, at } = load(files);
  try {
    loaded();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${at('.')}/`, '').replaceAll(at(''), '');
    throw error;
  }
  return '';
}

describe('a folder of accounts', () => {
  test('each file of the accounts folder is an account, beside those of the configuration', () => {
    const { loaded, at } = load({
      'stockbridge.yaml': MAIN,
      'brands/north.yaml': brand(12, (text) => text.replace('app-key-1', `\${env:NORTH_KEY}`)),
      'brands/south.yaml': brand(13, (text) => text.replace('erp-token-1', `\${file:secrets/south}`)),
      'brands/.north.yaml.swp': 'of an editor',
      'brands/README.md': 'for people',
      'secrets/south': 'the-token-of-the-south\n',
    });
    expect(() => loaded()).toThrow('the environment variable NORTH_KEY is not set');
    const { config, masked, secrets } = loadConfig(at('stockbridge.yaml'), { NORTH_KEY: 'the-key-of-the-north' });
    expect(config.accounts.map(({ name, marketplace }) => [name, marketplace.sellerId])).toEqual([
      ['main', 4711],
      ['north', 12],
      ['south', 13],
    ]);
    expect(secrets).toEqual(expect.arrayContaining(['the-key-of-the-north', 'the-token-of-the-south']));
    expect(JSON.stringify(masked)).not.toMatch(/of-the-(north|south)/);
    expect(masked).toMatchObject({ accounts: { south: { erp: { url: 'https://erp.example', token: '***' } } } });
  });

  test('a folder of accounts is enough without accounts in the configuration', () => {
    const { loaded } = load({ 'stockbridge.yaml': 'accounts_from: brands\n', 'brands/north.yaml': brand(12) });
    expect(loaded().config.accounts.map(({ name }) => name)).toEqual(['north']);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'an error is told with its place in the file of the account',
      { 'brands/north.yaml': brand(12, (text) => text.replace('strategy:', 'stratgy:')) },
      /^brands\/north\.yaml:\d+:3: accounts\.north\.inventory\.stratgy: unknown key; did you mean "strategy"\?/,
    ],
    [
      'a file that is no YAML, with those of the others',
      { 'brands/north.yaml': 'a: [', 'brands/south.yaml': 'currency: 7\n' },
      /^brands\/north\.yaml:1:5: accounts\.north: [^\n]+\nbrands\/south\.yaml:1:1: accounts\.south\.marketplace: is missing\n/,
    ],
    ['an empty file', { 'brands/north.yaml': '' }, /^brands\/north\.yaml:1:1: accounts\.north: is empty/],
    [
      'an account that stands in both places',
      { 'brands/main.yaml': brand(12) },
      /^brands\/main\.yaml: is not read: account main stands in the configuration itself$/,
    ],
    [
      'a file that is named after no account',
      { 'brands/North.yaml': brand(12), 'brands/__proto__.yaml': brand(13) },
      /^brands\/__proto__\.yaml: is named after no account: [^\n]+\nbrands\/North\.yaml: is named after no account/,
    ],
    ['the other ending', { 'brands/north.yml': brand(12) }, /^brands\/north\.yml: is not read: call it north\.yaml$/],
    ['a folder that is not there', {}, /^stockbridge\.yaml:1:16: accounts_from: the folder brands cannot be read/],
    [
      'two accounts of one seller',
      { 'brands/north.yaml': brand(4711) },
      /^brands\/north\.yaml:\d+:\d+: accounts\.north\.marketplace\.seller_id: /,
    ],
  ])('an account file is refused: %s', (_name, files, expected) => {
    expect(errors({ 'stockbridge.yaml': MAIN, ...files })).toMatch(expected);
  });

  test('an empty folder of accounts, with no account in the configuration, is refused', () => {
    const said = errors({ 'stockbridge.yaml': 'accounts_from: brands\n', 'brands/README.md': '' });
    expect(said).toContain('accounts: at least one is needed, here or in the folder that accounts_from names');
  });

  test('a warning names its place in the account file', () => {
    const { loaded, at } = load({
      'stockbridge.yaml': MAIN,
      'brands/north.yaml': brand(12, (text) => text.replace('https://erp', 'http://erp')),
    });
    const warnings = loaded().warnings(0);
    expect(warnings.map((one) => described(at('stockbridge.yaml'), one)).join()).toMatch(
      /brands\/north\.yaml:\d+:\d+: accounts\.north\.erp\.url: credentials and data go to another machine in clear/,
    );
  });
});
