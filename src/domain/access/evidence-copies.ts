import { chooseLanguage, type Language } from '../message/index.ts';
import type { Attachment, SigningProcess } from '../process/index.ts';

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
