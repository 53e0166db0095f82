import type { ProcessKey } from '../../domain/keys.ts';
import { systemActor } from '../../domain/process/index.ts';
import { type Service, useCase } from '../operation.ts';
import { requireOwn } from '../required.ts';
import { anchorDays } from './anchor/anchor-days.ts';
import { appendActivity } from './append.ts';
import { exportActivity } from './export-log.ts';
import type { ActivityPorts } from './ports.ts';
import { countActivity, queryActivity, queryActivityPages } from './query-log.ts';
import { compareEvidence } from './verify/compare-evidence.ts';
import { verifyActivity } from './verify/verify-log.ts';

/**
 * Removes the personal values of the log of a process and says so in a row. The commitments
 * stay, so that the chain still verifies; without its salt a commitment tells nothing. What the
 * process itself says of its signees stays, with its salts, until the process is purged.
 *
 * @throws process.not_found, clock.back
 */
const erasePersonal = useCase(
  ['process.not_found', 'clock.back'],
  async (
    ports: Pick<ActivityPorts, 'store' | 'now' | 'random'>,
    companyKey,
    key: ProcessKey,
  ): Promise<void> => {
    await ports.store.write(async (unit) => {
      const process = requireOwn(await unit.processes.lock(key), companyKey, key);
      // Asked again there is nothing to say.
      const values = [...(await unit.activity.personal(key)).values()].flat();
      if (values.every(({ value }) => value === undefined)) return;
      await unit.activity.erasePersonal(key, 'commitments');
      const draft = { status: 'PersonalErased', createdBy: systemActor };
      await appendActivity(unit, ports, process, [draft], ports.now());
    });
  },
);

/** Everything that a company can do with its activity log. */
export const activityOperations = {
  list: queryActivity,
  pages: queryActivityPages,
  total: countActivity,
  verify: verifyActivity,
  compare: compareEvidence,
  export: exportActivity,
  anchor: anchorDays,
  erase: erasePersonal,
};

/** The methods of {@link activityOperations}. */
export type ActivityService = Service<typeof activityOperations>;
