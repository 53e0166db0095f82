import { defined } from '../../base/defined.ts';
import { audienceOf } from '../../domain/access/index.ts';
import { asKey, type CompanyKey, newKey } from '../../domain/keys.ts';
import type { Attachment } from '../../domain/process/index.ts';
import { invalid, line } from '../request-texts.ts';
import type { ServicePorts } from '../service/index.ts';
import type { AttachmentReferenceRequest } from './requests.ts';

/**
 * Attachments of earlier processes of the company, taken over by a new one: each gets a key of its
 * own, and stays when the earlier process is purged. Whom it was for it is for: evidence with the
 * numbers of all stays for the company, and so does what was about one signee of that process.
 *
 * @throws validation.error for one that the company does not have
 * @throws blob.missing
 */
export async function takeReferences(
  ports: ServicePorts,
  companyKey: CompanyKey,
  references: readonly AttachmentReferenceRequest[],
): Promise<readonly Attachment[]> {
  const taken: Attachment[] = [];
  for (const [at, reference] of references.entries()) {
    const where = `attachmentReferences[${at}]`;
    const found = await findAttachment(ports, companyKey, reference, where);
    const description = line(reference.description, `${where}.description`) ?? found.description;
    taken.push({
      key: newKey('attachment', ports.random),
      fileName: found.fileName,
      contentType: found.contentType,
      document: found.document,
      type: 'Unspecified',
      ...defined({ description, audience: audienceOf(found), signeeKey: found.signeeKey }),
    });
  }
  return taken;
}

async function findAttachment(
  { store, blobs }: Pick<ServicePorts, 'store' | 'blobs'>,
  companyKey: CompanyKey,
  { processKey, id }: AttachmentReferenceRequest,
  where: string,
): Promise<Attachment> {
  const process = await store.read(({ processes }) => processes.find(asKey('process', processKey)));
  const isOurs = process?.companyKey === companyKey;
  const found = isOurs ? process.attachments.find(({ key }) => key === id) : undefined;
  if (found === undefined) return notOurs(where);
  // Stored anew, so that nobody collects it before the new process is written.
  await blobs.put(await blobs.get(found.document.sha256));
  return found;
}

function notOurs(where: string): never {
  return invalid(`${where}.id`, 'expected an attachment of a process of the company');
}
