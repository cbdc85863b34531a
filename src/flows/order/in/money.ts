import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { Decimal } from '../../../domain/decimal.ts';
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
 * Discount, shipping, tax and total of an order whose lines agree. They are sent once, when the marketplace's figures have
 * changed. Figures that a person has entered in the ERP stay, and an alert names the difference.
 */
export function decideMoney(snapshot: OrderInSnapshot, erpOrder: StoredErpOrder, known: Wanted): Charged {
  const wanted = known.taxUnknown === null ? known : withTaxOf(erpOrder, known);
  const { moneyRefused, number, rules } = snapshot;
  const [ours, theirs] = [moneyText(wanted), moneyText(erpOrder)];
  // Units that the ERP has given up may count in its totals or not, so such totals are not compared.
  if (ours === theirs || snapshot.short !== null) return { step: null, told: [] };
  if (rules.totalsComputed && isRounding(wanted, erpOrder)) return { step: null, told: [] };
  const agreed = baseOf(snapshot.base, erpOrder.id)?.agreed?.charges ?? null;
  const [there, erp] = [chargesOf(wanted), chargesOf(erpOrder)];
  if (agreed !== null && !same(erp, agreed) && !same(erp, there)) {
    const texts = { base: showCharges(agreed), there: showCharges(there), erp: showCharges(erp) };
    const told = cause('charges-edited-in-erp', { order: number, erpOrder: erpOrder.id, ...texts });
    const isHeld = rules.erpEdits === 'hold' || !same(there, agreed);
    return isHeld ? { step: hold(told), told: [] } : { step: null, told: [told] };
  }
  const differing = { erpOrder: erpOrder.id, ours, theirs };
  if (erpOrder.status === 'shipped') {
    // The alert was shown while somebody could still act on it. The journal keeps it.
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
    const told = cause('charges-edited-in-erp', {
      order: number,
      erpOrder: erpOrder.id,
      base: ours,
      there: ours,
      erp: theirs,
    });
    return rules.erpEdits === 'hold' ? { step: hold(told), told: [] } : { step: null, told: [told] };
  }
  if (!isTaken) return { step: null, told: [kept] };
  const { discount, shipping, tax, total } = wanted;
  const change = { discount, shipping, tax, total };
  const words = { before: theirs, after: ours, why: 'discount, shipping or tax changed' };
  const target = `ERP order ${erpOrder.id} of ${number}`;
  return { step: act([{ action: 'order-in.update', target, ...words, erpId: erpOrder.id, change }]), told: [] };
}

/** A tax that is not known is not 0: the tax that the ERP shows stays. */
function withTaxOf({ tax }: StoredErpOrder, wanted: Wanted): Wanted {
  return { ...wanted, tax, total: wanted.total.plus(tax) };
}

/** The charges were changed on the marketplace, and the ERP has shipped. A complete order is over. */
function movedAfterShipping({ number, order }: OrderInSnapshot, erpOrder: StoredErpOrder, wanted: Wanted): Cause[] {
  if (rankOf(order?.order.status ?? '') === COMPLETE) return [];
  const texts = { there: showCharges(chargesOf(wanted)), erp: showCharges(chargesOf(erpOrder)) };
  return [cause('charges-after-shipping', { order: number, erpOrder: erpOrder.id, ...texts })];
}

const COMPLETE = 5;

/** Rounding moves each line, and the tax, by a cent at most. Discount and shipping are never rounded. */
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

function showCharges({ discount, shipping }: Charges): string {
  return `discount ${discount}, shipping ${shipping}`;
}

/**
 * The charges of an order that was made in the ERP. The ERP owns them, and they are sent to the marketplace once. A create
 * takes no shipping. Charges that were changed on the marketplace stay there, and raise an alert. Charges that the
 * marketplace does not take raise an alert, too.
 */
export function decideCharges(
  snapshot: OrderInSnapshot,
  status: string,
  erpOrder: StoredErpOrder,
  known: Wanted,
): Charged {
  const wanted = known.taxUnknown === null ? known : withTaxOf(erpOrder, known);
  const texts = { erp: chargesText(erpOrder), there: chargesText(wanted) };
  if (texts.erp === texts.there) return { step: null, told: [] };
  const told = [cause('charges-not-taken', { erpOrder: erpOrder.id, ...texts })];
  const agreed = baseOf(snapshot.base, erpOrder.id)?.agreed?.charges ?? null;
  const [there, erp] = [chargesOf(wanted), chargesOf(erpOrder)];
  const isUntouched = same(there, agreed ?? { discount: erp.discount, shipping: '0' });
  const after = showCharges(erp);
  // An amount that is written where a percentage stands would be one.
  if (snapshot.order?.order.discountPercent !== undefined) return { step: null, told };
  if (same(erp, there) || !isUntouched || !isEditable(status) || snapshot.moneyRefused === after) {
    return { step: null, told };
  }
  const words = { before: showCharges(there), after, why: 'the charges were entered in the ERP' };
  const charges = {
    discount: erpOrder.discount,
    shipping: erpOrder.shipping.equals(wanted.shipping) ? null : erpOrder.shipping,
  };
  const target = `charges of order ${snapshot.number}`;
  return { step: act([{ action: 'order-in.charges', target, ...words, ...charges }]), told };
}

/**
 * Charges that differ while the lines of both sides differ, too. They are carried over once the lines agree. The tax and the total
 * follow from the lines, so they are not compared.
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
  const texts = { there: showCharges(there), erp: showCharges(erp) };
  return step.actions.length === 0
    ? step.holds
    : [cause('charges-wait', { order: snapshot.number, erpOrder: id, ...texts })];
}

function chargesText({ discount, shipping, tax }: Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax'>): string {
  return `discount ${discount.toFixed()}, shipping ${shipping.toFixed()}, tax ${tax.toFixed()}`;
}

/** null: an earlier version made the record, or the totals never agreed. */
function agreedText({ discount, shipping, tax, total }: Charges): string | null {
  if (tax === undefined || total === undefined) return null;
  return `discount ${discount}, shipping ${shipping}, tax ${tax}, total ${total}`;
}

export function moneyText(money: Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax' | 'total'>): string {
  const { discount, shipping, tax, total } = money;
  return `discount ${discount.toFixed()}, shipping ${shipping.toFixed()}, tax ${tax.toFixed()}, total ${total.toFixed()}`;
}
