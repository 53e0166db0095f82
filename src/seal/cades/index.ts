/** CAdES signatures over detached content: signing, validation data, archive time-stamps. */
export { addArchiveTimestamp } from './archive-timestamp.ts';
export { type CadesRequest, signCades } from './sign-cades.ts';
export { addSignatureTimestamp } from './signature-timestamp.ts';
export { addValidationValues } from './validation-values.ts';
