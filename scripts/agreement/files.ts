import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Formats, which are compared separately. */
export const kinds = ['pdf', 'xml', 'cms', 'container'] as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

const corpora = '../shared/corpora';

const rows: Readonly<Record<Kind, RegExp>> = {
  pdf: /^pdf;.*signed=/,
  xml: /^xml;(xades|xmldsig).*sigs=/,
  cms: /^cms;(p7m|p7s|pkcs7|cades)/,
  container: /^container;(?!ddoc)/,
};

const names: Readonly<Record<Kind, RegExp>> = {
  pdf: /\.pdf$/i,
  xml: /\.xml$/i,
  cms: /\.(p7m|p7s|pkcs7|cades)$/i,
  container: /\.(asics|asice|scs|sce|bdoc)$/i,
};

/**
 * Returns the signed files of a kind: those listed in the manifest of the corpora, or all of
 * `folder`.
 */
export function signedFiles(kind: Kind, folder?: string): readonly string[] {
  if (folder !== undefined) return filesBelow(folder).filter((file) => names[kind].test(file));
  const manifest = join(corpora, 'manifest.tsv');
  if (!existsSync(manifest)) return [];
  return readFileSync(manifest, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([path, what = '']) => path !== undefined && rows[kind].test(what))
    .map(([path = '']) => join(corpora, path))
    .filter((path) => existsSync(path));
}

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}
