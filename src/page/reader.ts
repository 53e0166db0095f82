import { ChangedError, type RangedDocument } from './document-ranges.ts';
import { PageSheets } from './page-sheets.ts';
import { openDocument, type PdfDocument } from './pdf-library.ts';

/**
 * Document reader of the signing page: shows the document within the page instead of in a new
 * window. Its bytes are the response to the form that records the view, or ranges of the recorded
 * document, so that what is shown is what was recorded. Without this script, the form opens the
 * document in the browser's viewer.
 */
function begin(section: HTMLElement, form: HTMLFormElement): void {
  form.removeAttribute('target');
  document.querySelector('[data-read-note]')?.remove();
  const button = form.querySelector('button');
  let close = async () => {};
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button !== null) button.disabled = true;
    const view = openView(section);
    const lose = (error: unknown) => {
      view.fail(error);
      form.hidden = false;
      if (button !== null) button.disabled = false;
    };
    try {
      await close();
      const opened = await openDocument(await fetchDocument(form), lose);
      close = opened.close;
      await view.show(opened.document);
      form.hidden = true;
    } catch (error) {
      lose(error);
    }
  });
}

/** The bytes of a short document; the location of a long one, to be read in ranges. */
async function fetchDocument(form: HTMLFormElement): Promise<Uint8Array | RangedDocument> {
  const body = new URLSearchParams({ ranges: 'yes' });
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const answer = await fetch(location.href, { method: 'POST', body, redirect: 'error' });
  const { headers } = answer;
  const [address, etag] = [headers.get('content-location'), headers.get('etag')];
  if (answer.status === 204 && address !== null && etag !== null) return { address, etag };
  const isPdf = headers.get('content-type')?.startsWith('application/pdf') === true;
  if (!answer.ok || !isPdf) throw new Error('no document');
  return new Uint8Array(await answer.arrayBuffer());
}

/** Creates the view of the document below the form; its texts are supplied by the page. */
function openView(section: HTMLElement) {
  section.querySelector('.reader')?.remove();
  const words = section.dataset;
  const view = element('div', 'reader');
  view.setAttribute('role', 'region');
  view.setAttribute('aria-label', words['readerLabel'] ?? '');
  const state = element('p', 'soft', words['readerOpening']);
  state.setAttribute('role', 'status');
  view.append(state);
  section.append(view);
  return {
    fail(error: unknown) {
      // Pages of the recorded document must not remain visible if it was replaced.
      state.textContent =
        words[error instanceof ChangedError ? 'readerChanged' : 'readerFailed'] ?? '';
      state.setAttribute('role', 'alert');
      view.replaceChildren(state);
    },
    show: (opened: PdfDocument) => showPages(opened, view, state, words),
  };
}

async function showPages(
  opened: PdfDocument,
  view: HTMLElement,
  state: HTMLElement,
  words: DOMStringMap,
): Promise<void> {
  const box = element('div', 'pages');
  // Focusable and named, so that it can be scrolled with the arrow keys.
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', words['readerLabel'] ?? '');
  const bar = element('div', 'row bar');
  view.replaceChildren(bar, box);
  const sheets = new PageSheets(opened, box, words['readerFailed'] ?? '');
  const buttons = ([-1, 1] as const).map((step) => {
    const button = element('button', 'plain', words[step === 1 ? 'readerLarger' : 'readerSmaller']);
    button.type = 'button';
    button.addEventListener('click', () => {
      sheets.zoomBy(step);
      for (const [at, each] of buttons.entries()) each.disabled = sheets.isAtEnd(at === 0 ? -1 : 1);
    });
    return button;
  });
  bar.append(state, ...buttons);
  const tell = () => {
    const text = (words['readerPage'] ?? '').replace('{{count}}', String(opened.numPages));
    const now = text.replace('{{at}}', String(sheets.current()));
    // Setting the same text would make screen readers announce it again.
    if (state.textContent !== now) state.textContent = now;
  };
  box.addEventListener('scroll', tell);
  await sheets.begin();
  tell();
  box.focus();
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

for (const section of document.querySelectorAll<HTMLElement>('section[data-reader-label]')) {
  const form = section.querySelector<HTMLFormElement>('form[data-read]');
  if (form !== null) begin(section, form);
}
