import type { z } from 'zod';
import type { AdminContext } from '../../use/admin-context.ts';
import type { Caller } from '../access.ts';
import type { Gathered } from './gathered.ts';
import { address, type Content, type Html, html } from './html.ts';
import type { Notice, Refusal } from './notices.ts';
import type { Shared } from './shared.ts';

/** The account, the caller and the session of a request for a page. */
export interface PageContext {
  readonly opened: AdminContext;
  readonly caller: Caller;
  /** The account that is looked at. */
  readonly account: string;
  /** All accounts of the configuration. */
  readonly accounts: readonly string[];
  /** The path and query of the request, below the base. An action returns to them. */
  readonly here: string;
  /** The token that every form of this session carries; null: there is no session, and no form can be sent. */
  readonly form: string | null;
  /** The form that was refused last; null: none was. */
  readonly refused: Refusal | null;
  readonly nowMs: number;
  /** The content of the overviews, by account. */
  readonly overviews: Shared<Gathered>;
}

export interface Shown {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

/** A question before an act that is large, or that cannot be taken back. */
export interface Question {
  readonly question: string;
  /** Everything to know before it is answered. */
  readonly told: Html;
  /** What may be chosen with the answer: fields inside of its form. */
  readonly asked?: Content;
  /** The text of the button. */
  readonly yes: string;
}

/** A file in the place of a page. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly lines: AsyncIterable<string>;
}

/** One page of the screen. */
export interface Page {
  /** The path below the base: `/orders`. */
  readonly path: string;
  /** The part of the navigation that it belongs to. */
  readonly section: Section | null;
  readonly query: z.ZodObject;
  show(context: PageContext, query: unknown, topic: string): Promise<Shown | Download>;
}

interface Written<Query extends z.ZodObject> extends Pick<Page, 'path' | 'section'> {
  readonly query: Query;
  show(context: PageContext, query: z.output<Query>, topic: string): Promise<Shown | Download>;
}

export function page<Query extends z.ZodObject>(written: Written<Query>): Page {
  return written;
}

const SECTIONS = {
  overview: ['', 'Overview'],
  needs: ['needs', 'Needs'],
  orders: ['orders', 'Orders'],
  products: ['products', 'Products'],
  plans: ['plans', 'Plans'],
  brakes: ['brakes', 'Brakes'],
  mappings: ['mappings', 'Links'],
  activity: ['activity', 'Activity'],
  events: ['events', 'Events'],
  audit: ['audit', 'Audit'],
  guide: ['guide', 'Guide'],
} as const;
export type Section = keyof typeof SECTIONS;

/** The files of the frame, each under a name that changes with its content. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

interface Frame {
  readonly base: string;
  readonly assets: Assets;
  readonly section: Section | null;
  readonly notice: Notice | null;
  /** null: nobody is logged in. */
  readonly context: PageContext | null;
  /** The path of the page itself, where an act returns to another one. */
  readonly own?: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/**
 * A form that does something. Without a session, or for a viewer, there is no form. A form that was refused says why.
 * @param inside what the form asks, with what was refused of it
 * @param id by which fields outside of the form belong to it
 */
export function action(
  context: PageContext,
  name: string,
  hidden: Fields,
  inside: Content | ((refused: Refusal | null) => Content),
  id: string | null = null,
): Content {
  if (context.form === null || context.caller.role !== 'operator') return null;
  const fields: Fields = { token: context.form, back: context.here, ...hidden };
  const refused = refusalOf(context, name, hidden);
  return html`<form method="post" action="act/${name}" class="action"${id === null ? null : html` id="${id}"`}>${Object.entries(
    fields,
  ).flatMap(([field, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${field}" value="${value}">`),
  )}${typeof inside === 'function' ? inside(refused) : inside}${
    refused === null ? null : html`<span class="wrong" id="wrong">${refused.detail}</span>`
  }</form>`;
}

function refusalOf({ refused }: PageContext, name: string, hidden: Fields): Refusal | null {
  const isIt =
    refused?.act === name && Object.entries(hidden).every(([field, value]) => refused.fields[field] === value);
  return isIt ? refused : null;
}

/** A field of a form for one line of text: after a refusal with what was typed, and marked if it is the one that is wrong. */
export function textField(refused: Refusal | null, name: string, label: string, isRequired = false): Html {
  const isWrong = refused?.field === name;
  return html`<label>${label} <input name="${name}" maxlength="200" value="${refused?.fields[name] ?? ''}"${isRequired ? html` required` : null}${
    isWrong ? html` aria-invalid="true" aria-describedby="wrong" autofocus` : null
  }></label>`;
}

/** A whole page. */
export function framed({ base, assets, section, notice, context, own }: Frame, { title, body }: Shown): string {
  const here = own ?? context?.here ?? 'login';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${base}/">
<title>${title} · Stockbridge</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="${here}#main">Skip to the content</a>
${context === null ? null : top(context, section)}
<main id="main" tabindex="-1">
${notice === null ? null : noticePart(notice, context)}
${body}
</main>
${context === null ? null : foot()}
</body>
</html>
`.text;
}

function noticePart({ said, undo, refused }: Notice, context: PageContext | null): Html {
  const button =
    context === null || undo === undefined
      ? null
      : action(context, undo.act, undo.fields, html`<button class="second">Undo</button>`);
  return html`<div class="notice${refused === undefined ? null : html` refused`}" role="${refused === undefined ? 'status' : 'alert'}"><span>${said}</span> ${button}</div>`;
}

function top({ caller, account, accounts, form, here }: PageContext, section: Section | null): Html {
  const of = (path: string) => address(path === '' ? './' : path, accounts.length > 1 ? { account } : {});
  const links = Object.entries(SECTIONS).map(
    ([name, [path, text]]) =>
      html`<li><a href="${of(path)}"${name === section ? html` aria-current="page"` : null}>${text}</a></li>`,
  );
  return html`<header class="top">
<a class="brand" href="${of('')}">Stockbridge</a>
<nav aria-label="Pages"><ul>${links}</ul></nav>
<form class="find" method="get" action="find" role="search"><input type="hidden" name="account" value="${account}"><label class="hidden" for="find">Find an order, SKU or id</label><input id="find" name="q" type="search" placeholder="Find an order, SKU, id" maxlength="200" autocomplete="off"></form>
<div class="who"><span title="${caller.name}">${caller.name}${caller.role === 'viewer' ? ' (looks only)' : null}</span>${
    form === null
      ? null
      : html`<form method="post" action="logout"><input type="hidden" name="token" value="${form}"><button class="plain">Log out</button></form>`
  }</div>
${accounts.length < 2 ? null : accountChoice(account, accounts, here)}
</header>`;
}

function accountChoice(account: string, accounts: readonly string[], here: string): Html {
  const options = accounts.map((name) => html`<option${name === account ? html` selected` : null}>${name}</option>`);
  return html`<form class="accounts" method="get" action="${here.split('?')[0] || './'}"><label>Account <select name="account">${options}</select></label> <button class="plain">Show</button></form>`;
}

function foot(): Html {
  return html`<footer><p>Times are <span data-zone>UTC</span>. <button type="button" class="plain" data-keys hidden>Keyboard: on</button></p></footer>`;
}
