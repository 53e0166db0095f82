import { shortened } from '../../base/text/index.ts';
import { usualTimeZone, zonedTime } from '../../base/time/time-zone.ts';
import {
  type EvidenceLabel,
  type EvidenceWords,
  type LocaleCode,
  localeOf,
} from '../../base/words/index.ts';
import type { EvidenceDocument, EvidenceRecord, EvidenceSignee } from './record.ts';
import { type Wording, wordingOf } from './terms.ts';

/** A piece of the page: a heading, a paragraph, or a label with its value. */
export interface EvidenceBlock {
  readonly kind:
    | 'title'
    | 'result'
    | 'doubted'
    | 'refused'
    | 'heading'
    | 'name'
    | 'warning'
    | 'text'
    | 'fact'
    | 'row';
  /** In front of the value, for facts and rows. */
  readonly label?: string;
  readonly text: string;
  /** True for a heading that begins a page. */
  readonly startsPage?: true;
  /** True for a heading above a list, which may be divided between pages. */
  readonly isList?: true;
}

/** Texts and time format of the pieces of a page. */
export interface Wordbook {
  readonly words: EvidenceWords;
  readonly wording: Wording;
  /** A time as the clocks of the process show it; undefined stays so. */
  time(iso: string | undefined): string | undefined;
}

/** Placeholder for a value that a copy hides completely. */
export const HIDDEN = '…';
/** Longest value that is shown; the JSON file has all of it. */
const VALUE_MAX = 300;

/** The words of `language`, with the clocks of the process. */
export function wordbookOf({ process }: EvidenceRecord, language: LocaleCode): Wordbook {
  const zone = process.timeZone ?? usualTimeZone;
  return {
    words: localeOf(language).evidence,
    wording: wordingOf(language),
    time: (iso) => (iso === undefined ? undefined : zonedTime(Date.parse(iso), zone)),
  };
}

/** A row for each value that is there and shown. */
export function rows(
  labels: EvidenceWords['labels'],
  values: { readonly [Label in EvidenceLabel]?: string | undefined },
  kind: 'row' | 'fact' = 'row',
): readonly EvidenceBlock[] {
  return Object.entries(values).flatMap(([label, value]): EvidenceBlock[] =>
    value === undefined || value === '' || value === HIDDEN
      ? []
      : [{ kind, label: labels[label as EvidenceLabel], text: clean(value) }],
  );
}

/**
 * Warnings for the reader: a person named by a link or form only, a different name, and a test
 * identity.
 */
export function warnings(
  { identity, isSimulated, channel, namedByLink, namedByForm }: EvidenceSignee,
  { words, wording }: Wordbook,
): readonly EvidenceBlock[] {
  const means = wording(channel === 'TestNumber' ? channel : 'simulator');
  const { otherName, otherThanLink, byLink, otherThanForm, byForm } = words;
  const isByForm = namedByForm === true;
  const ofLink = isByForm ? otherThanForm : otherThanLink;
  const other = namedByLink === true ? ofLink : otherName;
  const texts = [
    ...(isSimulated === true ? [`TEST · ${means}`] : []),
    ...(namedByLink === true ? [isByForm ? byForm : byLink] : []),
    ...(identity?.isOtherName === true ? [`${other}: ${clean(identity.name)}`] : []),
  ];
  return texts.map((text) => ({ kind: 'warning', text }));
}

/** The means of signing of a signee, as text. */
export function methodText(
  { method, channel }: EvidenceSignee,
  { wording }: Wordbook,
): string | undefined {
  const how = [method, channel].flatMap((name) => (name === undefined ? [] : wording(name)));
  return how.length === 0 ? undefined : how.join(', ');
}

/** The identity a signee logged in with, as text. */
export function identityText({ identity }: EvidenceSignee, { time }: Wordbook): string | undefined {
  if (identity === undefined) return undefined;
  const { name, personalCode, phoneNumber, at } = identity;
  return [name, personalCode, phoneNumber, time(at)].filter(Boolean).join(' · ');
}

/** The sender of the document: a name, an address, or both. */
export function senderText({ user, userName }: EvidenceRecord['process']): string {
  return [userName, user].filter((each) => each !== undefined && each !== HIDDEN).join(', ');
}

/** Digest and length of a document. */
export function digestText({ sha256, lengthBytes }: EvidenceDocument): string {
  return `SHA-256 ${sha256} · ${lengthBytes} B`;
}

/** One line of visible characters, not too long. */
export function clean(text: string): string {
  const visible = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
  return shortened(visible, VALUE_MAX);
}
