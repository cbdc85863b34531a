import { Nothing } from '../simulation/pick.ts';
import { createActed } from './acted.ts';
import { openPlace, type Place, type SwitchedOn } from './place.ts';
import { BUSY_SKU, createSubject, orderSubject, PRODUCTS, pay, type Scene, SKU } from './subject.ts';
import type { Side, Time } from './words.ts';

/** The time that the program has to notice something by its reads of changes. */
export const NOTICE_MS = 75_000;
/** The other side is away for this long. */
const AWAY_MS = 60_000;
const BUSY_EVERY_MS = 9_000;

/** A place with one of each thing: the subject of the table, and others beside it. */
export type PlayedScene = Place & Scene & { readonly acted: ReturnType<typeof createActed> };

export interface Opening {
  readonly seed: number;
  readonly time: Time;
  readonly isBusy: boolean;
  /** The setting that the table says is on for this thing. */
  readonly on: SwitchedOn;
}

export function openScene({ seed, time, isBusy, on }: Opening, tell: (line: string) => void) {
  const acted = createActed();
  const place = openPlace(seed, on, tell);
  const { sides, clock } = place;
  sides.erp.control.addProducts(PRODUCTS);
  const customer = Number(sides.marketplace.addCustomer({ name: 'Green Door', state: 'OR' }));
  const stranger = Number(sides.marketplace.addCustomer({ name: 'Blue Gate', state: 'OR' }));
  let number = '';
  const placeSubject = () => {
    number = orderSubject(sides, customer);
  };
  /** An order with payments that stands beside the subject's, so that no list lacks everything when one row is gone. */
  const bystander = () => {
    const items = [{ product: sides.marketplace.productBySku(BUSY_SKU).id, quantity: '4' }];
    const beside = sides.marketplace.placeOrder({ customer: stranger, items });
    for (let paid = 1; paid <= 10; paid += 1) pay(sides, beside.number, `1.${paid}0`);
  };
  const list = (skus: readonly string[]) =>
    sides.marketplace.createProducts(
      PRODUCTS.filter(({ sku }) => skus.includes(sku)).map(({ sku, name, description, price, on_hand }) => ({
        sku,
        name,
        description,
        wholesale_price: price,
        quantity: on_hand,
        listing_state: 'Available',
      })),
    );
  const later = (delayMs: number, act: () => void) => clock.after(delayMs, () => acted.by(sides, act));
  const subject = createSubject({ sides, clock, customer, later, number: () => number });
  const scene = Object.assign(subject, place, { acted });
  const busy = (until: number) => {
    if (!isBusy) return;
    for (let atMs = BUSY_EVERY_MS; atMs < until; atMs += BUSY_EVERY_MS)
      clock.after(atMs, () => {
        try {
          sides.marketplace.placeOrder({
            customer: stranger,
            items: [{ product: sides.marketplace.productBySku(BUSY_SKU).id, quantity: '1' }],
          });
          sides.erp.control.setStock(BUSY_SKU, String(900 - Math.floor(atMs / 1_000)));
        } catch (error) {
          if (!(error instanceof Nothing)) place.say(`busy: ${String(error)}`);
        }
      });
  };

  async function begin(): Promise<void> {
    if (time === 'before the first start') {
      list(PRODUCTS.map(({ sku }) => sku));
      bystander();
      placeSubject();
      return;
    }
    if (time === 'before the link') list([SKU]);
    place.staff.start();
    await clock.advance(NOTICE_MS);
    await place.pass();
    bystander();
    if (time === 'before the link') {
      await clock.advance(NOTICE_MS);
      return placeSubject();
    }
    placeSubject();
    await clock.advance(NOTICE_MS);
    await place.pass();
    if (time !== 'after shipping') return;
    sides.erp.control.shipOrder(scene.erpOrder().id);
    await clock.advance(NOTICE_MS);
    await place.pass();
  }

  return Object.assign(scene, {
    async play(side: Side, deed: (scene: Scene) => void) {
      const act = (inside: Scene) => {
        subject.remember();
        place.say('people act');
        acted.by(sides, () => deed(inside));
      };
      await begin();
      busy(NOTICE_MS);
      if (time === 'before the first start') {
        act(scene);
        place.staff.start();
      } else if (time === 'while the other side is away') {
        const other = side === 'erp' ? 'marketplace' : 'erp';
        place.away(other);
        await clock.advance(AWAY_MS / 3);
        act(scene);
        await clock.advance(AWAY_MS);
        place.away(null);
      } else if (time === 'while we write') {
        const underway: { isDone: boolean; failure: Error | null } = { isDone: false, failure: null };
        place.onNextWrite(() => {
          underway.isDone = true;
          try {
            act(scene);
          } catch (error) {
            underway.failure = error as Error;
          }
        });
        sides.erp.control.setStock(SKU, '90');
        sides.marketplace.editOrder(number, { discount_amount: '1.00' });
        for (let waited = 0; !underway.isDone && waited < NOTICE_MS; waited += 1_000) await clock.advance(1_000);
        if (underway.failure !== null) throw underway.failure;
        if (!underway.isDone) throw new Error('the program wrote nothing');
      } else act(scene);
      await clock.advance(NOTICE_MS);
    },
  });
}
