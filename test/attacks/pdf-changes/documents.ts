import { latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import {
  openPdf,
  PdfReference,
  PdfStream,
  serializeObject,
} from '../../../src/formats/pdf/index.ts';
import { type SealLevel, sealPdf } from '../../../src/index.ts';
import { type MakeContents, refill } from '../../support/hand-signed.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';
import { continued, latin1, page, streamOf, text } from '../../support/shadow.ts';

/** The signer and the signing time. */
export const pki = makeTestPki();

/** The form of a document's cross-reference data. */
export type Shape = 'table' | 'streams';

/** The P of the signature's DocMDP, or no certification. */
export type Permission = 1 | 2 | 3 | 'none';

/** A signed document that a later update follows. */
export interface SignedDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly shape: Shape;
  readonly permission: Permission;
  readonly level: SealLevel;
  /** The field of the signature under test. */
  readonly judged: string;
}

/** XMP with a title. */
export const xmp = (title: string, head = '') =>
  streamOf(
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>${head}<x:xmpmeta xmlns:x="adobe:ns:meta/">` +
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ` +
      `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title>` +
      '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
    '/Type/Metadata/Subtype/XML',
  );

/** An appearance stream that shows this text. */
export const look = (shown: string, box = '0 0 200 20') =>
  streamOf(`BT /F1 12 Tf 2 5 Td (${shown}) Tj ET`, lookDict(box));
const lookDict = (box: string) =>
  `/Type/XObject/Subtype/Form/BBox[${box}]/Resources<</Font<</F1 5 0 R>>>>`;

const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R';

/** Objects of a form with two pages; the attacks rely on their numbers. */
export const objects: Readonly<Record<number, string>> = {
  1:
    '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 20 0 R/Version/1.7' +
    '/Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 3>>>>>>',
  2: '<</Type/Pages/Kids[3 0 R 30 0 R]/Count 2>>',
  3: page('4 0 R').replace(
    '/MediaBox',
    '/Annots[11 0 R 13 0 R 16 0 R 17 0 R 18 0 R 19 0 R]/MediaBox',
  ),
  4: streamOf(text('PAY 10')),
  5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  10:
    '<</Fields[11 0 R 13 0 R 15 0 R 18 0 R]/SigFlags 3/DA(/F1 12 Tf 0 g)' +
    '/DR<</Font<</F1 5 0 R>>>>>>',
  11: `<<${widget}/FT/Tx/T(name)/Rect[72 500 272 520]/AP<</N 12 0 R>>>>`,
  12: look(' '),
  13: `<<${widget}/FT/Btn/T(agree)/Rect[72 470 92 490]/AS/Off/V/Off/AP<</N<</Yes 21 0 R/Off 22 0 R>>>>>>`,
  15: '<</FT/Btn/Ff 49152/T(choice)/Kids[16 0 R 17 0 R]/V/Off>>',
  16: `<<${widget}/Parent 15 0 R/Rect[72 440 92 460]/AS/Off/AP<</N<</A 21 0 R/Off 22 0 R>>>>>>`,
  17: `<<${widget}/Parent 15 0 R/Rect[102 440 122 460]/AS/Off/AP<</N<</B 21 0 R/Off 22 0 R>>>>>>`,
  18: `<<${widget}/FT/Sig/T(Approve)/Rect[72 380 272 430]>>`,
  19: '<</Type/Annot/Subtype/Text/Rect[400 700 420 720]/Contents(a note)/F 4>>',
  20: xmp('Contract'),
  21: look('X', '0 0 20 20'),
  22: look(' ', '0 0 20 20'),
  24: '<</Title(Contract)/ModDate(D:20260101)>>',
  30: page('31 0 R'),
  31: streamOf(text('SECOND PAGE')),
};

/** The document with cross-reference data of this shape; `changes` replaces and adds objects. */
export function documentOf(
  shape: Shape,
  changes: Readonly<Record<number, string>> = {},
): Uint8Array {
  const all = Object.entries({ ...objects, ...changes });
  const builder = new PdfBuilder();
  const isStream = (body: string) => body.endsWith('endstream');
  for (const [number, body] of all) {
    if (shape === 'table' || isStream(body)) builder.object(Number(number), body);
  }
  if (shape === 'table') return builder.end(builder.table({ trailer: '/Info 24 0 R' })).bytes;
  const held = all.filter(([, body]) => !isStream(body));
  builder.objectStream(
    40,
    held.map(([number, body]) => [Number(number), body] as const),
  );
  return builder.end(builder.xrefStream(41, { trailer: '/Info 24 0 R', filter: 'flate' })).bytes;
}

const known = new Map<string, Promise<SignedDocument>>();

/** A signed document; the same one each time. */
export function signedDocument(
  shape: Shape,
  permission: Permission,
  level: SealLevel = 'B-B',
  changes: Readonly<Record<number, string>> = {},
  more: Parameters<typeof sealOptions>[1] = {},
): Promise<SignedDocument> {
  const name = `${shape}-p${permission}-${level}`;
  const key = `${name} ${JSON.stringify([changes, more])}`;
  const found =
    known.get(key) ??
    sealPdf(
      documentOf(shape, changes),
      sealOptions(pki, {
        level,
        field: 'Seal',
        ...(permission === 'none' ? {} : { certify: permission }),
        ...more,
      }),
    ).then(({ bytes }) => ({
      name,
      bytes: new Uint8Array(bytes),
      shape,
      permission,
      level,
      judged: 'Seal',
    }));
  known.set(key, found);
  return found;
}

/** A document with validation data that is signed once more. */
export async function signedStore(shape: Shape, permission: Permission): Promise<SignedDocument> {
  const first = await signedDocument(shape, permission, 'B-LT');
  const name = `${first.name}-twice`;
  const found =
    known.get(name) ??
    sealPdf(first.bytes, sealOptions(pki, { level: 'B-B', field: 'Second seal' })).then(
      ({ bytes }) => ({ ...first, name, bytes: new Uint8Array(bytes), judged: 'Second seal' }),
    );
  known.set(name, found);
  return found;
}

/** Creates the document that an update follows. */
export type SignedDocumentMaker = (shape: Shape, permission: Permission) => Promise<SignedDocument>;

/** A document signed in its empty field, which has this lock. */
export function signedLock(lock: string): SignedDocumentMaker {
  return async (shape, permission) => {
    const field = objects[18]?.replace(/>>$/, `/Lock<</Type/SigFieldLock${lock}>>>>`) ?? '';
    const more = { field: 'Approve', visible: false } as const;
    const document = await signedDocument(shape, permission, 'B-B', { 18: field }, more);
    return { ...document, judged: 'Approve' };
  };
}

/** The current object as text; of a stream its dictionary. */
export function bodyNow({ bytes }: SignedDocument, objectNumber: number): string {
  const value = openPdf(memorySource(bytes)).read(new PdfReference(objectNumber));
  return latin1(serializeObject(value instanceof PdfStream ? value.dict : value));
}

/** The object number that the catalog, page or field refers to at this key. */
export function referenceAt(document: SignedDocument, objectNumber: number, key: string): number {
  return Number(new RegExp(`/${key} ?(\\d+) 0 R`).exec(bodyNow(document, objectNumber))?.[1]);
}

/** The body with this entry replaced or added; undefined removes it. */
export function withEntry(body: string, key: string, value: string | undefined): string {
  const entry = new RegExp(
    `/${key}(?![A-Za-z]) ?(?:<<(?:[^<>]|<<(?:[^<>]|<<[^<>]*>>)*>>)*>>|\\[[^\\]]*\\]|\\([^)]*\\)|\\d+ \\d+ R|/?[^/<>\\[\\]() ]+)`,
  );
  const rest = body.replace(entry, '');
  return value === undefined ? rest : rest.replace(/>>$/, `/${key} ${value}>>`);
}

/** Options of an update. */
export interface UpdateOptions {
  /** Additional trailer entries; `PREV` stands for the offset of the previous section. */
  readonly trailer?: string;
  readonly generation?: number;
  readonly size?: number;
  /** Edits the bytes of the update, which start at `start`. */
  readonly edit?: (update: string, start: number) => string;
}

/** The document with one more revision that contains these objects. */
export function updated(
  document: SignedDocument,
  changes: Readonly<Record<number, string>>,
  options: UpdateOptions = {},
): Uint8Array {
  const { trailer = '/Prev PREV', generation = 0, size = 600, edit } = options;
  const { builder, previous } = continued(document.bytes);
  for (const [number, body] of Object.entries(changes)) {
    builder.object(Number(number), body, generation);
  }
  const entries = { trailer: `${trailer.replace('PREV', String(previous))}/Info 24 0 R`, size };
  const start =
    document.shape === 'table' ? builder.table(entries) : builder.xrefStream(nextNumber(), entries);
  const { bytes } = builder.end(start);
  if (edit === undefined) return bytes;
  const kept = document.bytes.length;
  return latin1Bytes(latin1(document.bytes) + edit(latin1(bytes).slice(kept), kept));
}

let numbers = 400;
const nextNumber = () => numbers++;

/** The document after an update, for a further one. */
export const after = (document: SignedDocument, bytes: Uint8Array): SignedDocument => ({
  ...document,
  bytes,
});

const room = 6_000;
/** The value of a signature field before {@link signedUpdate} fills it. */
export const signatureValue = (type: 'Sig' | 'DocTimeStamp', subFilter: string, more = '') =>
  `<</Type/${type}/Filter/Adobe.PPKLite/SubFilter/${subFilter}/M(D:20260601120000Z)${more}` +
  `/ByteRange[0 ${'9'.repeat(10)} ${'8'.repeat(10)} ${'7'.repeat(10)}]/Contents<${'0'.repeat(2 * room)}>>>`;

/** An update with a signature or time-stamp created by the test. */
export function signedUpdate(
  document: SignedDocument,
  changes: Readonly<Record<number, string>>,
  make: MakeContents,
): Uint8Array {
  const bytes = updated(document, changes);
  const all = latin1(bytes);
  const hole = all.lastIndexOf(`/Contents<${'0'.repeat(2 * room)}`) + '/Contents'.length;
  const end = hole + 2 * room + 2;
  const filled = all
    .replace('9'.repeat(10), String(hole).padStart(10, '0'))
    .replace('8'.repeat(10), String(end).padStart(10, '0'))
    .replace('7'.repeat(10), String(bytes.length - end).padStart(10, '0'));
  return refill(latin1Bytes(filled), make);
}
