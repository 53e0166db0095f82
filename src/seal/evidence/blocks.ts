import type {
  EvidenceDelivery,
  EvidenceDocument,
  EvidenceRecord,
  EvidenceSignature,
  EvidenceSignee,
  EvidenceStep,
} from './record.ts';
import { type Wording, wordDescription, wordingOf } from './terms.ts';
import {
  type EvidenceLabel,
  type EvidenceLanguage,
  type EvidenceWords,
  evidenceWords,
} from './words.table.ts';

/** A piece of the page: a heading, a paragraph, or a label with its value. */
export interface EvidenceBlock {
  readonly kind: 'title' | 'heading' | 'name' | 'warning' | 'text' | 'row';
  /** In front of the value, for rows. */
  readonly label?: string;
  readonly text: string;
}

/** Longest value that is shown; the JSON file has all of it. */
const VALUE_MAX = 300;
/** Steps and deliveries that are shown; the JSON file has all of them. */
const STEPS_MAX = 600;

/** The pieces of the page, in their order. `recordSha256`: digest of the JSON file. */
export function blocksOf(
  record: EvidenceRecord,
  recordSha256: string,
  language: EvidenceLanguage,
): readonly EvidenceBlock[] {
  const words = evidenceWords[language];
  const wording = wordingOf(language);
  const { signees, signatures, steps, deliveries, chain, lastRoot } = record;
  const shown = (count: number): EvidenceBlock[] =>
    count <= STEPS_MAX ? [] : [{ kind: 'text', text: `+ ${count - STEPS_MAX} ${words.more}` }];
  const heading = (text: string): EvidenceBlock => ({ kind: 'heading', text });
  const { labels } = words;
  return [
    { kind: 'title', text: words.title },
    ...(record.isSimulated ? [{ kind: 'warning', text: words.simulated } as const] : []),
    { kind: 'text', text: words.intro },
    ...(record.copy === undefined ? [] : [{ kind: 'text', text: words.copy } as const]),
    heading(words.document),
    ...documentRows(record, recordSha256, words),
    heading(words.signees),
    ...signees.flatMap((signee) => signeeBlocks(signee, words, wording)),
    heading(words.signatures),
    ...signatures.flatMap((signature) => signatureBlocks(signature, labels, wording)),
    heading(words.steps),
    ...steps.slice(0, STEPS_MAX).map((step) => stepRow(step, wording)),
    ...shown(steps.length),
    ...(deliveries.length === 0 ? [] : [heading(words.deliveries)]),
    ...deliveries.slice(0, STEPS_MAX).map((delivery) => deliveryRow(delivery, wording)),
    ...shown(deliveries.length),
    heading(words.chain),
    ...rows(labels, {
      rows: String(chain.count),
      head: chain.head,
      lastRoot: lastRoot && `${lastRoot.day}, SHA-256 ${lastRoot.digest}`,
    }),
  ];
}

function documentRows(
  { process, company, documents, madeAt }: EvidenceRecord,
  recordSha256: string,
  { labels }: EvidenceWords,
): readonly EvidenceBlock[] {
  const { original, signed, sealed } = documents;
  return rows(labels, {
    fileName: process.fileName,
    process: process.key,
    flow: process.flowName,
    company: [company.name, company.ssn].filter(Boolean).join(', '),
    createdAt: timeText(process.createdAt),
    createdBy: process.user,
    original: original && digestText(original),
    signed: digestText(signed),
    sealed: `${digestText(sealed)} · ${sealed.level}`,
    record: `SHA-256 ${recordSha256}`,
    madeAt: timeText(madeAt),
  });
}

function signeeBlocks(
  signee: EvidenceSignee,
  words: EvidenceWords,
  wording: Wording,
): readonly EvidenceBlock[] {
  const { method, channel, signedSha256 } = signee;
  const { labels } = words;
  const how = [method, channel].flatMap((name) => (name === undefined ? [] : wording(name)));
  return [
    { kind: 'name', text: clean(signee.name) },
    ...warnings(signee, words, wording),
    ...rows(labels, {
      identity: identityText(signee),
      personalCode: signee.personalCode,
      email: signee.email,
      phone: signee.phoneNumber,
      type: wording(signee.signatureType),
      reason: signee.reason,
      invitedAt: timeText(signee.invitedAt),
      viewedAt: timeText(signee.viewedAt),
      authenticatedAt: timeText(signee.authenticatedAt),
      signedAt: timeText(signee.signedAt),
      method: how.join(', '),
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

/** What a reader must not overlook: whom a link has named, another name, and what is a test. */
function warnings(
  { identity, isSimulated, channel, namedByLink }: EvidenceSignee,
  { otherName, otherThanLink, byLink }: EvidenceWords,
  wording: Wording,
): readonly EvidenceBlock[] {
  const means = wording(channel === 'TestNumber' ? channel : 'simulator');
  const other = namedByLink === true ? otherThanLink : otherName;
  const texts = [
    ...(isSimulated === true ? [`TEST · ${means}`] : []),
    ...(namedByLink === true ? [byLink] : []),
    ...(identity?.isOtherName === true ? [`${other}: ${clean(identity.name)}`] : []),
  ];
  return texts.map((text) => ({ kind: 'warning', text }));
}

function identityText({ identity }: EvidenceSignee): string | undefined {
  if (identity === undefined) return undefined;
  const { name, personalCode, phoneNumber, at } = identity;
  return [name, personalCode, phoneNumber, timeText(at)].filter(Boolean).join(' · ');
}

/** What the signee looked at, and whether that is what they signed. */
function shownText(signee: EvidenceSignee, words: EvidenceWords): string | undefined {
  const { shownSha256, viewedSha256, signedSha256, signedAt } = signee;
  const shown = shownSha256 ?? viewedSha256;
  if (shown === undefined) return signedAt === undefined ? undefined : words.notShown;
  return shown === signedSha256 ? words.sameAsSigned : `SHA-256 ${shown}`;
}

function signatureBlocks(
  signature: EvidenceSignature,
  labels: EvidenceWords['labels'],
  wording: Wording,
): readonly EvidenceBlock[] {
  const { field, kind, level, time, subject, issuer, serialNumber, name, reason } = signature;
  const signee = signature.signeeName ?? name;
  const title = [field, level ?? wording(kind), timeText(time)].filter(Boolean).join(' · ');
  return [
    { kind: 'name', text: clean(title) },
    ...rows(labels, { signee, reason, certificate: subject, issuer, serialNumber }),
  ];
}

function stepRow(step: EvidenceStep, wording: Wording): EvidenceBlock {
  const { at, status, by, signeeName, description, facts } = step;
  const told = Object.entries(facts).map(([name, value]) => `${wording(name)} ${value}`);
  // That the service wrote the row says nothing.
  const actor = by === 'System' ? undefined : wording(by);
  const how = description && wordDescription(description, wording);
  const parts = [wording(status), signeeName, how, ...told, actor];
  const text = clean(parts.filter((part) => part !== undefined && part !== '').join(' · '));
  return { kind: 'row', label: timeText(at) ?? '', text };
}

function deliveryRow(delivery: EvidenceDelivery, wording: Wording): EvidenceBlock {
  const { kind, what, to, state, attempts, at } = delivery;
  const text = clean(
    [wording(kind), wording(what), to, wording(state), `${attempts}×`].join(' · '),
  );
  return { kind: 'row', label: timeText(at) ?? '', text };
}

function rows(
  labels: EvidenceWords['labels'],
  values: { readonly [Label in EvidenceLabel]?: string | undefined },
): readonly EvidenceBlock[] {
  return Object.entries(values).flatMap(([label, value]): EvidenceBlock[] =>
    value === undefined || value === ''
      ? []
      : [{ kind: 'row', label: labels[label as EvidenceLabel], text: clean(value) }],
  );
}

function digestText({ sha256, lengthBytes }: EvidenceDocument): string {
  return `SHA-256 ${sha256} · ${lengthBytes} B`;
}

/** `2026-11-21 15:04:05 UTC` for an ISO 8601 time. */
function timeText(iso: string | undefined): string | undefined {
  if (iso === undefined) return undefined;
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** One line of visible characters, not too long. */
function clean(text: string): string {
  const visible = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const characters = [...visible];
  return characters.length <= VALUE_MAX
    ? visible
    : `${characters.slice(0, VALUE_MAX - 1).join('')}…`;
}
