import type { CustomerFields } from '../../../src/sandbox/erp/records.ts';
import type { Fields } from '../../../src/sandbox/marketplace/wire-values.ts';
import {
  type Act,
  type AtTimes,
  both,
  carried,
  cell,
  held,
  keyless,
  left,
  never,
  noted,
  type Row,
  stateless,
  timed,
  told,
  unchanged,
  unlisted,
  when,
} from '../cell.ts';
import { CannotHappen, type Scene, SKU } from '../subject.ts';

const erp =
  (fields: CustomerFields): Act =>
  (scene) =>
    void scene.sides.erp.control.setCustomer(scene.erpCustomer(), fields);
const shown =
  (fields: Fields): Act =>
  ({ sides, customer }) =>
    void sides.marketplace.changeRecord('customers', customer, fields);
const SET_BACK = told('customer-set-back');
/** The ERP shows a later value than the one that was written last, and it owns the value: the journal has the one of people. */
const overwritten = (action: string): AtTimes => ({ 'while the other side is away': noted(action) });
/** Taken back while the other side was away, it never got there. */
const AWAY_UNCHANGED: AtTimes = { 'while the other side is away': unchanged };
const TO_ERP = left('customers.to_erp creates customers in the ERP, and changes none');
const numberOf = (id: string): number => Number(id.replace(/\D/g, ''));

/** Hides the customer from the ERP's lists, until `again` puts it back. */
function hideInErp({ sides: { tables }, erpCustomer }: Scene): () => void {
  const n = numberOf(erpCustomer());
  const [row] = tables.erp.all<object>('SELECT * FROM customers WHERE n = ?', n);
  if (row === undefined) throw new CannotHappen('it is not there');
  tables.erp.run('DELETE FROM customers WHERE n = ?', n);
  return () => tables.erp.put('customers', row);
}
function hideOnMarketplace({ sides: { tables }, customer }: Scene): () => void {
  const { marketplace } = tables;
  const [row] = marketplace.all<object>("SELECT * FROM records WHERE family = 'customers' AND id = ?", customer);
  if (row === undefined) throw new CannotHappen('it is not there');
  marketplace.run("DELETE FROM records WHERE family = 'customers' AND id = ?", customer);
  return () => marketplace.put('records', row);
}
/** Another customer takes over the orders of this one, which is deleted. */
function mergeInErp(scene: Scene, fields: object): void {
  const { name } = scene.sides.erp.control.state().customers.find(({ id }) => id === scene.erpCustomer()) ?? {
    name: '',
  };
  const gone = hideInErp;
  gone(scene);
  scene.sides.erp.control.addCustomer({ name, ...fields });
}
const order: Act = ({ sides, customer }) =>
  void sides.marketplace.placeOrder({
    customer,
    items: [{ product: sides.marketplace.productBySku(SKU).id, quantity: '1' }],
  });
const FIRST = 'before the first start';
const NOT_IN_ERP = when(never('the customer is not in the ERP yet'), FIRST);
/** An order of the customer that comes meanwhile waits too. */
const ORDER_WAITS = when(held('erp-customer-gone', 'order-customer-gone'), 'before the link');
const CREATED = when(carried, FIRST);
const made = never('each side makes the ids of its own customers');

export const customer: Row = timed('erp', NOT_IN_ERP, {
  created: {
    marketplace: cell(({ sides }) => void sides.marketplace.addCustomer({ name: 'New Shop', state: 'OR' }), carried),
    erp: cell(({ sides }) => void sides.erp.control.addCustomer({ name: 'New Shop' }), carried, CREATED),
  },
  'created twice': {
    marketplace: cell(({ sides }) => void sides.marketplace.addCustomer({ name: 'Green Door', state: 'OR' }), carried),
    erp: cell(
      (scene) => void scene.sides.erp.control.addCustomer({ name: 'Green Door', marketplace_id: scene.customer }),
      held('customer-of-another'),
      CREATED,
    ),
  },
  changed: {
    marketplace: cell(shown({ name: 'By hand' }), SET_BACK, CREATED),
    erp: cell(erp({ name: 'Another name' }), carried),
  },
  cleared: {
    marketplace: both(never('the marketplace takes no empty name')).marketplace,
    erp: both(never('the contract takes no empty name')).erp,
  },
  'beyond its range': {
    marketplace: cell(shown({ name: 'x'.repeat(5_000) }), SET_BACK, CREATED),
    erp: cell(erp({ name: 'x'.repeat(5_000) }), carried),
  },
  'moved forward': both(never('a customer has no statuses that follow each other')),
  'moved back': both(never('a customer has no statuses that follow each other')),
  cancelled: both(never('a customer is not cancelled')),
  'taken up again': both(never('a customer is not cancelled')),
  deleted: {
    marketplace: cell((scene) => void hideOnMarketplace(scene), held('customer-gone')),
    erp: cell(
      {
        'it is marked deleted': erp({ deleted: true }),
        'its row is removed': [(scene) => void hideInErp(scene), held('erp-customer-gone'), ORDER_WAITS],
      },
      carried,
    ),
  },
  'made again': {
    marketplace: cell((scene) => {
      hideOnMarketplace(scene);
      scene.sides.marketplace.addCustomer({ name: 'Green Door', state: 'OR' });
    }, held('customer-gone')),
    erp: cell((scene) => mergeInErp(scene, { marketplace_id: scene.customer }), carried),
  },
  archived: {
    marketplace: cell(
      ({ sides, customer: id }) => sides.marketplace.archiveCustomer(id),
      left('an ERP that says nothing of active and inactive leaves that to the marketplace'),
    ),
    erp: cell(erp({ active: false }), carried),
  },
  restored: {
    marketplace: cell((scene) => {
      scene.sides.marketplace.archiveCustomer(scene.customer);
      scene.later(60_000, () => shown({ is_archived: false })(scene));
    }, unchanged),
    erp: cell(
      (scene) => {
        erp({ active: false })(scene);
        scene.later(60_000, () => erp({ active: true })(scene));
      },
      carried,
      AWAY_UNCHANGED,
    ),
  },
  renamed: both(made),
  reused: {
    marketplace: made,
    erp: cell(
      (scene) => void scene.sides.erp.control.addCustomer({ name: 'Another shop', marketplace_id: scene.customer }),
      held('customer-of-another'),
      CREATED,
    ),
  },
  swapped: {
    marketplace: made,
    erp: cell((scene) => {
      const [other] = scene.sides.erp.control.state().customers.filter(({ id }) => id !== scene.erpCustomer());
      if (other === undefined) throw new CannotHappen('there is one customer');
      const theirs = other.marketplace_id;
      const mine = scene.erpCustomer();
      scene.sides.erp.control.setCustomer(mine, { marketplace_id: theirs });
      scene.sides.erp.control.setCustomer(other.id, { marketplace_id: scene.customer });
    }, told('customer-claims-another')),
  },
  cut: both(made),
  'upper-cased': both(made),
  trimmed: both(made),
  merged: {
    marketplace: cell((scene) => {
      scene.sides.marketplace.addCustomer({ name: 'Green Door Group', state: 'OR' });
      hideOnMarketplace(scene);
    }, held('customer-gone')),
    erp: cell(
      {
        'into one that names the buyer': (scene) => {
          mergeInErp(scene, { marketplace_id: scene.customer });
          order(scene);
        },
        'into one that does not name it': [
          (scene) => {
            mergeInErp(scene, {});
            order(scene);
          },
          held('erp-customer-gone', 'order-customer-gone'),
        ],
        'it stays as deleted': [
          (scene) => {
            erp({ deleted: true })(scene);
            scene.sides.erp.control.addCustomer({ name: 'Green Door Group' });
            order(scene);
          },
          carried,
          // The order is seen only after the customer is known to be gone.
          { 'while the other side is away': held('order-customer-gone') },
        ],
        'it stays as deleted, and none has taken its place': [
          (scene) => {
            erp({ deleted: true })(scene);
            order(scene);
          },
          carried,
          { 'while the other side is away': held('order-customer-gone') },
        ],
      },
      carried,
    ),
  },
  split: {
    marketplace: cell(
      ({ sides }) => void sides.marketplace.addCustomer({ name: 'Green Door East', state: 'OR' }),
      carried,
    ),
    erp: cell(({ sides }) => void sides.erp.control.addCustomer({ name: 'Green Door East' }), carried, CREATED),
  },
  amended: both(never('a customer is changed in place')),
  'imported anew': {
    marketplace: made,
    erp: cell(({ sides: { tables } }) => tables.erp.run('UPDATE customers SET n = n + 1000'), carried),
  },
  rewritten: {
    marketplace: cell(shown({ name: 'GREEN DOOR' }), SET_BACK, CREATED),
    erp: cell(erp({ name: ' Green  Door ' }), carried),
  },
  'left out once': {
    marketplace: cell((scene) => scene.later(20_000, hideOnMarketplace(scene)), unchanged),
    erp: cell((scene) => scene.later(20_000, hideInErp(scene)), unchanged),
  },
  'left out': {
    marketplace: cell((scene) => void hideOnMarketplace(scene), held('customer-gone')),
    erp: cell((scene) => void hideInErp(scene), held('erp-customer-gone'), ORDER_WAITS),
  },
});

const ADDRESS = { address: '1 Main St', city: 'Bend', state: 'OR', zipcode: '97701' };
const addressed = (change: object): Act => erp({ addresses: { delivery: { ...ADDRESS, ...change } } });
const shownAt = (change: object): Act => shown({ delivery_address: { ...ADDRESS, ...change } });

export const address: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('an address has no key'),
  ...stateless('an address has no statuses'),
  ...unlisted('an address is a part of its customer'),
  created: { marketplace: cell(shownAt({}), TO_ERP), erp: cell(addressed({}), carried) },
  'created twice': both(never('a customer has one address of each kind')),
  changed: {
    marketplace: cell(
      (scene) => {
        addressed({})(scene);
        scene.later(60_000, () => shownAt({ city: 'Salem' })(scene));
      },
      SET_BACK,
      { ...overwritten('customer-out.address'), ...NOT_IN_ERP },
    ),
    erp: cell((scene) => {
      addressed({})(scene);
      scene.later(60_000, () => addressed({ city: 'Salem' })(scene));
    }, carried),
  },
  cleared: {
    marketplace: cell(shown({ delivery_address: null }), told('address-incomplete'), when(unchanged, FIRST)),
    erp: cell(erp({ addresses: null }), left('an address that the ERP does not show is left alone')),
  },
  'beyond its range': {
    marketplace: cell(shownAt({ city: 'x'.repeat(5_000) }), TO_ERP, when(told('customer-field'), FIRST)),
    erp: cell(
      {
        'without a city': [addressed({ city: '' }), told('address-incomplete')],
        'too long': addressed({ city: 'x'.repeat(5_000) }),
      },
      told('customer-field'),
    ),
  },
  deleted: both(never('an address is cleared')),
  'made again': both(never('an address is cleared')),
  rewritten: {
    marketplace: cell(
      (scene) => {
        addressed({})(scene);
        scene.later(60_000, () => shownAt({ city: 'BEND' })(scene));
      },
      SET_BACK,
      { ...overwritten('customer-out.address'), ...NOT_IN_ERP },
    ),
    erp: cell(addressed({ city: ' Bend ' }), carried),
  },
});

export const contact: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('an e-mail address and a phone number have no key'),
  ...stateless('an e-mail address and a phone number have no statuses'),
  ...unlisted('they are a part of their customer'),
  created: {
    marketplace: cell({ email: shown({ email: 'a@green.example' }), phone: shown({ phone: '555' }) }, TO_ERP),
    erp: cell(
      {
        email: erp({ email: 'a@green.example' }),
        phone: erp({ phone: '555' }),
        licence: erp({ license_number: 'C11-1' }),
      },
      carried,
    ),
  },
  'created twice': {
    marketplace: both(never('a customer has one of each')).marketplace,
    erp: cell((scene) => {
      erp({ email: 'a@green.example' })(scene);
      scene.sides.erp.control.addCustomer({ name: 'Twin', email: 'a@green.example' });
    }, held('customer-of-another')),
  },
  changed: {
    marketplace: cell(
      (scene) => {
        erp({ email: 'a@green.example' })(scene);
        scene.later(60_000, () => shown({ email: 'b@green.example' })(scene));
      },
      SET_BACK,
      { ...overwritten('customer-out.patch'), ...NOT_IN_ERP },
    ),
    erp: cell((scene) => {
      erp({ email: 'a@green.example' })(scene);
      scene.later(60_000, () => erp({ email: 'b@green.example' })(scene));
    }, carried),
  },
  cleared: {
    marketplace: cell(
      (scene) => {
        erp({ email: 'a@green.example' })(scene);
        scene.later(60_000, () => shown({ email: '' })(scene));
      },
      SET_BACK,
      { ...overwritten('customer-out.patch'), ...NOT_IN_ERP },
    ),
    erp: cell(
      (scene) => {
        erp({ email: 'a@green.example' })(scene);
        scene.later(60_000, () => erp({ email: null })(scene));
      },
      carried,
      AWAY_UNCHANGED,
    ),
  },
  'beyond its range': {
    marketplace: cell(shown({ email: 'x'.repeat(5_000) }), TO_ERP, when(told('customer-field'), FIRST)),
    erp: cell(
      { 'no address': erp({ email: 'nobody' }), long: [erp({ phone: '5'.repeat(5_000) }), carried] },
      told('customer-field'),
    ),
  },
  deleted: both(never('they are cleared')),
  'made again': both(never('they are cleared')),
  rewritten: {
    marketplace: cell(
      (scene) => {
        erp({ email: 'a@green.example' })(scene);
        scene.later(60_000, () => shown({ email: 'A@GREEN.example' })(scene));
      },
      SET_BACK,
      { ...overwritten('customer-out.patch'), ...NOT_IN_ERP },
    ),
    erp: cell(erp({ email: ' A@Green.example ' }), told('customer-field')),
  },
});

const group = (scene: Scene, name: string): number =>
  Number(
    scene.sides.marketplace.addRecord('customer-groups', { name, company: 4711, customers: [scene.customer] })['id'],
  );
const OFF = left('assignments');

export const customerGroup: Row = {
  ...stateless('a group has no statuses'),
  created: {
    marketplace: cell((scene) => void group(scene, 'Chain'), OFF),
    erp: both(never('the contract has groups only as names in a product')).erp,
  },
  'created twice': {
    marketplace: cell((scene) => {
      group(scene, 'Chain');
      group(scene, 'Chain');
    }, OFF),
    erp: both(never('the contract has groups only as names in a product')).erp,
  },
  changed: {
    marketplace: cell((scene) => {
      const id = group(scene, 'Chain');
      scene.sides.marketplace.changeRecord('customer-groups', id, { description: 'New' });
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  cleared: {
    marketplace: cell((scene) => {
      const id = group(scene, 'Chain');
      scene.sides.marketplace.changeRecord('customer-groups', id, { customers: [] });
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  'beyond its range': {
    marketplace: cell((scene) => void group(scene, 'x'.repeat(5_000)), OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  deleted: {
    marketplace: cell((scene) => {
      const id = group(scene, 'Chain');
      scene.later(30_000, () => scene.sides.marketplace.removeRecord('customer-groups', id));
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  'made again': {
    marketplace: cell((scene) => {
      scene.sides.marketplace.removeRecord('customer-groups', group(scene, 'Chain'));
      group(scene, 'Chain');
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  renamed: {
    marketplace: cell((scene) => {
      const id = group(scene, 'Chain');
      scene.sides.marketplace.changeRecord('customer-groups', id, { name: 'Chains' });
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  reused: both(never('a group is known by its name: see its creation')),
  swapped: both(never('a group is known by its name: see its renaming')),
  cut: both(never('a group is known by its name: see its renaming')),
  'upper-cased': {
    marketplace: cell((scene) => {
      const id = group(scene, 'Chain');
      scene.sides.marketplace.changeRecord('customer-groups', id, { name: 'CHAIN' });
    }, OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  trimmed: {
    marketplace: cell((scene) => void group(scene, ' Chain '), OFF),
    erp: never('the contract has groups only as names in a product'),
  },
  merged: both(never('groups are changed one by one')),
  split: both(never('groups are changed one by one')),
  'imported anew': both(never('each group is made anew: see its deletion')),
  rewritten: both(never('a group is known by its name: see its renaming')),
  'left out once': both(never('with assignments off, groups are not read')),
  'left out': both(never('with assignments off, groups are not read')),
};
