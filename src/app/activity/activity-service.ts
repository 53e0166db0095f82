import type { CompanyKey } from '../../domain/keys.ts';
import { bindOperations, type Service } from '../operation.ts';
import { anchorDays } from './anchor/anchor-days.ts';
import { erasePersonal } from './erase-personal.ts';
import { exportActivity } from './export-log.ts';
import type { ActivityPorts } from './ports.ts';
import { countActivity, queryActivity, queryActivityPages } from './query-log.ts';
import { compareEvidence } from './verify/compare-evidence.ts';
import { verifyActivity } from './verify/verify-log.ts';

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

/** The activity log of `companyKey`. */
export function activityService(ports: ActivityPorts, companyKey: CompanyKey): ActivityService {
  return bindOperations(activityOperations, ports, companyKey);
}
