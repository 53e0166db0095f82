import { eidForms, type FormMaker } from './eid-screens.ts';
import { html, type Markup } from './html.ts';
import { messageScreen } from './signing-screens.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** Information shown to a person before they log in for another site. */
export interface LoginFacts {
  readonly company: string;
  /** Name of the flow. */
  readonly purpose: string;
  readonly methods: readonly string[];
  /** The form as it was submitted, if it is shown again. */
  readonly sent?: URLSearchParams | undefined;
  /** Where the person returns to. Undefined: nowhere. */
  readonly back?: { readonly site: string; readonly refusal: string };
}

/** Screen with who requests a login and why, the login methods, and how to return without it. */
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

/** For a link to an address that the company has not registered: nothing happens. */
export function wrongLinkScreen(words: PageWords, company: string): Markup {
  return messageScreen(filled(words.loginLink, { company }));
}
