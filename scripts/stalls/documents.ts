import { Buffer } from 'node:buffer';

/** A PDF of 100 KB, as offices make them: one page, and an image that does not compress. */
export function ordinaryPdf(): Buffer {
  const image = Buffer.alloc(100_000);
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
      '/Type/XObject/Subtype/Image/Width 200/Height 500/ColorSpace/DeviceGray' +
        '/BitsPerComponent 8',
      image,
    ),
    stream('', Buffer.from('200 0 0 500 100 100 cm /I Do')),
  ]);
}

/** A stream object. */
export function stream(entries: string, data: Buffer): Buffer {
  const head = Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`, 'latin1');
  return Buffer.concat([head, data, Buffer.from('\nendstream')]);
}

/** A PDF with a cross-reference table; the first object is the catalog. */
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
