import { commonOptions, type Define, examples } from '../cli.ts';

export const defineMcp: Define = (command, cli) => {
  command.addHelpText(
    'after',
    '\nSpeaks the Model Context Protocol on stdin and stdout; the plugin starts it. `keepsake install` sets that up.',
  );
  // It speaks JSON in any case.
  commonOptions(command);
  examples(command, 'mcp');
  command.action(async () => {
    await cli.host.stay();
    const { serveMcp } = await import('../../mcp/serve-mcp.ts');
    await serveMcp({
      version: cli.host.version,
      world: await cli.world(),
      failed: async (error) => {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        await cli.host.log(`mcp: ${stack}`);
      },
    });
  });
};
