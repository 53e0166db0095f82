import { html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** Creates forms of the page, each with the token that proves they came from this page. */
export type FormMaker = (act: string, body: Part, more?: FormOptions) => Markup;

/** Options of a form. */
export interface FormOptions {
  /** The response is a document: opened in a new window, or by the reader on the page. */
  readonly isReader?: boolean;
}

/** Checkbox by which a person declares that they have read the document. */
export function agreement(words: PageWords): Markup {
  return html`<label class="check"><input type="checkbox" name="agree" value="yes" required>
<span>${words.agree}</span></label>`;
}

/** Foreign e-IDs, by the names used in their countries. */
export const foreignNames = { 'eid-se': 'BankID (Sverige)', 'eid-dk': 'MitID (Danmark)' } as const;

/** Numbers by which an e-ID identifies its holder: the SIM's phone, or the national number. */
export type EidNumber = 'phone' | 'ssn';

/** Options of a form that asks for an e-ID. */
export interface EidOptions {
  /** Methods offered. Default: SIM and app. */
  readonly methods?: readonly string[];
  /** The person's numbers that are known already and need not be entered. */
  readonly known?: ReadonlySet<EidNumber>;
  /** The form as it was submitted, if it is shown again. */
  readonly sent?: URLSearchParams | undefined;
}

/**
 * Forms that ask for an e-ID, to sign (`start`) or to log in (`login`). Each method is followed by
 * the field it needs; the style sheet shows only the field of the chosen method.
 */
export function eidForms(
  words: PageWords,
  form: FormMaker,
  act: 'start' | 'login',
  intro: string,
  { methods = ['sim', 'app'], known = new Set(), sent }: EidOptions = {},
): Markup {
  const ways = [
    { method: 'sim', value: 'Sim', text: words.eidSim, needs: 'phone' },
    { method: 'app', value: 'App', text: words.eidApp, needs: 'ssn' },
    { method: 'device-link', value: 'device-link', text: words.eidCode, needs: undefined },
    { method: 'eid-se', value: 'eid-se', text: foreignNames['eid-se'], needs: undefined },
    { method: 'eid-dk', value: 'eid-dk', text: foreignNames['eid-dk'], needs: undefined },
  ] as const;
  const offered = ways.filter(({ method }) => methods.includes(method));
  const chosen =
    offered.find(({ value }) => value === sent?.get('channel')) ??
    offered.find(({ needs }) => needs !== undefined && known.has(needs)) ??
    offered[0];
  const choices = offered.map((way) => {
    const { value, text, needs } = way;
    const isKnown = needs !== undefined && known.has(needs);
    const own = isKnown ? html`<p class="soft">${words.eidKnown}</p>` : undefined;
    const field = needs && (own ?? numberField(words, needs, sent?.get(needs) ?? ''));
    return html`<div class="way"><label class="choice">
<input type="radio" name="channel" value="${value}"${way === chosen && html` checked`}>
<span>${text}</span></label>${field && html`<div class="own">${field}</div>`}</div>`;
  });
  const isToSign = act === 'start';
  return html`<p>${intro}</p>${form(
    act,
    html`${choices}${isToSign && agreement(words)}
<button>${isToSign ? words.eidStart : words.loginButton}</button>`,
  )}`;
}

// Not `required`: the field of a method that was not chosen is hidden and cannot be filled in.
function numberField(words: PageWords, name: EidNumber, given: string): Markup {
  const isPhone = name === 'phone';
  const kind = isPhone
    ? html`type="tel" autocomplete="tel"`
    : html`type="text" inputmode="numeric" autocomplete="off"`;
  return html`<label for="${name}">${isPhone ? words.phoneLabel : words.numberLabel}</label>
<input ${kind} id="${name}" name="${name}" maxlength="40" value="${given}">
`;
}

/** What a person sees while the e-ID provider is waiting for them. */
export interface WaitingFacts {
  readonly verificationCode?: string;
  /** Address of the QR code image. */
  readonly qr?: string;
  readonly redirectUrl?: string;
  /** Opens the app on this device, where the QR code is for a different one. */
  readonly sameDeviceLink?: string;
  /** Seconds until the session ends. */
  readonly secondsLeft?: number;
}

/** Screen shown while a person confirms with their e-ID on another device or in an app. */
export function waitingScreen(words: PageWords, form: FormMaker, facts: WaitingFacts): Markup {
  const { verificationCode, qr, redirectUrl, sameDeviceLink, secondsLeft } = facts;
  const code = verificationCode !== undefined && verificationCode !== '';
  return html`<section>
${code && html`<p>${words.verification}</p><p class="code">${verificationCode}</p>`}
${qr !== undefined && html`<p>${words.scanCode}</p><p><img class="qr" alt="" src="${qr}"></p>`}
${redirectUrl !== undefined && providerLink(words.openProvider, redirectUrl)}
${sameDeviceLink !== undefined && providerLink(words.sameDevice, sameDeviceLink)}
<p role="status">${words.waitingEid}</p>
${secondsLeft !== undefined && secondsPart(words, secondsLeft)}
${form('cancel', html`<button class="plain">${words.cancel}</button>`)}
</section>`;
}

function secondsPart({ secondsLeft: text }: PageWords, seconds: number): Markup {
  return html`<p class="soft" data-text="${text}" data-left="${seconds}">${filled(text, {
    seconds,
  })}</p>`;
}

function providerLink(text: string, url: string): Markup {
  // Only web addresses are linked; anything else from the provider is ignored.
  if (!/^https?:\/\//i.test(url)) return html``;
  // In a new window: this page continues when the provider has responded.
  return html`<p><a class="button" href="${url}" target="_blank" rel="noopener noreferrer">
${text}</a></p>`;
}
