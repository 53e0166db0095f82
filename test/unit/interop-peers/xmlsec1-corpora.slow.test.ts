import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import type { XmlSignatureReport } from '../../../src/verify/report/report.ts';
import { verifyXml } from '../../../src/verify/xml/index.ts';
import { hasXmlsec1, xmlsec1, xmlsec1Note } from './xmlsec1.ts';

const corpora = join(import.meta.dirname, '../../../../shared/corpora');
const sets = ['xmlsec', 'santuario'].map((name) => join(corpora, name)).filter(existsSync);
const missing = sets.length === 2 ? xmlsec1Note : ' (skipped: ../shared/corpora is not there)';
if (sets.length < 2) console.warn(`verdicts beside xmlsec1${missing}`);
const isReady = hasXmlsec1 && sets.length === 2;

const paths = sets.flatMap((set) =>
  readdirSync(set, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.xml'))
    .map((name) => join(set, name))
    .filter((path) => /<(?:\w+:)?Signature[\s>]/.test(readFileSync(path, 'latin1'))),
);

/** The reports on a file, or the reason why the file is rejected. */
function reportsOn(path: string): readonly XmlSignatureReport[] | string {
  const findFile = (uri: string) => {
    const beside = join(dirname(path), uri);
    return /^[\w./-]+$/.test(uri) && existsSync(beside) ? readFileSync(beside) : undefined;
  };
  try {
    const nowMs = Date.UTC(2026, 5, 1);
    return verifyXml(parseXml(readFileSync(path)), { anchors: [], nowMs, findFile });
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return error.code;
  }
}

/** The reason why we reject what xmlsec1 accepts: the first one that applies. */
function whyRefused(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (text.includes('REC-xslt')) return 'XSLT';
  return basename(path);
}

/** The reason why xmlsec1 1.2 rejects what we report as intact. */
function whyTheyRefuse(path: string, errors: string): string {
  const text = readFileSync(path, 'utf8');
  if (text.includes('xmldsig11#') && text.includes('ECKeyValue')) return 'key in ECKeyValue';
  if (errors.includes('uri=document.b64')) return 'a file that only a manifest names is missing';
  return basename(path);
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Nothing is fetched from the network. xmlsec1 also treats files by bare name as remote. */
function verifyArgs(path: string): readonly string[] {
  const args = ['--verify', '--insecure'];
  if (/URI="https?:/.test(readFileSync(path, 'latin1'))) {
    for (const what of ['reference', 'retrieval-method']) {
      args.push(`--enabled-${what}-uris`, 'empty,same-doc');
    }
  }
  return [...args, path];
}

test.runIf(isReady)(
  `verdicts of xmlsec1 1.2 and ours differ only on known third-party files${missing}`,
  { timeout: 300_000 },
  async () => {
    const verdicts = { both: 0, neither: 0 };
    const onlyTheirs: string[] = [];
    const onlyOurs: string[] = [];
    for (const path of paths) {
      const theirs = await xmlsec1(verifyArgs(path), dirname(path));
      const reports = reportsOn(path);
      const isIntact =
        typeof reports !== 'string' && reports.length > 0 && reports.every(({ intact }) => intact);
      if (theirs.accepted === isIntact) verdicts[isIntact ? 'both' : 'neither']++;
      else if (isIntact) onlyOurs.push(whyTheyRefuse(path, theirs.errors));
      else onlyTheirs.push(whyRefused(path));
    }
    expect({ ...verdicts, onlyTheirs: count(onlyTheirs), onlyOurs: count(onlyOurs) }).toEqual({
      both: 51,
      neither: 108,
      onlyTheirs: {
        XSLT: 1,
      },
      onlyOurs: {
        'key in ECKeyValue': 24,
        'a file that only a manifest names is missing': 1,
      },
    });
  },
);
