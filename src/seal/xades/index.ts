/** XAdES signatures: created as separate text, inserted into documents without rewriting them. */
export {
  base64Object,
  type DataObject,
  documentObject,
  type EnvelopedTransform,
  fileObject,
  xmlObject,
} from './data-objects.ts';
export { appendInside, applyEdits, insertAfter, type XmlEdit } from './edits.ts';
export { type SignedXades, signXades } from './sign-xades.ts';
export { newId, newSignatureIds, type SignatureIds } from './signature-ids.ts';
export {
  commitmentWords,
  type XadesClaims,
  type XadesPlace,
  type XadesPolicy,
} from './signed-properties.ts';
export { stampXades } from './stamp-xades.ts';
export { missingData, timestampDataText, validationValuesText } from './unsigned-properties.ts';
export {
  appendProperties,
  openXades,
  presentData,
  type SignatureSurroundings,
  unsignedNames,
  type XadesState,
} from './xades-state.ts';
