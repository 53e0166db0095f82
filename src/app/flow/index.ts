/** Flows: made, shown and changed; the documents that they make from values. */
export { createFlow } from './change-flow.ts';
export * from './flow-service.ts';
export * from './flow-work.ts';
export * from './form/fill-form.ts';
export type { FormField, FormFieldKind } from './form/form-fields.ts';
export { type MadeDocument, makeDocument } from './make-document.ts';
export * from './render-document.ts';
export { compileSchema } from './schema/compile-schema.ts';
export type { ExampleRequest } from './schema/example-request.ts';
export type { SchemaRequest } from './schema/flow-schemas.ts';
export { type FlowDetails, type FlowOverview, requireFlow } from './show-flow.ts';
