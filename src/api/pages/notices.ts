import type { Language } from '../../domain/message/index.ts';
import { html } from './html.ts';
import { layout, pageForAll } from './layout.ts';
import { pageWords } from './words.ts';

/** Asks whether to stop reminders. Merely opening the link, as scanners do, does not stop them. */
export function stopPage(language: Language): string {
  const words = pageWords(language);
  return layout({ language }, words.title, [
    html`<section><p>${words.stopQuestion}</p><form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${words.stop}</button></form>
</section>`,
  ]);
}

/** Confirms that no more reminders are sent. */
export function stoppedPage(language: Language): string {
  const words = pageWords(language);
  return layout({ language }, words.title, [html`<section><p>${words.stopped}</p></section>`]);
}

/** For a link that does not exist. The reader's language is unknown. */
export function unknownPage(): string {
  return pageForAll(pageWords('En').title, ({ unknown }) => unknown);
}

/** For people who return from their e-ID's page. Their language is not known yet. */
export function returnPage(isTaken: boolean): string {
  const title = pageWords('En').returnTitle;
  return pageForAll(title, ({ returned, notReturned }) => (isTaken ? returned : notReturned));
}
