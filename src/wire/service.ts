import { anchorCompany, openActivityToolkit } from '../app/activity/index.ts';
import { identityToolkit } from '../app/auth/index.ts';
import {
  authenticateCompany,
  chooseCompany,
  companyAccess,
  companyOf,
  createCompany,
  issueApiKey,
  isWebhookSignatureKey,
  repeatedRequests,
  revokeApiKey,
} from '../app/company/index.ts';
import { complianceToolkit } from '../app/compliance/index.ts';
import { finalizeProcess } from '../app/finalize/index.ts';
import { createFlow, flowToolkit, makeDocument } from '../app/flow/index.ts';
import { deliverMessage, messageToolkit, receiptToolkit } from '../app/message/index.ts';
import type { BlobStore, Job, JobFailure } from '../app/ports/index.ts';
import {
  collectContents,
  expireProcess,
  processToolkit,
  purgeProcess,
} from '../app/process/index.ts';
import { openReminderToolkit, remindDue } from '../app/reminder/index.ts';
import { screeningToolkit } from '../app/screening/index.ts';
import { type JobHandler, type Lane, runDueJobs, workSideBySide } from '../app/service/index.ts';
import { prepareDocument, signingToolkit } from '../app/signing/index.ts';
import { templateToolkit } from '../app/template/index.ts';
import { deliverDueWebhooks, webhookToolkit } from '../app/webhook/index.ts';
import { isCoreError } from '../base/errors.ts';
import type { CompanyKey } from '../domain/keys.ts';
import { type JobKind, jobKinds } from '../domain/process/index.ts';
import { knownCompanies } from './known-companies.ts';
import type { Service, ServiceToolkit, WorkReport } from './service.types.ts';
import { openServicePorts, type WiredPorts } from './service-ports.ts';
import type { ToolkitContext } from './toolkit-context.ts';

/** Time after which the job of a worker that died is done by another. */
const LEASE_MS = 5 * 60_000;
const JOBS_AT_ONCE = 8;
const WEBHOOKS_AT_ONCE = 256;
/** Time that one-time codes and e-ID sessions stay after their end, as part of the story. */
const CHALLENGE_KEPT_MS = 30 * 86_400_000;

/**
 * The signing service of a data directory.
 *
 * @throws store.*, vault.invalid, config.invalid
 */
export async function openService(context: ToolkitContext): Promise<Service> {
  const { ports, close } = await openServicePorts(context);
  const contents = await keptContents(ports);
  const known = knownCompanies(
    (company) => openCompany(ports, contents, company, known.forgetKeys),
    ports.now,
  );
  const worked = { done: 0, failed: 0 };
  return {
    createCompany: async (request) => {
      const created = await createCompany(ports, request);
      await createFlow(ports, created.company.key, { name: 'Documents', type: 'DropAndSign' });
      return created;
    },
    companies: () => ports.store.read(({ companies }) => companies.list()),
    open: async (named) => {
      const company = await chooseCompany(ports, named ?? context.config.service.company);
      return known.toolkit(company);
    },
    openFor: (companyKey, apiKey) =>
      known.authenticated(companyKey, apiKey, () => authenticateCompany(ports, companyKey, apiKey)),
    openOwner: async (what, key) => {
      const company = await companyOf(ports, what, key);
      return company === undefined ? undefined : known.toolkit(company);
    },
    work: async (kinds = jobKinds, signal) => {
      const report = await work(ports, kinds, signal);
      worked.done += report.done;
      worked.failed += report.failed.length;
      return report;
    },
    worked,
    repeats: repeatedRequests(ports),
    health: async () => {
      // A database that cannot be written is none.
      await ports.store.write(({ polls }) => polls.take('health', ports.now(), 0));
      return {
        store: await ports.store.health(),
        due: await ports.store.read(({ jobs }) => jobs.dueByKind(ports.now())),
      };
    },
    identity: identityToolkit(ports),
    close,
  };
}

/** Contents of documents that are read again and again, such as by the pages of signees. */
async function keptContents({ blobs, now }: WiredPorts): Promise<BlobStore> {
  const { keepContents } = await import('../adapters/blobs/index.ts');
  return keepContents(blobs, { bytesMax: 2 ** 25, contentBytesMax: 2 ** 20, lifeMs: 60_000, now });
}

function openCompany(
  ports: WiredPorts,
  contents: BlobStore,
  company: ServiceToolkit['company'],
  keyRevoked: () => void,
): ServiceToolkit {
  const { key } = company;
  const processPorts = {
    ...ports,
    blobs: contents,
    prepareDocument: (pdf: Uint8Array, wish: { readonly flatten: boolean }) =>
      prepareDocument(pdf, wish, ports),
    makeDocument: makeDocument(ports),
    canIdentify: ports.identity.name !== 'none',
  };
  return {
    company,
    frontEnd: ports.frontEnd,
    processes: processToolkit(processPorts, key),
    signing: signingToolkit(ports, key),
    reminders: openReminderToolkit(ports, key),
    webhooks: webhookToolkit(ports, key),
    activity: openActivity(ports, key),
    flows: flowToolkit(ports, key),
    templates: templateToolkit(ports, key),
    compliance: complianceToolkit(ports, key),
    screening: screeningToolkit(ports, key),
    messages: messageToolkit(ports, key),
    receipts: receiptToolkit(ports, key),
    isWebhookSignatureKey: (text) => isWebhookSignatureKey(ports, key, text),
    issueApiKey: (label) => issueApiKey(ports, key, label),
    revokeApiKey: (id) => revokeApiKey(ports, key, id).finally(keyRevoked),
    access: () => companyAccess(ports, key),
    work: (kinds = jobKinds) => work(ports, kinds),
  };
}

type Report = (job: Job, failure: JobFailure | undefined) => void;

/** Handlers of every kind but webhooks, which are delivered side by side. */
function handlersOf(ports: WiredPorts, report: Report): readonly JobHandler[] {
  return [
    { kind: 'finalize', run: async (job) => report(job, await finalizeProcess(job, ports)) },
    { kind: 'message', run: async (job) => report(job, await deliverMessage(job, ports)) },
    { kind: 'remind', run: (job) => remindDue(job, ports) },
    { kind: 'expire', run: (job) => expireProcess(job, ports) },
    {
      kind: 'anchor',
      run: async (job) => {
        // Once a day is enough for what nobody will ask for any more.
        const before = ports.now() - CHALLENGE_KEPT_MS;
        await ports.store.write(async (unit) => {
          await unit.challenges.removeExpired(before);
          await unit.webhooks.removeUnbound(before);
        });
        await anchorCompany(job, { ...ports, timestamps: await ports.timestamps() });
      },
    },
    { kind: 'purge', run: (job) => purgeProcess(job, ports) },
  ];
}

async function work(
  ports: WiredPorts,
  kinds: readonly JobKind[],
  stop?: AbortSignal,
): Promise<WorkReport> {
  const owner = Buffer.from(ports.random(12)).toString('hex');
  const failed: WorkReport['failed'][number][] = [];
  const purged = { count: 0 };
  const report: Report = ({ kind, ref }, failure) => {
    if (failure !== undefined) failed.push({ kind, ref, ...failure });
  };
  const handlers = handlersOf(ports, report).map((handler): JobHandler => {
    if (handler.kind !== 'purge') return handler;
    return { kind: 'purge', run: (job) => handler.run(job).then(() => void purged.count++) };
  });
  const threw = (job: Job, error: unknown) =>
    report(job, {
      code: isCoreError(error) ? error.code : 'internal.unexpected',
      isFinal: false,
    });
  const laneOf = (kind: JobKind): Lane => {
    const common = { owner: `${owner}.${kind}`, failed: threw };
    if (kind === 'webhook') {
      const limit = WEBHOOKS_AT_ONCE;
      return (signal) => deliverDueWebhooks(ports, { ...common, limit, signal });
    }
    const options = { ...common, leaseMs: LEASE_MS, limit: JOBS_AT_ONCE, kinds: [kind] };
    return (signal) => runDueJobs(ports, handlers, { ...options, signal });
  };
  const taken = await workSideBySide([...new Set(kinds)].map(laneOf), stop);
  if (purged.count > 0) await collectContents(ports);
  return { done: taken - failed.length, failed };
}

/** The log; the authority is opened only when the log is anchored or verified. */
function openActivity(ports: WiredPorts, companyKey: CompanyKey): ServiceToolkit['activity'] {
  const { timestamps: _later, ...bare } = ports;
  const stamped = async () =>
    openActivityToolkit({ ...bare, timestamps: await ports.timestamps() }, companyKey);
  return {
    ...openActivityToolkit(bare, companyKey),
    anchor: async () => (await stamped()).anchor(),
    verify: async (request) => (await stamped()).verify(request),
  };
}
