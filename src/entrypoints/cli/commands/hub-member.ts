import type { Command } from 'commander';
import { HUB_ROLES } from '../../../core/hub/hub-role.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { AddedMember, HubMemberRow, HubMembers } from '../../../ports/hub-members.ts';
import { type Cli, commonOptions, examples, parseWholeNumber } from '../cli.ts';
import { type HubManageOptions, hubManageOptions, withMembers } from '../options/hub.ts';
import { cleanLine } from '../terminal/clean-text.ts';

const TOKEN_DAYS = 90;
const ALL = '*';

type MemberOptions = HubManageOptions & {
  repository?: string;
  role?: string;
  expires?: number;
  revoke?: string;
};

export function defineMember(hub: Command, cli: Cli): void {
  const member = hubManageOptions(
    hub
      .command('member')
      .description('List members with roles, devices and tokens; invite, remove, set roles.')
      .option('--repository <address>', 'only members of this repository'),
  );
  commonOptions(member);
  examples(
    member,
    'hub member --data ./hub',
    'hub member add anna --data ./hub',
    'hub member --remote team --repository github.com/acme/shop',
  );
  member.action(async (_: MemberOptions, self: Command) => {
    const options = self.optsWithGlobals<MemberOptions>();
    const items = await withMembers(cli, options, (members) => members.list(options.repository ?? ALL));
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
    // A device that joined with a token has one of the same label.
    ...[...new Map(tokens.map((it) => [it.label, it])).values()].map(
      (it) => `  token ${it.label}${it.expiresAt === '' ? '' : `  until ${it.expiresAt.slice(0, 10)}`}`,
    ),
  ];
}

type NamedCommand = { name: string; description: string; argument: string; options: [string, string][] };

/** A command about one member. */
function namedCommand<T>(
  member: Command,
  cli: Cli,
  { name, description, argument, options }: NamedCommand,
  act: {
    run: (members: HubMembers, asked: string, options: MemberOptions) => Promise<T>;
    print: (done: T, options: MemberOptions) => string[];
  },
): void {
  const command = member.command(name).description(description).argument('<name>', argument);
  for (const [flags, text] of options) command.option(flags, text);
  hubManageOptions(command);
  commonOptions(command);
  examples(
    command,
    `hub member ${name} anna --data ./hub`,
    `hub member ${name} anna --repository github.com/acme/shop --remote team`,
  );
  command.action(async (asked: string, _: MemberOptions, self: Command) => {
    const typed = self.optsWithGlobals<MemberOptions>();
    const [done, url] = await withMembers(
      cli,
      typed,
      async (members, address) => [await act.run(members, asked, typed), address] as const,
    );
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(...act.print(done, { ...typed, ...(url === undefined ? {} : { url }) }));
  });
}

function defineAdd(member: Command, cli: Cli): void {
  const description =
    'Invite a new member, or another device of a member. Prints a one-time invitation. With --repository also give a role there.';
  const options: [string, string][] = [
    ['--repository <address>', 'a repository they get a role in'],
    ['--role <role>', `${HUB_ROLES.join(', ')} (default: reader)`],
  ];
  const named = { name: 'add', description, argument: 'the name that colleagues see', options };
  namedCommand(member, cli, named, {
    run: (members, name, { repository, role }) => {
      if (role !== undefined && repository === undefined)
        throw new Fault('usage', '--role needs --repository.', {
          hint: "Give the URL of its origin, or '*' for every repository.",
        });
      return members.add(repository ?? ALL, { name, role });
    },
    print: addedLines,
  });
}

function addedLines(
  { member, isNew, invitation, expiresAt, role }: AddedMember,
  { repository, url }: MemberOptions,
): string[] {
  const who = cleanLine(member);
  const where = repository === ALL ? 'every repository' : cleanLine(repository ?? '');
  const roleLine = role === 'none' ? [] : [`${who} is ${role} in ${where} now.`];
  if (invitation === null)
    return [`${who} is a member of this hub already and needs no invitation.`, ...roleLine];
  return [
    isNew ? `Added the member ${who}.` : `Another device for ${who}.`,
    ...(repository === undefined ? [] : roleLine),
    `One-time invitation, valid until ${expiresAt?.slice(0, 10)}:`,
    `  ${invitation}`,
    `On their machine: keepsake remote add ${url ?? 'ADDRESS'} --invite ${invitation}`,
    ...(isNew && role === 'none' ? [`Give a role: keepsake hub member role ${who} REPOSITORY writer`] : []),
  ];
}

function defineRemove(member: Command, cli: Cli): void {
  const description = "Remove a member's access immediately. What they sent stays, with their name.";
  const options: [string, string][] = [['--repository <address>', 'only from this repository']];
  const named = { name: 'remove', description, argument: 'a member (listed by `hub member`)', options };
  namedCommand(member, cli, named, {
    run: (members, name, { repository }) => members.remove(repository ?? ALL, name),
    print: (done, { repository }) => [
      `${cleanLine(done.member)} was removed${repository === undefined ? '' : ` from ${cleanLine(repository)}`}.`,
    ],
  });
}

function defineToken(member: Command, cli: Cli): void {
  const token = hubManageOptions(
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
  token.action(async (name: string | undefined, _: MemberOptions, self: Command) => {
    const options = self.optsWithGlobals<MemberOptions>();
    const { revoke, expires: days = TOKEN_DAYS } = options;
    if (revoke !== undefined) {
      const done = await withMembers(cli, options, (members) => members.revokeToken(revoke));
      if (cli.console.json) return cli.console.printJson(done);
      return cli.console.print(`${done.label} was revoked.`);
    }
    if (name === undefined)
      throw new Fault('usage', 'Missing member name, or --revoke TOKEN.', {
        hint: '`keepsake hub member` lists members and tokens.',
      });
    const done = await withMembers(cli, options, (members) => members.issueToken({ name, days }));
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `Token ${done.label} of ${cleanLine(done.member)}, until ${done.expiresAt.slice(0, 10)}. It is not shown again:`,
      `  ${done.token}`,
    );
  });
}

function defineRole(member: Command, cli: Cli): void {
  const role = hubManageOptions(
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
    'hub member role anna github.com/acme/shop reviewer --remote team',
    "hub member role ben '*' reader --data ./hub",
  );
  role.action(async (...args: [string, string, string, MemberOptions, Command]) => {
    const [name, repo, wanted, , self] = args;
    const done = await withMembers(cli, self.optsWithGlobals(), (members) =>
      members.setRole(repo, { name, role: wanted }),
    );
    if (cli.console.json) return cli.console.printJson(done);
    const what = done.role === 'none' ? 'has no role' : `is ${done.role}`;
    cli.console.print(
      `${cleanLine(done.member)} ${what} in ${done.repo === ALL ? 'every repository' : cleanLine(repo)} now.`,
    );
  });
}
