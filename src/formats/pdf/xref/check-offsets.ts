import { latin1Text } from '../../../base/bytes.ts';
import type { ObjectReader } from '../object-reader.ts';
import { xrefInvalid } from './xref.ts';

/** Maximum number of entries checked if a section is not trusted. */
const CHECKED_ENTRIES = 50_000;
const objectHeader = /^[\0\t\n\f\r ]*(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/;

/**
 * Checks that the entries of the sections lead to their objects.
 *
 * @throws pdf.xref.invalid if one does not
 */
export function requireOffsets({ sections, view }: ObjectReader): void {
  let checked = 0;
  for (const section of sections) {
    for (const { first, count } of section.ranges) {
      for (let number = first; number < first + count; number++) {
        if (++checked > CHECKED_ENTRIES) return;
        const entry = section.find(number);
        if (entry?.kind !== 'offset') continue;
        const start = Math.min(entry.offsetBytes, view.lengthBytes);
        const head = view.slice(start, Math.min(start + 40, view.lengthBytes));
        const found = objectHeader.exec(latin1Text(head))?.[1];
        if (Number(found) !== number) throw xrefInvalid(`expected object ${number}`, start);
      }
    }
  }
}
