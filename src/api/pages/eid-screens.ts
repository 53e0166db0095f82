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

/** Forms that ask for an e-ID, to sign (`start`) or to log in (`login`). */
export function eidForms(
  words: PageWords,
  form: FormMaker,
  act: 'start' | 'login',
  intro: string,
  methods: readonly string[] = ['sim', 'app'],
): Markup {
  const texts = [
    ['sim', 'Sim', words.eidSim],
    ['app', 'App', words.eidApp],
    ['device-link', 'device-link', words.eidCode],
    ['eid-se', 'eid-se', foreignNames['eid-se']],
    ['eid-dk', 'eid-dk', foreignNames['eid-dk']],
  ] as const;
  const choices = texts
    .filter(([method]) => methods.includes(method))
    .map(
      ([, value, text], at) =>
        html`<label class="choice"><input type="radio" name="channel" value="${value}"
${at === 0 && html` checked`}><span>${text}</span></label>`,
    );
  const isToSign = act === 'start';
  const asksNumber = methods.includes('sim') || methods.includes('app');
  return html`<p>${intro}</p>${form(
    act,
    html`${choices}${asksNumber && numberField(words)}${isToSign && agreement(words)}
<button>${isToSign ? words.eidStart : words.loginButton}</button>`,
  )}`;
}

function numberField(words: PageWords): Markup {
  return html`
<label for="hint">${words.phoneLabel} / ${words.numberLabel}</label>
<input type="tel" id="hint" name="hint" autocomplete="tel" maxlength="40">
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
