import type { Problem } from '../api/problem.ts';
import { html } from './html.ts';
import type { Shown } from './page.ts';

/** An error as a page. */
export function problemPage({ title, detail, status }: Problem): Shown {
  return {
    title,
    status,
    body: html`<h1>${title}</h1><p class="lede">${detail}</p><p><a href="./">To the overview</a></p>`,
  };
}
