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

/** Maximum number of pages sealed in one call. */
export const PAGES_MAX = 20_000;

/** The file as repaired by viewers, and its pages. */
interface RepairedFile {
  readonly file: PdfFile;
  readonly pages: readonly PdfPage[];
}

/** Content displayed on the pages of one file, with one budget for all pages. */
export class PageLooks {
  readonly #file: PdfFile;
  readonly #budget = printBudget();
  /** Undefined until it is needed, null if the file cannot be repaired. */
  #mended: RepairedFile | null | undefined;
  /** Number of pages that may still be read in the repaired file. */
  #mendedLeft: number = limits.printedPages;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /**
   * Returns the content displayed on a page; undefined if it cannot be determined. If it is
   * unreadable, the page is read again in the file as repaired by viewers.
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

  /** Scans the whole file for its objects, once, whatever the outcome. */
  #mend(): RepairedFile | null {
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
