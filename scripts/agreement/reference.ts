import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askJudge } from '../../test/interop/tools.ts';

/** Verdict of the reference validator on one signature. */
export interface ReferenceSignature {
  readonly field?: string | null;
  readonly level: string;
  readonly indication: string;
  readonly subIndication: string | null;
  readonly intact: boolean;
  readonly claimedTime?: string | null;
  readonly bestTime?: string | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Its verdict on one time-stamp. */
export interface ReferenceTimestamp {
  readonly type: string;
  readonly time: string;
  readonly intact: boolean;
  readonly imprintIntact: boolean;
}

/** Its verdict on a file. */
export interface ReferenceAnswer {
  readonly error?: string;
  /** Absent if the file could not be read. */
  readonly signatures?: readonly ReferenceSignature[];
  readonly timestamps?: readonly ReferenceTimestamp[];
}

interface Asked {
  readonly program: string;
  readonly work: string;
  /** Folder for the stored verdicts. */
  readonly kept: string;
  /** Folder for the anchors; filled by the first request. */
  readonly roots: string;
  readonly isRelaxed: boolean;
  readonly atSigning: boolean;
}

interface Answered {
  readonly at: Date;
  readonly answer: ReferenceAnswer;
}

/** Returns the verdicts of {@link askReference}, stored ones if there are any. */
export async function keptAnswers(
  files: readonly string[],
  asked: Asked,
): Promise<ReadonlyMap<string, Answered>> {
  const file = join(asked.kept, 'answers.json');
  if (existsSync(file)) {
    const rows: readonly [string, { at: string; answer: ReferenceAnswer }][] = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return new Map(rows.map(([path, { at, answer }]) => [path, { at: new Date(at), answer }]));
  }
  const answers = await askReference(files, asked);
  writeFileSync(file, JSON.stringify([...answers]));
  return answers;
}

/** Requests verdicts on `files`, with the self-signed certificates of all of them as anchors. */
async function askReference(
  files: readonly string[],
  { program, work, roots, isRelaxed, atSigning }: Asked,
): Promise<ReadonlyMap<string, Answered>> {
  const paths = files.map((file) => resolve(file));
  const ask = (options: readonly string[], some: readonly string[]) =>
    askJudge<ReferenceAnswer>(program, 'dss', options, some, work);
  const first = await ask(['--write-roots', roots], paths);
  const relaxed = resolve('../shared/tools/policies/revocation-relaxed.xml');
  const policy = isRelaxed ? ['--policy', relaxed] : [];
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const groups = new Map<number, string[]>();
  for (const path of paths) {
    const at = atSigning ? monthAfter(first.answers.get(path), now) : now.getTime();
    groups.set(at, [...(groups.get(at) ?? []), path]);
  }
  const found = new Map<string, Answered>();
  for (const [atMs, some] of groups) {
    const at = new Date(atMs);
    const asked = ['--trust', roots, '--at', at.toISOString(), ...policy];
    const { answers, problem } = await ask(asked, some);
    if (problem !== undefined) console.log(`the reference validator: ${problem}`);
    for (const [path, answer] of answers) found.set(path, { at, answer });
  }
  return new Map(
    files.flatMap((file) => {
      const answer = found.get(resolve(file));
      return answer === undefined ? [] : [[file, answer] as const];
    }),
  );
}

/** Returns the end of the month of the latest claimed signing time in a file. */
function monthAfter(answer: ReferenceAnswer | undefined, now: Date): number {
  const claimed = (answer?.signatures ?? []).flatMap(({ claimedTime }) =>
    claimedTime == null ? [] : [Date.parse(claimedTime)],
  );
  const last = claimed.length === 0 ? now : new Date(Math.max(...claimed));
  return Math.min(now.getTime(), Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1));
}
