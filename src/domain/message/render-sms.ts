import { singleLine } from '../../base/mailbox.ts';
import { handleValues, type MessageFacts } from './facts.ts';
import { fillHandles } from './handles.ts';
import { localeOfLanguage } from './language.ts';

/** Characters of a text message without its link. */
export const smsCharactersMax = 200;

const nameCharactersMax = 60;

/**
 * The text message for `facts`: the words of the owner or the built-in ones, at most 200
 * characters, and then the signing link. Words of the owner that are longer are cut.
 */
export function renderSms(facts: MessageFacts): string {
  const words = localeOfLanguage(facts.language).messages;
  const companyName = cut(singleLine(facts.companyName), nameCharactersMax);
  const values = handleValues({ ...facts, companyName });
  const say = (template: string) =>
    cut(singleLine(fillHandles(template, values, singleLine)), smsCharactersMax);
  if (facts.template === 'OneTimeCode') return say(words.codeSms);
  if (facts.template === 'Canceled') return say(words.canceledSms);
  const builtIn = facts.template === 'Reminder' ? words.reminderSms : words.signupSms;
  const custom = cut(singleLine(facts.customSmsText ?? ''), smsCharactersMax);
  const text = custom === '' ? say(builtIn) : custom;
  return facts.link === undefined ? text : `${text} ${facts.link}`;
}

/** The first characters of `text`, none of them cut in half. */
function cut(text: string, countMax: number): string {
  if (text.length <= countMax) return text;
  return [...text.slice(0, 2 * countMax)].slice(0, countMax).join('').trimEnd();
}
