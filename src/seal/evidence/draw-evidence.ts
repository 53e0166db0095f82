import { type LocaleCode, localeOf } from '../../base/words/index.ts';
import type { StampFonts } from '../appearance/index.ts';
import { blocksOf } from './blocks.ts';
import { drawPages } from './draw-pages.ts';
import type { EvidenceRecord } from './record.ts';

/**
 * Draws the evidence page as a PDF: tagged, with embedded fonts, and with the same bytes for the
 * same record. It is not yet sealed.
 *
 * @param recordSha256 digest of the accompanying JSON file, hexadecimal
 * @throws font.invalid, limit.exceeded
 */
export function drawEvidence(
  record: EvidenceRecord,
  recordSha256: string,
  language: LocaleCode,
  fonts: StampFonts,
): Promise<Uint8Array> {
  const words = localeOf(language).evidence;
  const about = {
    language,
    title: `${words.title}: ${record.process.fileName}`,
    continued: words.continued,
    madeAtMs: Date.parse(record.madeAt),
    footer: (page: number, count: number) =>
      `${record.process.key} · ${words.page} ${page} / ${count}`,
  };
  return drawPages(blocksOf(record, recordSha256, language), about, fonts);
}
