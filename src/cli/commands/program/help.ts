import { command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { helpWidth } from '../../output/index.ts';

/** Prints a topic or the help of a command. */
export const help = command('help', {
  description: 'Show help on a command or a topic.',
  args: { '[name...]': 'command, or configuration, environment, exit-codes, output' },
  examples: {
    'innsigli help seal': 'as innsigli seal --help',
    'innsigli help exit-codes': 'a topic',
  },
  exits: { 0: 'shown', 2: 'no such command or topic' },
  run: async ({ name: names }, { io, console }, self) => {
    const { topics } = await import('../../guide/index.ts');
    const [first = ''] = names;
    const isTopic = names.length === 1 && Object.hasOwn(topics, first);
    const topic = isTopic ? topics[first] : undefined;
    if (topic !== undefined) {
      console.result(topic.lines(helpWidth(io.stdout)));
      return undefined;
    }
    let shown = self.parent ?? self;
    for (const name of names) {
      const child = shown.commands.find((one) => one.name() === name);
      if (child === undefined) {
        const known = [...shown.commands.map((one) => one.name()), ...Object.keys(topics)];
        return refuseUsage(`no command or topic "${name}"`, `known: ${known.join(', ')}`);
      }
      shown = child;
    }
    shown.outputHelp();
    return undefined;
  },
});
