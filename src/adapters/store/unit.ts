import type { StoreUnit } from '../../app/ports/index.ts';
import { accessTokens, logins, polls, tallies } from './rows/access.ts';
import { activityLog } from './rows/activity.ts';
import { companies, origins } from './rows/companies.ts';
import { complianceRecords } from './rows/compliance.ts';
import { contentNames } from './rows/contents.ts';
import { flows, formDrafts } from './rows/flows.ts';
import { idempotencyKeys } from './rows/idempotency-keys.ts';
import { challenges, jobs } from './rows/outbox/jobs.ts';
import { emailTemplates, messages } from './rows/outbox/messages.ts';
import { webhooks } from './rows/outbox/webhooks.ts';
import { storeFacts } from './rows/processes/facts.ts';
import { processes } from './rows/processes/processes.ts';
import { sequences } from './rows/processes/sequences.ts';
import { quotaUses } from './rows/quota-uses.ts';
import { customers, matchDecisions, screenings } from './rows/screenings.ts';
import { watchlists } from './rows/watchlists.ts';
import type { Session } from './tables.ts';

type Makers = { readonly [name in keyof StoreUnit]: (session: Session) => StoreUnit[name] };

const makers: Makers = {
  companies,
  flows,
  processes,
  sequences,
  activity: activityLog,
  webhooks,
  messages,
  templates: emailTemplates,
  jobs,
  challenges,
  logins,
  accessTokens,
  polls,
  tallies,
  compliance: complianceRecords,
  watchlists,
  screenings,
  matchDecisions,
  customers,
  idempotencyKeys,
  facts: storeFacts,
  contents: contentNames,
  quotas: quotaUses,
  origins,
  formDrafts,
};

/** A unit of work whose collections are created by getters. */
class OpenUnit {
  readonly made: Partial<Record<keyof StoreUnit, unknown>> = {};
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }
}

// On the prototype: each request opens several units and uses only a few collections of each.
for (const name of Object.keys(makers) as (keyof StoreUnit)[]) {
  Object.defineProperty(OpenUnit.prototype, name, {
    get(this: OpenUnit) {
      this.made[name] ??= makers[name](this.session);
      return this.made[name];
    },
  });
}

/** The collections of the store within one transaction, each created on first use. */
export function openUnit(session: Session): StoreUnit {
  return new OpenUnit(session) as unknown as StoreUnit;
}
