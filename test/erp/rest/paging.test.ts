import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answering, answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

interface Row {
  readonly id: number;
}

const ROW = {
  id: '$string(id)',
  sku: '"S" & id',
  active: true,
  deleted: false,
  price: { amount: '"1"', currency: '"USD"' },
  unit_multiplier: 1,
  changed_at: '"2029-01-01T00:00:00Z"',
};

const WAYS = {
  page: { paging: { by: 'page', size: 3 }, query: { page: '{{ $page }}', size: '{{ $size }}' } },
  offset: { paging: { by: 'offset', size: 3 }, query: { offset: '{{ $offset }}', size: '{{ $size }}' } },
  keyset: { paging: { by: 'keyset', key: 'id', size: 3 }, query: { after: '{{ $cursor }}', size: '{{ $size }}' } },
} as const;

function pageOf(rows: readonly Row[], url: string): readonly Row[] {
  const params = new URL(url, 'http://erp').searchParams;
  const size = Number(params.get('size'));
  if (params.has('page')) return rows.slice((Number(params.get('page')) - 1) * size).slice(0, size);
  if (params.has('offset')) return rows.slice(Number(params.get('offset'))).slice(0, size);
  return rows.filter(({ id }) => id > Number(params.get('after') ?? 0)).slice(0, size);
}

const described = (server: Answering, way: keyof typeof WAYS, more: Record<string, unknown> = {}) =>
  restErp(server.url, {
    lists: {
      products: {
        request: { path: '/products', query: WAYS[way].query },
        items: 'rows',
        paging: { ...WAYS[way].paging, ...more },
        row: ROW,
      },
    },
  });

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('paging by %s', (way) => {
  it('paging sees every row of an unchanged list, and says that it is complete', async () => {
    for (const count of [0, 1, 3, 7, 9]) {
      const rows = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
      await using server = await answering((request, response) =>
        json(response, 200, { rows: pageOf(rows, request.url ?? '') }),
      );
      await using erp = described(server, way);
      const pages = await Array.fromAsync(erp.listProducts(null));
      expect(pages.flatMap((page) => page.items.map(({ id }) => id))).toEqual(rows.map(({ id }) => String(id)));
      expect(pages.map((page) => page.complete).indexOf(true)).toBe(pages.length - 1);
    }
  });

  it('paging never reports a complete list when a row that existed all the time is missing', async () => {
    const change = fc.record({ at: fc.integer({ min: 0, max: 12 }), add: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 14 }), async (changes) => {
        let rows: Row[] = Array.from({ length: 8 }, (_, index) => ({ id: (index + 1) * 100 }));
        const stayed = new Set(rows.map(({ id }) => id));
        let fresh = 0;
        let asked = 0;
        await using server = await answering((request, response) => {
          const answer = { rows: pageOf(rows, request.url ?? '') };
          for (const { at, add } of changes[asked] ?? []) {
            fresh += 1;
            const place = Math.min(at, rows.length);
            // A new row lies between its neighbours by its key.
            const id = (rows[place - 1]?.id ?? 0) + fresh / 1_000;
            if (add) rows = rows.toSpliced(place, 0, { id: Math.floor(id * 1_000) / 1_000 });
            else for (const gone of rows.splice(at, 1)) stayed.delete(gone.id);
          }
          asked += 1;
          if (way === 'keyset') rows = rows.toSorted((a, b) => a.id - b.id);
          json(response, 200, answer);
        });
        await using erp = described(server, way);
        const pages = await Array.fromAsync(erp.listProducts(null)).catch(() => []);
        if (pages.at(-1)?.complete !== true) return;
        const seen = new Set(pages.flatMap((page) => page.items.map(({ id }) => id)));
        expect([...stayed].filter((id) => !seen.has(String(id)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

it('a list that is sorted by texts is complete, also where these texts are numbers', async () => {
  const ids = ['1000', '1001', '99', '999', 'A-1'];
  await using server = await answering((request, response) => {
    const after = new URL(request.url ?? '', 'http://erp').searchParams.get('after') ?? '';
    const left = ids.filter((id) => id > after).map((id) => ({ id }));
    json(response, 200, { rows: left.slice(0, 3) });
  });
  await using erp = described(server, 'keyset');
  const pages = await Array.fromAsync(erp.listProducts(null));
  expect(pages.flatMap(({ items }) => items).map(({ id }) => id)).toEqual(ids);
  expect(pages.at(-1)?.complete).toBe(true);
});

describe('a list is not complete', () => {
  const rows = Array.from({ length: 7 }, (_, index) => ({ id: index + 1 }));
  const last = async (answer: (url: string) => unknown, way: keyof typeof WAYS, more = {}) => {
    await using server = await answering((request, response) => json(response, 200, answer(request.url ?? '')));
    await using erp = described(server, way, more);
    return (await Array.fromAsync(erp.listProducts(null))).at(-1)?.complete;
  };

  it('a list is not complete when its total differs from the number of its rows', async () => {
    for (const way of ['page', 'offset'] as const) {
      expect(await last((url) => ({ rows: pageOf(rows, url), total: 7 }), way, { total: 'total' })).toBe(true);
      expect(await last((url) => ({ rows: pageOf(rows, url), total: 8 }), way, { total: 'total' })).toBe(false);
    }
  });

  it('a list is not complete when a page is longer than requested, or shorter than those around it', async () => {
    expect(await last((url) => ({ rows: url.includes('page=1') ? rows : [] }), 'page')).toBe(false);
    const short = (url: string) => pageOf(rows, url).slice(0, url.includes('page=2') ? 2 : 3);
    expect(await last((url) => ({ rows: short(url) }), 'page')).toBe(false);
  });

  it('a list is not complete and ends with a failure when the page number is ignored', async () => {
    const failing = last(() => ({ rows: rows.slice(0, 3) }), 'page');
    await expect(failing).rejects.toMatchObject({ kind: 'invalid-answer', path: 'next' });
  });
});

describe('the address of the next page', () => {
  const list = (server: Answering, paging: Record<string, unknown>) =>
    restErp(server.url, { lists: { products: { request: { path: '/products' }, items: 'value', paging, row: ROW } } });

  it('the address of the next page is followed on the same origin, from the body or from the header Link', async () => {
    await using server = await answering((request, response) => {
      const second = request.url?.includes('skip') ?? false;
      const next = second ? {} : { '@odata.nextLink': `${server.url}/products?skip=1` };
      const link = second
        ? {}
        : { link: `</products?first>; rel="first", <${server.url}/products?skip=1>; rel="next"` };
      json(response, 200, { value: [{ id: second ? 2 : 1 }], ...next }, link);
    });
    for (const paging of [{ by: 'next-link' }, { by: 'link' }]) {
      await using erp = list(server, paging);
      const pages = await Array.fromAsync(erp.listProducts(null));
      expect(pages.map((page) => [page.items.map(({ id }) => id), page.complete])).toEqual([
        [['1'], false],
        [['2'], true],
      ]);
    }
    expect(server.asked.filter((path) => path.includes('skip'))).toHaveLength(2);
  });

  it('the address of the next page is never followed out of the path of the ERP', async () => {
    for (const elsewhere of ['/admin/products', '/api/../admin', '/api-of-another/products']) {
      await using server = await answering((_request, response) =>
        json(response, 200, { value: [{ id: 1 }], '@odata.nextLink': elsewhere }),
      );
      await using erp = list({ ...server, url: `${server.url}/api` }, { by: 'next-link' });
      await expect(Array.fromAsync(erp.listProducts(null))).rejects.toMatchObject({
        kind: 'invalid-answer',
        path: 'next',
      });
      expect(server.asked).toEqual(['/api/products']);
    }
  });

  it('the address of the next page is never followed to another origin', async () => {
    await using server = await answering((_request, response) =>
      json(response, 200, { value: [{ id: 1 }], '@odata.nextLink': 'https://elsewhere.example/products' }),
    );
    await using erp = list(server, { by: 'next-link' });
    await expect(Array.fromAsync(erp.listProducts(null))).rejects.toMatchObject({
      kind: 'invalid-answer',
      path: 'next',
    });
  });
});
