/** Driver for providers of remote signatures with the API of the Cloud Signature Consortium. */
export { cscDriver } from './driver.ts';
export type { CscChoices, CscContract, CscOptions } from './options.ts';
export type { CscVersion } from './protocol.table.ts';
