import { readdirSync, readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { UsageError } from '../use/faults.ts';
import { type Cli, printLines } from './output.ts';

const PAGES = new URL('../guide/', import.meta.url);
const INDEX = 'index';

export const help = `
In a page, a link to orders.md is the topic "orders".

Examples:
  stockbridge guide
  stockbridge guide going-live
  stockbridge guide when order`;

/** `guide [TOPIC] [WORD]`: a page of the manual, or the list of topics and questions. */
export function define(command: Command, cli: Cli): void {
  const topics = readdirSync(PAGES)
    .map((file) => file.replace(/\.md$/, ''))
    .toSorted();
  const topic = new Argument('[topic]', 'a page of the manual').choices(topics).default(INDEX, 'the list of topics');
  topic.argParser((name) => {
    if (topics.includes(name)) return name;
    throw new UsageError(
      `the manual has no page "${name}"${didYouMean(name, topics) || '.'} It has ${topics.join(', ')}`,
    );
  });
  command
    .addArgument(topic)
    .argument('[word]', 'print only the sections of the page whose heading has this word')
    .action((name: string, word: string | undefined) => {
      const page = readFileSync(new URL(`${name}.md`, PAGES), 'utf8').trimEnd();
      printLines(cli, word === undefined ? page : sectionsWith(page, name, word));
    });
}

/** The sections with the word in their heading. @throws UsageError if there are none */
function sectionsWith(page: string, name: string, word: string): string {
  const sections = page.split(/^(?=## )/m).slice(1);
  const headingOf = (section: string) => section.slice(3, section.indexOf('\n')).trim();
  const found = sections.filter((section) => headingOf(section).toLowerCase().includes(word.toLowerCase()));
  if (found.length > 0) return found.join('').trimEnd();
  const headings = sections.map(headingOf).join('; ');
  throw new UsageError(
    headings === ''
      ? `the page "${name}" has no sections: stockbridge guide ${name} prints it`
      : `no section of "${name}" has the word "${word}" in its heading. It has: ${headings}`,
  );
}
