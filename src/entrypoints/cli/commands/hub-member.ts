import type { Command } from 'commander';
import type { Hub } from '../../../app/hub/hub.ts';
import {
  type HubMemberRow,
  inviteMember,
  issueToken,
  listMembers,
  removeMember,
  revokeToken,
  setMemberRole,
} from '../../../app/hub/members.ts';
import { HUB_ROLES } from '../../../core/hub/hub-role.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, examples, parseWholeNumber } from '../cli.ts';
import { type HubPlaceOptions, hubPlaceOptions, withHub } from '../options/hub.ts';
import { cleanLine } from '../terminal/clean-text.ts';

const TOKEN_DAYS = 90;

export function defineMember(hub: Command, cli: Cli): void {
  const member = hubPlaceOptions(
    hub
      .command('member')
      .description('List members with roles, devices and tokens; invite, remove, set roles.'),
  );
  commonOptions(member);
  examples(member, 'hub member --data ./hub', 'hub member add anna --data ./hub');
  member.action(async (_: HubPlaceOptions, self: Command) => {
    const items = await withHub(cli, self.optsWithGlobals(), listMembers);
    if (cli.console.json) return cli.console.printJson({ items });
    for (const row of items) for (const line of memberLines(row)) cli.console.print(line);
  });
  defineAdd(member, cli);
  defineRemove(member, cli);
  defineToken(member, cli);
  defineRole(member, cli);
}

function memberLines({ name, roles, devices, tokens }: HubMemberRow): string[] {
  const roleText = roles.map((it) => `${it.name || it.repo.slice(0, 8)}: ${it.role}`).join(', ');
  return [
    `${cleanLine(name)}  ${cleanLine(roleText) || 'no role yet'}`,
    ...devices.map((it) => `  device ${it.id.slice(0, 8)}  ${cleanLine(it.name)}`),
    ...tokens.map(
      (it) => `  token ${it.label}${it.expiresAt === '' ? '' : `  until ${it.expiresAt.slice(0, 10)}`}`,
    ),
  ];
}

type NamedCommand = { name: string; description: string; argument: string };

/** A command about one member, on the hub's data. */
function namedCommand<T>(
  member: Command,
  cli: Cli,
  { name, description, argument }: NamedCommand,
  act: { run: (hub: Hub, asked: string) => Promise<T>; print: (done: T) => string[] },
): void {
  const command = hubPlaceOptions(member.command(name).description(description).argument('<name>', argument));
  commonOptions(command);
  examples(command, `hub member ${name} anna --data ./hub`);
  command.action(async (asked: string, _: HubPlaceOptions, self: Command) => {
    const done = await withHub(cli, self.optsWithGlobals(), (hub) => act.run(hub, asked));
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(...act.print(done));
  });
}

function defineAdd(member: Command, cli: Cli): void {
  const description = 'Invite a new member, or another device of a member. Prints a one-time invitation.';
  const named = { name: 'add', description, argument: 'the name that colleagues see' };
  namedCommand(member, cli, named, {
    run: inviteMember,
    print: (done) => {
      const who = cleanLine(done.member);
      return [
        done.isNew ? `Added the member ${who}.` : `Another device for ${who}.`,
        `One-time invitation, valid until ${done.expiresAt.slice(0, 10)}:`,
        `  ${done.invitation}`,
        `On their machine: keepsake remote add ADDRESS --invite ${done.invitation}`,
        ...(done.isNew ? [`Give a role: keepsake hub member role ${who} REPOSITORY writer`] : []),
      ];
    },
  });
}

function defineRemove(member: Command, cli: Cli): void {
  const description = "Remove a member's access immediately. What they sent stays, with their name.";
  const named = { name: 'remove', description, argument: 'a member (listed by `hub member`)' };
  namedCommand(member, cli, named, {
    run: removeMember,
    print: (done) => [`${cleanLine(done.member)} was removed.`],
  });
}

function defineToken(member: Command, cli: Cli): void {
  const token = hubPlaceOptions(
    member
      .command('token')
      .description('Create a token for CI jobs and agents of a member, or revoke one.')
      .argument('[name]', 'the member')
      .option('--expires <days>', `lifetime in days (default: ${TOKEN_DAYS})`, parseWholeNumber)
      .option('--revoke <token>', 'revoke this token (listed by `hub member`)'),
  );
  commonOptions(token);
  examples(
    token,
    'hub member token anna --expires 30 --data ./hub',
    'hub member token --revoke t_1a2b3c4d --data ./hub',
  );
  token.action(async (name: string | undefined, _: HubPlaceOptions, self: Command) => {
    const options = self.optsWithGlobals<HubPlaceOptions & { expires?: number; revoke?: string }>();
    const { revoke, expires: days = TOKEN_DAYS } = options;
    if (revoke !== undefined) {
      const done = await withHub(cli, options, (hub) => revokeToken(hub, revoke));
      if (cli.console.json) return cli.console.printJson(done);
      return cli.console.print(`${done.label} was revoked.`);
    }
    if (name === undefined)
      throw new Fault('usage', 'Missing member name, or --revoke TOKEN.', {
        hint: '`keepsake hub member` lists members and tokens.',
      });
    const done = await withHub(cli, options, (hub) => issueToken(hub, { name, days }));
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `Token ${done.label} of ${cleanLine(done.member)}, until ${done.expiresAt.slice(0, 10)}. It is not shown again:`,
      `  ${done.token}`,
    );
  });
}

function defineRole(member: Command, cli: Cli): void {
  const role = hubPlaceOptions(
    member
      .command('role')
      .description('Set the role of a member in a repository, or remove it.')
      .argument('<name>', 'the member')
      .argument('<repository>', "the URL of its origin, its name, or '*' for all")
      .argument('<role>', `${HUB_ROLES.join(', ')}, or none`),
  );
  commonOptions(role);
  examples(
    role,
    'hub member role anna github.com/acme/shop writer --data ./hub',
    "hub member role ben '*' reader --data ./hub",
  );
  role.action(async (...args: [string, string, string, HubPlaceOptions, Command]) => {
    const [name, repo, wanted, , self] = args;
    const done = await withHub(cli, self.optsWithGlobals(), (hub) =>
      setMemberRole(hub, { name, repo, role: wanted }),
    );
    if (cli.console.json) return cli.console.printJson(done);
    const what = done.role === 'none' ? 'has no role' : `is ${done.role}`;
    cli.console.print(
      `${cleanLine(done.member)} ${what} in ${done.repo === '*' ? 'every repository' : cleanLine(repo)} now.`,
    );
  });
}
