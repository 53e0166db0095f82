import type { StoreUnit } from '../../app/ports/index.ts';
import { accessTokens, logins, polls } from './access.ts';
import { activityLog } from './activity.ts';
import { companies } from './companies.ts';
import { complianceRecords } from './compliance.ts';
import { flows } from './flows.ts';
import { challenges, jobs } from './jobs.ts';
import { keptAnswers } from './kept-answers.ts';
import { emailTemplates, messages } from './messages.ts';
import { processes } from './processes.ts';
import { sequences } from './sequences.ts';
import type { Session } from './tables.ts';
import { watchlists } from './watchlists.ts';
import { webhooks } from './webhooks.ts';

/** The collections of the store over one transaction; each is made when it is first used. */
export function openUnit(session: Session): StoreUnit {
  const made: { -readonly [name in keyof StoreUnit]?: StoreUnit[name] } = {};
  return {
    get companies() {
      made.companies ??= companies(session);
      return made.companies;
    },
    get flows() {
      made.flows ??= flows(session);
      return made.flows;
    },
    get processes() {
      made.processes ??= processes(session);
      return made.processes;
    },
    get sequences() {
      made.sequences ??= sequences(session);
      return made.sequences;
    },
    get activity() {
      made.activity ??= activityLog(session);
      return made.activity;
    },
    get webhooks() {
      made.webhooks ??= webhooks(session);
      return made.webhooks;
    },
    get messages() {
      made.messages ??= messages(session);
      return made.messages;
    },
    get templates() {
      made.templates ??= emailTemplates(session);
      return made.templates;
    },
    get jobs() {
      made.jobs ??= jobs(session);
      return made.jobs;
    },
    get challenges() {
      made.challenges ??= challenges(session);
      return made.challenges;
    },
    get logins() {
      made.logins ??= logins(session);
      return made.logins;
    },
    get accessTokens() {
      made.accessTokens ??= accessTokens(session);
      return made.accessTokens;
    },
    get polls() {
      made.polls ??= polls(session);
      return made.polls;
    },
    get compliance() {
      made.compliance ??= complianceRecords(session);
      return made.compliance;
    },
    get keptAnswers() {
      made.keptAnswers ??= keptAnswers(session);
      return made.keptAnswers;
    },
    get watchlists() {
      made.watchlists ??= watchlists(session);
      return made.watchlists;
    },
  };
}
