import { createCipheriv } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

const chunkBytes = 1 << 20;

/** Writes a PDF of one page with one raw grey image of `imageBytes`, a multiple of 1,000: noise. */
export function writeLargePdf(path, imageBytes) {
  const size = `/Width 1000/Height ${imageBytes / 1000}/ColorSpace/DeviceGray/BitsPerComponent 8`;
  const paint = 'q 500 0 0 500 40 200 cm /I Do Q';
  const file = openFile(path);
  file.object('<</Type/Catalog/Pages 2 0 R>>');
  file.object('<</Type/Pages/Count 1/Kids[3 0 R]>>');
  file.object(page('4 0 R', '/XObject<</I 5 0 R>>'));
  file.object(`<</Length ${paint.length}>>stream\n${paint}\nendstream`);
  file.begin(`<</Type/XObject/Subtype/Image${size}/Length ${imageBytes}>>stream\n`);
  // The same noise in every run: zeros encrypted with a fixed key.
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16));
  const zeros = Buffer.alloc(chunkBytes);
  for (let left = imageBytes; left > 0; left -= chunkBytes) {
    file.write(noise.update(zeros.subarray(0, Math.min(left, chunkBytes))));
  }
  file.write('\nendstream\nendobj\n');
  file.end();
}

/** Writes a PDF of `count` objects, an even number, with a classic cross-reference table. */
export function writeManyObjects(path, count) {
  const pages = (count - 2) / 2;
  const numbers = Array.from({ length: pages }, (_, index) => 3 + 2 * index);
  const draw = `0 0 m 100 100 l S ${'% '.repeat(300)}`;
  const file = openFile(path);
  file.object('<</Type/Catalog/Pages 2 0 R>>');
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  file.object(`<</Type/Pages/Count ${pages}/Kids[${kids}]>>`);
  for (const number of numbers) {
    file.object(page(`${number + 1} 0 R`, ''));
    file.object(`<</Length ${draw.length}>>stream\n${draw}\nendstream`);
  }
  file.end();
}

function page(contents, resources) {
  const box = '/MediaBox[0 0 595 842]';
  return `<</Type/Page/Parent 2 0 R${box}/Contents ${contents}/Resources<<${resources}>>>>`;
}

function openFile(path) {
  const descriptor = openSync(path, 'w');
  const offsets = [];
  let at = 0;
  const write = (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    at += bytes.length;
  };
  const begin = (text) => {
    offsets.push(at);
    write(`${offsets.length} 0 obj\n${text}`);
  };
  write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  return {
    write,
    begin,
    object: (text) => begin(`${text}\nendobj\n`),
    end() {
      const start = at;
      const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
      const size = offsets.length + 1;
      const id = '<00112233445566778899aabbccddeeff>';
      write(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`);
      write(`trailer\n<</Size ${size}/Root 1 0 R/ID[${id}${id}]>>\nstartxref\n${start}\n%%EOF\n`);
      closeSync(descriptor);
    },
  };
}
