// Writes THIRD-PARTY-LICENSES from package-lock.json and the installed packages.
// Run: node scripts/run-ts.mjs scripts/third-party.ts
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundledByProgram, bundledPackages } from './bundled-packages.mjs';

interface LockedPackage {
  /** Name of the package, if it is installed under another one. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Returns the packages of package-lock.json by folder, without the project itself. */
export function lockedPackages(): ReadonlyMap<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const entries: [string, LockedPackage][] = Object.entries(packages);
  return new Map(entries.filter(([folder]) => folder !== ''));
}

/** Returns the packages that a user installs. */
export function productionPackages(): ReadonlyMap<string, LockedPackage> {
  const all = [...lockedPackages()];
  return new Map(all.filter(([, { dev, devOptional }]) => !dev && !devOptional));
}

/**
 * Returns the folders of optional packages that are not installed: their licences cannot be read.
 */
export function absentPackages(): readonly string[] {
  const folders = [...productionPackages().keys()];
  return folders.filter((folder) => !existsSync(folder) && !existsSync(keptText(folder)));
}

/** Text of a package that npm installs only for later versions of Node. */
function keptText(folder: string): string {
  return `scripts/licenses/${basename(folder)}.txt`;
}

/** Returns the folders of bundled packages and their dependencies. */
export function bundledFolders(): readonly string[] {
  const locked = lockedPackages();
  const folders = new Set(bundledPackages.map((name) => `node_modules/${name}`));
  // Folders added during the iteration are visited as well.
  for (const folder of folders) {
    for (const name of Object.keys(locked.get(folder)?.dependencies ?? {})) {
      folders.add(placeOf(name, folder, locked));
    }
  }
  return [...folders];
}

/** Resolves a package like Node: next to the importing package, then further out. */
function placeOf(name: string, asking: string, locked: ReadonlyMap<string, LockedPackage>): string {
  const inside = `${asking}/node_modules/${name}`;
  if (locked.has(inside)) return inside;
  const end = asking.lastIndexOf('/node_modules/');
  return end < 0 ? `node_modules/${name}` : placeOf(name, asking.slice(0, end), locked);
}

/** Returns the content of THIRD-PARTY-LICENSES. */
export function licensesPage(): string {
  const bundled = bundledFolders();
  const shown = [...lockedPackages()].filter(
    ([folder, { dev, devOptional }]) => (!dev && !devOptional) || bundled.includes(folder),
  );
  const parts = shown.map(([folder, { version, name, license }]) => {
    if (existsSync(keptText(folder))) {
      const title = `${name ?? basename(folder)} ${version} (${license})`;
      return [title, readFileSync(keptText(folder), 'utf8').trim()] as const;
    }
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = licenseTexts(folder);
    const author = manifest.author?.name ?? manifest.author ?? '';
    const stated = `The package states its licence and has no file of it. Author: ${author || 'not named'}`;
    const title = `${manifest.name} ${version} (${licenseOf(manifest)})`;
    return [title, texts === '' ? stated : texts] as const;
  });
  const swaggerUi = readFileSync('scripts/licenses/swagger-ui.txt', 'utf8').trim();
  const names = readFileSync('scripts/licenses/nicknames.txt', 'utf8').trim();
  return [
    'Licences of the packages that innsigli installs, and of what its files carry of them and of',
    `others: dist/ has parts of ${[...bundledByProgram, ...bundledPackages].join(', ')}.`,
    'Made by `npm run docs`; a test compares the two.',
    ...sections([
      ...parts,
      carried('dist/swagger-ui', '@fastify/swagger-ui', 'MIT; Swagger UI: Apache-2.0', swaggerUi),
      ['dist/cli, short forms of names from the list «nicknames» (Apache-2.0)', names],
      reader(),
      carried('dist/fonts', '@expo-google-fonts/noto-sans', 'MIT; the font: OFL-1.1'),
    ]),
    '',
  ].join('\n');
}

/** Title and texts of files that the build copies from a package. */
function carried(folder: string, name: string, licence: string, more = '') {
  const { version } = lockedPackages().get(`node_modules/${name}`) ?? { version: '' };
  const texts = [licenseTexts(`node_modules/${name}`), more].filter((text) => text !== '');
  return [`${folder}, from ${name} ${version} (${licence})`, texts.join('\n\n')] as const;
}

/** The reader of the signing page, whose files are in vendor/ as published. */
function reader() {
  const version = readFileSync('vendor/pdfjs/VERSION', 'utf8').trim();
  const folders = ['', 'cmaps', 'fonts', 'wasm'].map((name) => join('vendor/pdfjs', name));
  const texts = folders.map(licenseTexts).filter((text) => text !== '');
  const title = `dist/reader, from pdfjs-dist ${version} (Apache-2.0; its fonts and decoders: below)`;
  return [title, texts.join('\n\n')] as const;
}

/** A repeated text is referred to, not repeated. */
function sections(parts: readonly (readonly [title: string, text: string])[]): readonly string[] {
  const known = new Map<string, string>();
  const seen = new Set<string>();
  return parts.flatMap(([title, text]) => {
    if (seen.has(title)) return [];
    seen.add(title);
    const first = known.get(text);
    known.set(text, first ?? title);
    const body = first === undefined ? text : `As ${first}.`;
    return ['', '='.repeat(80), title, '='.repeat(80), '', body];
  });
}

function licenseOf(manifest: { license?: unknown; licenses?: { type: string }[] }): string {
  if (typeof manifest.license === 'string') return manifest.license;
  const named = manifest.licenses?.map(({ type }) => type).join(' OR ');
  if (named !== undefined) return named;
  throw new Error(`expected a licence in package.json, found ${JSON.stringify(manifest)}`);
}

function licenseTexts(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  const texts = names
    .sort()
    .filter((name) => !/\.(js|ts|json)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  return texts.map((text) => text.replace(/[ \t]+$/gm, '')).join('\n\n');
}

if (basename(process.argv[1] ?? '') === 'third-party.ts') {
  writeFileSync('THIRD-PARTY-LICENSES', licensesPage());
}
