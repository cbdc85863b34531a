import { visible } from '../../domain/visible.ts';

/** A piece of a page. Only `html` makes one. Everything else in a page is text. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** A template of a page: each value is text, made fit to be shown and escaped, unless it is `html` itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((string, at) => (at === 0 ? '' : textOf(values[at - 1])) + string).join(''));
}

function textOf(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(visible(String(value)));
  return value.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** An address within the screen, relative to its base: `orders?search=A&status=Submitted`. Empty values are left out. */
export function address(path: string, query: Readonly<Record<string, string | null | undefined>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  return text === '' ? path : `${path}?${text}`;
}
