import { memorySource } from '../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asNumber,
  listPages,
  openPdf,
  printBudget,
  readPrinted,
} from '../../src/formats/pdf/index.ts';
import { pageSight, readStampPage } from '../../src/seal/appearance/index.ts';
import type { Rectangle } from './words.ts';

/** CPU milliseconds of locating the printed content of each of the first pages. */
export function timesToLook(bytes: Uint8Array, password: string | undefined, count: number) {
  const file = openPdf(memorySource(bytes), password === undefined ? {} : { password });
  return listPages(file, count).map((page) => {
    const sight = pageSight(readStampPage(file, page.dict));
    const before = process.cpuUsage();
    const printed = readPrinted(file, page, sight, printBudget());
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, isKnown: typeof printed === 'object' };
  });
}

/** Visible rectangle of the last annotation added to a page. */
export function lastBox(
  bytes: Uint8Array,
  password: string | undefined,
  pageNumber: number,
): Rectangle {
  const file = openPdf(memorySource(bytes), password === undefined ? {} : { password });
  const page = listPages(file, pageNumber)[pageNumber - 1];
  if (page === undefined) throw new Error(`page ${pageNumber} is missing`);
  const annotation = asDict(file.resolve(asArray(file.resolve(page.dict.get('Annots')))?.at(-1)));
  const rect = (asArray(file.resolve(annotation?.get('Rect'))) ?? []).map(
    (each) => asNumber(file.resolve(each)) ?? 0,
  );
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect;
  const [a, b, c, d, e, f] = pageSight(readStampPage(file, page.dict)).matrix;
  const xs = [a * x1 + c * y1 + e, a * x2 + c * y2 + e] as const;
  const ys = [b * x1 + d * y1 + f, b * x2 + d * y2 + f] as const;
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
