import type { Code } from '../../src/domain/causes/cause.ts';

/* The harms that the alert rules of config/deploy tell of, as the daemons show them. */

/** The samples of each daemon, a minute apart. The first daemon works the account; all show the figures of the database. */
export type Samples = Readonly<Record<string, string | ((daemon: number) => string)>>;

export const HEALTHY: Samples = {
  up: '1x120',
  stockbridge_build_info: '1x120',
  stockbridge_measured_timestamp_seconds: '0+60x120',
  'stockbridge_account_worked{account="main"}': (daemon) => (daemon === 0 ? '1x120' : '0x120'),
  'stockbridge_up{account="main",side="erp"}': (daemon) => (daemon === 0 ? '1x120' : ''),
  'stockbridge_cursor_lag_seconds{account="main",collection="orders"}': '10x120',
  'stockbridge_alerts{account="main",code="product-unlinked",turn="operator"}': '0x120',
};
const alert = (code: Code, turn: string) => `stockbridge_alerts{account="main",code="${code}",turn="${turn}"}`;

/** A harm from beginning to end, with the alert of `status` that goes with it, and a state that is no such harm. */
export const HARMS: Readonly<Record<string, readonly [harm: Samples, harmless: Samples]>> = {
  StockbridgeNotMeasured: [{ stockbridge_measured_timestamp_seconds: '0x120' }, {}],
  StockbridgeNotWorked: [
    {
      'stockbridge_account_worked{account="main"}': '0x120',
      'stockbridge_up{account="main",side="erp"}': '',
      'stockbridge_cursor_lag_seconds{account="main",collection="orders"}': '0+60x120',
      'stockbridge_pending_entities{account="main",flow="stock"}': '200+5x120',
    },
    { 'stockbridge_account_worked{account="main"}': (daemon) => (daemon === 0 ? '1x50 0 1x70' : '0x120') },
  ],
  StockbridgeSideDown: [
    {
      'stockbridge_up{account="main",side="erp"}': (daemon) => (daemon === 0 ? '0x120' : ''),
      'stockbridge_cursor_lag_seconds{account="main",collection="erp-stock"}': '0+60x120',
      'stockbridge_pending_entities{account="main",flow="stock"}': '200+5x120',
      [alert('erp-unavailable', 'erp')]: '1x120',
    },
    { 'stockbridge_up{account="main",side="erp"}': (daemon) => (daemon === 0 ? '1x100 0x5 1x15' : '') },
  ],
  StockbridgeNotRead: [
    { 'stockbridge_cursor_lag_seconds{account="main",collection="orders"}': '1700+60x120' },
    { 'stockbridge_cursor_lag_seconds{account="main",collection="orders"}': '0+10x120' },
  ],
  StockbridgeOversold: [{ [alert('oversold', 'operator')]: '2x120' }, { [alert('oversold', 'operator')]: '0x120' }],
  StockbridgeInDoubt: [
    { 'stockbridge_in_doubt_writes{account="main"}': '1x120', [alert('several-match', 'operator')]: '1x120' },
    { 'stockbridge_in_doubt_writes{account="main"}': '0x90 1x10 0x20' },
  ],
  StockbridgeFailed: [
    {
      'stockbridge_failed_jobs{account="main",flow="product"}': '4x120',
      [alert('marketplace-refused', 'marketplace')]: '4x120',
    },
    { 'stockbridge_failed_jobs{account="main",flow="product"}': '0x120' },
  ],
  StockbridgeNeedsSomebody: [
    { [alert('product-unlinked', 'operator')]: '3x120' },
    { [alert('product-unlinked', 'operator')]: '3x30 0x90' },
  ],
  StockbridgeBrake: [
    {
      'stockbridge_brake_plans_open{account="main",kind="zero"}': '1x120',
      [alert('brake-kind-waits', 'operator')]: '1x120',
      [alert('brake-plan', 'operator')]: '1x120',
    },
    { 'stockbridge_brake_plans_open{account="main",kind="zero"}': '0x120' },
  ],
  StockbridgeBehind: [
    { 'stockbridge_pending_entities{account="main",flow="product"}': '200+5x120' },
    { 'stockbridge_pending_entities{account="main",flow="product"}': '1000-8x120' },
  ],
  StockbridgeWebhooksSilent: [
    {
      'stockbridge_webhook_silence_seconds{account="main",kind="orders"}': '0+60x120',
      [alert('webhooks-silent', 'marketplace')]: '1x120',
    },
    { 'stockbridge_webhook_silence_seconds{account="main",kind="orders"}': '0x120' },
  ],
  StockbridgeNotifications: [
    {
      'stockbridge_notifications_total{channel="office",outcome="given-up"}': (daemon) =>
        daemon === 0 ? '0x60 1x60' : '0x120',
    },
    { 'stockbridge_notifications_total{channel="office",outcome="given-up"}': '5x120' },
  ],
};
