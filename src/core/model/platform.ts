/** All that differs between the systems that Keepsake runs on; one that is not named is like Linux. */
export type Platform = {
  /** A folder can be opened and synced: without it a name may be lost in a power failure. */
  syncsFolders: boolean;
  /** Permission bits say who may read a file. */
  hasModes: boolean;
  /** Whether an output is a file or a pipe is known from its kind, and both are written to at once. */
  knowsPipes: boolean;
  /** The agent's own command. */
  claude: string;
  /** Where no variable names one. */
  editor: string;
  /** Errors of a rename that are over a moment later: another program, a virus scanner say, has the file open. */
  passing: readonly string[];
  /** Gives random bytes when read. Undefined where the name would be a file on a drive, which any user may write. */
  randomFile: string | undefined;
};

/** The variables that say where programs keep their data. */
type DataVariables = { APPDATA?: string | undefined; XDG_CONFIG_HOME?: string | undefined };
type Command = [command: string, ...args: string[]];

const UNIX: Platform = {
  syncsFolders: true,
  hasModes: true,
  knowsPipes: true,
  claude: 'claude',
  editor: 'vi',
  passing: [],
  randomFile: '/dev/urandom',
};
const WINDOWS: Platform = {
  syncsFolders: false,
  hasModes: false,
  knowsPipes: false,
  claude: 'claude.exe',
  editor: 'notepad',
  passing: ['EPERM', 'EACCES', 'EBUSY'],
  randomFile: undefined,
};

/** `name`: as Node names the system. */
export function platformOf(name: string): Platform {
  return name === 'win32' ? WINDOWS : UNIX;
}

/** What opens an address in the user's browser. */
export function browserCommand(name: string, address: string): Command {
  if (name === 'darwin') return ['open', address];
  return name === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', address] : ['xdg-open', address];
}

/** What opens a file in an editor, through a shell as git does it: an editor may be `code --wait`. `shell`: all of it is one line for it. */
export function editorCommand(
  name: string,
  editor: string,
  file: string,
): { command: Command; shell: boolean } {
  return name === 'win32'
    ? { command: [`${editor} "${file}"`], shell: true }
    : { command: ['sh', '-c', `${editor} "$1"`, 'sh', file], shell: false };
}

/** Where VS Code and editors made from it keep their data, each in a folder of its name: the parts of a path. */
export function editorDataFolder(name: string, home: string, vars: DataVariables): string[] {
  if (name === 'darwin') return [home, 'Library', 'Application Support'];
  if (name === 'win32') return vars.APPDATA ? [vars.APPDATA] : [home, 'AppData', 'Roaming'];
  return vars.XDG_CONFIG_HOME ? [vars.XDG_CONFIG_HOME] : [home, '.config'];
}

/** The folder and its parents, nearest first, up to this number; without the root of a drive or of the file system. */
export function foldersAbove(folder: string, most: number): string[] {
  const found = [folder];
  const end = (path: string) => Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  for (let path = folder; found.length <= most; ) {
    const at = end(path);
    path = path.slice(0, Math.max(0, at));
    if (path === '' || /^[A-Za-z]:$/.test(path)) break;
    found.push(path);
  }
  return found;
}

/** Whether a rename that failed with this code is worth another try. */
export function isWorthRetrying({ passing }: Platform, code: unknown): boolean {
  return typeof code === 'string' && passing.includes(code);
}
