import { deflateSync } from 'node:zlib';

/** Returns a typical office PDF: one page, and an image that does not compress. */
export function ordinaryPdf(imageBytes = 100_000): Buffer {
  const image = Buffer.alloc(imageBytes);
  let state = 1;
  for (let at = 0; at < image.length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    image[at] = state >> 16;
  }
  return classicPdf([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>' +
        '/Contents 5 0 R>>',
    ),
    stream(
      `/Type/XObject/Subtype/Image/Width 500/Height ${imageBytes / 500}/ColorSpace/DeviceGray` +
        '/BitsPerComponent 8',
      image,
    ),
    stream('', Buffer.from('200 0 0 500 100 100 cm /I Do')),
  ]);
}

/** Returns a stream object. */
export function stream(entries: string, data: Buffer): Buffer {
  const head = Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`, 'latin1');
  return Buffer.concat([head, data, Buffer.from('\nendstream')]);
}

/** Returns a PDF of one page whose cross-reference stream decodes to this many bytes. */
export function inflatingPdf(decodedBytes: number, layers: number): Buffer {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page];
  const head = Buffer.from('%PDF-1.7\n');
  const rows = Buffer.alloc(decodedBytes);
  let at = head.length;
  const bodies = objects.map((text, index) => {
    const body = Buffer.from(`${index + 1} 0 obj\n${text}\nendobj\n`);
    rows.set([1, at >> 8, at & 255, 0], 4 * (index + 1));
    at += body.length;
    return body;
  });
  rows.set([1, at >> 8, at & 255, 0], 4 * 4);
  let data: Buffer = rows;
  for (let layer = 0; layer < layers; layer++) data = deflateSync(data, { level: 9 });
  const filters = '/FlateDecode'.repeat(layers);
  const section = stream(`/Type/XRef/Size 5/W[1 2 1]/Root 1 0 R/Filter[${filters}]`, data);
  const end = Buffer.from(`\nendobj\nstartxref\n${at}\n%%EOF\n`);
  return Buffer.concat([head, ...bodies, Buffer.from('4 0 obj\n'), section, end]);
}

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>';

/** Returns a form of 2 MB with one field and six unreferenced object streams. */
export function formWithBombs(): Buffer {
  const spaces = Buffer.alloc(40_000_000, ' ');
  spaces.write('99 0 null');
  const bomb = stream(
    '/Type/ObjStm/N 1/First 5/Filter/FlateDecode',
    deflateSync(spaces, { level: 9 }),
  );
  const field =
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[100 100 400 130]/P 3 0 R/F 4' +
    '/DA(/Helv 10 Tf 0 g)>>';
  return classicPdf([
    Buffer.from('<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots[4 0 R]>>'),
    Buffer.from(field),
    stream('', Buffer.alloc(1_800_000, 'q Q ')),
    ...Array.from({ length: 6 }, () => bomb),
  ]);
}

/** Returns a PDF with a cross-reference table; the first object is the catalog. */
export function classicPdf(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(at);
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, endobj]);
    parts.push(whole);
    at += whole.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\n` +
        `startxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const endobj = Buffer.from('\nendobj\n');
