import { readdirSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { z } from 'zod';
import { NotFound } from '../../use/faults.ts';
import { Html, html } from './html.ts';
import { page } from './page.ts';

const PAGES = new URL('../../guide/', import.meta.url);

/** HTML in Markdown is text. */
const markdown = new MarkdownIt({ html: false, linkify: false });
const { rules } = markdown.renderer;
rules['table_open'] = (tokens, at) => {
  const number = tokens.slice(0, at + 1).filter(({ type }) => type === 'table_open').length;
  return `<div class="scroll" role="region" aria-label="Table ${number}" tabindex="0"><table>\n`;
};
rules['table_close'] = () => '</table></div>\n';
rules['link_open'] = (tokens, at, options, env, self) => {
  const token = tokens[at];
  token?.attrSet('href', linkOf(String(token.attrGet('href') ?? ''), String((env as { topic: string }).topic)));
  return self.renderToken(tokens, at, options);
};
rules['heading_open'] = (tokens, at, options, _env, self) => {
  tokens[at]?.attrSet('id', anchorOf(tokens[at + 1]?.content ?? ''));
  return self.renderToken(tokens, at, options);
};

/** A link between pages of the manual becomes a link of the screen. */
function linkOf(target: string, topic: string): string {
  if (target.startsWith('#')) return `guide/${topic}${target}`;
  return target.replace(/^(?:\.\/)?([a-z-]+)\.md(#|$)/, 'guide/$1$2');
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

async function shown(topic: string) {
  // Only the name of an existing file is used: no text of the request becomes a path.
  const file = readdirSync(PAGES).find((name) => name === `${topic}.md`);
  if (file === undefined) throw new NotFound(`The manual has no page "${topic}".`);
  const text = readFileSync(new URL(file, PAGES), 'utf8');
  const body = new Html(markdown.render(text, { topic }));
  const index = topic === 'index' ? null : html`<p><a href="guide">All pages of the manual</a></p>`;
  return { title: /^# (.*)/.exec(text)?.[1] ?? topic, body: html`<article class="guide">${index}${body}</article>` };
}

/** The manual. */
export const GUIDE = page({ path: '/guide', section: 'guide', query: z.object({}), show: () => shown('index') });

export const GUIDE_TOPIC = page({
  path: '/guide/:topic',
  section: 'guide',
  query: z.object({}),
  show: (_look, _query, topic) => shown(topic),
});
