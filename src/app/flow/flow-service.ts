import type { FlowValues } from '../../domain/flow/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Service } from '../operation.ts';
import { createFlow, updateFlow } from './change-flow.ts';
import type { FlowPorts } from './flow-work.ts';
import { type MadeDocument, makeDocument, metaWith } from './make-document.ts';
import { showExample } from './schema/example-request.ts';
import {
  getSchema,
  listSchemas,
  publishSchema,
  putSchema,
  requireFlowValues,
} from './schema/flow-schemas.ts';
import { listFlows, readFlowCss, requireFlow, showFlow } from './show-flow.ts';

/** Everything that a company can do with its flows. */
export const flowOperations = {
  create: createFlow,
  list: listFlows,
  show: showFlow,
  update: updateFlow,
  css: readFlowCss,
  putSchema,
  schemas: listSchemas,
  schema: getSchema,
  publish: publishSchema,
  requireValues: requireFlowValues,
  preview: previewDocument,
  example: showExample,
};

/** The methods of {@link flowOperations}. */
export type FlowService = Service<typeof flowOperations>;

/** The document of the flow, without a process; undefined when it makes none. */
async function previewDocument(
  ports: FlowPorts,
  companyKey: CompanyKey,
  key: string,
  values: FlowValues,
): Promise<MadeDocument | undefined> {
  const flow = await ports.store.read((unit) => requireFlow(unit, companyKey, key));
  return makeDocument(ports)(flow, metaWith({}, values));
}
