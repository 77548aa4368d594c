import { setPrivate } from '../../../app/remote/private.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples } from '../cli.ts';

export const definePrivate: Define = (command, cli) => {
  command
    .argument('<session>', 'an id or unique prefix')
    .option('--project <project>', 'its project, if several have such a session')
    .option('--undo', 'allow it to be sent again');
  commonOptions(command);
  examples(command, 'private 4f2a91c0', 'private 4f2a91c0 --undo');
  command.action(async (session: string, options: { project?: string; undo?: boolean }) => {
    const { project, undo } = options;
    const done = await setPrivate(await cli.world(), { session, ...withoutUndefined({ project, undo }) });
    if (cli.console.json) return cli.console.printJson(done);
    const { sessionId, isPrivate, sentTo, notShared } = done;
    cli.console.print(isPrivate ? `${sessionId} stays on this machine.` : `${sessionId} may be sent again.`);
    if (isPrivate && sentTo.length > 0)
      cli.console.print(
        `It was sent to ${sentTo.join(', ')}: the next \`keepsake remote sync\` of each of your machines deletes it there. Machines that only received it delete it, too.`,
      );
    if (isPrivate && notShared.length > 0)
      cli.console.print(
        `${notShared.join(', ')} has it, but this machine does not share its project there, so nothing is deleted. Run \`keepsake private ${sessionId}\` on a machine that does.`,
      );
  });
};
