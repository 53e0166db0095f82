import { type LocaleCode, localeOf } from '../../base/words/index.ts';

/** Translates an identifier of the service to readable text: `SigneeSigned`, `Signup:delivered`. */
export type Wording = (name: string) => string;

/** The wording of a language. Unknown identifiers are split into words. */
export function wordingOf(language: LocaleCode): Wording {
  const terms = localeOf(language).terms;
  const term = (name: string): string | undefined =>
    Object.hasOwn(terms, name) ? terms[name] : undefined;
  return (name) => {
    const known = term(name);
    if (known !== undefined) return known;
    const [head = '', tail] = name.split(':', 2);
    if (tail !== undefined && /^\w+$/.test(tail)) {
      return `${term(head) ?? head}: ${term(tail.toLowerCase()) ?? tail.toLowerCase()}`;
    }
    return /^(?:[A-Z][a-z]+)+$/.test(name) ? inWords(name) : name;
  };
}

/** Translates a description of the log: its start, and the labels of its numbers. */
export function wordDescription(description: string, wording: Wording): string {
  const whole = wording(description);
  if (whole !== description) return whole;
  return description
    .replace(/^(by e-mail|by text message)(?=:)/, (name) => wording(name))
    .replace(/(?<=^webhook \d+: )[A-Z]\w+(?=,)/, (name) => wording(name))
    .replace(/^webhook(?= \d)/, (name) => wording(name).toLowerCase())
    .replace(/\b(?:status|attempt)(?= \d)/g, (name) => wording(name));
}

/** Converts `SigneeSigned` to `Signee signed`. */
function inWords(name: string): string {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
