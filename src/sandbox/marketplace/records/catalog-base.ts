import { CATEGORIES } from '../catalogue.ts';
import type { Fields } from '../wire-values.ts';
import { dosageUnits, licenses, productCategories, productSubcategories } from './catalog.ts';
import type { Family } from './family.ts';
import { states, transportCompanies } from './logistics.ts';

const categories = CATEGORIES.map(({ id, name }) => {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return { id, name, slug, description: `Everything that is sold as ${name.toLowerCase()}.` };
});

/** The catalog and logistics of a marketplace before anybody has done anything. */
export const CATALOG_BASE: readonly (readonly [Family, readonly Fields[]])[] = [
  [productCategories, categories],
  [productSubcategories, categories.map(({ id, name }) => ({ name: `Other ${name}`, category: id }))],
  [
    dosageUnits,
    [
      { name: 'Milligram', unit: 'mg', description: 'Thousandths of a gram' },
      { name: 'Millilitre', unit: 'ml', description: 'Thousandths of a litre' },
    ],
  ],
  [licenses, [{ number: 'C11-0004711-LIC', type: 'Distributor', status: 'active' }]],
  [
    transportCompanies,
    [
      { name: 'Overland Secure', medical_license_number: 'C11-0000101-LIC', adult_use_license_number: null },
      { name: 'Coastline', medical_license_number: null, adult_use_license_number: 'C11-0000202-LIC' },
    ],
  ],
  [states, ['CA California', 'OR Oregon', 'CO Colorado', 'NV Nevada', 'WA Washington'].map(state)],
];

function state(text: string): Fields {
  const [abbr, name] = text.split(' ');
  return { abbr, name, country: { id: 1, abbr: 'US', iso_code: 'USA', name: 'United States' } };
}
