import {
  type Flow,
  type FlowValues,
  makesDocuments,
  parseDocumentTemplate,
} from '../../../domain/flow/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import type { StoreUnit } from '../../ports/index.ts';
import { requireFlow } from '../find-flow.ts';
import { metaWith } from '../make-document.ts';
import type { FlowPorts } from '../ports.ts';
import { type ExampleRequest, exampleRequest } from './example-request.ts';
import { formExample, templateExample } from './example-values.ts';

type ExamplePorts = Pick<FlowPorts, 'store' | 'blobs' | 'work'>;

/**
 * A body that creates a process with a flow, or with one of the company where none is named; with
 * values for all that the flow makes its document of.
 *
 * @throws flow.not_found, blob.missing
 */
export async function showExample(
  ports: ExamplePorts,
  companyKey: CompanyKey,
  key?: string,
): Promise<ExampleRequest> {
  const { flow, schema } = await ports.store.read(async (unit) => {
    const found =
      key === undefined
        ? await anyFlow(unit, companyKey)
        : await requireFlow(unit, companyKey, key);
    const version = found?.publishedVersion;
    if (found === undefined || version === undefined) return { flow: found };
    return { flow: found, schema: (await unit.flows.findSchema(found.key, version))?.schema };
  });
  if (flow === undefined || !makesDocuments(flow)) return exampleRequest(flow && { key: flow.key });
  const parsed: unknown = schema === undefined ? undefined : JSON.parse(schema);
  const values = await valuesOf(ports, flow, parsed);
  // A form takes what is in `pdfFieldData` alone, a template what is beside it too.
  const others = flow.type === 'FillAndSign' ? { reference: '2026-001' } : {};
  return exampleRequest({ key: flow.key, meta: metaWith(others, values) });
}

async function anyFlow(unit: StoreUnit, companyKey: CompanyKey): Promise<Flow | undefined> {
  const active = (await unit.flows.list(companyKey)).filter(({ isActive }) => isActive);
  return active.find(({ type }) => type === 'DropAndSign') ?? active[0];
}

async function valuesOf(
  { blobs, work }: ExamplePorts,
  { type, templateSha256 = '', settings }: Flow,
  schema: unknown,
): Promise<FlowValues> {
  const template = await blobs.get(templateSha256);
  if (type === 'FillAndSign') return formExample(await work.formFields(template), schema);
  const { fileNameTemplate } = settings;
  const more = fileNameTemplate === undefined ? [] : [fileNameTemplate];
  return templateExample(parseDocumentTemplate(template), more, schema);
}
