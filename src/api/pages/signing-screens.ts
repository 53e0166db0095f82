import { limits } from '../../base/limits.ts';
import type { SignatureType } from '../../domain/process/index.ts';
import { drawingArea } from '../../domain/signing/index.ts';
import {
  agreement,
  type EidOptions,
  eidForms,
  type FormMaker,
  foreignNames,
} from './eid-screens.ts';
import { html, type Markup } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** One document as the signee sees it. */
export interface DocumentFacts {
  readonly fileName: string;
  /** The document can be read as text. */
  readonly hasText: boolean;
  /** Position among the documents of the link, from 1. */
  readonly at: number;
  readonly count: number;
  /** Number of signees who have signed; `total` is the number of all signees. */
  readonly signedCount: number;
  readonly total: number;
  readonly attachments: readonly { readonly key: string; readonly fileName: string }[];
}

/** What a signee may do on the page. */
export interface SignFacts {
  readonly type: SignatureType;
  /** Last digits of the phone number that a code is sent to. */
  readonly phone: string;
  /** A code was sent, and the page asks for it. */
  readonly isCodeSent: boolean;
  readonly mayDecline: boolean;
  /** Options of a signature by e-ID. */
  readonly eid?: EidOptions;
}

/** The request: who made it, and its deadline. */
export function requestScreen(
  words: PageWords,
  facts: {
    company: string;
    contact: string;
    count: number;
    until?: string;
    /** Name of the customer who uploaded the document. */
    broughtBy?: string;
  },
): Markup {
  const { company, contact, count, until, broughtBy: name } = facts;
  const usual = count === 1 ? words.asked : words.askedMany;
  const asked = name === undefined ? usual : words.brought;
  return html`<p>${filled(asked, { company, count, name: name ?? '' })}</p>
${until !== undefined && html`<p>${filled(words.until, { day: until })}</p>`}
<p class="soft">${filled(words.contact, { contact })}</p>`;
}

/** The document, to read and to download. */
export function documentScreen(words: PageWords, form: FormMaker, facts: DocumentFacts): Markup {
  const { fileName, hasText, at, count, signedCount, total, attachments } = facts;
  const files = attachments.map(
    ({ key, fileName: name }) =>
      html`<li>${form(
        'attachment',
        html`<input type="hidden" name="key" value="${key}">
<button class="link">${name}</button>`,
      )}</li>`,
  );
  const progress = filled(words.progress, { at, count });
  const signed = filled(words.signedCount, { count: signedCount, total });
  return html`<section aria-labelledby="document"${readerWords(words)}>
<h2 id="document" class="file">${fileName}</h2>
${count > 1 && html`<p class="soft">${progress}</p>`}
${total > 1 && html`<p class="soft">${signed}</p>`}
<div class="row">${form('read', html`<button>${words.read}</button>`, { isReader: true })}
${form('download', html`<button class="plain">${words.download}</button>`)}
${hasText && form('text', html`<button class="link">${words.textOpen}</button>`)}</div>
<p class="soft" data-read-note>${words.readNote}</p>
${files.length > 0 && html`<h2>${words.attachments}</h2><ul class="plain">${files}</ul>`}
</section>`;
}

/** Texts for the reader, which has none itself. */
function readerWords(words: PageWords): Markup {
  const { readerLabel, readerPage, readerLarger, readerSmaller, readerOpening } = words;
  return html` data-reader-label="${readerLabel}" data-reader-page="${readerPage}"
data-reader-larger="${readerLarger}" data-reader-smaller="${readerSmaller}"
data-reader-opening="${readerOpening}" data-reader-failed="${words.readerFailed}"
data-reader-changed="${words.errorChanged}"`;
}

/** The signing methods. */
export function signScreen(words: PageWords, form: FormMaker, facts: SignFacts): Markup {
  const { type, mayDecline } = facts;
  const way =
    type === 'ClickToSign'
      ? clickForm(words, form)
      : type === 'Simple'
        ? codeForms(words, form, facts)
        : [eidForms(words, form, 'start', words.eidIntro, facts.eid), foreignForm(words, form)];
  return html`<section aria-labelledby="sign"><h2 id="sign">${words.signHeading}</h2>
${way}</section>
${mayDecline && declineForm(words, form)}`;
}

function clickForm(words: PageWords, form: FormMaker): Markup {
  return form(
    'sign',
    html`${lookChoice(words)}${agreement(words)}<button>${words.signButton}</button>`,
  );
}

function codeForms(words: PageWords, form: FormMaker, { phone, isCodeSent }: SignFacts): Markup {
  const intro = html`<p>${filled(words.codeIntro, { phone })}</p>`;
  if (!isCodeSent) return html`${intro}${form('code', html`<button>${words.codeSend}</button>`)}`;
  return html`<p role="status">${words.codeSent}</p>
${form(
  'confirm',
  html`<label for="code">${words.codeLabel}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required
maxlength="20" autofocus>${lookChoice(words)}
${agreement(words)}<button>${words.codeConfirm}</button>`,
)}
${form('code', html`<button class="plain">${words.codeAgain}</button>`)}`;
}

function foreignForm(words: PageWords, form: FormMaker): Markup {
  const choices = Object.entries(foreignNames).map(
    ([scheme, name], at) =>
      html`<label class="choice"><input type="radio" name="scheme" value="${scheme}"
${at === 0 && html` checked`}><span>${name}</span></label>`,
  );
  return html`<details><summary>${words.otherEid}</summary>${form(
    'foreign',
    html`${choices}${agreement(words)}<button class="plain">${words.eidStart}</button>`,
  )}</details>`;
}

function declineForm(words: PageWords, form: FormMaker): Markup {
  return html`<details><summary>${words.declineHeading}</summary>${form(
    'decline',
    html`<label for="reason">${words.declineReason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" required></textarea>
<button class="plain">${words.declineButton}</button>`,
  )}</details>`;
}

/** Asks for the passcode set by the sender. */
export function passcodeScreen(words: PageWords, form: FormMaker): Markup {
  return html`<section><p>${words.passcodeIntro}</p>${form(
    'passcode',
    html`<label for="passcode">${words.passcodeLabel}</label>
<input type="password" id="passcode" name="passcode" autocomplete="off" maxlength="200" required>
<button>${words.continueButton}</button>`,
  )}</section>`;
}

/** Screen without an action: already signed, finished, or not yet open. */
export function messageScreen(text: string, isGood = false): Markup {
  return isGood ? html`<p class="note good">${text}</p>` : html`<section><p>${text}</p></section>`;
}

/** Note that everything here is a test. */
export function testNote(text: string): Markup {
  return html`<p class="note test">${text}</p>`;
}

/**
 * Choice of the signature's appearance: the typed name, or a drawing by hand. The pad's script
 * shows the choice; without scripts the name is typed.
 */
function lookChoice(words: PageWords): Markup {
  const { width, height } = drawingArea;
  const { drawingStrokes, drawingPoints } = limits;
  const choice = (value: string, text: string, checked: boolean) =>
    html`<label class="choice"><input type="radio" name="look" value="${value}"
${checked && html` checked`}><span>${text}</span></label>`;
  const bounds = [width, height, drawingStrokes, drawingPoints].join(' ');
  return html`<fieldset class="look" data-look="${bounds}" hidden>
<legend>${words.lookHeading}</legend>
${choice('typed', words.lookTyped, true)}${choice('drawn', words.lookDrawn, false)}
<div data-pad hidden><canvas class="pad" role="img" aria-label="${words.drawArea}"></canvas>
<p class="bad" data-empty hidden>${words.errorDrawing}</p>
<div class="row"><button type="button" class="plain" data-undo>${words.drawUndo}</button>
<button type="button" class="plain" data-clear>${words.drawClear}</button></div></div>
<input type="hidden" name="drawing" value=""></fieldset>`;
}
