import { memorySource, sha256Of } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import { findLocale } from '../../base/words/index.ts';
import {
  evidencePageName,
  evidenceRecordName,
  languageOf,
  signeeLanguages,
} from '../../domain/access.ts';
import { newKey } from '../../domain/keys.ts';
import type { Language } from '../../domain/message/index.ts';
import type { Attachment } from '../../domain/process/index.ts';
import { drawEvidence, type EvidenceRecord, maskRecord } from '../../seal/evidence/index.ts';
import type { SealPorts } from '../documents/seal-ports.ts';
import type { SealingPorts } from '../signing/index.ts';
import { collectEvidence, type EvidenceFacts } from './gather-evidence.ts';

const SALT_BYTES = 32;

/**
 * Creates the evidence of a process as stored files: a record for programs, and a page for human
 * readers that contains the digest of the record and is sealed like the document. Both exist in two
 * versions: one for the company, and a masked one for signees, who must not see each other's
 * contact details. Their page is created in each language used by a signee.
 *
 * @throws blob.*, store.*, pdf.*, key.*, tsa.*, revocation.*, seal.*
 */
export async function makeEvidence(
  facts: EvidenceFacts,
  level: SealLevel,
  sealing: SealPorts,
  ports: SealingPorts,
): Promise<readonly Attachment[]> {
  const { process } = facts;
  const gathered = await ports.store.read((unit) => collectEvidence(unit, facts));
  const record = {
    ...gathered,
    ...(ports.checksFiles === true ? { checkUrl: `${ports.frontEnd}/s/verify` } : {}),
    salt: Buffer.from(ports.random(SALT_BYTES)).toString('hex'),
  };
  const json = jsonOf(record);
  const masked = maskRecord(record, sha256Of(json));
  const usual = languageOf(process);
  const request = { level, sealing, ports };
  const company = { name: `${stemOf(process.fileName)}-evidence`, audience: 'company' as const };
  const maskedJson = jsonOf(masked);
  const stem = stemOf(masked.process.fileName);
  const copies: Attachment[] = [];
  const languages = signeeLanguages(process);
  for (const [index, language] of languages.entries()) {
    const name = `${stem}-evidence-masked${index === 0 ? '' : `-${language.toLowerCase()}`}`;
    const copy = { name, audience: 'signees' as const };
    const page = await storePage(request, masked, maskedJson, language, copy);
    copies.push(languages.length === 1 ? page : { ...page, language });
    if (index === 0) copies.push(await storeRecord(ports, maskedJson, copy));
  }
  // The record of the company comes first: the log contains its digest.
  return [
    await storePage(request, record, json, usual, company),
    await storeRecord(ports, json, company),
    ...copies,
  ];
}

function stemOf(fileName: string): string {
  return fileName.replace(/\.pdf$/i, '');
}

interface EvidencePageRequest {
  readonly level: SealLevel;
  readonly sealing: SealPorts;
  readonly ports: SealingPorts;
}

interface PlaceOfFile {
  /** File name without extension. */
  readonly name: string;
  readonly audience: Attachment['audience'] & string;
}

async function storePage(
  { level, sealing, ports }: EvidencePageRequest,
  record: EvidenceRecord,
  json: Uint8Array,
  code: Language,
  { name, audience }: PlaceOfFile,
): Promise<Attachment> {
  if (sealing.fonts === undefined) {
    throw new InnsigliError('font.invalid', 'fonts for the evidence page are missing');
  }
  const language = findLocale(code) ?? 'is';
  const drawn = await drawEvidence(record, sha256Of(json), language, await sealing.fonts());
  const { sealPdf } = await import('../documents/pdf/seal-pdf.ts');
  const page = await sealPdf({ source: memorySource(drawn), level, visible: false }, sealing);
  return store(ports, page.bytes, {
    fileName: `${name}.pdf`,
    contentType: 'application/pdf',
    type: 'EvidencePage',
    description: evidencePageName,
    audience,
  });
}

function storeRecord(
  ports: SealingPorts,
  json: Uint8Array,
  { name, audience }: PlaceOfFile,
): Promise<Attachment> {
  return store(ports, json, {
    fileName: `${name}.json`,
    contentType: 'application/json',
    type: 'Unspecified',
    description: evidenceRecordName,
    audience,
  });
}

function jsonOf(record: EvidenceRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`, 'utf8');
}

async function store(
  { blobs, random }: SealingPorts,
  content: Uint8Array,
  about: Omit<Attachment, 'key' | 'document'>,
): Promise<Attachment> {
  const sha256 = await blobs.put(content);
  const document = { sha256, lengthBytes: content.length };
  return { ...about, key: newKey('attachment', random), document };
}
