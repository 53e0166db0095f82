import { chooseLanguage, type Language } from './message/index.ts';
import type { Attachment, SigningProcess } from './process/index.ts';
import type { Sequence } from './sequence.ts';

/**
 * The reader of a process or sequence: one who may see all of it, or one with the key of one signee
 * (in a sequence: person), or with none.
 */
export type Viewer =
  | {
      readonly sees: 'all';
      /** It may read, and not sign: keys and links of signees are left out. */
      readonly signsNothing?: true;
    }
  | { readonly sees: 'own'; readonly key?: string | undefined };

/** The viewer who may see everything: the company, or anybody where links are open. */
export const seesAll: Viewer = { sees: 'all' };

/** The company with a key that is not good to sign: it sees everything but how to sign. */
export const seesAllButKeys: Viewer = { sees: 'all', signsNothing: true };

/** The viewer who came to a process by link, or with a token, as the signee of that key. */
export function linkViewer({ policy }: Pick<SigningProcess, 'policy'>, key?: string): Viewer {
  return policy.openLinks === true ? seesAll : { sees: 'own', key };
}

/** The same for the documents of a sequence and a person: it is open if all of them are. */
export function sequenceLinkViewer(
  processes: readonly Pick<SigningProcess, 'policy'>[],
  key?: string,
): Viewer {
  const isOpen = processes.every((each) => linkViewer(each).sees === 'all');
  return isOpen ? seesAll : { sees: 'own', key };
}

/** The viewer of a sequence as the viewer of one of its documents. */
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

/** True when the viewer may see the key, link and contact data of that signee or person. */
export function mayKnow(viewer: Viewer, key: string): boolean {
  return viewer.sees === 'all' || viewer.key === key;
}

/** True when the viewer may see the key and link of that signee or person: they sign. */
export function mayOpen(viewer: Viewer, key: string): boolean {
  return mayKnow(viewer, key) && !(viewer.sees === 'all' && viewer.signsNothing === true);
}

/** True when the viewer may see what the signees of a process share: its key, name and files. */
export function isParty(viewer: Viewer, { signees }: Pick<SigningProcess, 'signees'>): boolean {
  return viewer.sees === 'all' || signees.some(({ key }) => key === viewer.key);
}

/** Description of the evidence record for programs. */
export const evidenceRecordName = 'Evidence record';

/** Description of the evidence page for people. */
export const evidencePageName = 'Evidence page';

/** The audience of an attachment; evidence of earlier versions has no copy for signees. */
export function audienceOf(attachment: Attachment): Attachment['audience'] {
  const { audience, type, description, fileName } = attachment;
  if (audience !== undefined) return audience;
  const isRecord = description === evidenceRecordName && fileName.endsWith('-evidence.json');
  // One that an earlier version has taken over from another process has lost its type.
  const isPage = description === evidencePageName && fileName.endsWith('-evidence.pdf');
  return type === 'EvidencePage' || isRecord || isPage ? 'company' : undefined;
}

/** The language in which a signee is written to; without a signee that of the process. */
export function languageOf(
  { policy, signees }: Pick<SigningProcess, 'policy' | 'signees'>,
  signeeKey?: string,
): Language {
  const signee = signees.find(({ key }) => key === signeeKey);
  return chooseLanguage(signee?.language, policy.language);
}

/** Languages of the signees, each once; that of the process first where it is one of them. */
export function signeeLanguages(
  process: Pick<SigningProcess, 'policy' | 'signees'>,
): readonly Language[] {
  const found = new Set(process.signees.map(({ key }) => languageOf(process, key)));
  const usual = languageOf(process);
  return [...found].sort((a, b) => Number(b === usual) - Number(a === usual));
}

/**
 * `attachments` with the one copy of the evidence page that is in `language`, or with all of them
 * where there is none, as when the language of a signee was changed afterwards.
 */
export function withCopyIn(
  attachments: readonly Attachment[],
  language: Language,
): readonly Attachment[] {
  if (!attachments.some((each) => each.language === language)) return attachments;
  return attachments.filter((each) => each.language === undefined || each.language === language);
}
