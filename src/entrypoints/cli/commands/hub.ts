import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Hub } from '../../../app/hub/hub.ts';
import { inviteMember, setMemberRole } from '../../../app/hub/members.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import {
  type HubManageOptions,
  type HubPlaceOptions,
  hubManageOptions,
  hubPlaceOptions,
  withHub,
  withMembers,
} from '../options/hub.ts';
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
  owner?: string;
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
    .option('--owner <name>', `your name on a new hub, as colleagues see it (default: ${FIRST_MEMBER})`)
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
    const place = await cli.host.openReplicas({ ...options, owner });
    // Small files that the system has in memory: a trip through a thread takes longer than the file.
    if (place.waitsForDisk) await cli.host.stay();
    const replicas = new Replicas(hub, place);
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
      const invitation = await firstInvitation(hub, options.owner ?? FIRST_MEMBER);
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
async function firstInvitation(hub: Hub, owner: string): Promise<string | null> {
  if ((await hub.database.members()).length > 0) return null;
  const { invitation, member } = await inviteMember(hub, owner);
  await setMemberRole(hub, { name: member, repo: '*', role: 'admin' });
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
  const audit = hubManageOptions(
    command
      .command('audit')
      .description(
        'Show the audit log, newest first: grants, pushes, deletions, reads of originals, refused requests.',
      )
      .option('--repository <address>', 'only this repository'),
  ).option('--limit <n>', `maximum number (default: ${AUDIT_ROWS})`, parseWholeNumber);
  commonOptions(audit);
  examples(
    audit,
    'hub audit --data ./hub',
    'hub audit --data ./hub --limit 1000 --json',
    'hub audit --remote team --repository github.com/acme/shop',
  );
  audit.action(async (_: HubManageOptions, self: Command) => {
    const options = self.optsWithGlobals<HubManageOptions & { limit?: number; repository?: string }>();
    const { limit = AUDIT_ROWS, repository = '*' } = options;
    const items = await withMembers(cli, options, (members) => members.audit(repository, limit));
    if (cli.console.json) return cli.console.printJson({ items });
    for (const { at, member, device, repo, action, detail } of items)
      cli.console.print(
        [at, member, device.slice(0, 8) || '-', action, repo.slice(0, 8) || '-', detail]
          .map(cleanLine)
          .join('  '),
      );
  });
}
