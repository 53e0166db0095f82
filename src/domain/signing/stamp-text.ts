import { shortened } from '../../base/text/index.ts';

interface StampFacts {
  /** `Electronic signature`, in the language of the signee. */
  readonly heading: string;
  readonly name: string;
  /** National number. Absent if it must not be shown. */
  readonly personalCode?: string;
  /** Including its label. */
  readonly reason?: string;
  /** Label of the time, including the colon. */
  readonly timeLabel: string;
  readonly method: string;
}

const NAME_MAX = 120;
const REASON_MAX = 240;

/** The template of a visible signature: literal texts, and a placeholder for the time. */
export function stampTemplate(facts: StampFacts): string {
  const { heading, name, personalCode, reason, timeLabel, method } = facts;
  return [
    literal(heading),
    `# ${literal(shortened(name, NAME_MAX))}`,
    ...(personalCode === undefined ? [] : [literal(personalCode)]),
    ...(reason === undefined ? [] : [literal(shortened(reason, REASON_MAX))]),
    `${escaped(timeLabel)}{time}`,
    literal(method),
  ].join('\n');
}

/**
 * Reduces a text to one line of visible characters for a signature. Bidirectional controls are
 * removed as well, so that a name cannot be displayed as another.
 */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Formats an Icelandic national number as usually written; other numbers are unchanged. */
export function writtenNumber(ssn: string): string {
  if (/^\d{12}$/.test(ssn)) return `${ssn.slice(0, 8)}-${ssn.slice(8)}`;
  return /^\d{10}$/.test(ssn) ? `${ssn.slice(0, 6)}-${ssn.slice(6)}` : ssn;
}

function literal(text: string): string {
  return escaped(plainText(text));
}

function escaped(text: string): string {
  return text.replace(/[{}]/g, '$&$&');
}
