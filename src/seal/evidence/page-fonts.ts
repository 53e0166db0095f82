import { getOrCompute } from '../../base/memo.ts';
import {
  calibratedRgb,
  type EmbeddedFont,
  embedFont,
  loadPdfKit,
  type StampFonts,
} from '../appearance/index.ts';

/** Encodes a text as the operand of a text-showing operator. */
export type PageFont = (text: string) => string;

/** Fonts and other objects that do not depend on the content of the pages. */
export interface PageFonts {
  readonly regular: PageFont;
  readonly bold: PageFont;
  /** Bodies of objects 1, 2, 3… */
  readonly objects: readonly Uint8Array[];
  /** Object number of the resource dictionary: fonts `Text` and `Bold`, colour space `Rgb`. */
  readonly resources: number;
}

/** Included in the fonts of every page, so that most pages share one cached subset. */
const usualCharacters = new Set(
  Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('') +
    'ÁÐÉÍÓÚÝÞÆÖáðéíóúýþæö·×…',
);

const known = new WeakMap<StampFonts, Map<string, PageFonts>>();
/** Number of cached sets of unusual characters. */
const KNOWN_MAX = 8;

/**
 * Returns the fonts with all characters of the texts, as objects of a new document. They are built
 * once per set of unusual characters.
 *
 * @throws font.invalid, limit.exceeded
 */
export async function pageFonts(
  fonts: StampFonts,
  texts: { readonly regular: readonly string[]; readonly bold: readonly string[] },
): Promise<PageFonts> {
  const regular = unusual(texts.regular);
  const bold = unusual(texts.bold);
  const key = `${regular}\n${bold}`;
  const kept = known.get(fonts) ?? new Map<string, PageFonts>();
  known.set(fonts, kept);
  const found = kept.get(key) ?? (await makeFonts(fonts, regular, bold));
  kept.delete(key);
  kept.set(key, found);
  for (const [oldest] of kept) if (kept.size > KNOWN_MAX) kept.delete(oldest);
  return found;
}

function unusual(texts: readonly string[]): string {
  const found = new Set<string>();
  for (const text of texts) {
    for (const character of text) if (!usualCharacters.has(character)) found.add(character);
  }
  return [...found].sort().join('');
}

async function makeFonts(fonts: StampFonts, regular: string, bold: string): Promise<PageFonts> {
  const kit = await loadPdfKit();
  const context = kit.PDFContext.create();
  const usual = [...usualCharacters].join('');
  const made = {
    regular: embedFont(kit, context, fonts.regular, usual + regular),
    bold: embedFont(kit, context, fonts.bold, usual + bold),
  };
  const rgb = context.register(calibratedRgb(context));
  const resources = context.register(
    context.obj({
      Font: { Text: made.regular.reference, Bold: made.bold.reference },
      ColorSpace: { Rgb: rgb },
    }),
  );
  // The context assigns consecutive numbers, so the objects are in order.
  const objects = context.enumerateIndirectObjects().map(([, object]) => {
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    return bytes;
  });
  return {
    regular: operandsOf(made.regular),
    bold: operandsOf(made.bold),
    objects,
    resources: resources.objectNumber,
  };
}

/** Caches character codes: their number is bounded, as a font has only characters of its pages. */
function operandsOf(font: EmbeddedFont): PageFont {
  const codes = new Map<string, string>();
  return (text) => {
    let operand = '';
    for (const character of text) {
      operand += getOrCompute(codes, character, () => font.encode(character).asString());
    }
    return `<${operand}>`;
  };
}
