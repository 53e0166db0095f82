/** What a later update may change: one rule for each part of a document. */
export { catalogChanges } from './catalog-rule.ts';
export { appearanceChange, collectLooks, fieldChange } from './field-rule.ts';
export { formChanges } from './form-rule.ts';
export { pageRule } from './page-rule.ts';
export { storeChanges } from './store-rule.ts';
