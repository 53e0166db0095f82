import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigneeRequest } from '../../src/app/process/index.ts';
import { jobKinds, webhookTypes } from '../../src/domain/process/index.ts';
import { type Engine, sharedPostgres, whyNot } from '../support/engines.ts';
import { type Act, type KillTask, PAST_LEASES_MS, perform } from './kill-acts.ts';
import { type Nursery, openNursery } from './kill-children.ts';
import { type KillSite, openKillSite, type Traces } from './kill-site.ts';
import { agreement } from './open-service.ts';

const DAY = 86_400_000;
/** Whether all kill points are tried, instead of one of each kind per step: `KILL_POINTS=all`. */
const isThorough = process.env['KILL_POINTS'] === 'all';
const person = { email: 'anna@example.test', delivery: 'Email' } as const;
const click: SigneeRequest = { ...person, name: 'Anna Þórðardóttir', signatureType: 'ClickToSign' };
const code: SigneeRequest = {
  name: 'Björn Čeněk',
  phoneNumber: '+11111111111',
  email: 'bjorn@example.test',
  signatureType: 'Simple',
  delivery: 'Email',
};
const qualified: SigneeRequest = {
  name: 'Łucja Ödön',
  ssn: '6000101994',
  phoneNumber: '6666666',
  signatureType: 'Qualified',
  delivery: 'Sms',
};

/** A step that is killed. */
interface Step {
  readonly name: string;
  readonly act: Act;
  readonly signees: readonly SigneeRequest[];
  readonly level?: 'B-LTA';
  /** Brings a new process to the start of the step. */
  readonly prepare?: (site: KillSite, key: string) => Promise<unknown>;
  readonly reminderRule?: string;
  /** Time before the step, in which only jobs of earlier processes become due. */
  readonly restMs?: number;
  /** Kills after fractions of the step's duration. */
  readonly timed: number;
}

const sign = async (site: KillSite, key: string) => {
  await work(site);
  await perform(site.toolkit, site, { act: 'sign', processKey: key });
  site.pass(1000);
};
/** Daily time-stamps and the removal of old contents are not under test. */
const kinds = jobKinds.filter((kind) => kind !== 'anchor' && kind !== 'purge');
const work = ({ toolkit }: KillSite) => toolkit.runDueJobs(kinds);
const steps: readonly Step[] = [
  { name: 'sign', act: 'sign', signees: [code, qualified], prepare: work, timed: 3 },
  { name: 'finalize', act: 'finalize', signees: [click], prepare: sign, timed: 3 },
  { name: 'message', act: 'message', signees: [click, qualified], timed: 3 },
  {
    name: 'webhook',
    act: 'webhook',
    signees: [click],
    prepare: async (site, key) => {
      await sign(site, key);
      await site.toolkit.runDueJobs(['finalize', 'message']);
    },
    timed: 3,
  },
  {
    name: 'remind',
    act: 'remind',
    reminderRule: '1:3',
    restMs: 4 * DAY,
    signees: [click, qualified],
    prepare: async (site) => {
      await work(site);
      site.pass(DAY + 1000);
    },
    timed: 1,
  },
  {
    name: 'expire',
    act: 'expire',
    signees: [click],
    prepare: async (site) => {
      await work(site);
      site.pass(31 * DAY);
    },
    timed: 1,
  },
];
/** All steps at the highest level, killed repeatedly. */
const storm: Step = {
  name: 'all',
  act: 'all',
  signees: [click, code],
  level: 'B-LTA',
  prepare: work,
  timed: 6,
};

/** Tests the state after programs were killed, on one engine. */
export function describeKills(engine: Engine): void {
  const why = whyNot(engine);
  describe.skipIf(why !== '')(`killed programs, ${engine}${why}`, () => {
    let site: KillSite;
    let nursery: Nursery;
    const flows = new Map<string, string>();
    const counts: Record<string, number> = {};
    const known = new Set<string>();
    let leftOut = 0;

    beforeAll(async () => {
      const dsn = engine === 'postgresql' ? await sharedPostgres().newDatabase() : undefined;
      site = await openKillSite(dsn);
      for (const sealLevel of ['B-B', 'B-LTA'])
        flows.set(sealLevel, await makeFlow(site, sealLevel));
      nursery = await openNursery(site.env);
    }, 120_000);
    afterAll(async () => {
      nursery?.remove();
      await site?.close();
    });

    const create = async ({ signees, level, prepare, reminderRule, restMs = 0 }: Step) => {
      site.pass(restMs);
      if (restMs > 0) await site.toolkit.runDueJobs(['remind', 'expire']);
      const { key } = await site.toolkit.processes.create({
        flowKey: flows.get(level ?? 'B-B') ?? '',
        pdf: agreement,
        fileName: 'agreement.pdf',
        user: 'owner@example.test',
        signees,
        ...(reminderRule === undefined ? {} : { reminderRule }),
      });
      await prepare?.(site, key);
      return key;
    };
    const taskOf = ({ act }: Step, processKey: string, killAt?: number): KillTask => ({
      act,
      processKey,
      offsetMs: site.nowMs() - Date.now(),
      ...(killAt === undefined ? {} : { killAt }),
    });
    /** The result after a fresh worker has run and the leases have expired. */
    const converge = async (step: Step, key: string): Promise<Traces> => {
      site.pass(PAST_LEASES_MS);
      await perform(site.toolkit, site, { act: step.act, processKey: key });
      site.pass(1000);
      const { failed } = await work(site);
      expect(failed).toEqual([]);
      const traces = await site.tracesOf(key);
      const { status } = await site.toolkit.processes.show({ key });
      if (status === 'Active') await site.toolkit.processes.cancel({ key, by: 'System' });
      await work(site);
      return traces;
    };
    /** The undisturbed step: its kill points, duration and result. */
    const reference = async (step: Step) => {
      const key = await create(step);
      const victim = await nursery.take();
      const begun = performance.now();
      const outcome = await victim.run(taskOf(step, key));
      const durationMs = performance.now() - begun;
      victim.kill();
      expect(outcome?.error).toBeUndefined();
      return { points: outcome?.points ?? [], durationMs, traces: await converge(step, key) };
    };
    const kill = async (step: Step, expected: Traces, killAt?: number, killAfterMs?: number) => {
      const key = await create(step);
      const victim = await nursery.take();
      const outcome = await victim.run(taskOf(step, key, killAt), killAfterMs);
      victim.kill();
      expect(outcome?.error).toBeUndefined();
      const name = killAt === undefined ? `${step.name} by time` : step.name;
      counts[name] = (counts[name] ?? 0) + (outcome === undefined ? 1 : 0);
      const traces = await converge(step, key);
      const where = `${step.name} killed at ${killAt ?? `${killAfterMs} ms`}`;
      expect({ where, ...traces }).toEqual({ where, ...expected });
    };

    test.each(steps)(
      '$name: the result is the same wherever the program is killed',
      async (step) => {
        if (step.act === 'expire') {
          site.pass(31 * DAY);
          await site.toolkit.runDueJobs(['expire']);
        }
        const { points, durationMs, traces } = await reference(step);
        expectWhole(step, traces);
        const numbers = chosen(points, known);
        leftOut += points.filter((name) => name !== 'row').length - numbers.length;
        for (const number of numbers) await kill(step, traces, number);
        // Concurrent results share a commit: there may be fewer kill points than before.
        expect(counts[step.name]).toBeGreaterThan(numbers.length / 2);
        const timed = isThorough ? step.timed : 0;
        for (let part = 0; part < timed; part += 1) {
          await kill(step, traces, undefined, (durationMs * (part + 0.5)) / timed);
        }
      },
      400_000,
    );

    test('a worker killed during the POST of a webhook', async () => {
      const step = steps[3] as Step;
      const { traces } = await reference(step);
      const key = await create(step);
      const victim = await nursery.take();
      site.atNextPost(victim.kill);
      expect(await victim.run(taskOf(step, key))).toBeUndefined();
      counts['webhook in flight'] = 1;
      expect(await converge(step, key)).toEqual(traces);
    }, 60_000);

    test('repeated kills from the first click to the last message', async () => {
      const { durationMs, traces } = await reference(storm);
      expectWhole(storm, traces);
      const key = await create(storm);
      const times = isThorough ? storm.timed : 2;
      for (let part = 0; part < times; part += 1) {
        const victim = await nursery.take();
        const outcome = await victim.run(taskOf(storm, key), (durationMs * (part + 0.5)) / times);
        victim.kill();
        expect(outcome?.error).toBeUndefined();
        counts['storm'] = (counts['storm'] ?? 0) + (outcome === undefined ? 1 : 0);
        site.pass(PAST_LEASES_MS);
      }
      expect(await converge(storm, key)).toEqual(traces);
    }, 120_000);

    test('nothing is lost, duplicated or left over', async () => {
      const { posts, events, mails, messages } = await site.tally();
      expect(await site.toolkit.activity.verify()).toMatchObject({ isIntact: true });
      site.pass(31 * DAY);
      await site.toolkit.runDueJobs(['remind', 'expire', 'message', 'webhook', 'purge']);
      const waiting = await site.query("SELECT kind, ref FROM job WHERE kind <> 'anchor'");
      expect(waiting).toEqual([]);
      expect(site.outbox()).toEqual([]);
      const kills = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
      console.info(
        `${engine}: ${kills} programs killed (${told.join(', ')}): ${messages} messages in ` +
          `${mails} sendings, ${events} events in ${posts} POSTs, nothing lost or doubled`,
      );
      if (!isThorough) console.info(`${engine}: ${leftOut} moments left out; KILL_POINTS=all`);
    }, 60_000);
  });
}

async function makeFlow({ toolkit, hookUrl }: KillSite, sealLevel: string): Promise<string> {
  const settings = { sealLevel, evidencePage: true, confirmSignees: true, confirmUser: true };
  const { key } = await toolkit.flows.create({ name: sealLevel, type: 'DropAndSign', settings });
  for (const type of Object.keys(webhookTypes).filter((each) => each !== 'NotSet')) {
    await toolkit.webhooks.create({ flowKey: key, type, url: hookUrl });
  }
  return key;
}

/**
 * The kill points to die at, by number. In thorough mode all, but only one of rows, because only a
 * commit makes them count. Otherwise the middle one of each kind, and the one after a commit for
 * each step.
 *
 * @param known kinds that were already tried
 */
function chosen(points: readonly string[], known: Set<string>): readonly number[] {
  const kinds = new Map<string, number[]>();
  for (const [at, name] of points.entries()) {
    kinds.set(name, [...(kinds.get(name) ?? []), at + 1]);
  }
  const numbers = [...kinds].flatMap(([name, all]) => {
    if (isThorough && name !== 'row') return all;
    if (!isThorough && known.has(name) && name !== 'committed') return [];
    known.add(name);
    return all.slice(all.length >> 1, (all.length >> 1) + 1);
  });
  return numbers.sort((a, b) => a - b);
}

/** Checks that the undisturbed run is as expected. */
function expectWhole({ act, signees, level }: Step, traces: Traces): void {
  const { state, log, signatures, attachments, events, jobs } = traces;
  const isDone = ['sign', 'finalize', 'webhook', 'all'].includes(act);
  expect(jobs.filter((kind) => kind !== 'purge' && kind !== 'expire' && kind !== 'remind')).toEqual(
    [],
  );
  expect(events.every((text) => text.endsWith(' done'))).toBe(true);
  expect(traces.received).toEqual(events.map((text) => text.replace(' done', '')));
  expect(traces.messages.filter((text) => !text.endsWith(' sent'))).toEqual([]);
  if (act === 'expire') expect(state).toBe('Expired Done');
  if (!isDone) return;
  expect(state).toBe('Completed Done');
  expect(jobs).toEqual(['purge']);
  expect(log.filter((status) => status === 'Completed').length).toBe(1);
  expect(log.filter((status) => status === 'SigneeSigned').length).toBe(signees.length);
  expect(attachments.length).toBe(4);
  for (const type of ['AllSigned', 'Completed']) {
    expect(events.filter((text) => text === `${type} done`).length).toBe(1);
  }
  const [input, , ...kinds] = signatures;
  expect(input).toBe('begins with the input: true');
  const sealed = kinds.filter((kind) => kind === 'signature true').length;
  expect(sealed).toBe(signees.length + 1);
  expect(kinds.length).toBe(signees.length + (level === undefined ? 1 : 2));
}
