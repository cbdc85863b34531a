import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, COMMANDS, ROOT } from '../support/guide.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** Commands that are not run here, with the test that runs them, or the reason why none does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm run demo': 'test/demo/program.long.test.ts',
  'npm run demo -- --once': 'test/demo/once.test.ts',
  'npm test': 'test/frame/setup.test.ts',
  'npm run test:long': 'test/frame/setup.test.ts',
  'npm test -- test/domain': 'test/frame/setup.test.ts',
  'stockbridge notify test': 'test/notify/notify.test.ts',
  'stockbridge --config erp.yaml erp connect --from openapi.yaml': 'test/cli/erp-connect.test.ts',
  'stockbridge erp draft --from openapi.json --to erp.yaml': 'test/erp/draft/rest.test.ts',
  'stockbridge erp draft --from https://erp.example/openapi.yaml --to erp.yaml': 'test/erp/draft/rest.test.ts',
  'stockbridge erp draft --from answers --to erp.yaml': 'test/erp/draft/rest.test.ts',
  'stockbridge erp draft --from postgres://bridge@127.0.0.1:5432/warenwirtschaft --to erp.yaml':
    'test/erp/draft/sql.long.test.ts',
  'stockbridge erp draft --from /exchange --to erp.yaml': 'test/erp/draft/files.test.ts',
  // Benches measure a machine. They are no test of the program.
  'npm run bench': 'test/bench/run.ts',
  'npm run bench -- start webhook-answers webhook-calls': 'test/bench/run.ts',
};

/** Commands that keep running, with their first output. */
const GO_ON: readonly (readonly [beginning: string, says: RegExp])[] = [
  ['stockbridge sandbox', /They run until Ctrl-C/],
  ['stockbridge run', /"msg":"started"/],
];

/** Commands before which the daemon has to be stopped. */
const STOPS_DAEMON = ['stockbridge run --role receive', 'stockbridge restore'];

describe('every command of the guide:', () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await openWorkshop([8100, 8101, 8200, 8080, 9090]);
    const listen = 'webhooks: { listen: "127.0.0.1:8080" }\nadmin: { listen: "127.0.0.1:9090" }\n';
    const [config = ''] = blocksOf('yaml').filter((text) => text.includes('sandbox-key'));
    writeFileSync(join(workshop.dir, 'config/stockbridge.yaml'), workshop.here(config + listen));
  });
  afterAll(() => workshop.close());

  test.each(COMMANDS)(
    'a command of the guide does what the guide says: $page: $text',
    async ({ text, exits, output }) => {
      const elsewhere = ELSEWHERE[text];
      if (elsewhere !== undefined) {
        expect(existsSync(join(ROOT, elsewhere))).toBe(true);
        return;
      }
      if (STOPS_DAEMON.some((beginning) => text.startsWith(beginning))) {
        const codes = await workshop.end('stockbridge run');
        expect(codes.filter((code) => code !== 0)).toEqual([]);
      }
      const goesOn = GO_ON.find(([beginning]) => text.startsWith(beginning));
      if (goesOn !== undefined) return workshop.leaveRunning(text, goesOn[1]);
      const did = await workshop.type(text);
      expect(did, did.output).toMatchObject({ exitCode: exits });
      if (output !== null) expectOutput(did.output, output);
    },
  );

  test('the long-running commands of the guide end normally', async () => {
    expect(await workshop.end('')).toEqual([0]);
  });
});

/** A page shows parts of an output, in their order, with `...` between them. Figures and places of line breaks may differ. */
function expectOutput(actual: string, shown: string): void {
  let rest = alike(actual);
  for (const part of shown.split(/^\.\.\.$/m).map(alike)) {
    const at = rest.indexOf(part);
    if (at < 0) throw new Error(`the page shows\n${part}\nand the program says\n${actual}`);
    rest = rest.slice(at + part.length);
  }
}

function alike(text: string): string {
  return text
    .replaceAll(/\b\d+ (s|min|h|d)\b/g, '0 s')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
