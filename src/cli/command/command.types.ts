import type { CommandContext } from '../context.ts';

/** Reads the value of an option or argument, which errors call `name`. @throws usage.invalid */
export type Reader<T> = (text: string, name: string, context: CommandContext) => T;

/** Specification of an option or argument, beyond its help text. */
export interface Spec<T = unknown> {
  readonly text: string;
  readonly read?: Reader<T>;
  readonly choices?: readonly string[];
  /** Completions if there are no {@link choices}: the reader may accept other values, too. */
  readonly offered?: readonly string[];
  readonly default?: string;
  readonly required?: boolean;
  /** It may be repeated. */
  readonly many?: boolean;
  readonly hidden?: boolean;
}

/** Help texts or specifications of arguments, by their form: `<file>`, `[file]`, `[file...]`. */
export type Arguments = Readonly<Record<string, string | Spec>>;

/** Help or specifications by flags: `--reason <text>`, `-f, --force`; other keys are headings. */
export type Options = Readonly<Record<string, string | Spec>>;

/** Arguments and options as passed to a command: missing ones are undefined. */
export type Given<A, O> = {
  readonly [Form in keyof A as ArgumentName<Form>]: ArgumentValue<Form, A[Form]>;
} & { readonly [Flags in keyof O as OptionName<Flags>]: OptionValue<Flags, O[Flags]> };

type ArgumentName<Form> = Form extends `<${infer Inner}>` | `[${infer Inner}]`
  ? Inner extends `${infer Name}...`
    ? Name
    : Inner
  : never;

type ArgumentValue<Form, S> = Form extends `${string}...${string}`
  ? readonly ValueOf<S>[]
  : Form extends `<${string}`
    ? ValueOf<S>
    : ValueOf<S> | undefined;

type OptionName<Flags> = Flags extends `${string}--no-${infer Name}`
  ? Camel<Name>
  : Flags extends `${string}--${infer Name} <${string}`
    ? Camel<Name>
    : Flags extends `${string}--${infer Name}`
      ? Camel<Name>
      : never;

type OptionValue<Flags, S> = Flags extends `${string}<${string}`
  ? S extends { readonly many: true }
    ? readonly ValueOf<S>[] | undefined
    : S extends { readonly required: true } | { readonly default: string }
      ? ValueOf<S>
      : ValueOf<S> | undefined
  : Flags extends `${string}--no-${string}`
    ? boolean
    : true | undefined;

type ValueOf<S> = S extends { readonly read: Reader<infer Value> }
  ? Value
  : S extends { readonly choices: readonly (infer Value)[] }
    ? Value
    : string;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
