import { newKey, type RandomBytes } from '../keys.ts';
import type { Contact } from '../person/index.ts';
import type { DocumentRef, Signee, WebhookType } from '../process/index.ts';
import type { PayloadProcess } from './payload.ts';
import type { Webhook } from './webhook.ts';

/** Events that contain the document, if there is one. */
const documentTypes: readonly WebhookType[] = ['AllSigned', 'Completed', 'Expired'];
const finished: readonly WebhookType[] = ['AllSigned', 'Completed', 'GroupSigned'];

const people: readonly [Contact, Contact] = [
  { name: 'Þórður Prufa', ssn: '0101302989', phoneNumber: '0000000', email: 'one@example.org' },
  { name: 'Łucja Test', ssn: '0101307789', phoneNumber: '0000001', email: 'two@example.org' },
];

const blank = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
`;

/** A fictional process, for events that test a receiver; marked by `Meta.test`. */
interface SampleEvent {
  readonly process: PayloadProcess;
  readonly signeeKey: Signee['key'];
  /** A PDF with one empty page, for types that contain a document. */
  readonly document?: Uint8Array;
}

/** A sample event of `type` for `webhook`, with fictional people and an empty page. */
export function sampleEvent(
  webhook: Pick<Webhook, 'companyKey' | 'flowKey'>,
  flowName: string,
  type: WebhookType,
  nowMs: number,
  random: RandomBytes,
): SampleEvent {
  const document = blankPdf();
  const ref: DocumentRef = { sha256: '0'.repeat(64), lengthBytes: document.length };
  const signedCount = finished.includes(type) ? 2 : type === 'SignedDocument' ? 1 : 0;
  const signees = people.map((person, index): Signee => {
    const base: Signee = {
      ...person,
      key: newKey('signee', random),
      order: index,
      state: index < signedCount ? 'Signed' : 'Invited',
      signatureType: 'ClickToSign',
      delivery: 'Email',
      hidePersonalCode: false,
    };
    return index < signedCount ? { ...base, signedAtMs: nowMs } : base;
  });
  const [first] = signees;
  return {
    process: {
      key: newKey('process', random),
      companyKey: webhook.companyKey,
      flowKey: webhook.flowKey,
      flowName,
      signees,
      attachments: [],
      meta: { test: 'true' },
      document: ref,
      ...(type === 'GroupSigned' ? { sequenceKey: newKey('sequence', random) } : {}),
    },
    signeeKey: first?.key ?? newKey('signee', random),
    ...(documentTypes.includes(type) ? { document } : {}),
  };
}

function blankPdf(): Uint8Array {
  const offsets = [1, 2, 3].map((number) => blank.indexOf(`${number} 0 obj`));
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const table = `xref\n0 4\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer<</Size 4/Root 1 0 R>>\nstartxref\n${blank.length}\n%%EOF\n`;
  return Buffer.from(`${blank}${table}${trailer}`, 'latin1');
}
