import { AGENT_SETUPS } from '../../../core/model/agent-setup.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { checkAgent } from '../options/agent.ts';

export const defineMcp: Define = (command, cli) => {
  command.addHelpText(
    'after',
    '\nUses the Model Context Protocol on stdin and stdout. The plugin starts it; set it up with `keepsake install`.',
  );
  command.option('--for <agent>', 'for an agent without hooks: also show the rules of this project');
  // It speaks JSON in any case.
  commonOptions(command);
  examples(command, 'mcp');
  command.action(async ({ for: agent }: { for?: string }) => {
    if (agent !== undefined) checkAgent(agent);
    await cli.host.stay();
    const world = await cli.world();
    const { serveMcp } = await import('../../mcp/serve-mcp.ts');
    const rules =
      agent === undefined ? '' : await (await import('../../../app/inject/rules-text.ts')).rulesText(world);
    await serveMcp({
      version: cli.host.version,
      world,
      rules,
      rulesFirst: Object.entries(AGENT_SETUPS).some(
        ([name, { defersTools }]) => name === agent && defersTools,
      ),
      failed: async (error) => {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        await cli.host.log(`mcp: ${stack}`);
      },
    });
  });
};
