import type { Attachment } from '../process/index.ts';

/** Description of the evidence record for programs. */
export const evidenceRecordName = 'Evidence record';

/** Whom an attachment is for; evidence of earlier versions has no copy for signees. */
export function audienceOf(attachment: Attachment): Attachment['audience'] {
  const { audience, type, description, fileName } = attachment;
  if (audience !== undefined) return audience;
  const isRecord = description === evidenceRecordName && fileName.endsWith('-evidence.json');
  return type === 'EvidencePage' || isRecord ? 'company' : undefined;
}
