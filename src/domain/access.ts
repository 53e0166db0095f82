import { chooseLanguage, type Language } from './message/index.ts';
import type { Attachment, SigningProcess } from './process/index.ts';
import type { Sequence } from './sequence.ts';

/**
 * The reader of a process or sequence. Sees everything, or only what belongs to one signee (in a
 * sequence: to one person); with no key, not even that.
 */
export type Viewer =
  | {
      readonly sees: 'all';
      /** Read-only: keys and links of signees are omitted. */
      readonly signsNothing?: true;
    }
  | { readonly sees: 'own'; readonly key?: string | undefined };

/** The viewer who may see everything: the company, or anyone where links are open. */
export const seesAll: Viewer = { sees: 'all' };

/** The company with an API key that must not sign: sees all but keys and links of signees. */
export const seesAllButKeys: Viewer = { sees: 'all', signsNothing: true };

/** The viewer of a process who came by link, or with a token, as the signee with this key. */
export function linkViewer({ policy }: Pick<SigningProcess, 'policy'>, key?: string): Viewer {
  return policy.openLinks === true ? seesAll : { sees: 'own', key };
}

/** Viewer of a sequence as this person. Links are open only if those of all documents are. */
export function sequenceLinkViewer(
  processes: readonly Pick<SigningProcess, 'policy'>[],
  key?: string,
): Viewer {
  const isOpen = processes.every((each) => linkViewer(each).sees === 'all');
  return isOpen ? seesAll : { sees: 'own', key };
}

/** Converts the viewer of a sequence to the viewer of one of its documents. */
export function viewerOfDocument(
  viewer: Viewer,
  { persons }: Pick<Sequence, 'persons'>,
  { key }: Pick<SigningProcess, 'key'>,
): Viewer {
  if (viewer.sees === 'all') return viewer;
  const person = persons.find((each) => each.key === viewer.key);
  const place = person?.signingKeys.find(({ processKey }) => processKey === key);
  return { sees: 'own', key: place?.signeeKey };
}

/** Whether the viewer may see the key, link and contact data of this signee or person. */
export function mayKnow(viewer: Viewer, key: string): boolean {
  return viewer.sees === 'all' || viewer.key === key;
}

/** Whether the viewer may see the key and link of this signee or person, and so sign as them. */
export function mayOpen(viewer: Viewer, key: string): boolean {
  return mayKnow(viewer, key) && !(viewer.sees === 'all' && viewer.signsNothing === true);
}

/** Whether the viewer may see what the signees of a process share: its key, name and files. */
export function isParty(viewer: Viewer, { signees }: Pick<SigningProcess, 'signees'>): boolean {
  return viewer.sees === 'all' || signees.some(({ key }) => key === viewer.key);
}

/** Description of the attachment that holds the evidence record (machine-readable). */
export const evidenceRecordName = 'Evidence record';

/** Description of the attachment that holds the evidence page (human-readable). */
export const evidencePageName = 'Evidence page';

/** The audience of an attachment. Evidence of earlier versions has no copy for signees. */
export function audienceOf(attachment: Attachment): Attachment['audience'] {
  const { audience, type, description, fileName } = attachment;
  if (audience !== undefined) return audience;
  const isRecord = description === evidenceRecordName && fileName.endsWith('-evidence.json');
  // Copies that an earlier version adopted from another process have lost their type.
  const isPage = description === evidencePageName && fileName.endsWith('-evidence.pdf');
  return type === 'EvidencePage' || isRecord || isPage ? 'company' : undefined;
}

/** The language used for a signee; without a signee, the language of the process. */
export function languageOf(
  { policy, signees }: Pick<SigningProcess, 'policy' | 'signees'>,
  signeeKey?: string,
): Language {
  const signee = signees.find(({ key }) => key === signeeKey);
  return chooseLanguage(signee?.language, policy.language);
}

/** Distinct languages of the signees. The language of the process comes first if among them. */
export function signeeLanguages(
  process: Pick<SigningProcess, 'policy' | 'signees'>,
): readonly Language[] {
  const found = new Set(process.signees.map(({ key }) => languageOf(process, key)));
  const usual = languageOf(process);
  return [...found].sort((a, b) => Number(b === usual) - Number(a === usual));
}

/**
 * Returns `attachments` with only the copy of the evidence page that is in `language`. Returns all
 * copies if none is, for example after the language of a signee was changed.
 */
export function withCopyIn(
  attachments: readonly Attachment[],
  language: Language,
): readonly Attachment[] {
  if (!attachments.some((each) => each.language === language)) return attachments;
  return attachments.filter((each) => each.language === undefined || each.language === language);
}
