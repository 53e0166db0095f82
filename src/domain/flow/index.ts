/** Flows: kinds of processes of a company, their settings, schemas and values. */
export { requireCss } from './css.ts';
export {
  type DocumentTemplate,
  parseDocumentTemplate,
  type TemplateBlock,
} from './document-template.ts';
export * from './flow.ts';
export {
  buildFlow,
  defaultFlowSettings,
  type FlowRequest,
  parseFlowRequest,
  parseFlowSettings,
} from './flow-request.ts';
export {
  type FlowValue,
  type FlowValues,
  fieldDataMember,
  findValue,
  parseValues,
  putValue,
  requireValues,
  shownValue,
  valueLimits,
  valuePointer,
  valuesFromMeta,
} from './flow-values.ts';
export { fileNameFrom, fillText, handlesOf, isDeviceName, partsOf } from './handles.ts';
export { compilePattern, PatternWorkExceeded, type WorkMeter } from './linear-pattern.ts';
export { patternExample } from './pattern-example.ts';
export { checkSchemaText, requireSchemaVersion } from './schema-check.ts';
export { rootPlace, type SchemaPlace } from './schema-place.ts';
export { requireTemplateMembers } from './template-members.ts';
