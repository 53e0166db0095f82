import type { FlowValues } from '../../domain/flow/index.ts';
import { type Service, useCase } from '../operation.ts';
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
import { showForm } from './show-form.ts';

/** The document of the flow, without a process; undefined when it makes none. */
const previewDocument = useCase(
  ['flow.not_found', 'flow.values.invalid', 'limit.exceeded', 'pdf.notpdf'],
  async (
    ports: FlowPorts,
    companyKey,
    key: string,
    values: FlowValues,
  ): Promise<MadeDocument | undefined> => {
    const flow = await ports.store.read((unit) => requireFlow(unit, companyKey, key));
    return makeDocument(ports)(flow, metaWith({}, values));
  },
);

/** Operations of a company on its flows. */
export const flowOperations = {
  /**
   * A new flow.
   *
   * @example
   * const flow = await acme.flows.create({ name: 'Contracts', type: 'DropAndSign' });
   */
  create: createFlow,
  /**
   * The flows of a company, of one type or of all.
   *
   * @example
   * const [flow] = await acme.flows.list('DropAndSign');
   */
  list: listFlows,
  /**
   * The flow with all its settings.
   *
   * @example
   * const { fields, expiresAfterDays } = await acme.flows.show(flowKey);
   */
  show: showFlow,
  /**
   * Changes a flow: settings that `change` does not name stay as they are, null gives one its
   * default again.
   *
   * @example
   * await acme.flows.update(flowKey, { settings: { expiresAfterDays: 14 } });
   */
  update: updateFlow,
  /**
   * The style sheet of a flow; empty when none is set.
   *
   * @example
   * const css = await acme.flows.css(flowKey);
   */
  css: readFlowCss,
  /**
   * Puts a version in place, a new one or over an old one.
   *
   * @example
   * await acme.flows.putSchema(flowKey, { version: '2026-03', schema: '{"type":"object"}' });
   */
  putSchema,
  /**
   * All versions of a flow.
   *
   * @example
   * const versions = await acme.flows.schemas(flowKey);
   */
  schemas: listSchemas,
  /**
   * One version of a flow.
   *
   * @example
   * const { schema } = await acme.flows.schema(flowKey, '2026-03');
   */
  schema: getSchema,
  /**
   * Makes `version` the one that values must fit.
   *
   * @example
   * await acme.flows.publish(flowKey, '2026-03');
   */
  publish: publishSchema,
  /**
   * Checks values by the published schema; passes when none is published.
   *
   * @example
   * await acme.flows.requireValues(flowKey, { name: 'Anna' });
   */
  requireValues: requireFlowValues,
  /**
   * The document of the flow, without a process; undefined when it makes none.
   *
   * @example
   * const made = await acme.flows.preview(flowKey, { name: 'Anna' });
   */
  preview: previewDocument,
  /**
   * What the form of a flow asks a person for; the flow must be open to customers.
   *
   * @example
   * const { questions } = await acme.flows.form(flowKey);
   */
  form: showForm,
  /**
   * A body that creates a process with a flow, or with one of the company where none is named;
   * with values for all that the flow makes its document of.
   *
   * @example
   * const request = await acme.flows.example(flowKey);
   */
  example: showExample,
};

/** The methods of {@link flowOperations}. */
export type FlowService = Service<typeof flowOperations>;
