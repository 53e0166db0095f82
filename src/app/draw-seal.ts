import { CoreError } from '../base/errors.ts';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  asReference,
  digestRanges,
  listPages,
  type PdfDict,
  type PdfFile,
  type PdfPage,
} from '../formats/pdf/index.ts';
import {
  type Certificate,
  commonNameOf,
  organizationOf,
  serialHex,
} from '../formats/x509/index.ts';
import {
  type Box,
  type Corner,
  cornerStampSize,
  defaultTemplate,
  drawStamp,
  findStampLanguage,
  type Placement,
  placeStamp,
  readStampImage,
  readStampPage,
  type Stamp,
  type StampFonts,
  type StampValues,
  type StampWish,
  slotsPerPage,
  textFromTemplate,
} from '../seal/appearance/index.ts';
import type { PlacedStamp, SealLook } from '../seal/field-widgets.ts';
import type { FieldChoice } from '../seal/signature-field.ts';

/** How a seal shall be seen. */
export interface VisibleSeal {
  /** Number from 1 on, the last page, or all of them; default 1. Not for an existing field. */
  readonly page?: number | 'last' | 'all';
  /** A corner of the page; default: the first free one of its 80 slots. */
  readonly corner?: Corner;
  /** Where the first of those slots is; default `top`. */
  readonly from?: 'top' | 'bottom';
  /** Left, bottom, right, top in points of the page as the reader sees it. */
  readonly rect?: Box;
  /** Lines with placeholders; default: the template of the language. */
  readonly text?: string;
  /** One of the interface languages, such as `is` or `en`; default `en`. */
  readonly language?: string;
  /** A logo: PNG or JPEG. */
  readonly image?: Uint8Array;
  /** Text of a QR code, with placeholders; `true` for the digest of the input, signer and time. */
  readonly qr?: string | true;
}

/** What the text of a seal is made from. */
export interface SealFacts extends StampValues {
  readonly certificate: Certificate;
}

/** A look and what is to be said of it. */
export interface DrawnSeal {
  readonly look: SealLook;
  readonly warnings: readonly string[];
}

const verificationData = 'innsigli\nSHA-256 {digest}\n{name}\n{serial}\n{time}';
/** Pages that one call seals. */
const PAGES_MAX = 20_000;

/**
 * Draws a seal for its places: the area of the existing field, a corner, a rectangle, or the first
 * free slot of a page; on all pages when that is asked for.
 *
 * @throws usage.invalid for an unknown language, placeholder or page
 * @throws seal.rect.invalid, seal.page.full, seal.image.invalid, limit.exceeded
 */
export async function drawSeal(
  file: PdfFile,
  choice: FieldChoice,
  wish: VisibleSeal,
  facts: SealFacts,
  fonts: StampFonts,
): Promise<DrawnSeal> {
  const places = placesOf(file, choice, wish);
  const language = requireLanguage(wish.language);
  const values = { ...valuesOf(facts), ...digestFor(file, wish) };
  const lines = textFromTemplate(wish.text ?? defaultTemplate(language), values, language);
  const qr = qrText(wish, values, language);
  const image = wish.image === undefined ? undefined : readStampImage(wish.image);
  const drawn = new Map<string, Stamp>();
  const placed: PlacedStamp[] = [];
  for (const { page, placement } of places) {
    const { width, height } = placement;
    const key = `${width} ${height}`;
    const content = { width, height, lines, ...(image && { image }), ...(qr && { qr }) };
    const stamp = drawn.get(key) ?? (await drawStamp(content, fonts));
    drawn.set(key, stamp);
    placed.push({ page, placement, stamp });
  }
  const [widget, ...further] = placed as [PlacedStamp, ...PlacedStamp[]];
  const warnings = [...warningsOf([...drawn.values()])];
  const covered = choice.existing === undefined && places.find((place) => covers(file, place));
  if (covered) warnings.push('the seal is drawn over a field or stamp that is on the page already');
  return { look: { widget, further }, warnings };
}

/** True when an existing field has room for a look. */
export function hasArea(file: PdfFile, field: PdfDict): boolean {
  const rect = rectOf(file, field);
  return rect !== undefined && rect[2] - rect[0] >= 4 && rect[3] - rect[1] >= 4;
}

interface Place {
  readonly page: PdfPage;
  readonly placement: Placement;
}

function placesOf(file: PdfFile, choice: FieldChoice, wish: VisibleSeal): readonly Place[] {
  if (choice.existing !== undefined) return [fieldPlace(file, choice.existing.dict, choice.name)];
  const pages = wantedPages(file, wish.page ?? 1);
  return pages.map((page) => ({ page, placement: placeOn(file, page, wish) }));
}

function fieldPlace(file: PdfFile, field: PdfDict, name: string): Place {
  const rect = hasArea(file, field) ? rectOf(file, field) : undefined;
  if (rect === undefined) {
    throw new CoreError('seal.rect.invalid', `the field «${name}» has no area for a visible seal`, {
      hint: 'leave --field out: a new field is made; or leave --visible out',
    });
  }
  const reference = asReference(field.get('P'));
  const dict = asDict(file.resolve(reference));
  const [first] = listPages(file, 1);
  const page = reference !== undefined && dict !== undefined ? { reference, dict } : first;
  if (page === undefined) {
    throw new CoreError('pdf.structure.invalid', 'the document has no page');
  }
  const { rotation } = readStampPage(file, page.dict);
  const sides = [rect[2] - rect[0], rect[3] - rect[1]] as const;
  const isTurned = rotation === 90 || rotation === 270;
  const [width, height] = isTurned ? [sides[1], sides[0]] : sides;
  return { page, placement: { rect, rotation, width, height } };
}

function wantedPages(file: PdfFile, wanted: number | 'last' | 'all'): readonly PdfPage[] {
  const pages = listPages(file, typeof wanted === 'number' ? wanted : PAGES_MAX + 1);
  if (pages.length > PAGES_MAX) {
    throw new CoreError('limit.exceeded', `at most ${PAGES_MAX} pages are sealed, found more`);
  }
  if (wanted === 'all' && pages.length > 0) return pages;
  const page = wanted === 'last' ? pages.at(-1) : pages[Number(wanted) - 1];
  if (page !== undefined) return [page];
  const count = `${pages.length} page${pages.length === 1 ? '' : 's'}`;
  throw new CoreError('usage.invalid', `page ${wanted}: the document has ${count}`, {
    hint: 'name a page of the document, or last',
  });
}

function placeOn(file: PdfFile, page: PdfPage, wish: VisibleSeal): Placement {
  const view = readStampPage(file, page.dict);
  if (wish.rect !== undefined) return placeStamp(view, { kind: 'rect', rect: wish.rect });
  if (wish.corner !== undefined) {
    return placeStamp(view, { kind: 'corner', corner: wish.corner, ...cornerStampSize });
  }
  const taken = takenAreas(file, page);
  for (let index = 0; ; index++) {
    const slot: StampWish = { kind: 'flow', index, from: wish.from ?? 'top' };
    const placement = placeStamp(view, slot);
    if (index >= slotsPerPage || !taken.some((area) => overlaps(area, placement.rect))) {
      return placement;
    }
  }
}

function covers(file: PdfFile, { page, placement }: Place): boolean {
  return takenAreas(file, page).some((area) => overlaps(area, placement.rect));
}

/** Where signature fields and stamps of earlier seals stand. */
function takenAreas(file: PdfFile, page: PdfPage): readonly Box[] {
  const areas: Box[] = [];
  for (const item of asArray(file.resolve(page.dict.get('Annots'))) ?? []) {
    const annotation = asDict(file.resolve(item));
    if (annotation === undefined) continue;
    const subtype = asName(file.resolve(annotation.get('Subtype')))?.value;
    if (subtype !== 'Stamp' && subtype !== 'Widget') continue;
    const rect = rectOf(file, annotation);
    if (rect !== undefined && rect[2] > rect[0] && rect[3] > rect[1]) areas.push(rect);
  }
  return areas;
}

function rectOf(file: PdfFile, annotation: PdfDict): Box | undefined {
  const items = asArray(file.resolve(annotation.get('Rect')));
  if (items?.length !== 4) return undefined;
  const [x1, y1, x2, y2] = items.map((item) => asNumber(file.resolve(item)) ?? Number.NaN);
  const box = [x1, y1, x2, y2] as [number, number, number, number];
  if (!box.every(Number.isFinite)) return undefined;
  return [
    Math.min(box[0], box[2]),
    Math.min(box[1], box[3]),
    Math.max(box[0], box[2]),
    Math.max(box[1], box[3]),
  ];
}

function overlaps(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function requireLanguage(code = 'en') {
  const language = findStampLanguage(code);
  if (language !== undefined) return language;
  throw new CoreError('usage.invalid', `no words of a seal are known in the language «${code}»`, {
    hint: 'known are is, en, nb, da, de, fr, sv, cs, pl, es and hu',
  });
}

function valuesOf({ certificate, ...facts }: SealFacts): StampValues {
  const name = facts.name ?? commonNameOf(certificate.subjectDer);
  const company = organizationOf(certificate.subjectDer);
  return {
    ...facts,
    ...(name === undefined ? {} : { name }),
    ...(company === undefined || company === name ? {} : { company }),
    serial: serialHex(certificate),
  };
}

/** The digest of the input, when something shows it. */
function digestFor(file: PdfFile, { text = '', qr }: VisibleSeal): { digest?: string } {
  const shown = qr === true || /\{\s*digest\s*\}/i.test(`${text}${qr ?? ''}`);
  if (!shown) return {};
  const digest = digestRanges(file.source, [0, file.source.lengthBytes], 'sha256');
  return { digest: Buffer.from(digest).toString('hex') };
}

function qrText(
  { qr }: VisibleSeal,
  values: StampValues,
  language: ReturnType<typeof requireLanguage>,
): string | undefined {
  if (qr === undefined) return undefined;
  const lines = textFromTemplate(qr === true ? verificationData : qr, values, language);
  return lines.map(({ text }) => text).join('\n');
}

function warningsOf(stamps: readonly Stamp[]): readonly string[] {
  const warnings: string[] = [];
  const missing = new Set(stamps.flatMap((stamp) => stamp.missing));
  if (missing.size > 0) {
    const list = [...missing].slice(0, 8).join(' ');
    const count = `${missing.size} character${missing.size === 1 ? '' : 's'}`;
    warnings.push(`the seal's font lacks ${count}: ${list}`);
  }
  if (stamps.some(({ cut }) => cut)) warnings.push('the text of the seal did not fit and is cut');
  return warnings;
}
