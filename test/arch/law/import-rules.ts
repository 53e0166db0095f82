import { dirname, join } from 'node:path/posix';
import type { ImportFact, ModuleFacts } from './module-facts.ts';

/** The layers and folders of `src/`. */
export const zones = [
  'base',
  'formats',
  'trust',
  'seal',
  'verify',
  'domain',
  'app',
  'adapters',
  'api',
  'cli',
  'page',
  'wire',
] as const;

type Zone = (typeof zones)[number] | 'entry';

/** Zones of the functional core: no clock, randomness, environment or I/O. */
export const coreZones: readonly string[] = [
  'base',
  'formats',
  'trust',
  'seal',
  'verify',
  'domain',
];

const inner = ['base', 'formats', 'trust'] as const;

/** Which zone may import which; a zone may always import itself. */
const importTable: Readonly<Record<Zone, readonly string[]>> = {
  base: [],
  formats: ['base'],
  trust: ['base', 'formats'],
  seal: inner,
  verify: inner,
  domain: inner,
  app: [...inner, 'seal', 'verify', 'domain'],
  adapters: ['base', 'formats'],
  api: [...inner, 'seal', 'verify', 'domain', 'app'],
  cli: [...inner, 'seal', 'verify', 'domain', 'app', 'wire'],
  page: ['base'],
  wire: zones.filter((zone) => zone !== 'page'),
  entry: zones.filter((zone) => zone !== 'page' && zone !== 'cli'),
};

/** Ports that adapters implement: the only files of outer layers they may import. */
const adapterPorts = [/^app\/ports(\/index)?\.ts$/, /^seal\/ports\.ts$/];

/** Zones from which adapters may import types only. */
const adapterTypeZones = ['trust', 'domain'];

/** Adapters shared by the rest: one HTTP client, one way to write a file. */
const sharedAdapters = ['adapters/files', 'adapters/http'];

/** Folders whose files are imported directly, because each is loaded on demand. */
const openFolders = [
  'cli/commands',
  'app/documents',
  'base/network',
  'base/time',
  ...['config', 'diagnose', 'files', 'library', 'parties', 'serve', 'service', 'threads'].map(
    (room) => `wire/${room}`,
  ),
];

/** Packages that slow down the start: loaded with `await import()` where they are used. */
const heavyPackages = [
  'pkijs',
  'node-forge',
  '@peculiar/webcrypto',
  '@signpdf/',
  'ora',
  '@inquirer/prompts',
  'chalk',
  'pdf-lib',
  'better-sqlite3',
  'xmldsigjs',
  'fastify',
  '@fastify/',
  'kysely',
  'ajv',
  'undici',
  'nodemailer',
  'pg',
  'openid-client',
  'jose',
];

/** Built-in modules that adapters load only when they connect. */
const lazyBuiltins = ['node:http', 'node:https', 'node:http2'];

const coreBuiltins = ['node:crypto', 'node:zlib', 'node:util', 'node:buffer'];

const bannedCryptoNames = /^(random.*|getRandomValues|webcrypto|subtle|generate.*|\*)$/;

/** The path below `src/` that a relative import names; undefined for a package. */
export function resolveImport(importer: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(importer), specifier) : undefined;
}

/** The zone of a path below `src/`. */
export function zoneOf(path: string): Zone {
  const first = path.split('/')[0] ?? '';
  return (zones as readonly string[]).includes(first) ? (first as Zone) : 'entry';
}

/** Every import of `module` that the table forbids, one sentence each. */
export function importFaults(module: ModuleFacts): string[] {
  return module.imports.flatMap((each) => {
    const target = resolveImport(module.path, each.specifier);
    const reasons =
      target === undefined
        ? packageFaults(module.path, each)
        : pathFaults(module.path, target, each);
    return reasons.map((why) => `${module.path}:${each.line} imports ${each.specifier}: ${why}`);
  });
}

function pathFaults(path: string, target: string, fact: ImportFact): string[] {
  const faults: string[] = [];
  if (!target.endsWith('.ts')) faults.push('relative imports name the .ts file');
  if (target.startsWith('..')) return [...faults, 'leaves src/'];
  const from = zoneOf(path);
  const to = zoneOf(target);
  if (from === 'adapters') faults.push(...adapterFaults(path, target, fact));
  else if (to === 'entry' && from !== 'entry') faults.push('entries are for users of the package');
  else if (from !== to && !importTable[from].includes(to)) faults.push(`${from} may not see ${to}`);
  const isCommand = target.startsWith('cli/commands/');
  if (isCommand && !path.startsWith('cli/commands/') && !fact.lazy) {
    faults.push('commands are loaded when they are asked for, by nobody below them');
  }
  const folder = secondLevelFolder(target);
  const enters = folder !== undefined && !path.startsWith(`${folder}/`);
  // The composition root may load a single file of an adapter on demand.
  const single = from === 'wire' && to === 'adapters' && fact.lazy;
  if (enters && !single && !openFolders.includes(folder) && target !== `${folder}/index.ts`) {
    faults.push(`enter ${folder} through its index.ts`);
  }
  return faults;
}

function adapterFaults(path: string, target: string, fact: ImportFact): string[] {
  const to = zoneOf(target);
  if (to === 'adapters') {
    const own = secondLevelFolder(path);
    const other = secondLevelFolder(target);
    const isShared = other !== undefined && sharedAdapters.includes(other);
    if (own === other || other === undefined || isShared) return [];
    return ['sibling adapters never import each other'];
  }
  if (importTable.adapters.includes(to) || adapterPorts.some((port) => port.test(target)))
    return [];
  if (adapterTypeZones.includes(to) && fact.typeOnly) return [];
  return [`adapters may not see ${to}, except ports and types`];
}

function packageFaults(path: string, fact: ImportFact): string[] {
  const { specifier } = fact;
  const faults: string[] = [];
  const builtin = specifier.startsWith('node:');
  if (specifier === '<computed>') return ['the module of a dynamic import must be a literal'];
  const zone = zoneOf(path);
  // Texts and examples are data of the package, loaded like a module (docs/adr/0036).
  const loadsData = path === 'base/package-data.ts' && specifier === 'node:module';
  if (coreZones.includes(zone) && builtin && !coreBuiltins.includes(specifier) && !loadsData) {
    faults.push('the core does no I/O');
  }
  if (coreZones.includes(zone) && specifier === 'node:crypto' && !fact.typeOnly) {
    const banned = fact.names.filter((name) => bannedCryptoNames.test(name));
    if (banned.length > 0) faults.push(`the core takes randomness from outside (${banned.join()})`);
  }
  if (fact.lazy || fact.typeOnly) return faults;
  if (heavyPackages.some((name) => isPackage(specifier, name))) {
    faults.push('heavy package: use await import() where it is needed');
  }
  if (zone === 'adapters' && lazyBuiltins.includes(specifier)) {
    faults.push('adapters load network modules when they connect: use await import()');
  }
  return faults;
}

function isPackage(specifier: string, name: string): boolean {
  if (name.endsWith('/')) return specifier.startsWith(name);
  return specifier === name || specifier.startsWith(`${name}/`);
}

/** `formats/pdf` for `formats/pdf/lexer.ts`; undefined for files directly in a zone. */
export function secondLevelFolder(path: string): string | undefined {
  const parts = path.split('/');
  return parts.length >= 3 ? `${parts[0]}/${parts[1]}` : undefined;
}
