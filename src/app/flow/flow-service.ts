import type { FlowValues } from '../../domain/flow/index.ts';
import { type Service, useCase } from '../operation.ts';
import { changeOperations } from './change-flow.ts';
import type { FlowPorts } from './flow-work.ts';
import { type MadeDocument, makeDocument, metaWith } from './make-document.ts';
import { showExample } from './schema/example-request.ts';
import { schemaOperations } from './schema/flow-schemas.ts';
import { requireFlow, showOperations } from './show-flow.ts';
import { showForm } from './show-form.ts';

/** Operations of a company on its flows. */
export const flowOperations = {
  ...changeOperations,
  ...showOperations,
  ...schemaOperations,
  /**
   * Creates the document of the flow without a process. Undefined if the flow creates none.
   *
   * @example
   * const made = await acme.flows.preview(flowKey, { name: 'Anna' });
   */
  preview: useCase(
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
  ),
  /**
   * Returns the questions of the form of a flow. The flow must be open to customers.
   *
   * @example
   * const { questions } = await acme.flows.form(flowKey);
   */
  form: showForm,
  /**
   * Returns an example request body that creates a process with a flow; without a key, with a flow
   * of the company. It contains values for everything from which the flow creates its document.
   *
   * @example
   * const request = await acme.flows.example(flowKey);
   */
  example: showExample,
};

/** The methods of {@link flowOperations}. */
export type FlowService = Service<typeof flowOperations>;
