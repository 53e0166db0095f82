import { latin1Bytes, latin1Text } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  asArray,
  asDict,
  asReference,
  type PdfDict,
  type PdfFile,
  PdfReference,
} from '../../formats/pdf/index.ts';
import { isListed, objectHeads, placesOf } from './unlisted-objects.ts';

const MARK = latin1Bytes('/ByteRange');
const MARKS_MAX = 256;
/** Bytes around a marker within which its object starts and ends, since signatures are short. */
const NEAR_BYTES = 256 * 1024;
/** Number of object starts examined before a marker, nearest first. */
const HEADS_MAX = 16;

/**
 * Lists objects with a signature dictionary that no form field refers to, such as that of a widget
 * on a page, or of /Perms, excluding usage rights. Some readers display these signatures, so a
 * document without others must not be reported as unsigned without mentioning them.
 *
 * @returns `object 7`; never a stream, whose content may mention signatures
 */
export function listUnnamedSignatures(file: PdfFile): readonly string[] {
  const holds = (number: number) =>
    attempt(() => holdsSignature(file, asDict(file.resolve(new PdfReference(number))))) === true;
  const rights = usageRights(file);
  const marked = [...markedObjects(file)];
  const found = marked.filter((number) => !rights.has(number) && holds(number));
  return found.slice(0, limits.reportFindings).map((number) => `object ${number}`);
}

/** The signature by which a producer enables functions of a reader. It is no person's signature. */
function usageRights(file: PdfFile): ReadonlySet<number | undefined> {
  const permissions = attempt(() => asDict(file.resolve(file.catalog.get('Perms'))));
  return new Set(['UR', 'UR3'].map((key) => asReference(permissions?.get(key))?.objectNumber));
}

/** Numbers of the listed objects that contain a marker. */
function markedObjects(file: PdfFile): ReadonlySet<number> {
  const numbers = findMarks(file).flatMap((place) => objectAround(file, place) ?? []);
  return new Set(numbers);
}

/** The number of the listed object around a position. Undefined if its start or end is not near. */
function objectAround(file: PdfFile, place: number): number | undefined {
  const { source } = file;
  const start = Math.max(0, place - NEAR_BYTES);
  const text = latin1Text(source.slice(start, Math.min(place + NEAR_BYTES, source.lengthBytes)));
  if (!text.includes('endobj', place - start)) return undefined;
  const heads = [...objectHeads(text.slice(0, place - start))].slice(-HEADS_MAX);
  return heads.findLast(({ objectNumber, at }) => isListed(file, { objectNumber, at: start + at }))
    ?.objectNumber;
}

/** Whether this is a signature dictionary, or directly contains one. */
function holdsSignature(file: PdfFile, dict: PdfDict | undefined): boolean {
  if (dict === undefined) return false;
  return [dict, ...dict.values()].some((value) => {
    const inner = asDict(value);
    return inner?.has('Contents') && asArray(file.resolve(inner.get('ByteRange'))) !== undefined;
  });
}

function findMarks({ source }: PdfFile): readonly number[] {
  const places: number[] = [];
  for (const place of placesOf(source, MARK, 0)) {
    if (places.push(place) >= MARKS_MAX) break;
  }
  return places;
}
