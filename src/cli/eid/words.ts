import { type EidWords, findLocale, localeOf } from '../../base/words/index.ts';
import type { ExitCode } from '../context.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Texts for the person, in the language of their terminal; English if it is not supported. */
export function eidWords(env: Environment): EidWords {
  const language = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const [code = ''] = language.split(/[_.@-]/, 1);
  const known = code.toLowerCase() === 'no' ? 'nb' : code;
  return localeOf(findLocale(known) ?? 'en').eid;
}

const steps: Readonly<Record<string, keyof EidWords>> = {
  outstandingTransaction: 'begin',
  noClient: 'begin',
  started: 'started',
  processing: 'started',
  userMrtd: 'started',
  userSign: 'confirm',
  userCallConfirm: 'confirm',
};

/** Text of a step: a keyword of the scheme, which may be unknown. */
export function stepText(words: EidWords, step: string | undefined): string {
  return words[steps[step ?? ''] ?? 'waiting'];
}

const failures: Readonly<Record<string, readonly [keyof EidWords, ExitCode]>> = {
  userCancel: ['canceled', 7],
  userDeclinedCall: ['canceled', 7],
  cancelled: ['canceled', 7],
  wrongVerificationCode: ['canceled', 7],
  riskBlocked: ['canceled', 7],
  notAUser: ['noIdentity', 7],
  accountUnusable: ['noIdentity', 7],
  appNotSupported: ['noIdentity', 7],
  identityMismatch: ['wrongPerson', 4],
  expiredTransaction: ['expired', 6],
  startFailed: ['expired', 6],
  alreadyInProgress: ['failed', 6],
  providerUnavailable: ['unavailable', 8],
  unreachable: ['unavailable', 8],
  internalError: ['unavailable', 8],
  invalidResponse: ['unavailable', 8],
};

/** Reason why a login or signature failed. */
export function failureText(words: EidWords, hint: string): string {
  return words[failures[hint]?.[0] ?? 'failed'];
}

/** Exit code of a failed login or signature: 7 for an unknown reason. */
export function failureExit(hint: string): ExitCode {
  return failures[hint]?.[1] ?? 7;
}

/** Milliseconds as minutes and seconds: `2:59`. */
export function timeLeft(words: EidWords, ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return words.timeLeft.replace('{{time}}', time);
}
