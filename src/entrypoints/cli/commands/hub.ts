import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Hub } from '../../../app/hub/hub.ts';
import { inviteMember, readAudit, setMemberRole } from '../../../app/hub/members.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { type HubPlaceOptions, hubPlaceOptions, withHub } from '../options/hub.ts';
import { portOf } from '../options/serve.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { defineMember } from './hub-member.ts';
import { definePush } from './hub-push.ts';

type HubOptions = HubPlaceOptions & {
  host?: string;
  port?: number;
  tlsCert?: string;
  tlsKey?: string;
  plainHttp?: boolean;
  cache?: string;
  requestsPerMinute?: number;
  megabytesPerMinute?: number;
};

/** Who a hub that has no member yet is for. */
const FIRST_MEMBER = 'owner';
const AUDIT_ROWS = 50;

export const defineHub: Define = (command, cli) => {
  hubPlaceOptions(command)
    .option('--port <port>', 'port (default: 4747)', portOf)
    .option('--host <host>', 'address to listen on (default: this machine only)')
    .option('--tls-cert <file>', 'certificate, as PEM')
    .option('--tls-key <file>', 'its key, as PEM')
    .option('--plain-http', 'allow other machines without TLS, if a proxy in front terminates TLS')
    .option('--cache <folder>', 'folder for indexes; can be deleted at any time')
    .option('--requests-per-minute <n>', 'limit per token (default: 600)', parseWholeNumber)
    .option('--megabytes-per-minute <n>', 'upload limit per token (default: 256)', parseWholeNumber)
    .addHelpText(
      'after',
      '\nMembers join with an invitation: keepsake hub member add NAME. Roles, limits and what the hub can see: docs/guide/hub.md.',
    );
  commonOptions(command);
  examples(
    command,
    'hub --data ./hub',
    'hub member add anna --data ./hub',
    'hub member role anna github.com/acme/shop writer --data ./hub',
    'hub audit --data ./hub',
  );
  command.action((options: HubOptions) => serve(cli, options));
  defineMember(command, cli);
  defineAudit(command, cli);
  definePush(command, cli);
};

async function serve(cli: Cli, options: HubOptions): Promise<void> {
  const { console } = cli;
  const stopped = cli.signal();
  await cli.host.stay();
  const [{ DEFAULT_HUB_PORT, HUB_LOOPBACK, serveHub }, { DEFAULT_LIMITS }, { Replicas }, { siteAt }] =
    await Promise.all([
      import('../../hub/serve-hub.ts'),
      import('../../hub/hub-limits.ts'),
      import('../../hub/replicas.ts'),
      import('../../http/site.ts'),
    ]);
  const { requestsPerMinute = DEFAULT_LIMITS.requestsPerMinute } = options;
  const { megabytesPerMinute = DEFAULT_LIMITS.megabytesPerMinute } = options;
  await withHub(cli, options, async (hub) => {
    const owner = hub.key.toString('hex');
    const replicas = new Replicas(hub, await cli.host.openReplicas({ ...options, owner }));
    const serving = await serveHub(
      {
        hub,
        replicas,
        site: siteAt(cli.host.site),
        limits: { ...DEFAULT_LIMITS, requestsPerMinute, megabytesPerMinute },
        version: cli.host.version,
        log: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
        failed: (error) => void cli.host.log(`hub: ${error instanceof Error ? error.stack : String(error)}`),
      },
      {
        host: options.host ?? HUB_LOOPBACK,
        port: options.port ?? DEFAULT_HUB_PORT,
        tls: tlsOf(options),
        plainHttp: options.plainHttp === true,
      },
    );
    try {
      const invitation = await firstInvitation(hub);
      if (console.json) console.printJson({ address: serving.address, port: serving.port, invitation });
      else {
        console.print(`The hub listens on ${serving.address}`);
        if (invitation !== null)
          console.print(`Join it: keepsake remote add ${serving.address} --invite ${invitation}`);
      }
      if (!stopped.aborted)
        await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
    } finally {
      await serving.close();
    }
  });
}

/** A hub without members has nobody who could invite: its first member is admin of everything. */
async function firstInvitation(hub: Hub): Promise<string | null> {
  if ((await hub.database.members()).length > 0) return null;
  const { invitation } = await inviteMember(hub, FIRST_MEMBER);
  await setMemberRole(hub, { name: FIRST_MEMBER, repo: '*', role: 'admin' });
  return invitation;
}

function tlsOf({ tlsCert, tlsKey }: HubOptions): { cert: Buffer; key: Buffer } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Fault('usage', 'TLS needs a certificate and a key.', {
      hint: 'Use both --tls-cert and --tls-key.',
    });
  return { cert: fileAt(tlsCert), key: fileAt(tlsKey) };
}

function fileAt(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Fault('unreadable', `${path} can't be read.`, { hint: 'Check the path.', cause: error });
  }
}

function defineAudit(command: Command, cli: Cli): void {
  const audit = hubPlaceOptions(
    command
      .command('audit')
      .description(
        'Show the audit log, newest first: grants, pushes, deletions, reads of originals, refused requests.',
      ),
  ).option('--limit <n>', `maximum number (default: ${AUDIT_ROWS})`, parseWholeNumber);
  commonOptions(audit);
  examples(audit, 'hub audit --data ./hub', 'hub audit --data ./hub --limit 1000 --json');
  audit.action(async (_: HubPlaceOptions, self: Command) => {
    const options = self.optsWithGlobals<HubPlaceOptions & { limit?: number }>();
    const items = await withHub(cli, options, (hub) => readAudit(hub, options.limit ?? AUDIT_ROWS));
    if (cli.console.json) return cli.console.printJson({ items });
    for (const { at, member, repo, action, detail } of items)
      cli.console.print([at, member, action, repo.slice(0, 8), detail].map(cleanLine).join('  '));
  });
}
