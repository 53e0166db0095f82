import { eidForms, type FormMaker } from './eid-screens.ts';
import { html, type Markup } from './html.ts';
import { messageScreen } from './signing-screens.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** What a person is told before they log in for another site. */
export interface LoginFacts {
  readonly company: string;
  /** Name of the flow. */
  readonly purpose: string;
  readonly methods: readonly string[];
  /** The form as it was sent, where it is shown again. */
  readonly sent?: URLSearchParams | undefined;
  /** Where the person goes on; absent: nowhere. */
  readonly back?: { readonly site: string; readonly refusal: string };
}

/** Who asks for a login and why, the ways to log in, and the way back without. */
export function loginScreen(words: PageWords, form: FormMaker, facts: LoginFacts): Markup {
  const { company, purpose, methods, sent, back } = facts;
  const asked = filled(words.loginAsked, { company, purpose });
  const told = filled(words.loginTold, { company });
  const goOn = back !== undefined && ` ${filled(words.loginGoOn, { site: back.site })}`;
  return html`<section>${eidForms(words, form, 'login', asked, { methods, sent })}
<p class="soft">${told}${goOn}</p>
</section>${
    back !== undefined &&
    html`<p><a href="${back.refusal}" rel="noreferrer">${filled(words.loginBack, {
      site: back.site,
    })}</a></p>`
  }`;
}

/** For a link that leads to an address which the company has not registered: nothing is done. */
export function wrongLinkScreen(words: PageWords, company: string): Markup {
  return messageScreen(filled(words.loginLink, { company }));
}
