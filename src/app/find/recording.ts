import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import {
  type CheckoutFolders,
  decidingFolders,
  foldersUp,
  mainCheckout,
  RECORD_MARKER,
  settingAt,
  type Unrecorded,
} from '../../core/model/unrecorded.ts';
import { repositoryAt } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { locateProject } from './locate-project.ts';

/** Why a session is not recorded; `at` is the marker file, or the project with the setting. */
export type KeptOut = { by: 'session' | 'marker' | 'setting'; at: string };

/** A session that is to be recorded or not: whatever is known of it. */
export type ToRecord = {
  session?: string | undefined;
  cwd?: string | undefined;
  project?: ProjectId | undefined;
};

/** What is kept out of the archive, as one run finds it: each folder and project is looked at once. */
export class Recording {
  readonly #world: World;
  #unrecorded: Promise<Unrecorded> | undefined;
  readonly #isThere = new Map<string, Promise<boolean>>();
  readonly #own = new Map<ProjectId, Promise<boolean | undefined>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Undefined: it is recorded. A marker file counts before any setting, and the nearest setting before others. */
  async keptOut({ session, cwd, project }: ToRecord): Promise<KeptOut | undefined> {
    this.#unrecorded ??= this.#world.archive.unrecorded.read();
    const { sessions, projects } = await this.#unrecorded;
    if (session !== undefined && Object.hasOwn(sessions, session)) return { by: 'session', at: session };
    const folders = cwd ? decidingFolders(cwd, await this.#checkoutOf(cwd)) : undefined;
    for (const folder of folders?.marker ?? []) {
      const marker = inFolder(folder, RECORD_MARKER);
      if (await this.#exists(marker)) return { by: 'marker', at: marker };
    }
    const at = project ?? (cwd ? (await locateProject(this.#world, cwd)).project : undefined);
    const own = at === undefined ? undefined : await this.#settingOf(at);
    if (own !== undefined) return own ? undefined : { by: 'setting', at: at ?? '' };
    const above = settingAt(projects, folders?.setting ?? []);
    if (above) return above.record ? undefined : { by: 'setting', at: above.project };
    const kin = cwd ? await this.#settingOfRepository(cwd, projects) : undefined;
    if (kin) return kin.record ? undefined : { by: 'setting', at: kin.project };
    const { config } = await this.#world.settings.resolve();
    return config.record ? undefined : { by: 'setting', at: '' };
  }

  /** A clone that no session was recorded of is kept out with the other folders of its repository. */
  async #settingOfRepository(
    cwd: string,
    projects: Unrecorded['projects'],
  ): Promise<{ project: string; record: boolean } | undefined> {
    if (Object.keys(projects).length === 0) return undefined;
    const folders = (await repositoryAt(this.#world, cwd))?.folders ?? [];
    const found = folders.find(({ projectId }) => Object.hasOwn(projects, projectId));
    return found && { project: found.projectId, record: projects[found.projectId]!.record };
  }

  async #checkoutOf(cwd: string): Promise<CheckoutFolders | undefined> {
    for (const root of foldersUp(cwd)) {
      const git = inFolder(root, '.git');
      if (!(await this.#exists(git))) continue;
      const text = await this.#world.machine.readText(git);
      return { root, main: text === undefined ? undefined : mainCheckout(root, text) };
    }
    return undefined;
  }

  #exists(path: string): Promise<boolean> {
    let found = this.#isThere.get(path);
    if (!found) {
      found = this.#world.machine.accessTo(path).then((access) => access !== 'missing');
      this.#isThere.set(path, found);
    }
    return found;
  }

  /** What the project sets itself. */
  #settingOf(project: ProjectId): Promise<boolean | undefined> {
    let found = this.#own.get(project);
    if (!found) {
      found = this.#readSetting(project);
      this.#own.set(project, found);
    }
    return found;
  }

  async #readSetting(project: ProjectId): Promise<boolean | undefined> {
    const settings = (await this.#world.archive.head(project))?.settings ?? {};
    return 'record' in settings ? (await this.#world.settings.resolve(settings)).config.record : undefined;
  }
}

function inFolder(folder: string, name: string): string {
  return `${folder === '/' ? '' : folder}/${name}`;
}

export async function isKeptOut(world: World, what: ToRecord): Promise<boolean> {
  return (await new Recording(world).keptOut(what)) !== undefined;
}

/** Nothing new is stored for a project or session that is kept out: fault `conflict` with what turns recording on. */
export async function refuseUnrecorded(world: World, what: ToRecord): Promise<void> {
  const head = what.project === undefined ? undefined : await world.archive.head(what.project);
  const cwd = what.cwd ?? (head?.originalPath || undefined);
  const out = await new Recording(world).keptOut({ ...what, cwd });
  if (out) throw keptOutFault(out, what.session === undefined ? 'This project' : 'This session');
}

/** The message for a session that is not recorded. */
export function keptOutFault({ by, at }: KeptOut, what: string): Fault {
  switch (by) {
    case 'session':
      return new Fault('conflict', `${what} is not recorded: the session was turned off.`, {
        hint: `\`keepsake record on ${at}\` records it again.`,
      });
    case 'marker':
      return new Fault('conflict', `${what} is not recorded because of the file ${at}`, {
        hint: 'Delete that file to record the sessions of its folder.',
      });
    case 'setting':
      return new Fault(
        'conflict',
        `${what} is not recorded: the setting \`record\` is off${at === '' ? '' : ` for project ${at}`}.`,
        {
          hint: `\`keepsake config set record true${at === '' ? '' : ` --project=${at}`}\` records it again.`,
        },
      );
  }
}
