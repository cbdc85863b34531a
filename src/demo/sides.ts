import { startSandboxErp } from '../sandbox/erp/server.ts';
import { type SandboxOptions, startSandboxMarketplace } from '../sandbox/marketplace/start.ts';
import { seedBrand } from './brand.ts';
import type { SidesState } from './compare.ts';

export interface SidesOptions {
  readonly products: number;
  readonly seed: number;
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined;
  readonly controlPort?: number | undefined;
  readonly erpPort?: number | undefined;
  /** False: the marketplace takes any number of calls. */
  readonly limits?: boolean;
  /** Behaviours of the marketplace that are not the sandbox's own. */
  readonly settings?: SandboxOptions['settings'];
}

const ERP_TOKEN = 'sandbox-token';

/** The marketplace and the ERP of the demo, on loopback, with made-up data. */
export async function openSides({ port = 0, controlPort = 0, erpPort = 0, ...rest }: SidesOptions) {
  const { seed, products, limits = true, settings = {} } = rest;
  const marketplace = await startSandboxMarketplace({
    port,
    controlPort,
    seed,
    ...(limits ? {} : { settings: { rate: null } }),
  });
  const erp = await startSandboxErp({ tokens: [ERP_TOKEN], port: erpPort }).catch(async (error: unknown) => {
    await marketplace.close();
    throw error;
  });
  const close = async () => {
    await marketplace.close();
    await erp.close();
  };
  try {
    seedBrand(marketplace, erp, { products, seed });
    // The settings apply after the seed: they may demand fields that the seed does not know.
    marketplace.changeSettings(settings);
  } catch (error) {
    await close();
    throw error;
  }
  return { marketplace, erp, erpToken: ERP_TOKEN, close };
}

export type Sides = Awaited<ReturnType<typeof openSides>>;

/** Both sides as they stand now, from their own books. */
export function lookAt({ marketplace, erp }: Pick<Sides, 'marketplace' | 'erp'>): SidesState {
  return { orders: marketplace.orders(), listings: marketplace.products(), erp: erp.control.state() };
}
