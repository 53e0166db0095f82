/** Trusted lists of ETSI TS 119 612: XML to values, nothing is verified. */
export { foreignListForm, isEntityList } from './foreign-lists.ts';
export { extensionPrefix, listTypes, serviceTypes, statusPrefix } from './names.table.ts';
export { parseTrustedList } from './parse-trusted-list.ts';
export type {
  CriteriaList,
  Criterion,
  KeyUsageBit,
  ListPointer,
  ServiceState,
  TrustedList,
  TrustService,
} from './trusted-list.types.ts';
