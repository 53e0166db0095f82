import type { StoreUnit } from '../../app/ports/index.ts';
import { accessTokens, logins, polls } from './access.ts';
import { activityLog } from './activity.ts';
import { companies } from './companies.ts';
import { complianceRecords } from './compliance.ts';
import { contentNames } from './contents.ts';
import { storeFacts } from './facts.ts';
import { flows } from './flows.ts';
import { challenges, jobs } from './jobs.ts';
import { keptAnswers } from './kept-answers.ts';
import { emailTemplates, messages } from './messages.ts';
import { origins } from './origins.ts';
import { processes } from './processes.ts';
import { quotaUses } from './quota-uses.ts';
import { sequences } from './sequences.ts';
import type { Session } from './tables.ts';
import { tallies } from './tallies.ts';
import { watchlists } from './watchlists.ts';
import { webhooks } from './webhooks.ts';

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
  keptAnswers,
  facts: storeFacts,
  contents: contentNames,
  quotas: quotaUses,
  origins,
};

const names = Object.keys(makers) as (keyof StoreUnit)[];

/** The collections of the store over one transaction; each is made when it is first used. */
export function openUnit(session: Session): StoreUnit {
  const made = new Map<keyof StoreUnit, unknown>();
  const unit = {};
  for (const name of names) {
    const get = () => {
      if (!made.has(name)) made.set(name, makers[name](session));
      return made.get(name);
    };
    Object.defineProperty(unit, name, { enumerable: true, get });
  }
  return unit as StoreUnit;
}
