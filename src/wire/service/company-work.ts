import { isLightDocument } from '../../app/documents/light-document.ts';
import { type FlowWork, type FormField, flowWork } from '../../app/flow/index.ts';
import { openedDocument, type PreparationOptions } from '../../app/signing/index.ts';
import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { loadFonts } from '../fonts.ts';
import { documentOrder } from '../threads/document-order.ts';
import type { WorkThreads } from '../threads/work-threads.types.ts';

type OpenedDocument = ReturnType<typeof openedDocument>;

/** Work for one company whose cost depends on its documents, schemas and values. */
export interface CompanyWork extends FlowWork {
  /** The document as it will be signed. @throws pdf.*, limit.exceeded */
  opened(content: Uint8Array, options: PreparationOptions): Promise<OpenedDocument>;
}

/** Time limits for compiling a schema and for validating values. Both usually take far less. */
const [SCHEMA_MS, VALUES_MS] = [5000, 3000];

/** Runs the work in the calling thread. */
export function localWork(): CompanyWork {
  return {
    ...flowWork(loadFonts),
    opened: async (content, options) => openedDocument(content, options),
  };
}

/** Runs work in threads, alternating between companies. Small documents are handled immediately. */
export function companyWork(owner: string, threads: WorkThreads): CompanyWork {
  const run = (task: string, value: object, lengthBytes: number, deadline?: Deadline) =>
    threads.run({
      ...{ task, value, owner, lengthBytes },
      ...defined({ deadline }),
    });
  // The bytes may be shared with other readers, so the thread gets a copy.
  const made = (task: string, bytes: Uint8Array, values: object, usual?: string) =>
    run(task, { bytes, values, ...defined({ usual }) }, bytes.length) as Promise<Uint8Array>;
  return {
    requireSchema: async (schema) => {
      await run('requireSchema', { schema }, schema.length, within(SCHEMA_MS, 'schema'));
    },
    requireFit: async (schema, values) => {
      await run('requireFit', { schema, values }, schema.length, within(VALUES_MS, 'values'));
    },
    formFields: async (form) =>
      (await run('formFields', { bytes: form }, form.length)) as readonly FormField[],
    fillForm: (form, values) => made('fillForm', form, values),
    renderDocument: (template, values, usual) => made('renderDocument', template, values, usual),
    findValueFaults: async (trial) => {
      const { bytes, schema = '' } = trial;
      const lengthBytes = bytes.length + schema.length;
      const limit = within(VALUES_MS, 'values');
      return (await run('findValueFaults', trial, lengthBytes, limit)) as (string | undefined)[];
    },
    opened: async (content, options) => {
      const input = memorySource(content);
      if (isLightDocument(input)) return openedDocument(content, options);
      const order = documentOrder({ task: 'openedDocument', input, options, owner });
      return (await threads.run(order)) as OpenedDocument;
    },
  };
}

type Deadline = NonNullable<Parameters<WorkThreads['run']>[0]['deadline']>;

function within(ms: number, what: 'schema' | 'values'): Deadline {
  const code = `flow.${what}.invalid` as const satisfies ErrorCode;
  const expected = what === 'schema' ? 'one that is ready' : 'such as can be checked';
  const message = `${what}: expected ${expected} within ${ms / 1000} s, found more work`;
  const hint = 'simplify the schema: lists in lists, and keywords that are repeated, add up';
  return {
    ms,
    error: () => new InnsigliError(code, message, { details: { expectedMs: ms }, hint }),
  };
}
