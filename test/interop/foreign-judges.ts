import { report, skip, skipKind, unless } from './checks.ts';
import type { JudgeRoom } from './local-judges.ts';
import type { SealedFile } from './matrix.ts';
import { askJudge } from './tools.ts';

interface PyhankoSignature {
  readonly field: string;
  readonly type: string;
  readonly error?: string;
  readonly indication?: string;
  readonly subIndication?: string | null;
  readonly failure?: string | null;
  readonly intact?: boolean;
  readonly valid?: boolean;
  readonly trusted?: boolean;
  readonly coverage?: string;
  readonly modification?: string;
  readonly docmdpOk?: boolean;
  readonly timestamp?: { readonly valid: boolean; readonly trusted: boolean };
}

interface PyhankoAnswer {
  readonly error?: string;
  readonly signatures: readonly PyhankoSignature[];
}

interface DssSignature {
  readonly field: string | null;
  readonly level: string;
  readonly indication: string;
  readonly subIndication: string | null;
  readonly intact: boolean;
  readonly structure?: readonly string[];
  readonly changes?: { readonly undefined: number };
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

interface DssAnswer {
  readonly error?: string;
  readonly signatures: readonly DssSignature[];
  readonly timestamps: readonly {
    readonly type: string;
    readonly indication: string;
    readonly subIndication: string | null;
    readonly intact: boolean;
    readonly imprintIntact: boolean;
    readonly errors: readonly string[];
  }[];
}

const absent = '../shared/tools/judge is absent';

/** pyHanko: valid and trusted for all, PASSED by the AdES process for B-LTA. */
export async function judgeWithPyhanko(
  files: readonly SealedFile[],
  room: JudgeRoom,
): Promise<void> {
  if (room.judge === undefined) return skip(`pyhanko, ${files.length} files`, absent);
  const passwords = new Set(files.map(({ password }) => password));
  for (const password of passwords) {
    const opened = files.filter((file) => file.password === password);
    await judgeOpened(opened, room.judge, password, room);
  }
}

/** Files that open with one password, or without. */
async function judgeOpened(
  files: readonly SealedFile[],
  judge: string,
  password: string | undefined,
  room: JudgeRoom,
): Promise<void> {
  for (const { covered, obstacle } of files) {
    if (!covered.pyhanko) skipKind('pyhanko', obstacle ?? 'does not know the algorithm');
  }
  const judged = files.filter((file) => file.covered.pyhanko);
  const paths = judged.map(({ path }) => path);
  const opening = password === undefined ? [] : ['--password', password];
  const trust = ['--trust', room.anchors, ...opening];
  const plain = await askJudge<PyhankoAnswer>(judge, 'pyhanko', trust, paths, room.workFolder);
  if (plain.problem !== undefined) report('pyhanko answers for every file', [plain.problem]);
  for (const file of judged) {
    const answer = plain.answers.get(file.path);
    const reasons = pyhankoReasons(file, answer);
    report(`pyhanko ${file.name}`, reasons);
  }
  const archived: SealedFile[] = [];
  for (const file of judged.filter(({ level }) => level === 'B-LTA')) {
    if (file.adesObstacle === undefined) archived.push(file);
    else skipKind('pyhanko --ades', file.adesObstacle);
  }
  const ades = await askJudge<PyhankoAnswer>(
    judge,
    'pyhanko',
    [...trust, '--ades'],
    archived.map(({ path }) => path),
    room.workFolder,
  );
  if (ades.problem !== undefined) report('pyhanko --ades answers for every file', [ades.problem]);
  for (const file of archived) {
    const signature = ours(file, ades.answers.get(file.path)?.signatures ?? []);
    const passed = signature?.indication === 'PASSED';
    const why = `${signature?.indication} ${signature?.subIndication} ${signature?.failure ?? ''}`;
    report(`pyhanko --ades ${file.name}`, passed ? [] : [signature?.error ?? why]);
  }
}

/** What pyHanko holds against a file: our signature, its earlier ones, its time-stamps. */
function pyhankoReasons(file: SealedFile, answer: PyhankoAnswer | undefined): string[] {
  if (answer?.error !== undefined) return [answer.error];
  const signatures = answer?.signatures ?? [];
  const mine = ours(file, signatures);
  if (mine === undefined) return [`field ${file.field} not found`];
  const reasons = signatures.flatMap((each) =>
    unless({
      [`${each.field} intact ${each.error ?? ''}`]: each.intact === true,
      [`${each.field} without forbidden changes`]:
        each.modification !== 'OTHER' && each.docmdpOk !== false,
    }),
  );
  const judged = file.signaturesBefore === 0 || file.allOurs ? signatures : [mine];
  for (const each of judged) {
    reasons.push(
      ...unless({
        [`${each.field} valid`]: each.valid === true,
        [`${each.field} trusted`]: each.trusted === true,
        [`time-stamp of ${each.field} valid and trusted`]:
          each.timestamp === undefined || (each.timestamp.valid && each.timestamp.trusted),
      }),
    );
  }
  return reasons;
}

/** DSS: the level, TOTAL-PASSED, no error, no warning; earlier signatures intact. */
export async function judgeWithDss(files: readonly SealedFile[], room: JudgeRoom): Promise<void> {
  if (room.judge === undefined) return skip(`dss, ${files.length} files`, absent);
  const judged = files.filter((file) => file.covered.dss);
  for (const file of files) {
    if (!file.covered.dss) {
      skipKind('dss', file.obstacle ?? 'its default policy authorises no EdDSA');
    }
  }
  const { answers, problem } = await askJudge<DssAnswer>(
    room.judge,
    'dss',
    ['--trust', room.anchors, '--loopback'],
    judged.map(({ path }) => path),
    room.workFolder,
  );
  if (problem !== undefined) report('dss answers for every file', [problem]);
  for (const file of judged) {
    const answer = answers.get(file.path);
    report(`dss ${file.name}`, dssReasons(file, answer));
  }
}

function dssReasons(file: SealedFile, answer: DssAnswer | undefined): string[] {
  if (answer === undefined) return ['no answer'];
  if (answer.error !== undefined) return [answer.error];
  const mine = ours(file, answer.signatures);
  if (mine === undefined) return [`field ${file.field} not found`];
  const level = `PAdES-BASELINE-${file.level.slice(2)}`;
  const reasons = answer.signatures.flatMap((each) =>
    unless({
      [`${each.field} intact`]: each.intact,
      [`${each.field} without undefined changes`]: (each.changes?.undefined ?? 0) === 0,
    }),
  );
  reasons.push(
    ...unless({
      [`${level} (${mine.level})`]: mine.level === level,
      [`TOTAL-PASSED (${mine.indication} ${mine.subIndication ?? ''})`]:
        mine.indication === 'TOTAL_PASSED' || mine.indication === 'TOTAL-PASSED',
    }),
    ...mine.errors.map((error) => `error ${error}`),
    ...mine.warnings.map((warning) => `warning ${warning}`),
    ...(mine.structure ?? []).map((fault) => `structure ${fault}`),
  );
  if (file.signaturesBefore > 0) return reasons;
  for (const stamp of answer.timestamps) {
    const passed = stamp.indication === 'PASSED' && stamp.intact && stamp.imprintIntact;
    const said = `${stamp.type} ${stamp.indication} ${stamp.subIndication ?? ''}`;
    if (!passed) reasons.push(`time-stamp ${said} ${stamp.errors.join(', ')}`);
  }
  return reasons;
}

function ours<T extends { readonly field: string | null }>(
  file: SealedFile,
  signatures: readonly T[],
): T | undefined {
  return signatures.find((each) => each.field === file.field);
}
