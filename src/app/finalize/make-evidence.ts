import { createHash } from 'node:crypto';
import { memorySource } from '../../base/bytes.ts';
import { CoreError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import { newKey } from '../../domain/keys.ts';
import type { Attachment } from '../../domain/process/index.ts';
import { drawEvidence, evidenceLanguages } from '../../seal/evidence/index.ts';
import type { SealPorts } from '../seal-ports.ts';
import type { SealingPorts } from '../signing/index.ts';
import { type EvidenceFacts, gatherEvidence } from './gather-evidence.ts';

/**
 * The evidence of a process as two stored files: a record for programs, and a page for people
 * that names the digest of the record and is sealed like the document.
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
  const record = await ports.store.read((unit) => gatherEvidence(unit, facts));
  const json = Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`, 'utf8');
  const recordSha256 = createHash('sha256').update(json).digest('hex');
  if (sealing.fonts === undefined) {
    throw new CoreError('font.invalid', 'no fonts are there for the evidence page');
  }
  const wanted = process.policy.language.toLowerCase();
  const language = evidenceLanguages.find((each) => each === wanted) ?? 'en';
  const drawn = await drawEvidence(record, recordSha256, language, await sealing.fonts());
  const { sealPdf } = await import('../seal-pdf.ts');
  const page = await sealPdf({ source: memorySource(drawn), level, visible: false }, sealing);
  const pdf = page.source.bytes ?? page.source.slice(0, page.source.lengthBytes);
  const name = process.fileName.replace(/\.pdf$/i, '');
  return Promise.all([
    store(ports, pdf, {
      fileName: `${name}-evidence.pdf`,
      contentType: 'application/pdf',
      type: 'EvidencePage',
      description: 'Evidence page',
    }),
    store(ports, json, {
      fileName: `${name}-evidence.json`,
      contentType: 'application/json',
      type: 'Unspecified',
      description: 'Evidence record',
    }),
  ]);
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
