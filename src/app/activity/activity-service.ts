import type { ProcessKey } from '../../domain/keys.ts';
import { systemActor } from '../../domain/process/index.ts';
import { coded, type Service, useCase } from '../operation.ts';
import { requireOwn } from '../required.ts';
import { anchorDays } from './anchor/anchor-days.ts';
import { appendActivity } from './append.ts';
import { exportActivity } from './export-log.ts';
import type { ActivityPorts } from './ports.ts';
import { queryOperations } from './query-log.ts';
import { compareEvidence } from './verify/compare-evidence.ts';
import { verifyActivity } from './verify/verify-log.ts';

/** Operations of a company on its activity log. */
export const activityOperations = {
  ...queryOperations,
  /**
   * Verifies the chains of the company or of one process, and the daily roots.
   *
   * @example
   * const { isIntact, isVouched } = await acme.activity.verify();
   */
  verify: verifyActivity,
  /**
   * Compares the log with an evidence record. `faults` is empty if the log still matches it.
   *
   * @example
   * const { faults } = await acme.activity.compare(await readFile('evidence.json'));
   */
  compare: compareEvidence,
  /**
   * Exports the log as lines of text, each with its line ending: newest process first, oldest row
   * of each process first.
   *
   * @example
   * const request = { filter, format: 'jsonl', isAnonymous: false, by: 'me@acme.example' };
   * for await (const line of acme.activity.export(request)) stream.write(line);
   */
  export: coded(['clock.back'], exportActivity),
  /**
   * Creates a root over the rows of each completed day, up to yesterday, and has the roots
   * time-stamped.
   *
   * @example
   * await acme.activity.anchor();
   */
  anchor: anchorDays,
  /**
   * Erases the personal values in the log of a process and records the erasure in a new row. The
   * commitments remain, so the chain still verifies; without its salt, a commitment reveals
   * nothing. Signee data in the process itself remains, with its salts, until the process is
   * purged.
   *
   * @example
   * await acme.activity.erase(processKey);
   */
  erase: useCase(
    ['process.not_found', 'clock.back'],
    async (
      ports: Pick<ActivityPorts, 'store' | 'now' | 'random'>,
      companyKey,
      key: ProcessKey,
    ): Promise<void> => {
      await ports.store.write(async (unit) => {
        const process = requireOwn(await unit.processes.lock(key), companyKey, key);
        // A repeated call finds nothing to erase and adds no row.
        const values = [...(await unit.activity.personal(key)).values()].flat();
        if (values.every(({ value }) => value === undefined)) return;
        await unit.activity.erasePersonal(key, 'commitments');
        const draft = { status: 'PersonalErased', createdBy: systemActor };
        await appendActivity(unit, ports, process, [draft], ports.now());
      });
    },
  ),
};

/** The methods of {@link activityOperations}. */
export type ActivityService = Service<typeof activityOperations>;
