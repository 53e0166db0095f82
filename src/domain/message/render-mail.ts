import { isMailAddress, singleLine } from '../../base/mailbox.ts';
import type { LanguageTexts, MailWords } from '../../base/words/index.ts';
import { handleValues, isForSignee, type MessageFacts, namedDocuments } from './facts.ts';
import { fillHandles, type HandleValues, handleNames } from './handle-places.ts';
import { fillOwnHtml, htmlToText } from './html-text.ts';
import { localeOfLanguage } from './language.ts';
import type { OwnText } from './message.ts';
import { type Block, blocksToHtml, blocksToText, htmlPage, logoCid } from './page.ts';

interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Recipient named by the company's own text, if it is an address. */
  readonly to?: string;
  readonly bcc?: string;
  readonly showsLogo: boolean;
}

const subjectCharactersMax = 200;

/**
 * Renders the mail for `facts` with the company's text if it has one, else with the built-in text.
 * Values are escaped in HTML and cannot add a header, a recipient or a link that executes code. A
 * request to sign always contains its link, even if the company's text omits it.
 */
export function renderMail(facts: MessageFacts, own?: OwnText): RenderedMail {
  const values = handleValues(facts);
  return own === undefined ? renderBuiltIn(facts, values) : renderOwn(facts, values, own);
}

function renderBuiltIn(facts: MessageFacts, values: HandleValues): RenderedMail {
  const { language } = facts;
  const words = localeOfLanguage(language).messages;
  const subject = renderSubject(wordsOf(words, facts).subject, values);
  const say = (template: string) => singleLine(fillHandles(template, values, String));
  const blocks: readonly Block[] = [
    ...logoBlocks(facts),
    ...body(facts, words, say),
    { kind: 'small', text: say(words.sender) },
    { kind: 'small', text: say(words.reference) },
    ...unsubscribeBlocks(facts, words),
  ];
  return {
    subject,
    text: blocksToText(blocks),
    html: htmlPage(subject, language, blocksToHtml(blocks)),
    showsLogo: facts.logo !== undefined,
  };
}

function renderOwn(facts: MessageFacts, values: HandleValues, own: OwnText): RenderedMail {
  const { language, template } = facts;
  const words = localeOfLanguage(language).messages;
  const ownSubject = renderSubject(own.subject, values);
  const builtIn = renderSubject(wordsOf(words, facts).subject, values);
  const subject = ownSubject === '' ? builtIn : ownSubject;
  const used = handleNames(own.message);
  const added: Block[] = [];
  const asksToSign = template === 'Signup' || template === 'Reminder';
  if (asksToSign && !used.includes('link')) added.push(...linkBlocks(facts, words));
  if (!used.includes('unsubscribeLink')) added.push(...unsubscribeBlocks(facts, words));
  const message = fillOwnHtml(own.message, values);
  const addition = blocksToHtml(added);
  const html = /<html[\s>]/i.test(message)
    ? insertBeforeEnd(message, addition)
    : htmlPage(subject, language, `${message}\n${addition}`);
  const text = [htmlToText(message), ...(added.length === 0 ? [] : [blocksToText(added)])];
  const to = fillHandles(own.to, values, String).trim();
  const bcc = fillHandles(own.bcc, values, String).trim();
  return {
    subject,
    text: `${text.join('\n\n').trim()}\n`,
    html,
    showsLogo: facts.logo !== undefined && html.includes(`cid:${logoCid}`),
    ...(isMailAddress(to) ? { to } : {}),
    ...(isMailAddress(bcc) ? { bcc } : {}),
  };
}

function insertBeforeEnd(page: string, addition: string): string {
  const end = page.toLowerCase().lastIndexOf('</body');
  return end === -1 ? `${page}${addition}` : `${page.slice(0, end)}${addition}${page.slice(end)}`;
}

function renderSubject(template: string, values: HandleValues): string {
  const line = singleLine(fillHandles(template, values, singleLine));
  return [...line].slice(0, subjectCharactersMax).join('');
}

function logoBlocks({ logo, companyName }: MessageFacts): readonly Block[] {
  return logo === undefined ? [] : [{ kind: 'logo', text: companyName, ...logo }];
}

function body(
  facts: MessageFacts,
  words: LanguageTexts,
  say: (template: string) => string,
): readonly Block[] {
  const { line } = wordsOf(words, facts);
  const isNamed = isForSignee(facts.template) && (facts.customer?.name ?? '').trim() !== '';
  const greeting: Block = {
    kind: 'paragraph',
    text: say(isNamed ? words.greeting : words.plainGreeting),
  };
  if (facts.template === 'OneTimeCode') {
    return [
      greeting,
      { kind: 'code', text: say(line), code: facts.values['code'] ?? '' },
      { kind: 'paragraph', text: say(words.codeCare) },
    ];
  }
  const documents = namedDocuments(facts).map(singleLine);
  const blocks: Block[] = [greeting, { kind: 'paragraph', text: say(line) }];
  if (documents.length > 0) blocks.push({ kind: 'list', items: documents });
  if (facts.hasAttachments) blocks.push({ kind: 'paragraph', text: say(words.attached) });
  blocks.push(...linkBlocks(facts, words));
  if (facts.hasAttachments && facts.checkUrl !== undefined) {
    blocks.push({ kind: 'small', text: words.checkLabel, url: facts.checkUrl });
  }
  if (facts.template === 'Signup' || facts.template === 'Reminder') {
    blocks.push({ kind: 'paragraph', text: say(words.until) });
    blocks.push({ kind: 'paragraph', text: say(words.personal) });
  }
  return blocks;
}

function linkBlocks(facts: MessageFacts, words: LanguageTexts): readonly Block[] {
  const { link, template } = facts;
  if (link === undefined) return [];
  const label = template === 'Confirmation' ? words.openLabel : words.signLabel;
  return [{ kind: 'link', label, url: link }];
}

function unsubscribeBlocks(facts: MessageFacts, words: LanguageTexts): readonly Block[] {
  const { unsubscribeUrl } = facts;
  if (unsubscribeUrl === undefined) return [];
  return [{ kind: 'small', text: words.unsubscribe, url: unsubscribeUrl }];
}

const wordsFor = {
  Signup: 'signup',
  Reminder: 'reminder',
  OneTimeCode: 'code',
  Notification: 'notification',
  Confirmation: 'confirmation',
  SalesPerson: 'salesPerson',
  Canceled: 'canceled',
} as const satisfies Record<MessageFacts['template'], keyof LanguageTexts>;

function wordsOf(words: LanguageTexts, { template, broughtBy }: MessageFacts): MailWords {
  // The company requests nothing if a customer uploaded the document.
  if (broughtBy !== undefined) {
    if (template === 'Signup' || template === 'Reminder') return words.brought;
    if (template === 'Canceled') return { ...words.canceled, line: words.broughtEnded };
  }
  return words[wordsFor[template]];
}

/** Maximum length of a text message without its link, in characters. */
const smsCharactersMax = 200;

const nameCharactersMax = 60;

/** Renders an SMS: the owner's or built-in text, cut to 200 characters, then the signing link. */
export function renderSms(facts: MessageFacts): string {
  const words = localeOfLanguage(facts.language).messages;
  const companyName = cut(singleLine(facts.companyName), nameCharactersMax);
  const values = handleValues({ ...facts, companyName });
  const say = (template: string) =>
    cut(singleLine(fillHandles(template, values, singleLine)), smsCharactersMax);
  if (facts.template === 'OneTimeCode') return say(words.codeSms);
  const isBrought = facts.broughtBy !== undefined;
  if (facts.template === 'Canceled') return say(isBrought ? words.broughtEnded : words.canceledSms);
  const builtIn = isBrought
    ? words.brought.line
    : facts.template === 'Reminder'
      ? words.reminderSms
      : words.signupSms;
  const custom = cut(singleLine(facts.customSmsText ?? ''), smsCharactersMax);
  const text = custom === '' ? say(builtIn) : custom;
  return facts.link === undefined ? text : `${text} ${facts.link}`;
}

/** Truncates a text without splitting a character. */
function cut(text: string, countMax: number): string {
  if (text.length <= countMax) return text;
  return [...text.slice(0, 2 * countMax)].slice(0, countMax).join('').trimEnd();
}
