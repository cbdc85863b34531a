import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/demo/free-port.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { serve } from '../bench/support/rpc.ts';
import { disagreements } from '../support/agreement.ts';
import { type FlowName, type Sides, storyOf } from './flows.ts';

/*
 * Both sides in a process of their own, with files in a folder. When they are closed, the folder can be copied, and a copy can
 * be opened instead.
 */

const TOKEN = 'an-erp-token-for-crashes';

/** A call that is no GET. */
export interface WriteCall {
  readonly side: 'marketplace' | 'erp';
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

let sides: Sides;
/** The ports are the same each time, so the records about the sides fit every copy. */
const marketplacePort = await freePort();
const erpPort = await freePort({ not: [marketplacePort] });

const api = {
  async open(dir: string) {
    mkdirSync(dir, { recursive: true });
    const file = (name: string) => join(dir, `${name}.db`);
    const marketplace = await startSandboxMarketplace({
      port: marketplacePort,
      file: file('marketplace'),
      settings: { rate: null },
    });
    const erp = await startSandboxErp({ tokens: [TOKEN], port: erpPort, file: file('erp') });
    sides = { marketplace, erp };
    return { marketplaceUrl: marketplace.url, key: marketplace.key, erpUrl: erp.url, token: TOKEN };
  },

  async close(): Promise<void> {
    await Promise.all([sides.marketplace.close(), sides.erp.close()]);
  },

  prepare: (flow: FlowName) => storyOf(flow).prepare(sides),
  prepareMore: (flow: FlowName) => storyOf(flow).prepareMore?.(sides),
  act: (flow: FlowName) => storyOf(flow).act(sides),

  /** Writing calls since the sides were opened: first those of the marketplace, and then those of the ERP. */
  writes(): WriteCall[] {
    const here = sides.marketplace.requestLog
      .calls()
      .map(({ method, url, body }) => ({ side: 'marketplace' as const, method, path: url, body }));
    const there = sides.erp.control
      .requests()
      .map(({ method, url, body }) => ({ side: 'erp' as const, method, path: url, body: JSON.stringify(body) }));
    return [...here, ...there].filter(({ method }) => method !== 'GET');
  },

  /** The differences between the two sides, and a missing result of the story. */
  disagreements(flow: FlowName): string[] {
    const { shows, expected } = storyOf(flow);
    const shown = shows(sides);
    return [
      ...disagreements(sides, 'b'),
      ...(shown === expected ? [] : [`it ends with ${shown}; expected: ${expected}`]),
    ];
  },
};

export type SidesApi = typeof api;

serve(api);
