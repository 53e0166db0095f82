import type { Random } from '../xml-fuzz/random.ts';
import {
  blanks,
  insertAt,
  lastPlace,
  nearNumber,
  otherNumber,
  type Place,
  pickPlace,
  places,
  replaceAt,
  type Text,
} from './edits.ts';

/** Damages a file. Undefined if the damage does not apply to it. */
export type Damage = (file: Text, random: Random) => Text | undefined;

const LENGTH = /\/Length (\d+)(?= ?(?:\/|>|\r|\n))/g;
const LENGTH_REFERENCE = /\/Length (\d+) 0 R/g;
const ENTRY = /\d{10} \d{5} n/g;
const START = /startxref\s+(\d+)/g;
const OBJECT = /(?<=[\r\n])(\d{1,7}) (\d{1,5}) obj\b/g;
const SHORT_OBJECT = /(?<=[\r\n])(\d{1,7}) 0 obj\b(?:(?!endobj|stream)[\s\S]){1,2000}?endobj/g;
const ENDOBJ = /endobj/g;
const TRAILER = /trailer\s*<<(?:(?!>>\s*startxref)[\s\S]){1,2000}?>>(?=\s*startxref)/g;
const SUBSECTION = /(?<=xref\s{1,2})(\d+) (\d+)(?=\s{1,3}\d{10} )/g;

/** Kinds of damage by name. */
export const damages: Readonly<Record<string, Damage>> = {
  'startxref leads elsewhere': (file, random) => {
    const place = lastPlace(file, START);
    if (place === undefined) return undefined;
    const [digits = ''] = place.groups;
    const near = random.oneIn(2);
    const by = near ? nearNumber(digits, random.below(41) - 20) : otherNumber(digits, random);
    return replaceAt(file, place, place.text.slice(0, -digits.length) + by);
  },
  'a /Length is too small': (file, random) =>
    withLength(file, random, (length) => random.below(Math.max(1, length))),
  'a /Length is too large': (file, random) =>
    withLength(file, random, (length) => length + 1 + random.below(length + 200)),
  'a /Length leads to a wrong number': (file, random) => {
    const place = pickPlace(file, LENGTH_REFERENCE, random);
    if (place === undefined) return undefined;
    const own = new RegExp(`(?<=[\\r\\n]${place.groups[0]} 0 obj\\s{1,2})\\d+`, 'g');
    const number = lastPlace(file, own);
    if (number !== undefined && !random.oneIn(3)) {
      return replaceAt(file, number, otherNumber(number.text, random));
    }
    const [digits = ''] = place.groups;
    return replaceAt(file, place, `/Length ${otherNumber(digits, random)} 0 R`);
  },
  'the cross-reference is lost and a /Length is wrong': (file, random) => {
    const lost = file.replaceAll(START, (text, digits: string) =>
      text.replace(digits, '9'.repeat(digits.length)),
    );
    const gone = lost.replaceAll(/([\r\n])xref(?=\s)/g, '$1xxxx').replaceAll('/XRef', '/XXXX');
    return withLength(gone, random, (length) => random.below(2 * length + 2));
  },
  'offsets are shifted': (file, random) => {
    const by = random.below(31) - 15;
    if (!file.includes(' n')) return undefined;
    const result = file.replaceAll(
      ENTRY,
      (text) => nearNumber(text.slice(0, 10), by) + text.slice(10),
    );
    return result === file ? undefined : result;
  },
  'an offset is wrong': (file, random) => {
    const place = pickPlace(file, ENTRY, random);
    if (place === undefined) return undefined;
    const others = places(file, ENTRY);
    const offset = random.oneIn(2)
      ? random.pick(others).text.slice(0, 10)
      : nearNumber(place.text.slice(0, 10), random.below(201) - 100);
    return replaceAt(file, place, offset + place.text.slice(10));
  },
  'endobj is missing': (file, random) => {
    const place = pickPlace(file, ENDOBJ, random);
    return place && replaceAt(file, place, blanks(place.text));
  },
  'endstream is missing': (file, random) => {
    const place = pickPlace(file, /endstream/g, random);
    return place && replaceAt(file, place, blanks(place.text));
  },
  'the end is cut off': (file, random) => {
    const most = random.oneIn(2) ? Math.min(file.length, 400) : file.length;
    return file.slice(0, file.length - 1 - random.below(most));
  },
  'bytes stand before the header': (file, random) => {
    const junk = ['\n', 'GARBAGE\n', 'HTTP/1.1 200 OK\r\n\r\n', '\0\0\0', '%!PS\n', '1 0 obj\n'];
    return random.pick(junk).repeat(1 + random.below(3)) + file;
  },
  'lines end differently': (file, random) => {
    if (random.oneIn(2)) return file.replaceAll(/\r?\n/g, '\r\n');
    return random.oneIn(2) ? file.replaceAll('\r\n', '\n') : file.replaceAll(/\r(?!\n)/g, '\n');
  },
  'an object stands twice': (file, random) => {
    const place = pickPlace(file, SHORT_OBJECT, random);
    if (place === undefined) return undefined;
    const changed = place.text.replaceAll(/\d+(?= |\])/g, (digits) =>
      random.oneIn(4) ? otherNumber(digits, random) : digits,
    );
    const other =
      place.text.slice(0, place.text.indexOf('obj')) + changed.slice(changed.indexOf('obj'));
    const target = random.pick(places(file, ENDOBJ));
    return insertAt(file, target.at + 6, `\n${other}\n`);
  },
  'there are two trailers': (file, random) => {
    const place = lastPlace(file, TRAILER);
    const objects = places(file, OBJECT);
    if (place === undefined || objects.length === 0) return undefined;
    const root = `/Root ${random.pick(objects).groups[0]} 0 R`;
    const other = place.text.replace(/\/Root \d+ \d+ R/, random.oneIn(2) ? root : '$&');
    const at = random.oneIn(2) ? place.at : random.pick(places(file, ENDOBJ)).at + 6;
    return insertAt(file, at, `\n${other}\n`);
  },
  'a comment holds an object': (file, random) => {
    const place = pickPlace(file, SHORT_OBJECT, random);
    if (place === undefined) return undefined;
    const line = place.text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/\d(?=[ \]/])(?! 0 )/g, '7');
    const object = `${place.groups[0]} 0 obj ${line.slice(line.indexOf('obj') + 3)}`;
    return insertAt(file, random.pick(places(file, ENDOBJ)).at + 6, `\n%${object}\n`);
  },
  '/Prev leads elsewhere': (file, random) => {
    const place = lastPlace(file, /\/Prev (\d+)/g);
    if (place !== undefined) {
      return replaceAt(file, place, `/Prev ${otherNumber(place.groups[0] ?? '', random)}`);
    }
    const trailer = lastPlace(file, TRAILER);
    return (
      trailer &&
      insertAt(file, trailer.at + trailer.text.length - 2, `/Prev ${random.below(file.length)}`)
    );
  },
  'a subsection is off by one': (file, random) => {
    const place = pickPlace(file, SUBSECTION, random);
    if (place === undefined) return undefined;
    const [first = '', count = ''] = place.groups;
    const by = random.oneIn(2) ? 1 : -1;
    if (random.oneIn(2)) return replaceAt(file, place, `${nearNumber(first, by)} ${count}`);
    return replaceAt(file, place, `${first} ${nearNumber(count, by)}`);
  },
  'a generation is wrong': (file, random) => {
    const entry = pickPlace(file, ENTRY, random);
    const object = pickPlace(file, OBJECT, random);
    if (entry !== undefined && random.oneIn(2)) {
      return replaceAt(file, entry, `${entry.text.slice(0, 10)} 0000${1 + random.below(9)} n`);
    }
    if (object === undefined) return undefined;
    const [number, generation = '0'] = object.groups;
    return replaceAt(file, object, `${number} ${otherNumber(generation, random)} obj`);
  },
  'a hybrid section leads elsewhere': (file, random) => {
    const trailer = lastPlace(file, TRAILER);
    const sections = places(file, /\d+ 0 obj(?=\s*<<[^>]{0,200}\/XRef)/g);
    if (trailer === undefined) return undefined;
    const offset =
      sections.length > 0 && random.oneIn(2) ? random.pick(sections).at : random.below(file.length);
    return insertAt(file, trailer.at + trailer.text.length - 2, `/XRefStm ${offset}`);
  },
  'an object stream is damaged': (file, random) => {
    const stream = pickPlace(file, /\/ObjStm[\s\S]{0,300}?stream\r?\n/g, random);
    if (stream === undefined) return undefined;
    const near = Math.max(0, stream.at - 200);
    const around = file.slice(near, stream.at + stream.text.length);
    const numbers = places(around, /\/(?:N|First) (\d+)/g);
    if (numbers.length > 0 && random.oneIn(2)) {
      const place = random.pick(numbers);
      const [digits = ''] = place.groups;
      const other = place.text.slice(0, -digits.length) + nearNumber(digits, random.below(7) - 3);
      return replaceAt(file, { ...place, at: near + place.at }, other);
    }
    return flipped(file, stream.at + stream.text.length, 60, random);
  },
  '/Size is missing or wrong': (file, random) => {
    const place = lastPlace(file, /\/Size (\d+)/g);
    if (place === undefined) return undefined;
    if (random.oneIn(2)) return replaceAt(file, place, blanks(place.text));
    return replaceAt(file, place, `/Size ${otherNumber(place.groups[0] ?? '', random)}`);
  },
  'bytes of the cross-reference are flipped': (file, random) => {
    const table = lastPlace(file, /(?<=[\r\n])xref\s/g);
    const stream = lastPlace(file, /\/XRef[\s\S]{0,300}?stream\r?\n/g);
    const section = table ?? stream;
    return section && flipped(file, section.at + section.text.length, 200, random);
  },
  'garbage follows the end': (file, random) => {
    const object = pickPlace(file, SHORT_OBJECT, random);
    const rest = ['\n\n\n', '\0'.repeat(600), '<html>no more</html>\n', '%%EOF\n', 'xref\n0 0\n'];
    if (object !== undefined && random.oneIn(3)) return `${file}\n${object.text}\n`;
    return file + random.pick(rest).repeat(1 + random.below(3));
  },
  'an object has the number of another': (file, random) => {
    const objects = places(file, OBJECT);
    if (objects.length < 2) return undefined;
    const place = random.pick(objects);
    const [number = '', generation] = place.groups;
    return replaceAt(file, place, `${otherNumber(number, random)} ${generation} obj`);
  },
  'bytes between objects and streams are flipped': (file, random) => {
    const place = pickPlace(file, OBJECT, random);
    return place && flipped(file, place.at, 120, random);
  },
};

/** Changes one direct /Length, without moving anything where possible. */
function withLength(
  file: Text,
  random: Random,
  change: (length: number) => number,
): Text | undefined {
  const place = pickPlace(file, LENGTH, random);
  if (place === undefined) return undefined;
  const [digits = ''] = place.groups;
  const other = String(change(Number(digits))).padStart(digits.length, '0');
  return replaceAt(file, place, `/Length ${other}`);
}

/** Changes one to three bytes. */
function flipped(file: Text, from: number, span: number, random: Random): Text {
  let result = file;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = Math.min(file.length - 1, from + random.below(span));
    const place: Place = { at, text: file[at] ?? '', groups: [] };
    result = replaceAt(result, place, String.fromCharCode(random.below(256)));
  }
  return result;
}
