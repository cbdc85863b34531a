import { readFileSync, writeFileSync } from 'node:fs';
import type { Stage } from './stage.ts';

const TOKEN = 'an-operator-token';

/** Gives the screen of a stage a password. */
export function allowScreen({ configFile }: Pick<Stage, 'configFile'>): void {
  const admin = 'admin: { listen: 127.0.0.1:0';
  const text = readFileSync(configFile, 'utf8').replace(`${admin} }`, `${admin}, operator_token: ${TOKEN} }`);
  writeFileSync(configFile, text);
}

/** A page of the screen, as an operator who has logged in sees it. */
export async function screenPage(adminUrl: string | null, path: string): Promise<string> {
  const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ password: TOKEN }).toString();
  const login = await fetch(`${adminUrl}/login`, { method: 'POST', headers: form, body, redirect: 'manual' });
  const [cookie = ''] = String(login.headers.get('set-cookie')).split(';');
  return (await fetch(`${adminUrl}${path}`, { headers: { accept: 'text/html', cookie } })).text();
}
