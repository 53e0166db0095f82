import { html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** Makes forms of the page: each has the token by which the page knows them again. */
export type FormMaker = (act: string, body: Part, more?: FormOptions) => Markup;

/** Options of a form. */
export interface FormOptions {
  /** The answer is a document: in a new window, or by the reader on the page. */
  readonly isReader?: boolean;
}

/** The person says that they have read the document. */
export function agreement(words: PageWords): Markup {
  return html`<label class="check"><input type="checkbox" name="agree" value="yes" required>
<span>${words.agree}</span></label>`;
}

/** Foreign e-IDs, by the names that people there know them by. */
export const foreignNames = { 'eid-se': 'BankID (Sverige)', 'eid-dk': 'MitID (Danmark)' } as const;

/** Numbers by which an e-ID finds its person: the phone with the SIM, or the national number. */
export type EidNumber = 'phone' | 'ssn';

/** How a form asks for an e-ID. */
export interface EidOptions {
  /** Ways that are offered. Default: SIM and app. */
  readonly methods?: readonly string[];
  /** Numbers of the person that are known: nobody has to write them again. */
  readonly known?: ReadonlySet<EidNumber>;
  /** The form as it was sent, where it is shown again. */
  readonly sent?: URLSearchParams | undefined;
}

/**
 * Forms that ask for an e-ID, to sign (`start`) or to log in (`login`). Each way has the field that
 * it needs behind it; the style sheet shows that of the way that is chosen.
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

// No `required`: the field of a way that is not chosen is not there to be filled in.
function numberField(words: PageWords, name: EidNumber, given: string): Markup {
  const isPhone = name === 'phone';
  const kind = isPhone
    ? html`type="tel" autocomplete="tel"`
    : html`type="text" inputmode="numeric" autocomplete="off"`;
  return html`<label for="${name}">${isPhone ? words.phoneLabel : words.numberLabel}</label>
<input ${kind} id="${name}" name="${name}" maxlength="40" value="${given}">
`;
}

/** What a person sees while they are asked. */
export interface WaitingFacts {
  readonly verificationCode?: string;
  /** Address of the picture of the QR code. */
  readonly qr?: string;
  readonly redirectUrl?: string;
  /** Opens the app here, where the code is for another device. */
  readonly sameDeviceLink?: string;
  /** Until the session ends. */
  readonly secondsLeft?: number;
}

/** A person is asked by their e-ID, elsewhere. */
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
  // Only a web page: a provider that answers something else is not followed.
  if (!/^https?:\/\//i.test(url)) return html``;
  // In a window of its own: this page goes on when the provider has answered.
  return html`<p><a class="button" href="${url}" target="_blank" rel="noopener noreferrer">
${text}</a></p>`;
}
