import { InnsigliError } from '../../../base/errors.ts';
import {
  type FlowSchema,
  type FlowValues,
  requireSchemaVersion,
} from '../../../domain/flow/index.ts';
import { useCase } from '../../operation.ts';
import type { StorePorts } from '../../ports/index.ts';
import type { FlowPorts } from '../flow-work.ts';
import { requireSendable } from '../form/published-form.ts';
import { requireFit } from '../make-document.ts';
import { publishedSchema, requireFlow, unknownFlow } from '../show-flow.ts';

/** A version of the schema of a smart flow, to be stored. */
export interface SchemaRequest {
  readonly version: string;
  /** JSON text. */
  readonly schema: string;
  readonly createdAtMs?: number;
  readonly updatedAtMs?: number;
  /** Publish it as the schema for values. */
  readonly publish?: boolean;
}

/** Maximum number of versions of one flow. */
const versionsMax = 1_000;

/** Schemas of flows, and validation of values against them. */
export const schemaOperations = {
  /**
   * Stores a version of the schema, or replaces an existing one.
   *
   * @example
   * await acme.flows.putSchema(flowKey, { version: '2026-03', schema: '{"type":"object"}' });
   */
  putSchema: useCase(
    ['flow.not_found', 'flow.schema.invalid'],
    async (
      ports: FlowPorts,
      companyKey,
      key: string,
      request: SchemaRequest,
    ): Promise<FlowSchema> => {
      const { store } = ports;
      const version = requireSchemaVersion(request.version);
      await ports.work.requireSchema(request.schema);
      const known = await store.read((unit) => requireFlow(unit, companyKey, key));
      if (request.publish === true || known.publishedVersion === version) {
        await requireSendable(ports, known, request.schema);
      }
      const nowMs = ports.now();
      return store.write(async (unit) => {
        const flow = await requireFlow(unit, companyKey, key, 'lock');
        const before = await unit.flows.findSchema(flow.key, version);
        const others = before === undefined ? await unit.flows.schemas(flow.key) : [];
        if (others.length >= versionsMax) {
          throw new InnsigliError('limit.exceeded', `expected at most ${versionsMax} versions`);
        }
        const schema: FlowSchema = {
          flowKey: flow.key,
          version,
          schema: request.schema,
          createdAtMs: request.createdAtMs ?? before?.createdAtMs ?? nowMs,
          updatedAtMs: request.updatedAtMs ?? nowMs,
        };
        await unit.flows.putSchema(schema);
        if (request.publish === true) {
          await unit.flows.save({ ...flow, publishedVersion: version, updatedAtMs: nowMs });
        }
        return schema;
      });
    },
  ),
  /**
   * Returns all schema versions of a flow.
   *
   * @example
   * const versions = await acme.flows.schemas(flowKey);
   */
  schemas: useCase(
    ['flow.not_found'],
    ({ store }: StorePorts, companyKey, key: string): Promise<readonly FlowSchema[]> =>
      store.read(async (unit) => {
        const flow = await requireFlow(unit, companyKey, key);
        return unit.flows.schemas(flow.key);
      }),
  ),
  /**
   * Returns one schema version of a flow.
   *
   * @example
   * const { schema } = await acme.flows.schema(flowKey, '2026-03');
   */
  schema: useCase(
    ['flow.not_found'],
    ({ store }: StorePorts, companyKey, key: string, version: string): Promise<FlowSchema> =>
      store.read(async (unit) => {
        const flow = await requireFlow(unit, companyKey, key);
        const found = await unit.flows.findSchema(flow.key, version);
        if (found === undefined) throw unknownFlow(key, version);
        return found;
      }),
  ),
  /**
   * Publishes `version`: values must conform to it from now on.
   *
   * @example
   * await acme.flows.publish(flowKey, '2026-03');
   */
  publish: useCase(
    ['flow.not_found'],
    async (ports: FlowPorts, companyKey, key: string, version: string): Promise<void> => {
      const { store, now } = ports;
      const { flow: known, schema } = await store.read(async (unit) => {
        const flow = await requireFlow(unit, companyKey, key);
        return {
          flow,
          schema: await publishedSchema(unit, { ...flow, publishedVersion: version }),
        };
      });
      if (schema !== undefined) await requireSendable(ports, known, schema);
      const nowMs = now();
      await store.write(async (unit) => {
        const flow = await requireFlow(unit, companyKey, key, 'lock');
        if ((await unit.flows.findSchema(flow.key, version)) === undefined) {
          throw unknownFlow(key, version);
        }
        await unit.flows.save({ ...flow, publishedVersion: version, updatedAtMs: nowMs });
      });
    },
  ),
  /**
   * Validates values against the published schema; all values pass if none is published.
   *
   * @example
   * await acme.flows.requireValues(flowKey, { name: 'Anna' });
   */
  requireValues: useCase(
    ['flow.not_found', 'flow.values.invalid'],
    async (
      { store, work }: Pick<FlowPorts, 'store' | 'work'>,
      companyKey,
      key: string,
      values: FlowValues,
    ): Promise<void> => {
      const flow = await store.read((unit) => requireFlow(unit, companyKey, key));
      await requireFit({ store, work }, flow, values);
    },
  ),
};
