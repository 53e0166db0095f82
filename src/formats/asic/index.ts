/** Associated signature containers (ASiC-S, ASiC-E): files, manifests and names. */
export { buildAsic } from './build-asic.ts';
export { type AsicContainer, readAsic } from './container.ts';
export { type AsicKind, hasIrregularName } from './file-types.ts';
export { namesInUse, nextArchiveNames, nextCadesNames, nextXadesName } from './free-names.ts';
export {
  type AsicManifest,
  buildAsicManifest,
  type DataObjectReference,
  parseAsicManifest,
} from './manifest.ts';
export { mimeTypeOfName } from './mime-types.table.ts';
export { archiveManifestName, asicMimeTypes, simpleNames } from './names.table.ts';
export { buildOpenDocumentManifest, openDocumentManifestName } from './open-document-manifest.ts';
export { nameOfUri, uriOfName } from './reference-uri.ts';
export {
  addXadesSignature,
  buildXadesSignatures,
  parseXadesSignatures,
  type XadesSignatures,
} from './xades-signatures.ts';
