import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { note, paint, print, printJson, printLines, stream, streamExactly } from '../../src/cli/output.ts';

function terminal(isTTY: boolean) {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof texts) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          texts[name] += chunk.toString();
          done();
        },
      }),
      { isTTY },
    );
  const cli = { env: {}, stdout: sink('stdout'), stderr: sink('stderr'), secrets: [], exitCode: 0 as const };
  return { cli, texts };
}

/** Clears the screen, forges a line, hides, comes back to the start of the line, rings, turns the text round, passes for ours. */
const EVIL =
  'SB-1\u001b[2J\nmain: in sync\u001b[8m\r\u009b31m\u0007\u007f\u202e\u2028\u001b]0;title\u0007\u001b[1mnew\u001b[22m';
const SHOWN = String.raw`SB-1\u001b[2J\nmain: in sync\u001b[8m\u000d\u009b31m\u0007\u007f\u202e\u2028\u001b]0;title\u0007\u001b[1mnew\u001b[22m`;

describe.each([true, false])('on a terminal: %s', (isTTY) => {
  test('control codes in foreign text are displayed and not executed', async () => {
    const { cli, texts } = terminal(isTTY);
    print(cli, `a ${EVIL}`);
    note(cli, `b ${EVIL}`);
    await stream(cli, `c ${EVIL}`);
    expect(texts).toEqual({ stdout: `a ${SHOWN}\nc ${SHOWN}\n`, stderr: `b ${SHOWN}\n` });
  });

  test('control codes in foreign text are not executed where the text is coloured, or looks coloured', () => {
    const { cli, texts } = terminal(isTTY);
    print(cli, `${paint(cli, cli.stdout, 'bold', EVIL)} and ${paint(cli, cli.stdout, 'red', 'red')}`);
    print(cli, '\u001b[31m unended, \u001b[1;31mmore\u001b[0m');
    const ended = isTTY ? `\u001b[1m${SHOWN}\u001b[22m and \u001b[31mred\u001b[39m` : `${SHOWN} and red`;
    expect(texts.stdout).toBe(`${ended}\n${String.raw`\u001b[31m unended, \u001b[1;31mmore\u001b[0m`}\n`);
  });

  test('JSON output has the same text, and tabs, umlauts and emoji stay', () => {
    const { cli, texts } = terminal(isTTY);
    printJson(cli, { sku: EVIL });
    expect(texts.stdout.split('\n')).toHaveLength(4);
    expect(texts.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(texts.stdout)).toEqual({ sku: EVIL });
    texts.stdout = '';
    printLines(cli, 'Zoë\t📦\ntwo');
    expect(texts.stdout).toBe('Zoë\t📦\ntwo\n');
  });

  test('output for other programs is not changed', async () => {
    const { cli, texts } = terminal(isTTY);
    await streamExactly(cli, EVIL);
    expect(texts.stdout).toBe(`${EVIL}\n`);
  });
});
