/** The signature field: its widgets, its page, its position in the structure tree. */
export type { PlacedStamp, SealAppearance } from './field-widgets.ts';
export { chooseField, type FieldChoice, placeField } from './signature-field.ts';
