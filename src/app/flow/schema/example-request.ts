import {
  type Flow,
  type FlowValues,
  makesDocuments,
  parseDocumentTemplate,
} from '../../../domain/flow/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import { useCase } from '../../operation.ts';
import type { StoreUnit } from '../../ports/index.ts';
import type { FlowPorts } from '../flow-work.ts';
import { metaWith } from '../make-document.ts';
import { publishedSchema, requireFlow } from '../show-flow.ts';
import { formExample, templateExample } from './example-values.ts';

/** The published CreateSigningProcess, with the members that the example contains. */
export interface ExampleRequest {
  readonly flowKey: string;
  readonly pdfDocument?: string;
  readonly pdfFileName?: string;
  readonly user: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly requiresAuth: boolean;
  readonly signInOrder: boolean;
  readonly signatureLocation: string;
  readonly flattenDocument: boolean;
  readonly reminderRule: string;
  readonly activityDisplayName: string;
  readonly attachments: readonly { readonly fileName: string; readonly fileContent: string }[];
  readonly createSignees: readonly Readonly<Record<string, string | boolean>>[];
}

/**
 * An example body that creates a process, for people who try the API: names and addresses are
 * fictitious and reserved for examples, and the document has one empty page.
 *
 * @param flow a flow of the company, with the metadata for its document if it creates one
 */
function exampleRequest(
  flow: { readonly key: string; readonly meta?: ExampleRequest['meta'] } | undefined,
): ExampleRequest {
  return {
    flowKey: flow?.key ?? 'f10e00000000',
    ...(flow?.meta === undefined
      ? { pdfDocument: Buffer.from(emptyPdf()).toString('base64'), pdfFileName: 'agreement.pdf' }
      : {}),
    user: 'owner@example.com',
    meta: flow?.meta ?? { reference: '2026-001' },
    requiresAuth: false,
    signInOrder: true,
    signatureLocation: 'TopFirstPage',
    flattenDocument: false,
    reminderRule: '1:3',
    activityDisplayName: 'Agreement 2026-001',
    attachments: [{ fileName: 'terms.txt', fileContent: Buffer.from('Terms').toString('base64') }],
    createSignees: [
      {
        name: 'Anna Example',
        email: 'anna@example.com',
        reason: 'Buyer',
        communicationDeliveryType: 'Email',
        signatureType: 'ClickToSign',
        language: 'En',
        hidePersonalCode: false,
      },
      {
        name: 'Björn Example',
        phoneNumber: '+3545550100',
        email: 'bjorn@example.com',
        reason: 'Seller',
        communicationDeliveryType: 'None',
        signatureType: 'Simple',
        language: 'Is',
        hidePersonalCode: true,
      },
      {
        name: 'Dóra Example',
        ssn: '6000101994',
        phoneNumber: '6666666',
        email: 'dora@example.com',
        address: 'Examplegata 1',
        postalCode: '101',
        city: 'Reykjavík',
        reason: 'Witness',
        communicationDeliveryType: 'Sms',
        customSmsText: 'Please sign our agreement.',
        signatureType: 'Qualified',
        language: 'NotSet',
        hidePersonalCode: false,
        user: 'owner@example.com',
      },
    ],
  };
}

/**
 * A handwritten PDF with one empty page.
 *
 * @spec ISO 32000-1 §7.5
 */
function emptyPdf(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

type ExamplePorts = Pick<FlowPorts, 'store' | 'blobs' | 'work'>;

/**
 * Returns an example body that creates a process with a flow; without a key, with a flow of the
 * company. It contains values for everything from which the flow creates its document.
 */
export const showExample = useCase(
  ['flow.not_found', 'blob.missing'],
  async (ports: ExamplePorts, companyKey, key?: string): Promise<ExampleRequest> => {
    const { flow, schema } = await ports.store.read(async (unit) => {
      const known =
        key === undefined ? anyFlow(unit, companyKey) : requireFlow(unit, companyKey, key);
      const found = await known;
      return { flow: found, schema: found && (await publishedSchema(unit, found)) };
    });
    if (flow === undefined || !makesDocuments(flow))
      return exampleRequest(flow && { key: flow.key });
    const parsed: unknown = schema === undefined ? undefined : JSON.parse(schema);
    const values = await valuesOf(ports, flow, parsed);
    // A form uses only `pdfFieldData`, a template also the other members.
    const others = flow.type === 'FillAndSign' ? { reference: '2026-001' } : {};
    return exampleRequest({ key: flow.key, meta: metaWith(others, values) });
  },
);

async function anyFlow(unit: StoreUnit, companyKey: CompanyKey): Promise<Flow | undefined> {
  const active = (await unit.flows.list(companyKey)).filter(({ isActive }) => isActive);
  return active.find(({ type }) => type === 'DropAndSign') ?? active[0];
}

async function valuesOf(
  { blobs, work }: ExamplePorts,
  { type, templateSha256 = '', settings: { fileNameTemplate = '' } }: Flow,
  schema: unknown,
): Promise<FlowValues> {
  const template = await blobs.get(templateSha256);
  if (type === 'FillAndSign') return formExample(await work.formFields(template), schema);
  return templateExample(parseDocumentTemplate(template), [fileNameTemplate], schema);
}
