import type { ErrorCode } from '../base/errors.ts';
import type { Read } from '../base/input.ts';
import type { CompanyKey } from '../domain/keys.ts';

/**
 * One verb of the service, declared once. The method of the library, the codes of the HTTP route
 * and the checks of arguments follow from it.
 */
export interface Operation<Ports, Input, Output> {
  /** Reads what the caller hands in: nothing behind it checks the shape again. */
  readonly input: Read<Input>;
  /** Codes that it can end with, besides validation.error and those of the store. */
  readonly errors: readonly ErrorCode[];
  run(ports: Ports, companyKey: CompanyKey, input: Input): Promise<Output>;
}

/** Declares an operation; the types of ports, input and answer are inferred. */
export function operation<Ports, Input, Output>(
  input: Read<Input>,
  rest: Omit<Operation<Ports, Input, Output>, 'input'>,
): Operation<Ports, Input, Output> {
  return { input, ...rest };
}

/** What a caller may hand in: members that may be left out may be undefined, too. */
export type Given<Input> = Input extends object
  ? { readonly [Name in keyof Input]: Input[Name] | OptionalOnly<Input, Name> }
  : Input;

type OptionalOnly<Input, Name extends keyof Input> =
  object extends Pick<Input, Name> ? undefined : never;

/** The methods of a company, one for each operation. */
export type Service<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends Operation<
    never,
    infer Input,
    infer Output
  >
    ? Method<Input, Output>
    : never;
};

type Method<Input, Output> = object extends Input
  ? (input?: Given<Input>) => Promise<Output>
  : (input: Given<Input>) => Promise<Output>;

/** What the operations need, all of them together. */
export type PortsOf<Operations> = UnionToIntersection<
  {
    [Name in keyof Operations]: Operations[Name] extends Operation<infer Ports, never, unknown>
      ? Ports
      : never;
  }[keyof Operations]
>;

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The operations as methods for one company. */
export function bindOperations<Operations extends object>(
  operations: Operations,
  ports: PortsOf<Operations>,
  companyKey: CompanyKey,
): Service<Operations> {
  const all = Object.entries(operations) as [string, Operation<unknown, unknown, unknown>][];
  const bound = all.map(([name, { input, run }]) => {
    const method = async (given: unknown) => run(ports, companyKey, input(given, ''));
    return [name, method];
  });
  return Object.fromEntries(bound);
}
