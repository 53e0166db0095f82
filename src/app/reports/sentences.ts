import { defined } from '../../base/defined.ts';
import { fillTimePattern } from '../../base/time/time-pattern.ts';
import { type LocaleCode, localeOf, type ReportAct } from '../../base/words/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { nameOf, shownText } from './shown-text.ts';
import { type AnyConclusion, headlineOf, statedSignerOf, verdictOf } from './verdict.ts';

/** Statements about one signature in plain language. */
export interface Sentences {
  /** The act: signer, kind and time. */
  readonly act: string;
  /** The reason that its time-stamp proves nothing, if that matters. */
  readonly cause?: string;
  /** The verdict, with its reason. */
  readonly verdict: string;
  /** Advice to the reader; undefined if there is nothing to do. */
  readonly advice?: string;
}

/** Maximum length of a name in a sentence. */
const NAME_MAX = 120;

/** Adapts a name from a certificate to the output where the sentence is shown. */
export type ShowName = (name: string) => string;

/** The name as plain text. */
export const plain: ShowName = (name) => shownText(name, NAME_MAX);

/** Unicode FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE; {@link shownText} strips them. */
export const isolate = { start: '\u2068', end: '\u2069' } as const;

/** The name enclosed in {@link isolate}, so that a right-to-left name does not affect the rest. */
export const isolated: ShowName = (name) => `${isolate.start}${plain(name)}${isolate.end}`;

/** The sentences on one signature or time-stamp. */
export function sentencesOf(
  conclusion: AnyConclusion,
  language: LocaleCode,
  show: ShowName = plain,
): Sentences {
  const { acts, causes, verdicts, advice: advices } = localeOf(language).report;
  const { signer, anchor, bestTime, claimedTime } = conclusion;
  const { verdict, advice, cause, date } = verdictOf(conclusion);
  const act = actOf(conclusion);
  const time = /claimed$/i.test(act) ? claimedTime : bestTime;
  const values = {
    name: show(statedSignerOf(conclusion) ?? ''),
    signer: show(nameOf(signer?.subject ?? '')),
    anchor: show(nameOf(anchor ?? signer?.issuer ?? '')),
    time: shownTime(time ?? '', language),
    date: shownTime(date ?? '', language),
  };
  return {
    act: fill(acts[act], values),
    ...defined({ cause: cause && causes[cause] }),
    verdict: fill(verdicts[verdict], values),
    ...defined({ advice: advice && advices[advice] }),
  };
}

/** The sentence on the document as a whole. */
export function headlineSentence(report: VerificationReport, language: LocaleCode): string {
  return localeOf(language).report.headlines[headlineOf(report)];
}

/** A time in UTC in the notation of the language, with the zone. Other text is unchanged. */
export function shownTime(time: string, language: LocaleCode): string {
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs)) return shownText(time);
  return `${fillTimePattern(localeOf(language).seal.timePattern, atMs)} UTC`;
}

const times = {
  signed: { proved: 'proved', claimed: 'claimed', untimed: 'untimed' },
  sealed: { proved: 'sealedProved', claimed: 'sealedClaimed', untimed: 'sealedUntimed' },
  stated: { proved: 'statedProved', claimed: 'statedClaimed', untimed: 'statedUntimed' },
} as const;

function actOf(conclusion: AnyConclusion): ReportAct {
  const { kind, signer, timeProved, claimedTime } = conclusion;
  const isStamp = kind === 'document-timestamp';
  if (signer === undefined) return isStamp ? 'stampNameless' : 'nameless';
  const isKnown = isKnownSigner(conclusion);
  if (isStamp) return isKnown ? 'stamped' : 'stampNamed';
  if (!isKnown) return 'named';
  const isSeal = signer.holder === 'legal-person';
  const acts = times[statedSignerOf(conclusion) ? 'stated' : isSeal ? 'sealed' : 'signed'];
  if (timeProved) return acts.proved;
  return claimedTime === undefined ? acts.untimed : acts.claimed;
}

/** Whether to name the signer as a fact: only if trusted, as certificates can bear any name. */
export function isKnownSigner({ intact, trusted, anchor }: AnyConclusion): boolean {
  return intact === true && (trusted || anchor !== undefined);
}

/** Fills in a template. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
