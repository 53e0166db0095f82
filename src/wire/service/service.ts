import { activityOperations } from '../../app/activity/index.ts';
import { authOperations, identityService } from '../../app/auth/index.ts';
import {
  authenticateCompany,
  chooseCompany,
  companyOf,
  createCompany,
  idempotentRequests,
  requireScope,
} from '../../app/company/index.ts';
import { type CompanyService, companyOperations } from '../../app/company-service.ts';
import { complianceOperations } from '../../app/compliance/index.ts';
import { draftService, flowOperations, makeDocument } from '../../app/flow/index.ts';
import { messageOperations, receiptOperations } from '../../app/message/index.ts';
import { bindOperations } from '../../app/operation.ts';
import type { BlobStore } from '../../app/ports/index.ts';
import { processOperations } from '../../app/process/index.ts';
import { reminderOperations } from '../../app/reminder/index.ts';
import { screeningOperations, warmUpScreening } from '../../app/screening/index.ts';
import {
  type PreparationOptions,
  prepareDocument,
  signingOperations,
} from '../../app/signing/index.ts';
import { requireOwnStore } from '../../app/storage/index.ts';
import { templateOperations } from '../../app/template-service.ts';
import { webhookOperations } from '../../app/webhook/index.ts';
import { defined } from '../../base/defined.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { jobKinds } from '../../domain/process/index.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { companyWork } from './company-work.ts';
import { knownCompanies, knownOrigins, knownPlaces } from './known/known-companies.ts';
import { requireServiceFiles } from './parties.ts';
import { openServicePorts, type WiredPorts } from './ports.ts';
import type { Service, ServiceOptions } from './service.types.ts';
import { openSimulatorDesk } from './simulator-modes.ts';
import { openWork, type Work } from './work.ts';

/**
 * Opens the signing service of a data directory.
 *
 * @throws store.*, vault.*, contents.unshared, trust.mismatch, config.invalid,
 *   config.datadir.missing
 */
export async function openService(
  context: ToolkitContext,
  { mustExist = false, threads, searchThreads }: ServiceOptions = {},
): Promise<Service> {
  if (mustExist) requireServiceFiles(context);
  const { ports, plainStore, close } = await openServicePorts(context, !mustExist);
  const contents = await cachedContents(ports);
  const work = openWork(ports);
  const known = knownCompanies((company) => {
    const ownWork = threads && companyWork(company.key, threads);
    const own = { ...ports, ...defined({ work: ownWork, searchThreads }) };
    return openCompany(own, contents, work, company, known.forgetKeys);
  }, ports.now);
  const worked = { done: 0, failed: 0 };
  const repeats = idempotentRequests({ ...ports, store: plainStore });
  return {
    createCompany: async (request) => {
      const created = await createCompany(ports, request);
      await flowOperations.create(ports, created.company.key, {
        name: 'Documents',
        type: 'DropAndSign',
      });
      return created;
    },
    companies: () => ports.store.read(({ companies }) => companies.list()),
    open: async (named) => {
      const company = await chooseCompany(ports, named ?? context.config.service.company);
      return known.toolkit(company);
    },
    openFor: async (companyKey, apiKey, scope) => {
      const find = () => authenticateCompany(ports, companyKey, apiKey);
      const found = await known.authenticated(companyKey, apiKey, find);
      requireScope(found?.scopes, scope);
      return found?.toolkit;
    },
    openOwner: async (what, key) => {
      const company = await companyOf(ports, what, key);
      return company === undefined ? undefined : known.toolkit(company);
    },
    placesBehind: knownPlaces(ports.store),
    allowsOrigin: knownOrigins(ports),
    work: async (kinds = jobKinds, signal, told) => {
      const report = await work(kinds, signal, (failed) => {
        worked.failed += 1;
        told?.(failed);
      });
      worked.done += report.done;
      return report;
    },
    worked,
    idempotency: repeats,
    drafts: draftService(ports),
    health: () => healthOf(ports),
    requireInPlace: () => ports.store.requireInPlace(),
    held: () => ports.store.read(({ messages }) => messages.held()),
    storage: async () => {
      const { probeFolder } = await import('../../adapters/blobs/index.ts');
      return probeFolder(context.config.dataDir);
    },
    simulator: () => openSimulatorDesk(context),
    identity: identityService(ports),
    enter: ports.enter,
    warmUp: (options) => warmUpScreening({ ...ports, ...defined({ searchThreads }) }, options),
    close: async () => {
      await repeats.close();
      await close();
    },
  };
}

async function healthOf(ports: WiredPorts): ReturnType<Service['health']> {
  await requireOwnStore(ports);
  // A database that cannot be written to counts as unavailable.
  await ports.store.write(({ polls }) => polls.take('health', 0));
  const due = await ports.store.read(({ jobs }) => jobs.dueByKind(ports.now()));
  // Queried last, since its time is compared with that of this host.
  return { store: await ports.store.health(), due };
}

/** A cache of document contents that are read repeatedly, such as by the pages of signees. */
async function cachedContents({ blobs, now }: WiredPorts): Promise<BlobStore> {
  const { cacheBlobs } = await import('../../adapters/blobs/index.ts');
  return cacheBlobs(blobs, { bytesMax: 2 ** 25, contentBytesMax: 2 ** 20, lifeMs: 60_000, now });
}

function openCompany(
  ports: WiredPorts,
  contents: BlobStore,
  work: Work,
  company: CompanyService['company'],
  keyRevoked: () => void,
): CompanyService {
  const { key } = company;
  const processPorts = {
    ...ports,
    blobs: contents,
    prepareDocument: (pdf: Uint8Array, options: PreparationOptions) =>
      prepareDocument(pdf, options, { ...ports, opened: ports.work.opened }),
    makeDocument: makeDocument(ports),
    canIdentify: ports.identity.name !== 'none',
  };
  const own = bindOperations(companyOperations, ports, key);
  return {
    company,
    frontEnd: ports.frontEnd,
    ...own,
    processes: bindOperations(processOperations, processPorts, key),
    signing: bindOperations(signingOperations, ports, key),
    reminders: bindOperations(reminderOperations, ports, key),
    webhooks: bindOperations(webhookOperations, ports, key),
    activity: openActivity(ports, key),
    auth: bindOperations(authOperations, ports, key),
    flows: bindOperations(flowOperations, ports, key),
    templates: bindOperations(templateOperations, ports, key),
    compliance: bindOperations(complianceOperations, ports, key),
    screening: bindOperations(screeningOperations, ports, key),
    messages: bindOperations(messageOperations, ports, key),
    receipts: bindOperations(receiptOperations, ports, key),
    revokeApiKey: (id) => own.revokeApiKey(id).finally(keyRevoked),
    runDueJobs: (kinds = jobKinds) => work(kinds),
  };
}

/** The activity log. The authority is opened only when the log is anchored or verified. */
function openActivity(ports: WiredPorts, companyKey: CompanyKey): CompanyService['activity'] {
  const { timestamps: _later, ...bare } = ports;
  const stamped = async () =>
    bindOperations(
      activityOperations,
      { ...bare, timestamps: await ports.timestamps() },
      companyKey,
    );
  return {
    ...bindOperations(activityOperations, bare, companyKey),
    anchor: async () => (await stamped()).anchor(),
    verify: async (request) => (await stamped()).verify(request),
  };
}
