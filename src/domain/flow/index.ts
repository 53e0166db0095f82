/** Flows: kinds of processes of a company, their settings, schemas and values. */
export { cssCharactersMax, requireCss } from './css.ts';
export {
  type DocumentTemplate,
  parseDocumentTemplate,
  type TemplateBlock,
} from './document-template.ts';
export {
  type DefaultSignee,
  type Flow,
  type FlowSchema,
  type FlowSettings,
  type FlowType,
  flowTypes,
  makesDocuments,
} from './flow.ts';
export {
  decodeInitialData,
  encodeInitialData,
  type FlowValue,
  type FlowValues,
  fieldDataMember,
  findValue,
  parseValues,
  requireValues,
  shownValue,
  valueLimits,
  valuesFromMeta,
} from './flow-values.ts';
export {
  buildFlow,
  defaultFlowSettings,
  type FlowWish,
  parseFlowSettings,
  parseFlowWish,
} from './flow-wish.ts';
export { fileNameFrom, fillText, isDeviceName, isTemplateText, partsOf } from './handles.ts';
export { compilePattern, PatternWorkExceeded, type WorkMeter } from './linear-pattern.ts';
export { type CheckedSchema, checkSchemaText, requireSchemaVersion } from './schema-check.ts';
