import {
  type Flow,
  type FlowValues,
  fieldDataMember,
  fileNameFrom,
  fillText,
  makesDocuments,
  templateKinds,
  valuesFromMeta,
} from '../../domain/flow/index.ts';
import { answerWords } from './answer-words.ts';
import type { FlowPorts } from './flow-work.ts';
import { unknownFlow } from './show-flow.ts';

/** A document created by a flow. */
export interface MadeDocument {
  readonly pdf: Uint8Array;
  readonly fileName: string;
}

/**
 * Returns a function that creates the document of a flow, as currently stored, from the metadata of
 * a process: it fills a form or renders a template. The function returns undefined for flows that
 * create none.
 *
 * The values are the JSON in `pdfFieldData`, or else all members. They must conform to the
 * published schema of the flow.
 *
 * @throws flow.values.invalid, flow.schema.invalid, template.invalid, blob.missing
 */
export function makeDocument(
  ports: Pick<FlowPorts, 'store' | 'blobs' | 'work'>,
): (flow: Flow, meta: Readonly<Record<string, string>>) => Promise<MadeDocument | undefined> {
  return async (flow, meta) => {
    if (!makesDocuments(flow)) return undefined;
    const { type, templateSha256 = '' } = flow;
    const isForm = templateKinds[type] === 'form';
    const values = valuesFromMeta(meta, !isForm);
    await requireFit(ports, flow, values);
    const template = await ports.blobs.get(templateSha256);
    const pdf = isForm
      ? await ports.work.fillForm(template, values)
      : await ports.work.renderDocument(template, values, flow.language);
    return { pdf, fileName: fileNameOf(flow, values) };
  };
}

/** The metadata that carries `values` to {@link makeDocument} and to webhooks. */
export function metaWith(
  meta: Readonly<Record<string, string>>,
  values: FlowValues,
): Readonly<Record<string, string>> {
  return { ...meta, [fieldDataMember]: JSON.stringify(values) };
}

/** Rejects values that do not conform to a flow's published schema; without one, all do. */
export async function requireFit(
  { store, work }: Pick<FlowPorts, 'store' | 'work'>,
  { key, publishedVersion }: Flow,
  values: FlowValues,
): Promise<void> {
  if (publishedVersion === undefined) return;
  const found = await store.read((unit) => unit.flows.findSchema(key, publishedVersion));
  if (found === undefined) throw unknownFlow(key, publishedVersion);
  await work.requireFit(found.schema, values);
}

function fileNameOf({ name, settings, language }: Flow, values: FlowValues): string {
  const fallback = fileNameFrom(name, 'document.pdf');
  const { fileNameTemplate } = settings;
  if (fileNameTemplate === undefined) return fallback;
  const filled = fillText(fileNameTemplate, [values], () => undefined, answerWords(language));
  return fileNameFrom(filled, fallback);
}
