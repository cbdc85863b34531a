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
  stockbridge guide going-live`;

/** `guide [TOPIC]`: the manual, a page a topic; without a topic, the list of topics and questions. */
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
    .action((name: string) => printLines(cli, readFileSync(new URL(`${name}.md`, PAGES), 'utf8').trimEnd()));
}
