import type { EvidenceWords, LocaleCode } from '../../base/words/index.ts';
import {
  clean,
  digestText,
  type EvidenceBlock,
  HIDDEN,
  identityText,
  methodText,
  rows,
  senderText,
  type Wordbook,
  warnings,
  wordbookOf,
} from './block-texts.ts';
import type {
  EvidenceDelivery,
  EvidenceRecord,
  EvidenceSignature,
  EvidenceSignee,
  EvidenceStep,
} from './record.ts';
import { summaryBlocks } from './summary-blocks.ts';
import { wordDescription } from './terms.ts';

/** Maximum number of displayed steps and deliveries. The JSON file contains all of them. */
const STEPS_MAX = 600;

/** The blocks of the page, in order. `recordSha256`: digest of the JSON file. */
export function blocksOf(
  record: EvidenceRecord,
  recordSha256: string,
  language: LocaleCode,
): readonly EvidenceBlock[] {
  const book = wordbookOf(record, language);
  const { words } = book;
  const { signees, signatures, steps, deliveries, chain, lastRoot } = record;
  const shown = (count: number): EvidenceBlock[] =>
    count <= STEPS_MAX ? [] : [{ kind: 'text', text: `+ ${count - STEPS_MAX} ${words.more}` }];
  const heading = (text: string): EvidenceBlock => ({ kind: 'heading', text });
  const list = (text: string): EvidenceBlock => ({ kind: 'heading', text, isList: true });
  return [
    ...summaryBlocks(record, book),
    { kind: 'heading', text: words.document, startsPage: true },
    ...documentRows(record, recordSha256, book),
    heading(words.signees),
    ...signees.flatMap((signee) => signeeBlocks(signee, book)),
    heading(words.signatures),
    ...signatures.flatMap((signature) => signatureBlocks(signature, book)),
    list(words.steps),
    ...steps.slice(0, STEPS_MAX).map((step) => stepRow(step, book)),
    ...shown(steps.length),
    ...(deliveries.length === 0 ? [] : [list(words.deliveries)]),
    ...deliveries.slice(0, STEPS_MAX).map((delivery) => deliveryRow(delivery, book)),
    ...shown(deliveries.length),
    heading(words.chain),
    ...rows(words.labels, {
      rows: String(chain.count),
      head: chain.head,
      lastRoot: lastRoot && `${lastRoot.day}, SHA-256 ${lastRoot.digest}`,
    }),
  ];
}

function documentRows(
  { process, company, documents, madeAt }: EvidenceRecord,
  recordSha256: string,
  { words, time }: Wordbook,
): readonly EvidenceBlock[] {
  const { original, signed, sealed } = documents;
  return rows(words.labels, {
    fileName: process.fileName,
    process: process.key,
    flow: process.flowName,
    company: [company.name, company.ssn].filter(Boolean).join(', '),
    createdAt: time(process.createdAt),
    createdBy: senderText(process),
    original: original && digestText(original),
    signed: digestText(signed),
    sealed: `${digestText(sealed)} · ${sealed.level}`,
    record: `SHA-256 ${recordSha256}`,
    madeAt: time(madeAt),
  });
}

function signeeBlocks(signee: EvidenceSignee, book: Wordbook): readonly EvidenceBlock[] {
  const { signedSha256 } = signee;
  const { words, wording, time } = book;
  return [
    { kind: 'name', text: clean(signee.name) },
    ...warnings(signee, book),
    ...rows(words.labels, {
      identity: identityText(signee, book),
      personalCode: signee.personalCode,
      email: signee.email,
      phone: signee.phoneNumber,
      type: wording(signee.signatureType),
      reason: signee.reason,
      invitedAt: time(signee.invitedAt),
      viewedAt: time(signee.viewedAt),
      authenticatedAt: time(signee.authenticatedAt),
      signedAt: time(signee.signedAt),
      method: methodText(signee, book),
      signedBytes: signedSha256 && `SHA-256 ${signedSha256}`,
      shown: shownText(signee, words),
      field: signee.field,
      ip: signee.ip,
      userAgent: signee.userAgent,
      session: signee.sessionId,
      certificate: signee.certificate,
      certificateName: signee.identity === undefined ? signee.certificateName : undefined,
    }),
  ];
}

/** The digest of the document shown to the signee, or a note that it is the signed one. */
function shownText(signee: EvidenceSignee, words: EvidenceWords): string | undefined {
  const { shownSha256, viewedSha256, signedSha256, signedAt } = signee;
  const shown = shownSha256 ?? viewedSha256;
  if (shown === undefined) return signedAt === undefined ? undefined : words.notShown;
  return shown === signedSha256 ? words.sameAsSigned : `SHA-256 ${shown}`;
}

function signatureBlocks(
  signature: EvidenceSignature,
  { words, wording, time: timeText }: Wordbook,
): readonly EvidenceBlock[] {
  const { field, kind, level, time, subject, issuer, serialNumber, name, reason } = signature;
  const signee = signature.signeeName ?? name;
  const title = [field, level ?? wording(kind), timeText(time)].filter(Boolean).join(' · ');
  return [
    { kind: 'name', text: clean(title) },
    ...rows(words.labels, { signee, reason, certificate: subject, issuer, serialNumber }),
  ];
}

function stepRow(step: EvidenceStep, { wording, time }: Wordbook): EvidenceBlock {
  const { at, status, by, signeeName, description, facts } = step;
  const told = Object.entries(facts)
    .filter(([, value]) => value !== HIDDEN)
    .map(([name, value]) => `${wording(name)} ${value}`);
  // A row written by the service names no actor.
  const actor = by === 'System' ? undefined : wording(by);
  const how = description && wordDescription(description, wording);
  const parts = [wording(status), signeeName, how, ...told, actor];
  const text = clean(parts.filter((part) => part !== undefined && part !== '').join(' · '));
  return { kind: 'row', label: time(at) ?? '', text };
}

function deliveryRow(delivery: EvidenceDelivery, { wording, time }: Wordbook): EvidenceBlock {
  const { kind, what, to, state, attempts, at } = delivery;
  const receiver = to === '-' ? [] : [to];
  const text = clean(
    [wording(kind), wording(what), ...receiver, wording(state), `${attempts}×`].join(' · '),
  );
  return { kind: 'row', label: time(at) ?? '', text };
}
