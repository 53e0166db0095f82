import type { Flow, FlowSchema, FlowType, FlowValues } from '../../domain/flow/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { createFlow, updateFlow } from './change-flow.ts';
import { requireFlow } from './find-flow.ts';
import { type MadeDocument, makeDocument, metaWith } from './make-document.ts';
import type { FlowPorts } from './ports.ts';
import type { ExampleRequest } from './schema/example-request.ts';
import {
  getSchema,
  listSchemas,
  publishSchema,
  putSchema,
  requireFlowValues,
  type SchemaRequest,
} from './schema/flow-schemas.ts';
import { showExample } from './schema/show-example.ts';
import {
  type FlowDetails,
  type FlowOverview,
  listFlows,
  readFlowCss,
  showFlow,
} from './show-flow.ts';

/** The flows of one company. */
export interface FlowService {
  /**
   * A new flow.
   *
   * @param wish parsed JSON: `name`, `type`, `isActive`, `language`, `settings`, `css`, `meta`
   * @param template form (PDF) of a FillAndSign flow, template (JSON) of a RenderFlow
   * @throws validation.error, reminder.rule.invalid, template.invalid, pdf.*
   */
  create(wish: unknown, template?: Uint8Array): Promise<Flow>;
  list(type?: FlowType): Promise<readonly FlowOverview[]>;
  /** @throws flow.not_found */
  show(key: string): Promise<FlowDetails>;
  /** Changes what `change` names. @throws flow.not_found, and what {@link create} throws */
  update(key: string, change: unknown, template?: Uint8Array): Promise<Flow>;
  /** The style sheet; empty when none is set. @throws flow.not_found */
  css(key: string): Promise<string>;
  /** @throws flow.not_found, flow.schema.invalid */
  putSchema(key: string, request: SchemaRequest): Promise<FlowSchema>;
  /** @throws flow.not_found */
  schemas(key: string): Promise<readonly FlowSchema[]>;
  /** @throws flow.not_found */
  schema(key: string, version: string): Promise<FlowSchema>;
  /** @throws flow.not_found */
  publish(key: string, version: string): Promise<void>;
  /** Checks values by the published schema. @throws flow.not_found, flow.values.invalid */
  requireValues(key: string, values: FlowValues): Promise<void>;
  /** The document of the flow, without a process; undefined when it makes none. */
  preview(key: string, values: FlowValues): Promise<MadeDocument | undefined>;
  /**
   * A body that creates a process: with all values that the flow makes its document of. Without
   * `key` with a flow of the company, when it has one.
   *
   * @throws flow.not_found
   */
  example(key?: string): Promise<ExampleRequest>;
}

/** The flows of `companyKey`. */
export function flowService(ports: FlowPorts, companyKey: CompanyKey): FlowService {
  const { store } = ports;
  return {
    create: (wish, template) => createFlow(ports, companyKey, wish, template),
    list: (type) => listFlows(ports, companyKey, type),
    show: (key) => showFlow(ports, companyKey, key),
    update: (key, change, template) => updateFlow(ports, companyKey, key, change, template),
    css: (key) => readFlowCss(ports, companyKey, key),
    putSchema: (key, request) => putSchema(ports, companyKey, key, request),
    schemas: (key) => listSchemas(ports, companyKey, key),
    schema: (key, version) => getSchema(ports, companyKey, key, version),
    publish: (key, version) => publishSchema(ports, companyKey, key, version),
    requireValues: (key, values) => requireFlowValues(ports, companyKey, key, values),
    preview: async (key, values) => {
      const flow = await store.read((unit) => requireFlow(unit, companyKey, key));
      return makeDocument(ports)(flow, metaWith({}, values));
    },
    example: (key) => showExample(ports, companyKey, key),
  };
}
