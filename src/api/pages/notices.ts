import type { Language } from '../../domain/message/index.ts';
import { html } from './html.ts';
import { layout, pageForAll } from './layout.ts';
import { pageWords } from './words.ts';

/** Asks whether reminders shall end: a look at the link alone, such as a scanner's, ends none. */
export function stopPage(language: Language): string {
  const words = pageWords(language);
  return layout({ language }, words.title, [
    html`<section><p>${words.stopQuestion}</p><form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${words.stop}</button></form>
</section>`,
  ]);
}

/** Says that there are no more reminders. */
export function stoppedPage(language: Language): string {
  const words = pageWords(language);
  return layout({ language }, words.title, [html`<section><p>${words.stopped}</p></section>`]);
}

/** For a link that leads nowhere; nobody knows the language of its reader. */
export function unknownPage(): string {
  return pageForAll(pageWords('En').title, ({ unknown }) => unknown);
}

/** For those who come back from the page of their e-ID; nobody knows their language yet. */
export function returnPage(isTaken: boolean): string {
  const title = pageWords('En').returnTitle;
  return pageForAll(title, ({ returned, notReturned }) => (isTaken ? returned : notReturned));
}
