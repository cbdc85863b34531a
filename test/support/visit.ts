import { beforeEach } from 'vitest';
import type { Shelf } from '../store/shelf.ts';
import { adminOn } from './admin.ts';

const OPERATOR = 'an-operator-token';
const HEADERS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };

type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** The text of a page, without its tags. */
export const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The screen on the store of a test, as an operator who has logged in uses it. */
export function useScreen(shelf: () => Shelf) {
  let admin: ReturnType<typeof adminOn>;
  let [cookie, token] = ['', ''];
  const page = async (url: string) =>
    (await admin.app.inject({ method: 'GET', url, headers: { ...HEADERS, cookie } })).body;
  const post = (url: string, form: Form) =>
    admin.app.inject({
      method: 'POST',
      url,
      headers: { ...HEADERS, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form as [string, string][]).toString(),
    });
  beforeEach(async () => {
    shelf().nowMs = Date.now();
    admin = adminOn(shelf().store, () => ({ operator: OPERATOR, viewer: null, users: [] }));
    const answer = await post('/login', { password: OPERATOR });
    cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    token = /name="token" value="([^"]+)"/.exec(await page('/orders'))?.[1] ?? '';
  });
  return {
    page,
    /** Sends the form of an act. */
    act: (name: string, form: Form) =>
      post(`/act/${name}`, [['token', token], ...(Array.isArray(form) ? form : Object.entries(form))]),
  };
}
