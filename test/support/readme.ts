import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const README = readFileSync(`${ROOT}/README.md`, 'utf8');

/** A fenced block, with the word behind its fence. */
export interface Block {
  readonly kind: string;
  readonly text: string;
}

/** A line of an `sh` block; its comment says when it ends with another code than 0: `# exits 2: ...`. */
export interface Command {
  readonly text: string;
  readonly exits: number;
  /** What README shows of its output, for the last command before an `output` block. */
  readonly output: string | null;
}

export const BLOCKS: readonly Block[] = [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);

/** Everything that is not in a block. */
export const PROSE = README.replaceAll(/^```.*?^```$/gms, '');

export const blocksOf = (kind: string): string[] =>
  BLOCKS.filter((block) => block.kind === kind).map(({ text }) => text);

/** What stands in `backticks`, outside of blocks. */
export const QUOTED: readonly string[] = [...PROSE.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

export const COMMANDS: readonly Command[] = BLOCKS.flatMap(({ kind, text }, index) => {
  if (kind !== 'sh') return [];
  const next = BLOCKS[index + 1];
  const lines = text.trimEnd().split('\n');
  return lines.map((line, at) => {
    const [, command = '', comment = ''] = /^(.*?)(?:\s+#\s(.*))?$/.exec(line) ?? [];
    const exits = Number(/^exits (\d+)/.exec(comment)?.[1] ?? 0);
    const isLast = at === lines.length - 1;
    return { text: command, exits, output: isLast && next?.kind === 'output' ? next.text : null };
  });
});

/** The rows of the table under a heading that has this column, each as a list of its cells. */
export function tableWith(column: string): string[][] {
  const lines = README.split('\n');
  const head = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).includes(column));
  if (head < 0) throw new Error(`README has no table with the column ${column}`);
  const after = lines.slice(head + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end).map(cellsOf);
}

/** What the table of promises says it gave: the figure of the row that begins with this, by its number or its promise. */
export function figureOf(beginning: string): string {
  const row = tableWith('Promise').find(
    ([number, promise = '']) => number === beginning || promise.startsWith(beginning),
  );
  if (row === undefined) throw new Error(`README promises nothing that begins with ${beginning}`);
  return row[3] ?? '';
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
