import { expect, it } from 'vitest';
import { failureOf } from '../../support/erp-check.ts';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

/** Drafts stand at a path of their own, with other fields and without pages, and their numbers begin at 1 as well. */
const DESCRIPTION = `
lists:
  orders:
    request: { path: /drafts }
    row: &order
      id: '"D" & $string(no)'
      reference: name
      origin: '"marketplace"'
      status: '"draft"'
      customer: {}
      currency: '"USD"'
      lines: '[]'
      discount: 0
      shipping: 0
      tax: 0
      total: 0
      note: '""'
      changed_at: at
    also:
      - request: { path: /orders, query: { since: '{{ $since }}', page: '{{ $page }}' } }
        items: rows
        since: {}
        paging: { by: page, size: 2, more: more }
        row: { <<: *order, id: $string(id), reference: ref, status: '"reserved"' }
finds:
  orders-by-reference:
    request: { path: /drafts, query: { name: '{{ $reference }}' } }
    also: [{ request: { path: /orders, query: { ref: '{{ $reference }}', page: '{{ $page }}' } } }]
  order-by-id:
    request: { path: '/drafts/{{ $substringAfter($id, "D") }}' }
    also: [{ request: { path: '/orders/{{ $id }}' } }]
errors: [{ when: { status: 404 }, kind: not-found }]
`;

const AT = '2029-01-01T00:00:00Z';
const stocked = () => ({
  orders: [1, 2, 3].map((id) => ({ id, ref: `R-${id}`, at: AT })),
  drafts: [{ no: 1, name: 'R-9', at: AT }],
});

type Records = ReturnType<typeof stocked>;

function answerTo({ pathname, searchParams }: URL, { orders, drafts }: Records): [status: number, body: unknown] {
  const [, what, id] = pathname.split('/');
  if (id !== undefined) {
    const found =
      what === 'orders' ? orders.find((one) => String(one.id) === id) : drafts.find((one) => String(one.no) === id);
    return found === undefined ? [404, {}] : [200, found];
  }
  if (what === 'drafts') {
    const wanted = searchParams.get('name');
    return [200, drafts.filter(({ name }) => wanted === null || name === wanted)];
  }
  const page = Number(searchParams.get('page') ?? 1);
  const fitting = orders.filter(({ ref }) => [null, ref].includes(searchParams.get('ref')));
  const rows = fitting.slice((page - 1) * 2, page * 2);
  return [200, { rows, more: fitting.length > page * 2 }];
}

async function opened(description = DESCRIPTION, answer = answerTo) {
  const records = stocked();
  const server = await answering((request, response) => {
    const [status, body] = answer(new URL(request.url ?? '', 'http://erp'), records);
    return json(response, status, body);
  });
  const erp = restErp(server.url, description);
  return { server, erp };
}

/** Confirms the drafts as soon as they were listed. */
function confirming(url: URL, records: Records): [status: number, body: unknown] {
  const answer = answerTo(url, records);
  const confirmed = url.pathname === '/drafts' ? records.drafts.splice(0) : [];
  for (const { name: ref, at } of confirmed) records.orders.push({ id: 9, ref, at });
  return answer;
}

it('a list of several requests has the rows of each, by the paging and the mapping of each', async () => {
  const { server, erp } = await opened();
  await using _server = server;
  await using _erp = erp;
  const pages = await Array.fromAsync(erp.listOrders(null));
  expect(pages.flatMap(({ items }) => items.map(({ id, status }) => `${id} ${status}`))).toEqual([
    'D1 draft',
    '1 reserved',
    '2 reserved',
    '3 reserved',
  ]);
  expect(pages.map(({ complete }) => complete)).toEqual([false, false, true]);
  expect(new Set(pages.map(({ asOf }) => asOf)).size).toBe(1);
  // The drafts have no filter of changes, so the list is read whole as far as they go.
  expect(erp.notices?.orders).toBe('whole');
});

it('a list of several requests is not complete where one of them is not', async () => {
  const { server, erp } = await opened(
    DESCRIPTION.replace('{ path: /drafts }', "{ path: /drafts }\n    complete: 'false'"),
  );
  await using _server = server;
  await using _erp = erp;
  expect((await Array.fromAsync(erp.listOrders(null))).map(({ complete }) => complete)).not.toContain(true);
});

it('a lookup by reference or by id searches all requests of a list', async () => {
  const { server, erp } = await opened();
  await using _server = server;
  await using _erp = erp;
  const found = async (reference: string) => (await erp.findOrders(reference)).map(({ id }) => id);
  expect([await found('R-2'), await found('R-9'), await found('R-0')]).toEqual([['2'], ['D1'], []]);
  expect((await erp.getOrder('1'))?.status).toBe('reserved');
  expect((await erp.getOrder('D1'))?.status).toBe('draft');
  expect([await erp.getOrder('D2'), await erp.getOrder('7')]).toEqual([null, null]);
});

it('a list of several requests has a draft that is confirmed between two requests as a draft and as an order', async () => {
  const { server, erp } = await opened(DESCRIPTION, confirming);
  await using _server = server;
  await using _erp = erp;
  expect((await erp.findOrders('R-9')).map(({ id }) => id)).toEqual(['D1', '9']);
  expect((await erp.findOrders('R-9')).map(({ id }) => id)).toEqual(['9']);
});

it('a list of several requests has a record that moves once with the content of its later place', async () => {
  const { server, erp } = await opened(DESCRIPTION.replace(`'"D" & $string(no)'`, '\'"9"\''), confirming);
  await using _server = server;
  await using _erp = erp;
  expect((await erp.findOrders('R-9')).map(({ id, status }) => [id, status])).toEqual([['9', 'reserved']]);
});

it.each([
  ['/drafts/', 'D1'],
  ['/orders/', '3'],
])(
  'a list of several requests does not count an order as gone where %s has another one in its place',
  async (place, shown) => {
    const { server, erp } = await opened(DESCRIPTION, (url, records) => {
      if (!url.pathname.startsWith(place)) return answerTo(url, records);
      return [200, place === '/drafts/' ? records.drafts[0] : records.orders[2]];
    });
    await using _server = server;
    await using _erp = erp;
    const failure = await failureOf(erp.getOrder('7'));
    expect(failure.kind).toBe('invalid-answer');
    expect(failure.message).toContain(`order ${shown} where 7 was asked for`);
    expect([(await erp.getOrder('3'))?.id, (await erp.getOrder('D1'))?.id]).toEqual(['3', 'D1']);
  },
);

it('a list of several requests counts an order as gone whose draft with the same number is not requested', async () => {
  const number = '$substringAfter($id, "D")';
  const { server, erp } = await opened(
    DESCRIPTION.replace(number, `$contains($id, "D") ? ${number} : 0`),
    (url, records) => (url.pathname === '/orders/1' ? [404, {}] : answerTo(url, records)),
  );
  await using _server = server;
  await using _erp = erp;
  expect([await erp.getOrder('1'), (await erp.getOrder('D1'))?.id]).toEqual([null, 'D1']);
});
