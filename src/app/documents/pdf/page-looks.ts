import { attempt } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  listPages,
  openPdf,
  type PdfFile,
  type PdfPage,
  type PrintedPage,
  printBudget,
  readPrinted,
} from '../../../formats/pdf/index.ts';
import { pageSight, readStampPage } from '../../../seal/appearance/index.ts';

/** Pages that one call seals. */
export const PAGES_MAX = 20_000;

/** The file as viewers mend it, and its pages. */
interface Mended {
  readonly file: PdfFile;
  readonly pages: readonly PdfPage[];
}

/** Content displayed on the pages of one file, with one budget for all. */
export class PageLooks {
  readonly #file: PdfFile;
  readonly #budget = printBudget();
  /** Undefined before it is needed, null when the file cannot be mended. */
  #mended: Mended | null | undefined;
  /** Pages that may still be looked at in the mended file. */
  #mendedLeft: number = limits.printedPages;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /**
   * The content displayed on a page, undefined if it cannot be determined. Unreadable content is
   * searched for as in viewers that repair a file.
   */
  at(page: PdfPage, pageNumber: number): PrintedPage | undefined {
    const printed = this.#look(this.#file, page);
    const found = typeof printed === 'object' ? printed : undefined;
    if (found?.isPartial === false) return found;
    if (printed === 'costly' || this.#mendedLeft-- <= 0) return found;
    const mended = this.#mend();
    if (mended === null) return found;
    const same = mended.pages[pageNumber - 1];
    const again = same && attempt(() => this.#look(mended.file, same));
    return typeof again === 'object' ? again : found;
  }

  #look(file: PdfFile, page: PdfPage): ReturnType<typeof readPrinted> {
    return readPrinted(file, page, pageSight(readStampPage(file, page.dict)), this.#budget);
  }

  /** Reads the whole file for its objects: once, whatever comes of it. */
  #mend(): Mended | null {
    if (this.#mended !== undefined) return this.#mended;
    const { source, security } = this.#file;
    const mend = () => {
      const file = openPdf(source, { repair: 'always' });
      return { file, pages: listPages(file, PAGES_MAX) };
    };
    this.#mended = security === undefined ? attempt(mend, () => null) : null;
    return this.#mended;
  }
}
