import { activityService } from '../../app/activity/index.ts';
import { identityService } from '../../app/auth/index.ts';
import {
  addOrigins,
  authenticateCompany,
  changeCompany,
  chooseCompany,
  companyAccess,
  companyOf,
  createCompany,
  idempotentRequests,
  issueApiKey,
  isWebhookSignatureKey,
  removeOrigins,
  requireScope,
  revokeApiKey,
  setTrial,
} from '../../app/company/index.ts';
import type { CompanyService } from '../../app/company-service.ts';
import { complianceService } from '../../app/compliance/index.ts';
import { createFlow, flowService, makeDocument } from '../../app/flow/index.ts';
import { messageService, receiptService } from '../../app/message/index.ts';
import type { BlobStore } from '../../app/ports/index.ts';
import { processService } from '../../app/process/index.ts';
import { quotaReport, setQuotas } from '../../app/quota/index.ts';
import { reminderService } from '../../app/reminder/index.ts';
import { screeningService } from '../../app/screening/index.ts';
import { nameUser, setLogo } from '../../app/sender/index.ts';
import { prepareDocument, signingService } from '../../app/signing/index.ts';
import { requireOwnStore } from '../../app/storage/index.ts';
import { templateService } from '../../app/template/index.ts';
import { webhookService } from '../../app/webhook/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { jobKinds } from '../../domain/process/index.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { companyWork } from './company-work.ts';
import { knownCompanies } from './known/known-companies.ts';
import { knownOrigins } from './known/known-origins.ts';
import { knownPlaces } from './known/known-places.ts';
import { requireServiceFiles } from './parties.ts';
import { openServicePorts, type WiredPorts } from './ports.ts';
import type { Service, ServiceWish } from './service.types.ts';
import { openWork, type Work } from './work.ts';

/**
 * The signing service of a data directory.
 *
 * @throws store.*, vault.*, contents.unshared, trust.mismatch, config.invalid,
 *   config.datadir.missing
 */
export async function openService(
  context: ToolkitContext,
  { mustExist = false, threads }: ServiceWish = {},
): Promise<Service> {
  if (mustExist) requireServiceFiles(context);
  const { ports, plainStore, close } = await openServicePorts(context, !mustExist);
  const contents = await keptContents(ports);
  const work = openWork(ports);
  const known = knownCompanies((company) => {
    const own =
      threads === undefined ? ports : { ...ports, work: companyWork(company.key, threads) };
    return openCompany(own, contents, work, company, known.forgetKeys);
  }, ports.now);
  const worked = { done: 0, failed: 0 };
  const repeats = idempotentRequests({ ...ports, store: plainStore });
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
    health: async () => {
      await requireOwnStore(ports);
      // A database that cannot be written is none.
      await ports.store.write(({ polls }) => polls.take('health', ports.now(), 0));
      return {
        store: await ports.store.health(),
        due: await ports.store.read(({ jobs }) => jobs.dueByKind(ports.now())),
      };
    },
    requireInPlace: () => ports.store.requireInPlace(),
    held: () => ports.store.read(({ messages }) => messages.held()),
    storage: () => probe(context.config.dataDir),
    identity: identityService(ports),
    enter: ports.enter,
    close: async () => {
      await repeats.close();
      await close();
    },
  };
}

async function probe(folder: string): ReturnType<Service['storage']> {
  const { probeFolder } = await import('../../adapters/blobs/index.ts');
  return probeFolder(folder);
}

/** Contents of documents that are read again and again, such as by the pages of signees. */
async function keptContents({ blobs, now }: WiredPorts): Promise<BlobStore> {
  const { keepContents } = await import('../../adapters/blobs/index.ts');
  return keepContents(blobs, { bytesMax: 2 ** 25, contentBytesMax: 2 ** 20, lifeMs: 60_000, now });
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
    prepareDocument: (pdf: Uint8Array, wish: { readonly flatten: boolean }) =>
      prepareDocument(pdf, wish, { ...ports, opened: ports.work.opened }),
    makeDocument: makeDocument(ports),
    canIdentify: ports.identity.name !== 'none',
  };
  return {
    company,
    frontEnd: ports.frontEnd,
    processes: processService(processPorts, key),
    signing: signingService(ports, key),
    reminders: reminderService(ports, key),
    webhooks: webhookService(ports, key),
    activity: openActivity(ports, key),
    flows: flowService(ports, key),
    templates: templateService(ports, key),
    compliance: complianceService(ports, key),
    screening: screeningService(ports, key),
    messages: messageService(ports, key),
    receipts: receiptService(ports, key),
    isWebhookSignatureKey: (text) => isWebhookSignatureKey(ports, key, text),
    issueApiKey: (label, terms) => issueApiKey(ports, key, label, terms),
    setTrial: (endsAtMs) => setTrial(ports, key, endsAtMs),
    revokeApiKey: (id) => revokeApiKey(ports, key, id).finally(keyRevoked),
    change: (settings) => changeCompany(ports, key, settings),
    addOrigins: (origins) => addOrigins(ports, key, origins),
    removeOrigins: (origins) => removeOrigins(ports, key, origins),
    nameUser: (user) => nameUser(ports, key, user),
    setLogo: (content) => setLogo(ports, key, content),
    access: () => companyAccess(ports, key),
    quotas: () => ports.store.read((unit) => quotaReport(unit, key, ports.now())),
    setQuotas: (change) => setQuotas(ports, key, change),
    runDueJobs: (kinds = jobKinds) => work(kinds),
  };
}

/** The log; the authority is opened only when the log is anchored or verified. */
function openActivity(ports: WiredPorts, companyKey: CompanyKey): CompanyService['activity'] {
  const { timestamps: _later, ...bare } = ports;
  const stamped = async () =>
    activityService({ ...bare, timestamps: await ports.timestamps() }, companyKey);
  return {
    ...activityService(bare, companyKey),
    anchor: async () => (await stamped()).anchor(),
    verify: async (request) => (await stamped()).verify(request),
  };
}
