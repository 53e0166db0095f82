/**
 * Seals with the built program and has foreign judges verify the results; see CONTRIBUTING.md.
 *
 *     node scripts/run-ts.mjs scripts/interop.ts [--quick | --service | --eid | --corpora]
 *
 * With --corpora, files of every level signed by other programs, and the signed files of
 * ../shared/corpora, are archived as well. With --service only the scenarios of the signing service
 * are run, with --eid only documents signed through e-ID providers are verified. Prints one line per
 * check and ends with `N passed, N failed, N skipped`. Needs the port named in the development
 * certificates (8318). INTEROP_KEEP=1 keeps the files.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveCorpora, archiveForeign } from '../test/interop/archive-foreign.ts';
import { keepArchiveFormats } from '../test/interop/archive-format.ts';
import { counts, report, reportSkippedKinds } from '../test/interop/checks.ts';
import { sealInputs, surveyCorpus } from '../test/interop/corpora.ts';
import { type DssSigner, verifyDssSignatures } from '../test/interop/dss-signer.ts';
import { signByEids } from '../test/interop/eid-process.ts';
import { judgeWithDss, judgeWithPyhanko } from '../test/interop/foreign-judges.ts';
import { makeForeignPki } from '../test/interop/foreign-pki.ts';
import { type InnsigliCli, innsigliCli } from '../test/interop/innsigli-cli.ts';
import { type JudgeRoom, judgeLocally, makeNssDatabase } from '../test/interop/local-judges.ts';
import {
  archiveAll,
  certifyOrders,
  developmentKeys,
  furtherInputs,
  inputKinds,
  matrixOrders,
  repeatedOrders,
  type SealedFile,
  type SealKey,
  type SealOrder,
  sealAll,
  verifyOwn,
  visibleOrders,
} from '../test/interop/matrix.ts';
import { type PersonsPki, servePersonsPki } from '../test/interop/persons-pki.ts';
import { signProcesses } from '../test/interop/process.ts';
import { beginShiftMs, tellServiceStories } from '../test/interop/service-story.ts';
import { writeClock } from '../test/interop/service-story-desk.ts';
import { runOtherGuides, runReadme, runSigningGuide } from '../test/interop/service-story-guide.ts';
import { judgeSigned } from '../test/interop/service-story-judges.ts';
import { eachOf, findJudge } from '../test/interop/tools.ts';
import { judgeWithXmlsec, judgeXmlWithDss, verifyDssXml } from '../test/interop/xml-judges.ts';
import { checkBytesKept, signAgain, signEverything } from '../test/interop/xml-matrix.ts';
import { keepInvoicesValid } from '../test/interop/xml-schema.ts';
import { kinds, signedFiles } from './agreement/files.ts';
import { judgeUnseen } from './unseen/interop-unseen.ts';

const trustPort = 8318;
/** Age of the first signature through e-ID providers: longer than all of them take. */
const eidStoriesMs = 3_600_000;
const quick = process.argv.includes('--quick');
const corpora = process.argv.includes('--corpora');
const eidOnly = process.argv.includes('--eid');
const serviceOnly = process.argv.includes('--service');

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'innsigli-interop-'));
  const folder = join(work, 'files');
  mkdirSync(folder);
  const cli = innsigliCli(join(work, 'home'));
  // The scenarios of the service start on the previous day: the trust must be older.
  const init = await cli.run(['--json', 'init'], { env: writeClock(work)(beginShiftMs) });
  const root = /"rootCertificate"\s*:\s*"([^"]+)"/.exec(init.stdout)?.[1];
  const made = init.code === 0 && root !== undefined;
  report('innsigli init', made ? [] : [`rc ${init.code}: ${init.stderr.trim()}`]);
  if (!made) return;
  const foreign = await makeForeignPki(join(work, 'pki'), [root]);
  const persons = await servePersonsPki(work, Date.now() - eidStoriesMs);
  const server = await cli.serve(trustPort);
  try {
    const anchors = join(work, 'anchors.pem');
    const roots = [root, foreign.root, persons.root];
    writeFileSync(anchors, roots.map((file) => readFileSync(file, 'utf8')).join(''));
    const nssDatabase = await makeNssDatabase(work, roots);
    const room: JudgeRoom = { anchors, workFolder: work, nssDatabase, judge: findJudge() };
    if (eidOnly) return await judgeEids(cli, root, persons, room);
    const stories = join(work, 'stories');
    const signatureKey = /"webhookSignatureKey"\s*:\s*"([^"]+)"/.exec(init.stdout)?.[1] ?? '';
    await runSigningGuide(join(work, 'guide'));
    await runOtherGuides(join(work, 'guides'));
    await runReadme(join(work, 'readme'));
    await tellServiceStories(cli, signatureKey, stories, room);
    if (serviceOnly) return;
    await judgeUnseen(cli, root, work, room.judge);
    if (!quick) await judgeEids(cli, root, persons, room);
    const files = await makeFiles(cli, developmentKeys(root), foreign.keys, folder);
    if (!quick) files.push(...(await signProcesses(cli.dataDir, root, folder)));
    await eachOf(files, (file) => judgeLocally(file, room));
    await judgeWithPyhanko(files, room);
    await judgeWithDss(files, room);
    const [key] = developmentKeys(root);
    if (!quick && key !== undefined) await keepArchiveFormats(cli, key, folder, room);
    const signer = dssSigner(cli.dataDir, root, room);
    await verifyDssSignatures(cli, signer, folder);
    await archiveForeign(cli, signer, join(work, 'foreign'), !corpora);
    if (corpora) {
      const signed = Object.fromEntries(kinds.map((kind) => [kind, signedFiles(kind)]));
      await archiveCorpora(cli, signer, signed, join(work, 'corpora'));
    }
    await judgeXml(cli, [...developmentKeys(root), ...foreign.keys], join(work, 'xml'), room, root);
  } finally {
    foreign.close();
    persons.close();
    server.kill();
    if (process.env['INTEROP_KEEP'] === '1') console.log(`kept ${work}`);
    else rmSync(work, { recursive: true, force: true });
  }
}

async function judgeEids(
  { dataDir }: InnsigliCli,
  root: string,
  persons: PersonsPki,
  room: JudgeRoom,
): Promise<void> {
  const { files, sealed } = await signByEids(dataDir, root, persons, join(room.workFolder, 'eid'));
  await eachOf(files, (file) => judgeLocally(file, room));
  await judgeWithPyhanko(files, room);
  await judgeWithDss(files, room);
  await judgeSigned(sealed, room);
}

async function judgeXml(
  cli: InnsigliCli,
  keys: readonly SealKey[],
  folder: string,
  room: JudgeRoom,
  root: string,
): Promise<void> {
  mkdirSync(folder);
  const once = await signEverything(cli, keys, folder, quick);
  checkBytesKept(once, folder);
  const again = await signAgain(cli, once, keys, folder);
  const documents = [...once, ...again];
  await judgeWithXmlsec(documents);
  await judgeXmlWithDss(documents, room);
  if (quick) return;
  await keepInvoicesValid(cli, folder);
  await verifyDssXml(cli, dssSigner(cli.dataDir, root, room), folder);
}

async function makeFiles(
  cli: InnsigliCli,
  own: readonly SealKey[],
  foreign: readonly SealKey[],
  folder: string,
): Promise<SealedFile[]> {
  const first = own[0] as SealKey;
  const table = { table: 'fixtures/pdf/agreement.pdf' };
  const orders = [
    ...matrixOrders(own, quick ? table : inputKinds, folder),
    ...matrixOrders(foreign, table, folder),
    ...certifyOrders(first, folder),
    ...visibleOrders(first, folder),
    ...(quick ? [] : matrixOrders([first], furtherInputs, folder).filter(isHighest)),
  ];
  const sealed = await sealAll(cli, orders);
  await verifyOwn(cli, 'sealed once', sealed);
  const repeated = await sealAll(cli, repeatedOrders(sealed, own, folder));
  await verifyOwn(cli, 'sealed over seals', repeated);
  const archived = await archiveAll(cli, sealed, folder);
  await verifyOwn(cli, 'archived', archived);
  const inputs = await sealInputs(cli, first, folder);
  if (!quick) {
    for (const corpus of ['pdf20examples', 'pyhanko'])
      await surveyCorpus(cli, corpus, first, folder);
  }
  return [...sealed, ...repeated, ...archived, ...inputs];
}

function isHighest(order: SealOrder): boolean {
  return order.level === 'B-LTA';
}

function dssSigner(dataDir: string, root: string, room: JudgeRoom): DssSigner {
  const trust = join(dataDir, 'trust');
  return {
    judge: room.judge,
    key: join(trust, 'seal-rsa.key'),
    chain: join(trust, 'seal-rsa.pem'),
    root,
    tsaUrl: `http://127.0.0.1:${trustPort}/tsa`,
  };
}

try {
  await main();
} catch (error) {
  report('interop suite', [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  ]);
}
reportSkippedKinds();
const { passed, failed, skipped } = counts();
console.log(`interop: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
