import type { ErrorCode } from '../base/errors.ts';
import type { Read } from '../base/input.ts';
import type { CompanyKey } from '../domain/keys.ts';

/**
 * One operation of the service, declared once. The method of the library, the error codes of the
 * HTTP route and the validation of arguments are derived from it.
 */
export interface Operation<Ports, Input, Output> {
  /** Parses the input of the caller: later code does not check its shape again. */
  readonly input: Read<Input>;
  /** Error codes it can end with, besides validation.error and those of the store. */
  readonly errors: readonly ErrorCode[];
  run(ports: Ports, companyKey: CompanyKey, input: Input): Promise<Output>;
}

/** Declares an operation; the types of ports, input and output are inferred. */
export function operation<Ports, Input, Output>(
  input: Read<Input>,
  rest: Omit<Operation<Ports, Input, Output>, 'input'>,
): Operation<Ports, Input, Output> {
  return { input, ...rest };
}

/** Input type of an operation: optional members may also be undefined. */
export type Given<Input> = Input extends object
  ? {
      readonly [Name in keyof Input]:
        | Input[Name]
        | (object extends Pick<Input, Name> ? undefined : never);
    }
  : Input;

/**
 * The methods of a company, one for each operation and use case, with dependencies and company key
 * bound. An input whose members are all optional is itself optional.
 */
export type Service<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends {
    run(ports: never, companyKey: CompanyKey, input: infer Input): Promise<infer Output>;
  }
    ? (
        ...input: object extends Input ? [input?: Given<Input>] : [input: Given<Input>]
      ) => Promise<Output>
    : Operations[Name] extends (
          ports: never,
          companyKey: CompanyKey,
          ...given: infer Arguments
        ) => infer Answer
      ? (...given: Arguments) => Answer
      : never;
};

/** A use case of ports, company and arguments, which it validates itself: their types suffice. */
type UseCase<Ports, Arguments extends readonly unknown[], Answer> = (
  ports: Ports,
  companyKey: CompanyKey,
  ...given: Arguments
) => Answer;

/** The combined dependencies of all operations and use cases. */
export type PortsOf<Operations> = UnionToIntersection<
  {
    [Name in keyof Operations]: Operations[Name] extends
      | Operation<infer Ports, never, unknown>
      | UseCase<infer Ports, never, unknown>
      ? Ports
      : never;
  }[keyof Operations]
>;

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A table whose entries declare their error codes. */
type Coded<Table> = { readonly [Name in keyof Table]: { readonly errors: readonly ErrorCode[] } };

/** Binds operations and use cases as methods of one company. */
export function bindOperations<Operations extends Coded<Operations>>(
  operations: Operations,
  ports: PortsOf<Operations>,
  companyKey: CompanyKey,
): Service<Operations> {
  const bind = (declared: Declared) => {
    if (typeof declared === 'function') {
      return (...given: unknown[]) => declared(ports, companyKey, ...given);
    }
    const { input, run } = declared;
    return async (given: unknown) => run(ports, companyKey, input(given, ''));
  };
  const all = Object.entries(operations) as [string, Declared][];
  return Object.fromEntries(all.map(([name, declared]) => [name, bind(declared)])) as never;
}

/** The use cases with their ports bound, without a company. */
export type BoundUseCases<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (
    ports: never,
    ...given: infer Arguments
  ) => infer Answer
    ? (...given: Arguments) => Answer
    : never;
};

/** Binds functions whose first parameter is the ports. */
export function bindUseCases<
  Ports,
  Table extends Coded<Table> & {
    readonly [Name in keyof Table]: (ports: Ports, ...given: never[]) => unknown;
  },
>(table: Table, ports: Ports): BoundUseCases<Table> {
  const all = Object.entries(table) as [string, (ports: Ports, ...given: unknown[]) => unknown][];
  const bound = all.map(([name, act]) => [name, (...given: unknown[]) => act(ports, ...given)]);
  return Object.fromEntries(bound) as never;
}

type Declared = Operation<unknown, unknown, unknown> | UseCase<unknown, unknown[], unknown>;

/**
 * Declares a use case whose arguments are sufficiently described by their types; it validates them
 * itself.
 *
 * @param errors codes it can end with, besides validation.error and those of the store
 * @param ofSome as in {@link coded}
 */
export function useCase<
  const Codes extends readonly ErrorCode[],
  Ports,
  Arguments extends readonly unknown[],
  Answer,
>(
  errors: Codes,
  run: (ports: Ports, companyKey: CompanyKey, ...given: Arguments) => Answer,
  ofSome: readonly ErrorCode[] = [],
) {
  return coded(errors, run, ofSome);
}

/**
 * Declares a use case for all companies, or one that needs none; errors as in {@link useCase}.
 *
 * @param ofSome further codes, with which it ends only for some providers or settings: a route
 *   names those that apply to it
 */
export function coded<
  const Codes extends readonly ErrorCode[],
  Run extends (...given: never[]) => unknown,
>(errors: Codes, run: Run, ofSome: readonly ErrorCode[] = []) {
  return Object.assign(run.bind(undefined) as Run, { errors, ofSome });
}
