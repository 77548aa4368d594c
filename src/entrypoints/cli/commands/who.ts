import { whoKnows } from '../../../app/answer/who-knows.ts';
import { ME } from '../../../app/layers/facts.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';

export const defineWho: Define = (command, cli) => {
  command
    .argument('<topic...>', 'words, or the path of a file')
    .option('--project <project>', 'only this project: id, path or name');
  commonOptions(command);
  examples(command, 'who retries in the queue', 'who src/price.ts');
  command.action(async (words: string[], { project }: { project?: string }) => {
    const world = await cli.world();
    const answer = await whoKnows(world, { asked: words.join(' '), ...withoutUndefined({ project }) });
    if (cli.console.json) return cli.console.printJson(answer);
    if (answer.people.length === 0) return cli.console.print('Nobody found. Try other words.');
    for (const { name, sessions, last, latest } of answer.people) {
      const who = name === ME ? 'you' : cleanLine(name);
      cli.console.print(`${who}: ${plural(sessions, 'session')}, last on ${last.slice(0, 10)}`);
      for (const it of latest)
        cli.console.print(`  ${it.sessionId.slice(0, 8)}  ${it.last.slice(0, 10)}  ${cleanLine(it.title)}`);
    }
    if (answer.decisions.length > 0) cli.console.print('', 'Decided:');
    for (const { by, content, at } of answer.decisions)
      cli.console.print(`  ${cleanLine(content)} (${by === ME ? 'you' : cleanLine(by)}, ${at.slice(0, 10)})`);
  });
};
