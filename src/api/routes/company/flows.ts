import { type Static, Type } from '@sinclair/typebox';
import { flowOperations } from '../../../app/flow/index.ts';
import { invalid, refuse } from '../../../base/input.ts';
import { findTime, timeForms } from '../../../base/time/iso-time.ts';
import type { FlowSchema } from '../../../domain/flow/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  flowDetails,
  flowList,
  putSmartFlowBody,
  putSmartFlowQuery,
  schemaVersionList,
  smartFlow,
} from '../../schemas/index.ts';
import { flowParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const addFlow = routesOf({ tag: 'Flows', access: 'company' });
const addSmart = routesOf({ tag: 'Smart flows', access: 'company' });
const versionPath = '/management/smartflows/{FlowKey}/{Version}';
const versionParams = Type.Object({
  FlowKey: Type.String({ description: 'The flow.' }),
  Version: Type.String({ minLength: 1, maxLength: 100, description: 'Opaque.' }),
});

/** Adds the routes that list flows and their style sheets. */
export function registerFlows(app: ApiApp, ports: ApiPorts): void {
  registerSmartFlows(app, ports);
  addFlow(app, 'GET', '/management/flow', {
    summary: 'The flows of the company',
    description:
      'A flow defines a type of process: its signees, signatures, sealing and delivery. Most ' +
      'requests refer to one.',
    answers: { 200: { description: 'The flows.', schema: flowList } },
    handle: async ({ company }) => company.flows.list(),
  });
  addFlow(app, 'GET', '/management/flow/{FlowKey}', {
    summary: 'The settings of a flow',
    params: flowParams,
    answers: { 200: { description: 'The flow.', schema: flowDetails } },
    errors: ['flow.not_found'],
    handle: async ({ params, company }) => company.flows.show(params.FlowKey),
  });
  addFlow(app, 'GET', '/management/flow/css/{FlowKey}.css', {
    summary: 'The style sheet of a flow',
    params: flowParams,
    answers: {
      200: { description: 'The style sheet; empty if there is none.', types: ['text/css'] },
    },
    errors: flowOperations.css.errors,
    handle: async ({ params, company, reply }) => {
      const css = await company.flows.css(params.FlowKey);
      return reply.type('text/css; charset=utf-8').send(css);
    },
  });
}

function registerSmartFlows(app: ApiApp, ports: ApiPorts): void {
  addSmart(app, 'GET', '/management/smartflows/{FlowKey}', {
    summary: 'The versions of a smart flow',
    description: 'Without their schemas.',
    params: flowParams,
    answers: { 200: { description: 'The versions.', schema: schemaVersionList } },
    errors: flowOperations.schemas.errors,
    handle: async ({ params, company }) =>
      (await company.flows.schemas(params.FlowKey)).map(showSchema),
  });
  addSmart(app, 'GET', versionPath, {
    access: 'open',
    summary: 'One version of a smart flow',
    description: 'With the JSON schema of its form.',
    params: versionParams,
    answers: { 200: { description: 'The version.', schema: smartFlow } },
    errors: flowOperations.schema.errors,
    handle: async ({ params: { FlowKey, Version } }) => {
      const { flows } = await ports.companyOfFlow(FlowKey);
      return showSchema(await flows.schema(FlowKey, Version));
    },
  });
  addSmart(app, 'PUT', versionPath, {
    scope: 'manage',
    summary: 'Create or replace a version of a smart flow',
    description: 'The schema is JSON text, in the body or in the query.',
    params: versionParams,
    query: putSmartFlowQuery,
    body: putSmartFlowBody,
    bodyOptional: true,
    answers: { 200: { description: 'The version.', schema: smartFlow } },
    errors: flowOperations.putSchema.errors,
    handle: async ({ params, query, body, company }) => {
      const schema = body.schema ?? query.Schema;
      if (schema === undefined) invalid('schema', 'expected JSON text');
      return showSchema(
        await company.flows.putSchema(params.FlowKey, {
          version: params.Version,
          schema,
          ...timeOf('createdAt', 'createdAtMs', body.createdAt ?? query.CreatedAt),
          ...timeOf('updatedAt', 'updatedAtMs', body.updatedAt ?? query.UpdatedAt),
        }),
      );
    },
  });
}

function timeOf<Name extends string>(field: string, name: Name, text: string | undefined) {
  if (text === undefined || text.trim() === '') return {};
  const atMs = findTime(text) ?? refuse(field, timeForms.join(' or '), text);
  return { [name]: atMs } as { readonly [key in Name]?: number };
}

function showSchema(schema: FlowSchema): Static<typeof smartFlow> {
  const { flowKey, version, createdAtMs, updatedAtMs } = schema;
  return {
    flowKey,
    version,
    schema: schema.schema,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}
