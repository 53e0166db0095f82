import { loadLibrary, type PdfDocument, type PdfPage, type RenderTask } from './pdf-library.ts';

/** Maximum size of a canvas in pixels; phones do not support larger ones. */
const PIXELS_MAX = 12_000_000;
/** Distance from the visible area within which pages are rendered as well. */
const MARGIN = '600px 0px';
const scales = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const usualScale = scales.indexOf(1);
/** Horizontal padding of the box, both sides together. */
const PADDING_PIXELS = 16;

/** A page that is rendered or about to be. */
interface DrawTask {
  isCanceled: boolean;
  page?: PdfPage;
  rendering?: RenderTask;
}

/** The pages of a document in a scrolling box. Only pages near the visible area are rendered. */
export class PageSheets {
  readonly box: HTMLElement;
  /** Text shown instead of a page that cannot be rendered. */
  readonly #failed: string;
  readonly #opened: PdfDocument;
  readonly #sheets: readonly HTMLElement[];
  readonly #drawn = new Map<HTMLElement, DrawTask>();
  readonly #seen: IntersectionObserver;
  #size = { width: 1, height: 1 };
  #zoom = usualScale;

  constructor(opened: PdfDocument, box: HTMLElement, failed: string) {
    this.box = box;
    this.#failed = failed;
    this.#opened = opened;
    this.#sheets = Array.from({ length: opened.numPages }, (_, at) => {
      const sheet = document.createElement('div');
      sheet.className = 'sheet';
      sheet.dataset['page'] = String(at + 1);
      return sheet;
    });
    box.append(...this.#sheets);
    this.#seen = new IntersectionObserver((changes) => this.#onSeen(changes), {
      root: box,
      rootMargin: MARGIN,
    });
  }

  /** Reserves space for all pages, at the size of the first page until each is rendered. */
  async begin(): Promise<void> {
    this.#size = (await this.#opened.getPage(1)).getViewport({ scale: 1 });
    this.#resize();
  }

  /** Number of the page at the middle of the box. */
  current(): number {
    const middle = this.box.scrollTop + this.box.clientHeight / 2;
    const at = this.#sheets.findLast(({ offsetTop }) => offsetTop <= middle);
    return Number(at?.dataset['page'] ?? 1);
  }

  /** Zooms in (1) or out (-1). */
  zoomBy(step: 1 | -1): void {
    this.#zoom = Math.min(scales.length - 1, Math.max(0, this.#zoom + step));
    this.#resize();
  }

  /** Whether no further zooming in (1) or out (-1) is possible. */
  isAtEnd(step: 1 | -1): boolean {
    return this.#zoom === (step === 1 ? scales.length - 1 : 0);
  }

  #scale(): number {
    const fit = (this.box.clientWidth - PADDING_PIXELS) / this.#size.width;
    return fit * (scales[this.#zoom] ?? 1);
  }

  #resize(): void {
    const scale = this.#scale();
    for (const sheet of this.#sheets) {
      this.#clear(sheet);
      this.#seen.unobserve(sheet);
      sheet.style.width = `${Math.floor(this.#size.width * scale)}px`;
      sheet.style.height = `${Math.floor(this.#size.height * scale)}px`;
      this.#seen.observe(sheet);
    }
  }

  #onSeen(changes: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of changes) {
      const sheet = target as HTMLElement;
      if (!isIntersecting) this.#clear(sheet);
      else if (!this.#drawn.has(sheet)) void this.#draw(sheet);
    }
  }

  async #draw(sheet: HTMLElement): Promise<void> {
    const task: DrawTask = { isCanceled: false };
    this.#drawn.set(sheet, task);
    try {
      const page = await this.#opened.getPage(Number(sheet.dataset['page']));
      task.page = page;
      if (!task.isCanceled) await drawPage(page, sheet, this.#scale(), task);
    } catch {
      // Leaving a page is not a failure. A page that fails must not look like an empty one.
      if (!task.isCanceled) this.#fail(sheet);
    }
  }

  #fail(sheet: HTMLElement): void {
    const text = document.createElement('p');
    text.className = 'note bad';
    text.setAttribute('role', 'alert');
    text.textContent = this.#failed;
    sheet.replaceChildren(text);
  }

  #clear(sheet: HTMLElement): void {
    const task = this.#drawn.get(sheet);
    if (task === undefined) return;
    task.isCanceled = true;
    task.rendering?.cancel();
    this.#drawn.delete(sheet);
    // Frees memory immediately: browsers delay garbage collection, and phones have little memory.
    for (const canvas of sheet.querySelectorAll('canvas')) canvas.width = 0;
    sheet.replaceChildren();
    task.page?.cleanup();
  }
}

/** Renders a page: its image, with a text layer on top for screen readers. */
async function drawPage(
  page: PdfPage,
  sheet: HTMLElement,
  scale: number,
  task: DrawTask,
): Promise<void> {
  const { TextLayer } = await loadLibrary();
  if (task.isCanceled) return;
  const viewport = page.getViewport({ scale });
  sheet.style.width = `${Math.floor(viewport.width)}px`;
  sheet.style.height = `${Math.floor(viewport.height)}px`;
  const most = Math.sqrt(PIXELS_MAX / (viewport.width * viewport.height));
  const ratio = Math.min(globalThis.devicePixelRatio || 1, most);
  const sharp = page.getViewport({ scale: scale * ratio });
  const canvas = document.createElement('canvas');
  canvas.className = 'picture';
  canvas.width = Math.floor(sharp.width);
  canvas.height = Math.floor(sharp.height);
  canvas.setAttribute('aria-hidden', 'true');
  const rendering = page.render({ canvas, viewport: sharp });
  task.rendering = rendering;
  const container = document.createElement('div');
  container.className = 'textLayer';
  container.style.setProperty('--total-scale-factor', String(scale));
  sheet.replaceChildren(canvas, container);
  const textContentSource = page.streamTextContent();
  const text = new TextLayer({ textContentSource, container, viewport });
  await Promise.all([rendering.promise, text.render()]);
}
