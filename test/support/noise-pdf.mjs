import { createCipheriv } from 'node:crypto';
import { PDFDocument, PDFName } from 'pdf-lib';

/** A document whose pages each have an image of incompressible noise. */
export async function noisePdf(pages, bytesOfPage) {
  const made = await PDFDocument.create();
  const side = Math.floor(Math.sqrt(bytesOfPage / 3));
  // Deterministic: the key stream of a cipher.
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  for (let at = 0; at < pages; at++) {
    const image = made.context.stream(cipher.update(Buffer.alloc(side * side * 3)), {
      ...{ Type: 'XObject', Subtype: 'Image', Width: side, Height: side },
      ...{ ColorSpace: 'DeviceRGB', BitsPerComponent: 8 },
    });
    const page = made.addPage();
    page.node.setXObject(PDFName.of('Im0'), made.context.register(image));
    const content = made.context.stream(Buffer.from('q 500 0 0 500 40 200 cm /Im0 Do Q'));
    page.node.set(PDFName.of('Contents'), made.context.register(content));
  }
  return Buffer.from(await made.save({ useObjectStreams: false }));
}
