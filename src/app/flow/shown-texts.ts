import { InnsigliError } from '../../base/errors.ts';
import { type DocumentTemplate, partsOf, type TemplateBlock } from '../../domain/flow/index.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import { cleanText, missingCharacters } from './text-lines.ts';

/**
 * Lets a template pass when the fonts can show its own text, whatever the values will be.
 *
 * @throws template.invalid naming the text
 */
export function requireShownTexts({ title, blocks }: DocumentTemplate, fonts: StampFonts): void {
  const require = (text: string, where: string) => {
    const missing = missingCharacters(cleanText(partsOf(text).fixed), fonts.regular);
    if (missing.length === 0) return;
    const found = missing.slice(0, 20).join(' ');
    const message = `${where}: expected characters that the font can show, found ${found}`;
    throw new InnsigliError('template.invalid', message);
  };
  require(title, 'title');
  for (const [index, block] of blocks.entries()) {
    for (const [text, where] of textsOf(block)) require(text, `blocks[${index}].${where}`);
  }
}

function textsOf(block: TemplateBlock): readonly (readonly [text: string, where: string])[] {
  switch (block.type) {
    case 'list':
      return block.items.map((item, index) => [item, `items[${index}]`] as const);
    case 'values':
      return block.rows.flatMap(({ name, text }, index) => [
        [name, `rows[${index}].name`] as const,
        [text, `rows[${index}].text`] as const,
      ]);
    case 'table':
      return block.columns.flatMap(({ title, text }, index) => [
        [title, `columns[${index}].title`] as const,
        [text, `columns[${index}].text`] as const,
      ]);
    case 'pageBreak':
      return [];
    default:
      return [[block.text, 'text']];
  }
}
