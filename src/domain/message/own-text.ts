import { InnsigliError } from '../../base/errors.ts';
import { isMailAddress } from '../../base/mailbox.ts';
import type { MessageTemplate } from '../process/index.ts';
import { knownHandles } from './facts.ts';
import { handleNames, hasOpenHandle } from './handle-places.ts';
import { misplacedHandles } from './html-text.ts';
import type { Language } from './language.ts';
import type { EmailTemplate, OwnText } from './message.ts';

const messageCharactersMax = 200_000;
const subjectCharactersMax = 500;

/**
 * Selects the company's text for a kind of message: the one in the language of the recipient, else
 * one without a language. Mails to the company itself may also use one in another language, because
 * the company chose both recipient and text. Undefined: the built-in text.
 */
export function chooseOwnText(
  templates: readonly EmailTemplate[],
  template: MessageTemplate,
  language: Language,
): EmailTemplate | undefined {
  const fitting = templates.filter(({ templateType }) => templateType === template);
  const is = (wanted: string) => (each: EmailTemplate) =>
    each.language.toLowerCase() === wanted.toLowerCase();
  const isToCompany = template === 'Notification' || template === 'SalesPerson';
  return (
    fitting.findLast(is(language)) ??
    fitting.findLast(is('NotSet')) ??
    fitting.findLast(is('')) ??
    (isToCompany ? fitting.at(-1) : undefined)
  );
}

/**
 * Validates a text of a company. Placeholders must be closed and in positions where values can do
 * no harm, the subject must be one line, and `to` and `bcc` each one address or one placeholder. In
 * subject and message unknown placeholders are accepted and render as nothing, except names that
 * program objects have.
 *
 * @throws template.invalid
 */
export function requireUsableText({ to, bcc, subject, message }: OwnText): void {
  for (const [name, value] of Object.entries({ to, bcc, subject, message })) {
    if (hasOpenHandle(value)) {
      throw invalid(name, 'expected every {{ closed by }}, found an unpaired one');
    }
    const mistaken = handleNames(value).find((each) => !isFillable(each, name));
    if (mistaken !== undefined) {
      const known = `${knownHandles().join(', ')} or ${META}NAME`;
      throw invalid(name, `expected one of the placeholders ${known}, found ${mistaken}`);
    }
  }
  if (!isRecipient(to)) throw invalid('to', 'expected one address or one {{placeholder}}');
  if (bcc !== '' && !isRecipient(bcc)) {
    throw invalid('bcc', 'expected nothing, one address or one {{placeholder}}');
  }
  if (subject.trim() === '' || /[\r\n]/.test(subject) || subject.length > subjectCharactersMax) {
    throw invalid('subject', `expected one line of 1 to ${subjectCharactersMax} characters`);
  }
  if (message.trim() === '' || message.length > messageCharactersMax) {
    throw invalid('message', `expected 1 to ${messageCharactersMax} characters`);
  }
  const [misplaced] = misplacedHandles(message);
  if (misplaced !== undefined) {
    const places = 'expected placeholders in texts and in attributes with quotes';
    throw invalid('message', `${places}, found ${misplaced.slice(0, 60)} elsewhere`);
  }
}

/** Distinct names of the placeholders in a text that render as nothing in every message. */
export function unknownHandles({ to, bcc, subject, message }: OwnText): readonly string[] {
  return handleNames([to, bcc, subject, message].join('\n')).filter((name) => !isKnown(name));
}

const META = 'customer.Meta.';
const isKnown = (name: string) => knownHandles().includes(name) || name.startsWith(META);

/** False for a placeholder that is always empty where it cannot be intended. */
function isFillable(name: string, field: string): boolean {
  if (name.split('.').includes('__proto__')) return false;
  return isKnown(name) || !(field === 'to' || field === 'bcc' || name in {});
}

function isRecipient(text: string): boolean {
  return isMailAddress(text) || /^\{\{[^{}]{1,200}\}\}$/.test(text.trim());
}

function invalid(name: string, sentence: string): InnsigliError {
  return new InnsigliError('template.invalid', `${name}: ${sentence}`, {
    details: { field: name },
    hint: 'placeholders are written like {{customer.name}}',
  });
}
