import { readZip, writeZip, type ZipFile } from '../../src/formats/zip/index.ts';
import { sealContainer, sealXml } from '../../src/index.ts';
import type { TestPki } from './pki.ts';
import { sealOptions } from './sealing.ts';

/** An XML document with this many intact signatures, each over a separate sibling element. */
export async function xmlWithSignatures(pki: TestPki, count: number): Promise<Uint8Array> {
  const options = sealOptions(pki, { level: 'B-B' });
  const parts: string[] = [];
  for (let index = 0; index < count; index++) {
    const { bytes } = await sealXml(Buffer.from(`<a>${index}</a>`), {
      ...options,
      packaging: 'enveloping',
    });
    parts.push(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^<\?xml[^>]*\?>\s*/, ''),
    );
  }
  return Buffer.from(`<all>${parts.join('')}</all>`);
}

/** An ASiC-E container with this many intact CAdES or XAdES signatures over one file. */
export async function containerWithSignatures(
  pki: TestPki,
  count: number,
  format: 'cades' | 'xades',
): Promise<Uint8Array> {
  const content = [{ name: 'a.bin', content: Buffer.from('content') }];
  const options = { ...sealOptions(pki, { level: 'B-B' }), format };
  const { bytes } = await sealContainer(content, options);
  const files = readZip(bytes).entries.map(
    ({ name, read, method }): ZipFile => ({ name, bytes: read(), stored: method === 'stored' }),
  );
  return writeZip(files.flatMap((file) => copiesOf(file, count)));
}

/** The file, and copies with other names if it is a signature or its manifest. */
function copiesOf(file: ZipFile, count: number): ZipFile[] {
  if (!/^META-INF\/(signatures|signature|ASiCManifest)/.test(file.name)) return [file];
  return Array.from({ length: count }, (_, index) => {
    const numbered = (name: string) => name.replace(/(\d*)\.(p7s|xml)$/, `${index + 1}.$2`);
    const isManifest = /ASiCManifest/.test(file.name);
    const text = Buffer.from(file.bytes).toString('utf8');
    const own = text.replace(/META-INF\/signature\d*\.p7s/, (name) => numbered(name));
    const bytes = isManifest ? Buffer.from(own) : file.bytes;
    return { ...file, name: numbered(file.name), bytes };
  });
}
