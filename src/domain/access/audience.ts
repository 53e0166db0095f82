import type { Attachment } from '../process/index.ts';

/** Description of the evidence record for programs. */
export const evidenceRecordName = 'Evidence record';

/** Description of the evidence page for people. */
export const evidencePageName = 'Evidence page';

/** Whom an attachment is for; evidence of earlier versions has no copy for signees. */
export function audienceOf(attachment: Attachment): Attachment['audience'] {
  const { audience, type, description, fileName } = attachment;
  if (audience !== undefined) return audience;
  const isRecord = description === evidenceRecordName && fileName.endsWith('-evidence.json');
  // One that an earlier version has taken over from another process has lost its type.
  const isPage = description === evidencePageName && fileName.endsWith('-evidence.pdf');
  return type === 'EvidencePage' || isRecord || isPage ? 'company' : undefined;
}
