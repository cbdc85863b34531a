import { d } from '../../../store/shelf.ts';

/** Where the ERP's stock stands on the marketplace. */
export const FACILITIES = {
  created_by: 17,
  map: [
    { erp_location: 'EAST', facility_id: 1, batch_id: 1 },
    { erp_location: 'WEST', facility_id: 2, batch_id: 1 },
  ],
};

/** As the marketplace lists what it measures at one of them. */
export const row = (facility: number, onHand: string, reserved = '0') => ({
  product_id: 70,
  facility_id: facility,
  batch_id: 1,
  on_hand_quantity: onHand,
  reserved_quantity: reserved,
  available_quantity: d(onHand).minus(reserved).toFixed(),
});
