import { createHash } from 'node:crypto';
import { attempt } from '../../base/errors.ts';
import { type FlowValues, parseDocumentTemplate } from '../../domain/flow/index.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import type { BlobStore, StorePorts } from '../ports/index.ts';
import { fillForm, findFillFaults, listFormFields } from './form/fill-form.ts';
import type { FormField } from './form/form-fields.ts';
import { requireDocumentValues } from './layout-document.ts';
import { renderDocument } from './render-document.ts';
import { compileSchema, type SchemaValidator } from './schema/compile-schema.ts';

/** Schema, form and template work. Senders set its cost, so services use time-limited threads. */
export interface FlowWork {
  /**
   * Requires a valid schema.
   *
   * @throws flow.schema.invalid
   */
  requireSchema(schema: string): Promise<void>;
  /**
   * Requires values that conform to `schema`.
   *
   * @throws flow.schema.invalid, flow.values.invalid
   */
  requireFit(schema: string, values: FlowValues): Promise<void>;
  /** @throws pdf.*, template.invalid, limit.exceeded */
  formFields(form: Uint8Array): Promise<readonly FormField[]>;
  /** @throws flow.values.invalid, template.invalid, pdf.*, limit.exceeded */
  fillForm(form: Uint8Array, values: FlowValues): Promise<Uint8Array>;
  /**
   * @param usual language if the template specifies none
   * @throws flow.values.invalid, template.invalid, limit.exceeded
   */
  renderDocument(template: Uint8Array, values: FlowValues, usual?: string): Promise<Uint8Array>;
  /**
   * Returns, for each set of values, the reason that no document can be created from it; undefined
   * if it can. Nothing is drawn, so text that is too long for its area is not detected.
   *
   * @throws template.invalid, pdf.*, flow.schema.invalid
   */
  findValueFaults(trial: ValueTrial): Promise<readonly (string | undefined)[]>;
}

/** Sets of values to check against a form or template. */
export interface ValueTrial {
  readonly of: 'form' | 'template';
  /** The PDF form, or the JSON template. */
  readonly bytes: Uint8Array;
  readonly schema?: string | undefined;
  readonly all: readonly FlowValues[];
}

/** Maximum number of compiled schemas in the cache; some take hundreds of kilobytes. */
const READY_MAX = 16;

/** Creates a {@link FlowWork} that runs in the calling thread. */
export function flowWork(fonts: () => Promise<StampFonts>): FlowWork {
  const ready = new Map<string, SchemaValidator>();
  const validatorOf = async (schema: string) => {
    const digest = createHash('sha256').update(schema).digest('base64');
    const validator = ready.get(digest) ?? (await compileSchema(schema));
    // Evicts the least recently used one.
    ready.delete(digest);
    ready.set(digest, validator);
    if (ready.size > READY_MAX) ready.delete(ready.keys().next().value as string);
    return validator;
  };
  return {
    requireSchema: async (schema) => {
      await compileSchema(schema);
    },
    requireFit: async (schema, values) => (await validatorOf(schema)).require(values),
    formFields: listFormFields,
    fillForm: async (form, values) => fillForm(form, values, await fonts()),
    renderDocument: async (template, values, usual) =>
      renderDocument(parseDocumentTemplate(template), values, await fonts(), usual),
    findValueFaults: async ({ of, bytes, schema, all }) => {
      const validator = schema === undefined ? undefined : await validatorOf(schema);
      const misfits = all.map((values) => faultOf(() => validator?.require(values)));
      const template = of === 'template' ? parseDocumentTemplate(bytes) : undefined;
      const faults =
        template === undefined
          ? findFillFaults(bytes, all, await fonts())
          : all.map((values) => faultOf(() => requireDocumentValues(template, values)));
      return misfits.map((misfit, at) => misfit ?? faults[at]);
    },
  };
}

const faultOf = (check: () => void): string | undefined =>
  attempt<undefined, string>(
    () => void check(),
    ({ message }) => message,
  );

/** Dependencies of flows. */
export interface FlowPorts extends StorePorts {
  readonly blobs: BlobStore;
  readonly random: RandomBytes;
  /** Fonts for the documents that flows create; loaded when one is created. */
  readonly fonts: () => Promise<StampFonts>;
  readonly work: FlowWork;
}
