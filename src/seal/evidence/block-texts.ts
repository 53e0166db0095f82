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

/** A block of the page: a heading, a paragraph, or a label with its value. */
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
  /** Label before the value, for facts and rows. */
  readonly label?: string;
  readonly text: string;
  /** True for a heading that starts a new page. */
  readonly startsPage?: true;
  /** True for a heading above a list, which may be split across pages. */
  readonly isList?: true;
}

/** Texts and time format of the blocks of a page. */
export interface Wordbook {
  readonly words: EvidenceWords;
  readonly wording: Wording;
  /** Formats a time in the time zone of the process. Undefined for undefined. */
  time(iso: string | undefined): string | undefined;
}

/** Placeholder for a value that a copy omits completely. */
export const HIDDEN = '…';
/** Maximum length of a displayed value. The JSON file contains the full value. */
const VALUE_MAX = 300;

/** The texts of `language`, with the time zone of the process. */
export function wordbookOf({ process }: EvidenceRecord, language: LocaleCode): Wordbook {
  const zone = process.timeZone ?? usualTimeZone;
  return {
    words: localeOf(language).evidence,
    wording: wordingOf(language),
    time: (iso) => (iso === undefined ? undefined : zonedTime(Date.parse(iso), zone)),
  };
}

/** A row for each value that is present and displayed. */
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

/** Warnings: a person named only by a link or form, a different name, a test identity. */
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

/** A signee's means of signing, as text. */
export function methodText(
  { method, channel }: EvidenceSignee,
  { wording }: Wordbook,
): string | undefined {
  const how = [method, channel].flatMap((name) => (name === undefined ? [] : wording(name)));
  return how.length === 0 ? undefined : how.join(', ');
}

/** The identity with which a signee logged in, as text. */
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

/** The text as one line of visible characters, with its length limited. */
export function clean(text: string): string {
  const visible = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
  return shortened(visible, VALUE_MAX);
}
