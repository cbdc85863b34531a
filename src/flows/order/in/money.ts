import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, decimalOf } from '../../../domain/decimal.ts';
import { amountsText } from '../../../domain/money-text.ts';
import { baseOf } from '../../../domain/order-base.ts';
import { rankOf } from '../../../domain/status.ts';
import { mostRounding } from '../../../domain/totals.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { act, type Decision, hold } from '../../engine/decision.ts';
import { chargesOf } from './base.ts';
import type { Wanted } from './compare.ts';
import { isEditable } from './marketplace-lines.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';

interface Charged {
  readonly step: Decision<OrderInAction> | null;
  readonly told: readonly Cause[];
}

/**
 * Decides discount, shipping, tax and total of an order with equal lines. They are sent once after the marketplace's
 * amounts change. Amounts that a person entered in the ERP stay, with an alert.
 */
export function decideMoney(snapshot: OrderInSnapshot, erpOrder: StoredErpOrder, known: Wanted): Charged {
  const wanted = known.taxUnknown === null ? known : withTaxOf(erpOrder, known);
  const { moneyRefused, number, rules } = snapshot;
  const [ours, theirs] = [moneyText(wanted), moneyText(erpOrder)];
  const shown = { ours: moneyShown(wanted, rules), theirs: moneyShown(erpOrder, rules) };
  // An ERP's totals may or may not include units it has canceled, so they are not compared.
  if (ours === theirs || snapshot.short !== null) return { step: null, told: [] };
  if (rules.totalsComputed && isRounding(wanted, erpOrder)) return { step: null, told: [] };
  const agreed = baseOf(snapshot.base, erpOrder.id)?.agreed?.charges ?? null;
  const [there, erp] = [chargesOf(wanted), chargesOf(erpOrder)];
  if (agreed !== null && !same(erp, agreed) && !same(erp, there)) {
    const texts = {
      base: showCharges(agreed, rules),
      there: showCharges(there, rules),
      erp: showCharges(erp, rules),
    };
    const edited = cause('charges-edited-in-erp', { order: number, erpOrder: erpOrder.id, ...texts });
    const isHeld = rules.erpEdits === 'hold' || !same(there, agreed);
    return isHeld ? { step: hold(edited), told: [] } : { step: null, told: [edited] };
  }
  const differing = { erpOrder: erpOrder.id, ...shown };
  if (erpOrder.status === 'shipped') {
    // The alert was raised while somebody could act on it. The journal keeps it.
    if (moneyRefused === ours) return { step: null, told: [] };
    const isMoved = agreed !== null && !same(there, agreed) && !same(there, erp);
    return {
      step: null,
      told: isMoved ? movedAfterShipping(snapshot, erpOrder, wanted) : [cause('erp-money-differs', differing)],
    };
  }
  const isTaken = rules.chargeEdits || erpOrder.status === 'draft';
  const kept = cause('erp-money-kept', { ...differing, computed: rules.totalsComputed, isTaken });
  if (moneyRefused === ours) return { step: null, told: [kept] };
  if (agreed !== null && ours === agreedText(agreed)) {
    const edited = cause('charges-edited-in-erp', {
      order: number,
      erpOrder: erpOrder.id,
      base: shown.ours,
      there: shown.ours,
      erp: shown.theirs,
    });
    return rules.erpEdits === 'hold' ? { step: hold(edited), told: [] } : { step: null, told: [edited] };
  }
  if (!isTaken) return { step: null, told: [kept] };
  const { discount, shipping, tax, total } = wanted;
  const change = { discount, shipping, tax, total };
  const words = { before: shown.theirs, after: shown.ours, why: 'discount, shipping or tax changed' };
  const target = `ERP order ${erpOrder.id} of ${number}`;
  return { step: act([{ action: 'order-in.update', target, ...words, erpId: erpOrder.id, change }]), told: [] };
}

/** An unknown tax is not 0, so the ERP's tax stays. */
function withTaxOf({ tax }: StoredErpOrder, wanted: Wanted): Wanted {
  return { ...wanted, tax, total: wanted.total.plus(tax) };
}

/** Charges changed on the marketplace after the ERP shipped. A complete order is ignored. */
function movedAfterShipping(
  { number, order, rules }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  wanted: Wanted,
): Cause[] {
  if (rankOf(order?.order.status ?? '') === COMPLETE) return [];
  const texts = { there: showCharges(chargesOf(wanted), rules), erp: showCharges(chargesOf(erpOrder), rules) };
  return [cause('charges-after-shipping', { order: number, erpOrder: erpOrder.id, ...texts })];
}

const COMPLETE = 5;

/** Rounding changes each line and the tax by at most a cent, but never discount or shipping. */
function isRounding(wanted: Wanted, erpOrder: StoredErpOrder): boolean {
  const most = mostRounding(erpOrder.lines);
  const isNear = (a: Decimal, b: Decimal) => a.minus(b).abs().lessThanOrEqualTo(most);
  return (
    same(chargesOf(wanted), chargesOf(erpOrder)) &&
    isNear(wanted.tax, erpOrder.tax) &&
    isNear(wanted.total, erpOrder.total)
  );
}

type Charges = ReturnType<typeof chargesOf>;

function same(a: Charges, b: Charges): boolean {
  return a.discount === b.discount && a.shipping === b.shipping;
}

type Rules = Pick<OrderInSnapshot['rules'], 'currency'>;

function showCharges({ discount, shipping }: Charges, { currency }: Rules): string {
  return amountsText({ discount: decimalOf(discount), shipping: decimalOf(shipping) }, currency);
}

/**
 * Decides the charges of an ERP-made order, which the ERP owns. They are sent to the marketplace once, after the
 * create, which accepts no shipping. Charges changed or not accepted on the marketplace raise an alert.
 */
export function decideCharges(
  snapshot: OrderInSnapshot,
  status: string,
  erpOrder: StoredErpOrder,
  known: Wanted,
): Charged {
  const wanted = known.taxUnknown === null ? known : withTaxOf(erpOrder, known);
  const { rules } = snapshot;
  const texts = { erp: chargesText(erpOrder, rules), there: chargesText(wanted, rules) };
  if (texts.erp === texts.there) return { step: null, told: [] };
  const alerts = [cause('charges-not-taken', { erpOrder: erpOrder.id, ...texts })];
  const agreed = baseOf(snapshot.base, erpOrder.id)?.agreed?.charges ?? null;
  const [there, erp] = [chargesOf(wanted), chargesOf(erpOrder)];
  const isUntouched = same(there, agreed ?? { discount: erp.discount, shipping: '0' });
  const after = showCharges(erp, rules);
  // An amount written over a percentage would be read as a percentage.
  if (snapshot.order?.order.discountPercent !== undefined) return { step: null, told: alerts };
  if (same(erp, there) || !isUntouched || !isEditable(status) || snapshot.moneyRefused === after) {
    return { step: null, told: alerts };
  }
  const words = { before: showCharges(there, rules), after, why: 'the charges were entered in the ERP' };
  const charges = {
    discount: erpOrder.discount,
    shipping: erpOrder.shipping.equals(wanted.shipping) ? null : erpOrder.shipping,
  };
  const target = `charges of order ${snapshot.number}`;
  return { step: act([{ action: 'order-in.charges', target, ...words, ...charges }]), told: alerts };
}

/**
 * Charges that differ while lines differ too. They are written once the lines agree. Tax and total follow from the
 * lines, so they are not compared.
 */
export function chargesMeanwhile(
  snapshot: OrderInSnapshot,
  status: string,
  erpOrder: StoredErpOrder,
  wanted: Wanted,
): readonly Cause[] {
  const [there, erp] = [chargesOf(wanted), chargesOf(erpOrder)];
  if (rankOf(status) === COMPLETE || same(there, erp)) return [];
  const { id, origin, tax, total } = erpOrder;
  const alike = { ...wanted, taxUnknown: null, tax, total };
  const { step, told } =
    origin === 'erp' ? decideCharges(snapshot, status, erpOrder, alike) : decideMoney(snapshot, erpOrder, alike);
  if (step === null) return told;
  const texts = { there: showCharges(there, snapshot.rules), erp: showCharges(erp, snapshot.rules) };
  return step.actions.length === 0
    ? step.holds
    : [cause('charges-wait', { order: snapshot.number, erpOrder: id, ...texts })];
}

function chargesText(
  { discount, shipping, tax }: Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax'>,
  { currency }: Rules,
): string {
  return amountsText({ discount, shipping, tax }, currency);
}

/** null: recorded by an earlier version, or never agreed. */
function agreedText({ discount, shipping, tax, total }: Charges): string | null {
  if (tax === undefined || total === undefined) return null;
  return `discount ${discount}, shipping ${shipping}, tax ${tax}, total ${total}`;
}

function moneyShown({ discount, shipping, tax, total }: Money, { currency }: Rules): string {
  return amountsText({ discount, shipping, tax, total }, currency);
}

type Money = Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax' | 'total'>;

/** As it is compared, and kept of a refused write. */
export function moneyText(money: Money): string {
  const { discount, shipping, tax, total } = money;
  return `discount ${discount.toFixed()}, shipping ${shipping.toFixed()}, tax ${tax.toFixed()}, total ${total.toFixed()}`;
}
