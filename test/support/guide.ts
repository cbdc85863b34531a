import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block, with the word behind its fence. */
export interface Block {
  readonly kind: string;
  readonly text: string;
}

/** A line of an `sh` block. A comment names an exit code other than 0: `# exits 2: ...`. */
export interface Command {
  readonly page: string;
  readonly text: string;
  readonly exits: number;
  /** The output on the page, for the last command before an `output` block. */
  readonly output: string | null;
}

/** A page of the guide, or a README. */
export interface Page {
  /** From the root: `src/guide/orders.md`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The text outside of blocks. */
  readonly prose: string;
}

export const README = readPage('README.md');
export const INDEX = readPage('src/guide/index.md');

/** Every topic that has a page, in the order of the index. Commands that follow each other are played in this order. */
export const TOPICS: readonly string[] = [...INDEX.text.matchAll(/^\| \[([\w-]+)\]\(\1\.md\) \|/gm)].map(
  ([, topic = '']) => topic,
);

const GUIDE: readonly Page[] = TOPICS.map(topicPage);
/** README and the guide. */
export const PAGES: readonly Page[] = [README, INDEX, ...GUIDE];

/** The pages for developers, whose links are checked as well. */
export const DEVELOPERS: readonly Page[] = [
  'src/README.md',
  ...readdirSync(`${ROOT}/src/decisions`).map((file) => `src/decisions/${file}`),
].map(readPage);

export function topicPage(topic: string): Page {
  return readPage(`src/guide/${topic}.md`);
}

function readPage(path: string): Page {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind = '', block = '']) => ({
    kind,
    text: block,
  }));
  return { path, text, blocks, prose: text.replaceAll(/^```.*?^```$/gms, '') };
}

export const BLOCKS: readonly Block[] = PAGES.flatMap(({ blocks }) => blocks);

export const blocksOf = (kind: string): string[] =>
  BLOCKS.filter((block) => block.kind === kind).map(({ text }) => text);

/** Everything in `backticks`, outside of blocks. */
export const QUOTED: readonly string[] = PAGES.flatMap(({ prose }) =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text),
);

export const COMMANDS: readonly Command[] = PAGES.flatMap(commandsOf);

function commandsOf({ path, blocks }: Page): Command[] {
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind !== 'sh') return [];
    const next = blocks[index + 1];
    const lines = text.trimEnd().split('\n');
    return lines.map((line, at) => {
      const [, command = '', comment = ''] = /^(.*?)(?:\s+#\s(.*))?$/.exec(line) ?? [];
      const exits = Number(/^exits (\d+)/.exec(comment)?.[1] ?? 0);
      const isLast = at === lines.length - 1;
      return { page: path, text: command, exits, output: isLast && next?.kind === 'output' ? next.text : null };
    });
  });
}

/** The rows of the first table of a page that has this column, each as a list of its cells. */
export function tableWith(topic: string, column: string): string[][] {
  const lines = topicPage(topic).text.split('\n');
  const head = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).includes(column));
  if (head < 0) throw new Error(`The page ${topic} has no table with the column ${column}`);
  const after = lines.slice(head + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

/** The figure in the table of promises, in the row that begins with this number or promise. */
export function figureOf(beginning: string): string {
  const row = tableWith('proof', 'Promise').find(
    ([number, promise = '']) => number === beginning || promise.startsWith(beginning),
  );
  if (row === undefined) throw new Error(`The guide promises nothing that begins with ${beginning}`);
  return row[3] ?? '';
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
