/** Flows: made, shown and changed; the documents that they make from values. */
export { createFlow, updateFlow } from './change-flow.ts';
export { requireFlow } from './find-flow.ts';
export { type FlowService, flowService } from './flow-service.ts';
export { type FlowWork, flowWork } from './flow-work.ts';
export { type FormField, fillForm, listFormFields } from './form/fill-form.ts';
export { type MadeDocument, makeDocument, metaWith } from './make-document.ts';
export type { FlowPorts } from './ports.ts';
export { renderDocument } from './render-document.ts';
export { compileSchema, type SchemaValidator } from './schema/compile-schema.ts';
export type { ExampleRequest } from './schema/example-request.ts';
export type { SchemaRequest } from './schema/flow-schemas.ts';
export { detailsOf, type FlowDetails, type FlowOverview } from './show-flow.ts';
