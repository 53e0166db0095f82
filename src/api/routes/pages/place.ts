import type { CompanyService } from '../../../app/company-service.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { SigneeKey } from '../../../domain/keys.ts';
import { chooseLanguage, type Language } from '../../../domain/message/index.ts';
import type { Signee, SigningProcess } from '../../../domain/process/index.ts';
import { type Sequence, sequenceTurn } from '../../../domain/sequence.ts';
import { isUnclean } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';

/** One document of a link, and its signee. */
export interface DocumentPlace {
  readonly process: SigningProcess;
  readonly signee: Signee;
}

/** The keys of the document and the signee. */
export const refOf = ({ process, signee }: DocumentPlace) => ({
  processKey: process.key,
  signeeKey: signee.key,
});

/** A person of a sequence. */
export interface PersonRef {
  readonly sequenceKey: string;
  readonly personKey: string;
}

/** The owner of a link, and its documents. */
export interface LinkPlace {
  readonly company: CompanyService;
  /** At least one. */
  readonly documents: readonly DocumentPlace[];
  /** Undefined for the link of a single document. */
  readonly person?: PersonRef;
  /** A login is required before the documents are shown. */
  readonly asksLogin: boolean;
  /** The person in the sequence whose passcode is required before the documents are shown. */
  readonly passcode?: PersonRef;
  /** In an ordered sequence: the signees whose turn it is. */
  readonly turn?: ReadonlySet<SigneeKey>;
}

/** Finds the documents of a link. @throws process.not_found, error.signee.not_found */
export async function findPlace(
  ports: ApiPorts,
  key: string,
  personKey: string,
): Promise<LinkPlace> {
  if (isUnclean(key) || isUnclean(personKey)) {
    throw new InnsigliError('process.not_found', 'the address has a control character');
  }
  const place = key.startsWith('pg')
    ? await placeInSequence(ports, key, personKey)
    : await placeInProcess(ports, key, personKey);
  if (place.documents.length > 0) return place;
  throw new InnsigliError('error.signee.not_found', 'the signee does not exist');
}

async function placeInProcess(
  ports: ApiPorts,
  processKey: string,
  signeeKey: string,
): Promise<LinkPlace> {
  const company = await ports.companyOfProcess(processKey);
  const process = await company.processes.show({ key: processKey });
  const common = {
    ...{ company, documents: documentsIn(process, signeeKey) },
    asksLogin: process.requiresAuth,
  };
  if (process.sequenceKey === undefined) return common;
  const { sequence, processes } = await company.processes.showSequence({
    key: process.sequenceKey,
  });
  const person = sequence.persons.find(({ signingKeys }) =>
    signingKeys.some((own) => own.processKey === processKey && own.signeeKey === signeeKey),
  );
  const ref = person && { sequenceKey: sequence.key, personKey: person.key };
  return {
    ...common,
    ...turnOf(sequence, processes),
    ...(person?.passcodeHash === undefined || ref === undefined ? {} : { passcode: ref }),
  };
}

function turnOf(sequence: Sequence, processes: readonly SigningProcess[]) {
  const turn = sequenceTurn(sequence, processes);
  return turn === undefined ? {} : { turn };
}

async function placeInSequence(
  ports: ApiPorts,
  sequenceKey: string,
  personKey: string,
): Promise<LinkPlace> {
  const company = await ports.companyOfSequence(sequenceKey);
  const { sequence, processes } = await company.processes.showSequence({ key: sequenceKey });
  const person = sequence.persons.find((each) => each.key === personKey);
  const documents = processes.flatMap((process) => {
    const own = person?.signingKeys.find(({ processKey }) => processKey === process.key);
    return own === undefined ? [] : documentsIn(process, own.signeeKey);
  });
  const ref = { sequenceKey, personKey };
  return {
    ...{ company, documents, person: ref, ...turnOf(sequence, processes) },
    asksLogin: sequence.requiresAuth || processes.some(({ requiresAuth }) => requiresAuth),
    ...(person?.passcodeHash === undefined ? {} : { passcode: ref }),
  };
}

function documentsIn(process: SigningProcess, signeeKey: string): readonly DocumentPlace[] {
  const signee = process.signees.find(({ key: own }) => own === signeeKey);
  return signee === undefined ? [] : [{ process, signee }];
}

/** The language of a link: the requested one, else that of the signee or the flow. */
export function languageOf({ documents }: LinkPlace, lng?: string): Language {
  const [first] = documents;
  // `lng` may be a tag such as `en-us`.
  const code = lng?.split('-')[0];
  return chooseLanguage(code, first?.signee.language, first?.process.policy.language);
}

/** The next document: the first that awaits the signee, else the last one. */
export function nextDocument({ documents }: LinkPlace): DocumentPlace {
  const open = documents.find(
    ({ process, signee }) =>
      process.status === 'Active' && signee.state !== 'Signed' && signee.state !== 'Declined',
  );
  return (open ?? documents.at(-1)) as DocumentPlace;
}
