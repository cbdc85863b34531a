import {
  type Act,
  both,
  carried,
  cell,
  early,
  held,
  keyless,
  left,
  never,
  type Row,
  timed,
  told,
  unchanged,
  when,
} from '../cell.ts';
import { CannotHappen, type Scene } from '../subject.ts';
import { NOT_IN_ERP } from './orders.ts';

const onMarketplace =
  (total: string, more: object = {}): Act =>
  ({ sides, number }) =>
    void sides.marketplace.addRecord('order-payments', {
      order: number,
      total,
      payment_type: 'cash',
      payment_date: '2026-01-05T08:00:00.000Z',
      ...more,
    });
const inErp =
  (amount: string): Act =>
  (scene) =>
    void scene.sides.erp.control.addPayment({ order_id: scene.erpOrder().id, amount, method: 'Cash' });
const theirs = ({ sides }: Scene): string => {
  const first = sides.marketplace.records('order-payments').find(({ total }) => Number(total) === 9);
  if (first === undefined) throw new CannotHappen('there is no payment');
  return String(first['id']);
};
const ours = ({ sides }: Scene): string => {
  const first = sides.erp.control.state().payments.find(({ amount }) => Number(amount) === 9);
  if (first === undefined) throw new CannotHappen('there is no payment yet');
  return first.id;
};
const change =
  (fields: object): Act =>
  (scene) =>
    void scene.sides.marketplace.changeRecord('order-payments', theirs(scene), fields as never);
function hide(scene: Scene, side: 'marketplace' | 'erp'): () => void {
  const { tables } = scene.sides;
  const [table, key, id] =
    side === 'erp'
      ? (['payments', 'n', Number(ours(scene).replace(/\D/g, ''))] as const)
      : (["records WHERE family = 'order-payments' AND", 'id', Number(theirs(scene))] as const);
  const from = side === 'erp' ? `${table} WHERE` : table;
  const [row] = tables[side].all<object>(`SELECT * FROM ${from} ${key} = ?`, id);
  if (row === undefined) throw new CannotHappen('it is not there');
  tables[side].run(`DELETE FROM ${from} ${key} = ?`, id);
  return () => tables[side].put(side === 'erp' ? 'payments' : 'records', row);
}

const anew: Act = ({ sides: { tables } }) => tables.erp.run('UPDATE payments SET n = n + 1000');

const DIFFERS = told('payment-amount-differs');

const ENTERED = early(carried);
const NOTHING = early(left('a payment that is gone before it reached the ERP is not recorded there'));

export const payment: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a payment has an id of its side and no key'),
  'imported anew': {
    marketplace: never('a payment keeps its id'),
    erp: cell(
      {
        'with the ids of the marketplace': [anew, unchanged, when(unchanged, 'before the link')],
        'without them': [
          (scene) => {
            inErp('20.00')(scene);
            scene.later(60_000, () => anew(scene));
          },
          held('erp-payment-gone', 'brake-plan'),
        ],
      },
      unchanged,
    ),
  },
  created: { marketplace: cell(onMarketplace('20.00'), carried), erp: cell(inErp('20.00'), carried) },
  'created twice': {
    marketplace: cell((scene) => {
      onMarketplace('20.00')(scene);
      onMarketplace('20.00')(scene);
    }, carried),
    erp: cell((scene) => {
      inErp('20.00')(scene);
      inErp('20.00')(scene);
    }, carried),
  },
  changed: {
    marketplace: cell(change({ total: '10.00' }), DIFFERS, ENTERED),
    erp: cell((scene) => void scene.sides.erp.control.changePayment(ours(scene), { amount: '10.00' }), DIFFERS),
  },
  cleared: {
    marketplace: cell(change({ total: '0.00' }), DIFFERS, early(held('payment-amount'))),
    erp: cell((scene) => void scene.sides.erp.control.changePayment(ours(scene), { amount: '0.00' }), DIFFERS),
  },
  'beyond its range': {
    marketplace: cell(
      {
        negative: [onMarketplace('-5.00'), held('payment-amount')],
        'above the total': onMarketplace('99999.00'),
        'half a dollar': onMarketplace('.50'),
      },
      carried,
    ),
    erp: cell({ negative: [inErp('-5.00'), held('payment-amount')], 'above the total': inErp('99999.00') }, carried),
  },
  'moved forward': both(never('a payment has no statuses that follow each other')),
  'moved back': both(never('a payment has no statuses that follow each other')),
  cancelled: {
    marketplace: never('the marketplace deletes a payment'),
    erp: cell(
      (scene) => void scene.sides.erp.control.changePayment(ours(scene), { voided: true }),
      told('payment-voided'),
    ),
  },
  'taken up again': {
    marketplace: never('the marketplace deletes a payment'),
    erp: cell((scene) => {
      const id = ours(scene);
      scene.sides.erp.control.changePayment(id, { voided: true });
      scene.later(60_000, () => void scene.sides.erp.control.changePayment(id, { voided: false }));
    }, unchanged),
  },
  archived: both(never('a payment is not archived')),
  restored: both(never('a payment is not archived')),
  amended: {
    marketplace: cell(
      (scene) => {
        scene.sides.marketplace.removeRecord('order-payments', theirs(scene));
        onMarketplace('8.00')(scene);
      },
      told('payment-gone'),
      ENTERED,
    ),
    erp: cell((scene) => {
      scene.sides.erp.control.changePayment(ours(scene), { voided: true });
      inErp('8.00')(scene);
    }, told('payment-voided')),
  },
  deleted: {
    marketplace: cell(
      (scene) => scene.sides.marketplace.removeRecord('order-payments', theirs(scene)),
      told('payment-gone'),
      NOTHING,
    ),
    erp: cell((scene) => void hide(scene, 'erp'), told('erp-payment-gone')),
  },
  'made again': {
    marketplace: cell(
      (scene) => {
        scene.sides.marketplace.removeRecord('order-payments', theirs(scene));
        onMarketplace('9.00')(scene);
      },
      told('payment-gone'),
      ENTERED,
    ),
    erp: cell(
      (scene) => {
        hide(scene, 'erp');
        inErp('9.00')(scene);
      },
      held('erp-payment-gone', 'brake-plan'),
    ),
  },
  rewritten: {
    marketplace: cell(change({ total: '9.0000' }), unchanged),
    erp: cell((scene) => void scene.sides.erp.control.changePayment(ours(scene), { amount: '9.0' }), unchanged),
  },
  'left out once': {
    marketplace: cell((scene) => scene.later(20_000, hide(scene, 'marketplace')), unchanged),
    erp: cell((scene) => scene.later(20_000, hide(scene, 'erp')), unchanged),
  },
  'left out': {
    marketplace: cell((scene) => void hide(scene, 'marketplace'), told('payment-gone'), NOTHING),
    erp: cell((scene) => void hide(scene, 'erp'), told('erp-payment-gone')),
  },
});
