import type { Stage } from './stage.ts';

/** A call of somebody else to the marketplace's API: `POST`, `/customers/`. */
export async function onMarketplace<Answer>(
  { marketplace: { url, key } }: Stage,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { authorization: `App ${key}`, 'service-version': '2022-10-31', 'content-type': 'application/json' };
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(`${url}/api/v2${path}`, request);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
