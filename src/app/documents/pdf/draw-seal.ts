import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { findLocale, locales } from '../../../base/words/index.ts';
import { requireDrawing } from '../../../domain/signing/index.ts';
import { digestRanges, type PdfFile } from '../../../formats/pdf/index.ts';
import {
  type Certificate,
  commonNameOf,
  organizationOf,
  serialHex,
} from '../../../formats/x509/index.ts';
import {
  cutDrawing,
  defaultTemplate,
  drawStamp,
  readStampImage,
  type Stamp,
  type StampFonts,
  type StampValues,
  stampSize,
  textFromTemplate,
} from '../../../seal/appearance/index.ts';
import type { FieldChoice, PlacedStamp, SealAppearance } from '../../../seal/field/index.ts';
import { placesOf, placeWarnings } from './seal-places.ts';
import type { VisibleSeal, VisibleSignature } from './visible-seal.ts';

/** Values for the text of a seal. */
export interface SealFacts extends StampValues {
  /** Absent if an external signer signs later. */
  readonly certificate?: Certificate;
}

/** An appearance and its warnings. */
export interface DrawnSeal {
  readonly look: SealAppearance;
  readonly warnings: readonly string[];
}

const verificationData = 'innsigli\nSHA-256 {digest}\n{name}\n{serial}\n{time}';

/**
 * Draws a seal at its position: the area of the existing field, a corner, a rectangle, or the first
 * free position of the page; on all pages if requested.
 *
 * @throws usage.invalid for an unknown language, placeholder or page
 * @throws seal.rect.invalid, seal.page.full, seal.image.invalid, limit.exceeded
 */
export async function drawSeal(
  file: PdfFile,
  choice: FieldChoice,
  options: VisibleSignature,
  facts: SealFacts,
  fonts: StampFonts,
): Promise<DrawnSeal> {
  const language = requireLanguage(options.language);
  const values = { ...valuesOf(facts), ...digestFor(file, options) };
  const lines = textFromTemplate(options.template ?? defaultTemplate(language), values, language);
  const qr = qrText(options, values, language);
  const image = options.image === undefined ? undefined : readStampImage(options.image);
  // Every drawing is validated first, whoever the caller is.
  const drawing = options.drawing && cutDrawing(requireDrawing(options.drawing).strokes);
  const parts = { lines, ...defined({ image, drawing }), ...(qr && { qr }) };
  const places = placesOf(file, choice, options, await stampSize(parts));
  const drawn = new Map<string, Stamp>();
  const placed: PlacedStamp[] = [];
  for (const { page, placement, textSize } of places) {
    const { width, height } = placement;
    const key = `${width} ${height} ${textSize}`;
    const content = { ...parts, width, height, ...(textSize && { textSize }) };
    const stamp = drawn.get(key) ?? (await drawStamp(content, fonts));
    drawn.set(key, stamp);
    placed.push({ page, placement, stamp });
  }
  const [widget, ...further] = placed as [PlacedStamp, ...PlacedStamp[]];
  const warnings = [...warningsOf([...drawn.values()]), ...placeWarnings(places)];
  return { look: { widget, further }, warnings };
}

function requireLanguage(code = 'en') {
  const language = findLocale(code);
  if (language !== undefined) return language;
  throw new InnsigliError('usage.invalid', `visible seals do not support the language "${code}"`, {
    hint: `use one of ${locales.join(', ')}`,
  });
}

function valuesOf({ certificate, ...facts }: SealFacts): StampValues {
  if (certificate === undefined) return facts;
  const name = facts.name ?? commonNameOf(certificate.subjectDer);
  const company = organizationOf(certificate.subjectDer);
  return {
    ...facts,
    ...defined({ name }),
    ...(company === undefined || company === name ? {} : { company }),
    serial: serialHex(certificate),
  };
}

/** The digest of the input, if the seal shows it. */
function digestFor(file: PdfFile, { template = '', qr }: VisibleSeal): { digest?: string } {
  const shown = qr === true || /\{\s*digest\s*\}/i.test(`${template}${qr ?? ''}`);
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
  if (stamps.some(({ isCodeTooSmall }) => isCodeTooSmall)) {
    warnings.push('the QR code of the seal is too small to be scanned from paper');
  }
  if (stamps.some(({ cut }) => cut))
    warnings.push('the text of the seal did not fit and was truncated');
  return warnings;
}
