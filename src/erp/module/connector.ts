import type { Credential } from '../../http/credential.ts';
import type { ErpConnector } from '../connector.ts';
import { createContractErp } from '../contract/connector.ts';
import type { LineOptions } from '../line.ts';
import { dispatcherOf } from './dispatcher.ts';
import { loadModule, type OpenedModule } from './load.ts';

export interface ModuleErpOptions extends Omit<LineOptions, 'url' | 'dispatcher'> {
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credential: Credential | null;
}

/** Calls never leave the process. The address only completes their form. */
const NOWHERE = 'http://module';

const WORDS = { fits: 'the contract', mend: "Correct the module's answer.", credentials: 'Check erp.secret.' };

/**
 * The connector for the ERP HTTP contract, over a module's function. The first call opens the module, and a later call
 * retries a failed opening: to the program, such an ERP does not answer.
 */
export function createModuleErp({ path, settings, credential, ...line }: ModuleErpOptions): ErpConnector {
  let module: Promise<OpenedModule> | null = null;
  const handle: OpenedModule['handle'] = async (request) => {
    module ??= loadModule(path, settings).catch((error: unknown) => {
      module = null;
      throw error;
    });
    return (await module).handle(request);
  };
  const dispatcher = dispatcherOf(handle);
  const erp = createContractErp({ ...line, url: NOWHERE, token: credential ?? '', dispatcher, words: WORDS });
  return {
    ...erp,
    async close() {
      await erp.close();
      const opened = await module?.catch(() => null);
      await opened?.close?.();
    },
  };
}
