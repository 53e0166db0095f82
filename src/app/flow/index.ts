/** Flows: made, shown and changed; the documents that they make from values. */
export { createFlow, updateFlow } from './change-flow.ts';
export { compileSchema, type SchemaValidator } from './compile-schema.ts';
export type { ExampleRequest } from './example-request.ts';
export { type FormField, fillForm, listFormFields } from './fill-form.ts';
export { requireFlow } from './find-flow.ts';
export type { SchemaRequest } from './flow-schemas.ts';
export { type FlowToolkit, flowToolkit } from './flow-toolkit.ts';
export { type FlowWork, flowWork } from './flow-work.ts';
export { type MadeDocument, makeDocument, metaWith } from './make-document.ts';
export type { FlowPorts } from './ports.ts';
export { renderDocument } from './render-document.ts';
export { detailsOf, type FlowDetails, type FlowOverview } from './show-flow.ts';
