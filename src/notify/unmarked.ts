import { visible } from '../domain/visible.ts';

/** The most characters of a text in a message: chats refuse a long message, and then the later messages would wait. */
const LONGEST = 1_000;
/** Slack's `<!channel>` and `<address|text>`, links and references of Markdown, `@here`. */
const MARKS = /[<>]|\](?=[([:])|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu;

/**
 * A text of either side as a message tells it: it calls nobody, hides no address behind other words, and has no mark-up of a
 * chat. Characters that would have such an effect are written as in JSON, `\u003c`.
 */
export function unmarked(text: string): string {
  const told = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return visible(told).replace(MARKS, (mark) => String.raw`\u00` + mark.charCodeAt(0).toString(16));
}
