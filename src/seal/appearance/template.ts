import { InnsigliError } from '../../base/errors.ts';
import { fillTimePattern } from '../../base/time/time-pattern.ts';
import { type LocaleCode, localeOf } from '../../base/words/index.ts';

/** A line of a stamp. */
export interface StampLine {
  readonly text: string;
  /** Bold and larger. */
  readonly strong: boolean;
}

/** Values of the placeholders of a template. A line whose values are all undefined is omitted. */
export interface StampValues {
  readonly name?: string | undefined;
  readonly company?: string;
  readonly title?: string;
  readonly reason?: string | undefined;
  readonly location?: string | undefined;
  readonly contact?: string | undefined;
  /** A number or key of the document or process. */
  readonly reference?: string;
  /** SHA-256 of the document before sealing, hexadecimal. */
  readonly digest?: string;
  /** Serial number of the certificate, hexadecimal. */
  readonly serial?: string;
  /** Epoch milliseconds. */
  readonly time?: number;
  /** Offset of local time from UTC in minutes, positive east of Greenwich; default 0. */
  readonly utcOffsetMinutes?: number;
}

const textValues = [
  'name',
  'company',
  'title',
  'reason',
  'location',
  'contact',
  'reference',
  'digest',
  'serial',
] as const;

/** The placeholder names permitted in a template. */
export const placeholders: readonly string[] = [...textValues, 'time', 'date'];

/** The default template of an organisation's seal or a person's signature, in a language. */
export function defaultTemplate(language: LocaleCode, kind: 'seal' | 'signature' = 'seal'): string {
  const words = localeOf(language).seal;
  return [
    words[kind],
    '# {name}',
    '{company}',
    // If space is short, the last lines are cut, so the time must not be among them.
    `${words.time}${words.colon}{time}`,
    `${words.reason}${words.colon}{reason}`,
    `${words.location}${words.colon}{location}`,
  ].join('\n');
}

/**
 * Returns the lines of a stamp. Each line of the template is a line of the stamp. A leading `# `
 * makes it strong; `{name}` is replaced by a value, `{{` and `}}` by braces. A line whose
 * placeholders are all empty is omitted.
 *
 * @throws usage.invalid if a placeholder is unknown
 */
export function textFromTemplate(
  template: string,
  values: StampValues,
  language: LocaleCode,
): readonly StampLine[] {
  const lines: StampLine[] = [];
  for (const line of template.split(/\r\n|\r|\n/)) {
    const strong = line.startsWith('# ');
    let asked = 0;
    let given = 0;
    const text = (strong ? line.slice(2) : line).replace(
      /\{\{|\}\}|\{([^{}]*)\}/g,
      (found: string, name: string | undefined) => {
        if (name === undefined) return found.slice(1);
        const value = textOfPlaceholder(name.trim().toLowerCase(), values, language);
        asked++;
        if (value.trim() !== '') given++;
        return value;
      },
    );
    if (text.trim() !== '' && (asked === 0 || given > 0)) lines.push({ text: text.trim(), strong });
  }
  return lines;
}

function textOfPlaceholder(name: string, values: StampValues, language: LocaleCode): string {
  const known = textValues.find((each) => each === name);
  if (known !== undefined) return values[known] ?? '';
  if (name !== 'time' && name !== 'date') {
    throw new InnsigliError('usage.invalid', `the template has the unknown placeholder "${name}"`, {
      hint: `use ${placeholders.map((each) => `{${each}}`).join(' ')}`,
    });
  }
  if (values.time === undefined) return '';
  const text = formatTime(values.time, values.utcOffsetMinutes ?? 0, language);
  return name === 'time' ? text.full : text.date;
}

function formatTime(
  time: number,
  offsetMinutes: number,
  language: LocaleCode,
): { readonly full: string; readonly date: string } {
  const localMs = time + offsetMinutes * 60_000;
  if (Number.isNaN(new Date(localMs).getTime()))
    throw new InnsigliError('usage.invalid', 'the time is not a valid time');
  const pattern = localeOf(language).seal.timePattern;
  const fill = (text: string): string => fillTimePattern(text, localMs);
  const hoursAt = pattern.indexOf(' hh');
  const date = fill(pattern.slice(0, hoursAt)).replaceAll(' ', '\u00a0');
  return {
    full: `${date} ${fill(pattern.slice(hoursAt + 1))}\u00a0${formatOffset(offsetMinutes)}`,
    date,
  };
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
