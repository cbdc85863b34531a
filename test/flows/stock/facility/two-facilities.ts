import { d } from '../../../store/shelf.ts';

/** The marketplace's facility for each location of the ERP. */
export const FACILITIES = {
  created_by: 17,
  map: [
    { erp_location: 'EAST', facility_id: 1, batch_id: 1 },
    { erp_location: 'WEST', facility_id: 2, batch_id: 1 },
  ],
};

/** The marketplace's row of measurements for one facility. */
export const row = (facility: number, onHand: string, reserved = '0') => ({
  product_id: 70,
  facility_id: facility,
  batch_id: 1,
  on_hand_quantity: onHand,
  reserved_quantity: reserved,
  available_quantity: d(onHand).minus(reserved).toFixed(),
});
