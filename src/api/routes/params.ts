import { Type } from '@sinclair/typebox';

const key = (what: string) => Type.String({ minLength: 1, maxLength: 100, description: what });

/** A process in the path. */
export const processParams = Type.Object({ ProcessKey: key('The process.') });
/** A signee of a process in the path. */
export const signeeParams = Type.Object({
  ProcessKey: key('The process.'),
  SigneeKey: key('The signee.'),
});
/** A flow in the path. */
export const flowParams = Type.Object({ FlowKey: key('The flow.') });
