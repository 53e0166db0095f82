import { defined } from '../../base/defined.ts';
import { type LocaleCode, localeOf } from '../../base/words/index.ts';
import { fill, isKnownSigner, plain, type ShowName, shownTime } from './sentences.ts';
import { nameOf } from './shown-text.ts';
import { type AnyConclusion, statedSignerOf } from './verdict.ts';

/** The heading of a signature or time-stamp: its kind, signer and time, as far as known. */
export interface Heading {
  readonly kind: string;
  readonly who?: string;
  readonly when?: string;
}

/** Returns the heading of a signature or time-stamp. An untrusted signer gets a remark. */
export function headingOf(
  conclusion: AnyConclusion,
  language: LocaleCode,
  show: ShowName = plain,
): Heading {
  const { labels, texts } = localeOf(language).report;
  const { kind, intact, signer, timeProved, bestTime, claimedTime } = conclusion;
  const stated = statedSignerOf(conclusion);
  const isKnown = isKnownSigner(conclusion);
  const isSeal = isKnown && stated === undefined && signer?.holder === 'legal-person';
  const word = kind === 'document-timestamp' ? 'timestamp' : isSeal ? 'seal' : 'signature';
  if (signer === undefined) return { kind: labels[word] };
  const name = show(nameOf(signer.subject));
  const doubt = intact === false ? texts.broken : texts.untrusted;
  if (!isKnown) return { kind: labels[word], who: `${name} (${doubt})` };
  const according = { name: show(stated ?? ''), signer: name };
  const claimed = claimedTime && `${shownTime(claimedTime, language)} (${texts.claimed})`;
  return {
    kind: labels[word],
    who: stated === undefined ? name : fill(texts.according, according),
    ...defined({ when: timeProved ? shownTime(bestTime, language) : claimed }),
  };
}
