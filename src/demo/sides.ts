import { startSandboxErp } from '../sandbox/erp/server.ts';
import { type SandboxOptions, startSandboxMarketplace } from '../sandbox/marketplace/start.ts';
import { seedBrand } from './brand.ts';
import type { SidesState } from './compare.ts';

export interface SidesOptions {
  readonly products: number;
  readonly seed: number;
  /** 0, the default: a free port. */
  readonly port?: number | undefined;
  readonly controlPort?: number | undefined;
  readonly erpPort?: number | undefined;
  /** False: no quota. */
  readonly limits?: boolean;
  /** Settings other than the sandbox's defaults. */
  readonly settings?: SandboxOptions['settings'];
}

const ERP_TOKEN = 'sandbox-token';

/** The demo's marketplace and ERP, on loopback, with sample data. */
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
    // After the seed, since they may require fields that it lacks.
    marketplace.changeSettings(settings);
  } catch (error) {
    await close();
    throw error;
  }
  return { marketplace, erp, erpToken: ERP_TOKEN, close };
}

export type Sides = Awaited<ReturnType<typeof openSides>>;

/** Both sides' own records. */
export function lookAt({ marketplace, erp }: Pick<Sides, 'marketplace' | 'erp'>): SidesState {
  return { orders: marketplace.orders(), listings: marketplace.products(), erp: erp.control.state() };
}
