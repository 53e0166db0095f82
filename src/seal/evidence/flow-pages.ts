import type { StampFonts } from '../appearance/index.ts';
import type { EvidenceBlock } from './block-texts.ts';
import { type MeasuredBlock, measure, type PlacedBlock, pageFrame, place } from './page-layout.ts';

const LEADING = 1.34;
/** A last page with fewer blocks is avoided if a smaller leading suffices. */
const LAST_MIN = 8;
const CLOSER = 0.9;
const TOP = pageFrame.height - pageFrame.top;
/** Height of the text area of a page. */
const WHOLE = TOP - pageFrame.bottom;

type Pages = readonly (readonly PlacedBlock[])[];

/**
 * Distributes blocks over pages with all positions. A group, such as a signee, is not split unless
 * it is longer than a page. If it is split, or a list continues, its heading is repeated on the
 * next page, followed by `continued`. A last page of a few lines is avoided by a smaller leading.
 */
export function layoutPages(
  blocks: readonly EvidenceBlock[],
  fonts: StampFonts,
  continued: string,
): Pages {
  const pages = flowPages(blocks, fonts, continued, LEADING);
  if (pages.length === 1 || (pages.at(-1)?.length ?? 0) >= LAST_MIN) return pages;
  const closer = flowPages(blocks, fonts, continued, LEADING * CLOSER);
  return closer.length < pages.length ? closer : pages;
}

/** Blocks that belong together: headings, followed by their content. */
interface Group {
  readonly items: MeasuredBlock[];
  /** Number of headings among the items. */
  leads: number;
  readonly isList: boolean;
}

function flowPages(
  blocks: readonly EvidenceBlock[],
  fonts: StampFonts,
  continued: string,
  leading: number,
): Pages {
  const pages: PlacedBlock[][] = [[]];
  let y = TOP;
  const newPage = () => {
    if (y === TOP) return;
    pages.push([]);
    y = TOP;
  };
  const put = (item: MeasuredBlock, isRepeated = false) => {
    if (y < TOP) y -= item.style.before;
    const placed = place(item, y, leading);
    (pages.at(-1) as PlacedBlock[]).push(isRepeated ? { ...placed, isRepeated: true } : placed);
    y -= item.height;
  };
  const fits = (items: readonly MeasuredBlock[]) =>
    y - roomOf(items, y === TOP) >= pageFrame.bottom;
  for (const { items, leads, isList } of groupsOf(blocks, fonts, leading)) {
    const [first] = items;
    if (first?.block.startsPage === true) newPage();
    const isDivided = isList || roomOf(items, true) > WHOLE;
    // A heading stays on the same page as the first block that follows it.
    if (!fits(isDivided ? items.slice(0, leads + 1) : items)) newPage();
    const lead = items[leads - 1]?.block;
    for (const item of items) {
      if (!fits([item]) && y < TOP) {
        newPage();
        if (lead !== undefined) {
          put(measure({ ...lead, text: `${lead.text} (${continued})` }, fonts, leading), true);
        }
      }
      put(item);
    }
  }
  return pages;
}

/** A group ends before the next heading or name, except a name directly below its heading. */
function groupsOf(
  blocks: readonly EvidenceBlock[],
  fonts: StampFonts,
  leading: number,
): readonly Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const item = measure(block, fonts, leading);
    const last = groups.at(-1);
    const isLead = block.kind === 'heading' || block.kind === 'name';
    const isOpen = last !== undefined && last.items.length === last.leads && last.leads === 1;
    const joins = last !== undefined && (!isLead || (block.kind === 'name' && isOpen));
    if (!joins) groups.push({ items: [], leads: 0, isList: block.isList === true });
    const group = groups.at(-1) as Group;
    group.items.push(item);
    if (isLead) group.leads += 1;
  }
  return groups;
}

function roomOf(items: readonly MeasuredBlock[], isFirst: boolean): number {
  const room = items.reduce((sum, { style, height }) => sum + style.before + height, 0);
  return isFirst ? room - (items[0]?.style.before ?? 0) : room;
}
