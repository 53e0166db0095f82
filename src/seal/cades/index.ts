/** CAdES signatures over detached content: signing, validation data, archive time-stamps. */
export { addArchiveTimestamp, addSignatureTimestamp } from './add-timestamp.ts';
export { type CadesRequest, signCades } from './sign-cades.ts';
export { addValidationValues } from './validation-values.ts';
