import { command } from '../../command/index.ts';
import { flowCreate } from './create.ts';
import { flowList } from './list.ts';
import { flowRender } from './render.ts';
import { flowSchema } from './schema.ts';
import { flowShow } from './show.ts';
import { flowUpdate } from './update.ts';

/** `flow` with its commands. */
export const flow = command('flow', {
  description: 'Create and change flows: types of processes of a company.',
  commands: [flowCreate, flowList, flowShow, flowUpdate, flowSchema, flowRender],
});
