import { stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { openErp } from '../../src/core/sides.ts';
import { capabilitiesOf } from '../../src/erp/capabilities.ts';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { kindOf } from '../../src/erp/connectors.ts';
import type { Wire } from '../../src/erp/wire.ts';
import { credentialOf } from '../../src/http/credential.ts';
import { folderOf } from '../config/folder.ts';

/** The connection that a section `erp` of a configuration makes. */
export function connectionBy(erp: object, secret: string) {
  const account = {
    marketplace: { base_url: 'https://marketplace.example', auth: { scheme: 'app', key: 'k' }, seller_id: 1 },
    inventory: { strategy: 'b' },
    erp,
  };
  const path = folderOf({ 'stockbridge.yaml': stringify({ accounts: { main: account } }) });
  const [loaded] = loadConfig(path('stockbridge.yaml'), {}).config.accounts;
  if (loaded === undefined) throw new Error('there is no account');
  const { section } = loaded.erp;
  return {
    can: capabilitiesOf(kindOf(section).settings(section).capabilities),
    open: (wire?: Wire): Promise<ErpConnector> => openErp(loaded, { erp: () => credentialOf(secret) }, { wire }),
  };
}
