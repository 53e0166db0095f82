import type { MessageDraft } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';

/** What the persons of a sequence were told in one transaction. */
export interface NotifiedPersons {
  /** Notes a message; true when the person behind its signee was not told so before. */
  tell(draft: MessageDraft): boolean;
}

/** Nobody of `sequence` was told anything yet. */
export function nobodyNotified({ persons }: Pick<Sequence, 'persons'>): NotifiedPersons {
  const told = new Set<string>();
  let personOf: ReadonlyMap<string, string> | undefined;
  return {
    tell({ template, channel, signeeKey = '' }) {
      personOf ??= new Map(
        persons.flatMap(({ key, signingKeys }) =>
          signingKeys.map((place) => [place.signeeKey, key] as const),
        ),
      );
      const what = `${template} ${channel} ${personOf.get(signeeKey) ?? signeeKey}`;
      return told.size < told.add(what).size;
    },
  };
}
