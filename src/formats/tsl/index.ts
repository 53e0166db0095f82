/** Trusted lists according to ETSI TS 119 612: parsed from XML, without verification. */
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
